"""A report on many games of a scenario: wins, lengths, and parts that never came up."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
class ScoreSpread:
    """A score of one side over several games."""

    name: str
    """The subject of the score's name."""
    side: str
    value: Spread


@attrs.frozen
class Party:
    """Results of all games with the same number of players."""

    players: int
    games: int
    wins: dict[str, int]
    """Number of games won by each side."""
    nobody: int
    """Number of games that nobody won."""
    rounds: Spread
    events: Spread
    answers: Spread
    minutes: Spread
    endings: dict[str, int]
    """Number of games by epilogue, the most frequent first."""
    scores: tuple[ScoreSpread, ...] = ()
    """Scores, in the order that the game states."""

    def percent(self, games: int) -> float:
        """Return a number of these games as a percentage."""
        return round(100 * games / self.games, 1)

    @property
    def win_rates(self) -> dict[str, float]:
        """Percentage of games won by each side."""
        return {side: self.percent(won) for side, won in self.wins.items()}


@attrs.frozen
class Plot:
    """Results of all games with the same plot."""

    name: str
    games: int
    wins: dict[str, int]
    """Number of games won by each side."""


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
    plots: tuple[Plot, ...] = ()
    """Results by plot, if the scenario has several."""
    parts: tuple[tuple[str, int, int], ...] = ()
    """For each kind of part the number of those that some game reached, and of all."""


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
        tuple(
            _party(players, [game for game in ended if game.players == players], sides_of(ended))
            for players in sorted({game.players for game in ended})
        ),
        tuple(mark for mark in known if not counts[mark]) if ended else (),
        tuple(rare),
        tuple(game for game in played if game.fault),
        _plots(ended),
        tuple(
            (kind, sum(bool(counts[mark]) for mark in known if mark.kind == kind), every)
            for kind, every in Counter(mark.kind for mark in known).items()
        ),
    )


def _plots(games: Sequence[Played]) -> tuple[Plot, ...]:
    sides = sides_of(games)
    found = []
    for name in sorted({game.plot for game in games if game.plot}):
        about = [game for game in games if game.plot == name]
        wins = Counter(side for game in about for side in game.winners)
        found.append(Plot(name, len(about), {side: wins[side] for side in sides}))
    return tuple(found)


def sides_of(games: Iterable[Played]) -> tuple[str, ...]:
    """Return the sides that played these games, each once."""
    return tuple(dict.fromkeys(side for game in games for side in game.sides))


def _party(players: int, games: Sequence[Played], sides: Sequence[str]) -> Party:
    wins = Counter(side for game in games for side in game.winners)
    values: dict[tuple[str, str], list[float]] = {}
    for game in games:
        for score in game.scores:
            values.setdefault((score.name, score.side), []).append(score.value)
    return Party(
        players,
        len(games),
        {side: wins[side] for side in dict.fromkeys([*sides, *sorted(wins)])},
        sum(not game.winners for game in games),
        Spread.of([game.rounds for game in games]),
        Spread.of([game.events for game in games]),
        Spread.of([game.answers for game in games]),
        Spread.of([round(game.minutes, 1) for game in games]),
        dict(Counter(game.epilogue for game in games).most_common()),
        tuple(ScoreSpread(*name, Spread.of(found)) for name, found in values.items()),
    )


def lines(found: Report) -> Iterator[str]:
    """Yield the lines of a report for people."""
    total = sum(party.games for party in found.parties)
    yield f"{found.scenario}: {total} games of {found.bots} bots"
    yield ""
    heads = _shares_of(found.parties[0]) if found.parties else {"won": 0.0}
    wide = [max(7, len(head) + 2) for head in heads]
    titles = "".join(f"{head:>{width}}" for head, width in zip(heads, wide, strict=True))
    yield f"players  games{titles}   rounds        answers        events           minutes"
    for party in found.parties:
        shares = _shares_of(party).values()
        rates = "".join(f"{rate:>{at - 1}}%" for rate, at in zip(shares, wide, strict=True))
        yield (
            f"{party.players:>7}{party.games:>7}{rates}   {party.rounds!s:<14}"
            f"{party.answers!s:<15}{party.events!s:<17}{party.minutes}"
        )
    yield ""
    if any(party.scores for party in found.parties):
        yield "Scores:"
    for party in found.parties:
        for score in party.scores:
            yield f"{party.players:>7}  {score.name} ({score.side}): {score.value}"
    if any(party.scores for party in found.parties):
        yield ""
    yield from _by_plot(found.plots)
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


def _by_plot(plots: Sequence[Plot]) -> Iterator[str]:
    if plots:
        yield "By plot:"
    for plot in plots:
        won = ", ".join(f"{side} {won}" for side, won in plot.wins.items())
        yield f"  {plot.games:>6}  {plot.name}: won by {won}"
    if plots:
        yield ""


def _shares_of(party: Party) -> dict[str, float]:
    """Return the percentages of games won, by the title of their column."""
    if len(party.wins) == 1:
        return {"won": next(iter(party.win_rates.values()))}
    return {**party.win_rates, "nobody": party.percent(party.nobody)}


def as_json(found: Report) -> dict[str, Any]:
    """Return a report as a JSON object."""
    return {
        "scenario": found.scenario,
        "bots": found.bots,
        "players": [_party_as_json(party) for party in found.parties],
        "plots": [attrs.asdict(plot) for plot in found.plots],
        "parts": [
            {"kind": kind, "reached": some, "all": every} for kind, some, every in found.parts
        ],
        "never": [attrs.asdict(mark) for mark in found.never],
        "rare": [{**attrs.asdict(mark), "games": count} for mark, count in found.rare],
        "faults": [
            {"seed": game.seed, "players": game.players, "fault": game.fault}
            for game in found.faults
        ],
    }


def _party_as_json(party: Party) -> dict[str, Any]:
    found = {**attrs.asdict(party), "win_rates": party.win_rates}
    if len(party.wins) == 1:
        # A game with one side is won or lost.
        (found["won"],), (found["win_rate"],) = party.wins.values(), party.win_rates.values()
    return found
