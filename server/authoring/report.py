"""A report on many games of a scenario: wins, lengths, and parts that never came up."""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from content.plugs.kind import Mark
from server.authoring.simulation import Played


@attrs.frozen
class Spread:
    """Mean, minimum and maximum of a number over several games."""

    least: float
    mean: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        return cls(min(values), round(statistics.fmean(values), 1), max(values))

    def __str__(self) -> str:
        return f"{self.mean:.0f} ({self.least:.0f}–{self.most:.0f})"


@attrs.frozen
class Party:
    """Results of all games with the same number of players."""

    players: int
    games: int
    won: int
    rounds: Spread
    events: Spread
    answers: Spread
    minutes: Spread
    endings: dict[str, int]
    """Number of games by epilogue, the most frequent first."""

    @property
    def win_rate(self) -> float:
        """Percentage of games won."""
        return round(100 * self.won / self.games, 1)


@attrs.frozen
class Report:
    """Results of all games of a scenario."""

    scenario: str
    bots: str
    parties: tuple[Party, ...]
    never: tuple[Mark, ...]
    """Parts that no finished game reached; empty if no game finished."""
    rare: tuple[tuple[Mark, int], ...]
    """Parts that less than 1 % of games reached, with the number of games."""
    faults: tuple[Played, ...]
    """Games that did not end."""


def report(scenario: str, bots: str, marks: Sequence[Mark], played: Sequence[Played]) -> Report:
    """Return the report on these games; `marks` are all parts of the scenario."""
    ended = [game for game in played if not game.fault]
    counts = Counter(mark for game in ended for mark in game.seen)
    # Marks that only games have seen are listed, too: the report hides nothing.
    known = list(dict.fromkeys([*marks, *sorted(counts)]))
    rare = [(mark, counts[mark]) for mark in known if 0 < counts[mark] * 100 < len(ended)]
    return Report(
        scenario,
        bots,
        tuple(_party(players, ended) for players in sorted({game.players for game in ended})),
        tuple(mark for mark in known if not counts[mark]) if ended else (),
        tuple(rare),
        tuple(game for game in played if game.fault),
    )


def _party(players: int, ended: Sequence[Played]) -> Party:
    games = [game for game in ended if game.players == players]
    return Party(
        players,
        len(games),
        sum(game.has_won for game in games),
        Spread.of([game.rounds for game in games]),
        Spread.of([game.events for game in games]),
        Spread.of([game.answers for game in games]),
        Spread.of([round(game.minutes, 1) for game in games]),
        dict(Counter(game.epilogue for game in games).most_common()),
    )


def lines(found: Report) -> Iterator[str]:
    """Yield the lines of a report for people."""
    total = sum(party.games for party in found.parties)
    yield f"{found.scenario}: {total} games of {found.bots} bots"
    yield ""
    yield "players  games    won   rounds        answers        events           minutes"
    for party in found.parties:
        yield (
            f"{party.players:>7}{party.games:>7}{party.win_rate:>6}%   {party.rounds!s:<14}"
            f"{party.answers!s:<15}{party.events!s:<17}{party.minutes}"
        )
    yield ""
    yield "Endings:"
    endings: Counter[str] = Counter()
    for party in found.parties:
        endings.update(party.endings)
    for epilogue, count in endings.most_common():
        yield f"  {count:>6}  {epilogue}"
    if found.never:
        games = sum(party.games for party in found.parties)
        yield f"Not reached in these {games} games:"
    for mark in found.never:
        yield f"  {mark.kind:<14} {mark.id}"
    if found.never:
        yield "No fault by itself: `manse content check` finds what can never come. The rest takes"
        yield "more games, other numbers of players, or choices that these bots do not make;"
        yield "`manse content test` shows that a play reaches it."
    if found.rare:
        yield "Seldom reached, in fewer than one game of a hundred:"
    for mark, count in found.rare:
        yield f"  {mark.kind:<14} {mark.id} ({count})"
    if not found.never and found.parties:
        yield "Everything was reached."
    for game in found.faults:
        many = "player" if game.players == 1 else "players"
        yield f"Seed {game.seed} with {game.players} {many} did not end: {game.fault}"


def as_json(found: Report) -> dict[str, Any]:
    """Return a report as a JSON object."""
    return {
        "scenario": found.scenario,
        "bots": found.bots,
        "players": [{**attrs.asdict(party), "win_rate": party.win_rate} for party in found.parties],
        "never": [attrs.asdict(mark) for mark in found.never],
        "rare": [{**attrs.asdict(mark), "games": count} for mark, count in found.rare],
        "faults": [
            {"seed": game.seed, "players": game.players, "fault": game.fault}
            for game in found.faults
        ],
    }
