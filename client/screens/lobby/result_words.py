"""Results of the tables that played one setup, in words."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from client.locale.results import scores_in_words, side_named, winners_in_words
from client.model.model import ClientModel
from client.text.printable import width_of
from client.widgets.moments import moment
from protocol.messages import GameResult, SetupResult, SetupResults

MOST_BESIDE = 4
"""Maximum number of games that are set against each other."""
_KEYS = {
    GameResult.WON: "results.won",
    GameResult.LOST: "results.lost",
    GameResult.NONE: "results.none",
    GameResult.RUNNING: "results.running",
}
_IN_NO_ROUND = {
    GameResult.WON: "results.just_won",
    GameResult.LOST: "results.just_lost",
}
"""Words for games without rounds."""


def result_line(model: ClientModel, line: SetupResult, now: datetime | None) -> str:
    """Return scenario, players, outcome and scores of a table, and its time if `now` is given."""
    say = model.locale.say
    who = say("results.mine", ", ".join(line.names)) if line.is_mine else ", ".join(line.names)
    has_sides = line.outcome is GameResult.SIDES
    if has_sides:
        said = winners_in_words(model.speaker, line.winners, line.rounds)
    else:
        keys = _KEYS if line.rounds else {**_KEYS, **_IN_NO_ROUND}
        said = say(keys[line.outcome], line.rounds)
    if line.scores:
        said = f"{said}; {scores_in_words(model.speaker, line.scores, has_sides=has_sides)}"
    if now is not None and line.ended_at:
        said = f"{said}; {moment(model.locale, line.ended_at, now)}"
    return say("entry.line", model.title_in_full(line.scenario), f"{who}; {said}")


def left_out(model: ClientModel, found: SetupResults) -> Iterator[str]:
    """Yield a line with the number of tables that are not listed; nothing if all are."""
    if found.table_count > len(found.lines):
        yield model.locale.say("results.more", found.table_count - len(found.lines))


def beside_lines(model: ClientModel, found: SetupResults) -> Iterator[str]:
    """
    Yield a table that sets games with sides against each other, a column for each.

    The games are the first ones of the list that are over, of one scenario; with one alone there is
    nothing to yield. Each row has the players of a side, the winner, the round, or one score.
    """
    say = model.locale.say
    games = [(at, line) for at, line in enumerate(found.lines, 1) if line.sides]
    games = [(at, line) for at, line in games if line.scenario == games[0][1].scenario]
    games = games[:MOST_BESIDE]
    if len(games) < 2:
        return
    yield say("results.beside", model.title_in_full(games[0][1].scenario))
    rows = [("", [say("results.table", at) for at, _ in games])]
    rows += _rows(model, [line for _, line in games])
    widths = [
        max(width_of(text) for text in column)
        for column in zip(*((label, *values) for label, values in rows), strict=True)
    ]
    for label, values in rows:
        cells = zip((label, *values), widths, strict=True)
        yield "  ".join(text + " " * (width - width_of(text)) for text, width in cells).rstrip()


def _rows(model: ClientModel, lines: Sequence[SetupResult]) -> Iterator[tuple[str, list[str]]]:
    speaker, say = model.speaker, model.locale.say
    for side in dict.fromkeys(side for line in lines for side in line.sides):
        players = [", ".join(players_of(line).get(side, ())) for line in lines]
        yield speaker.name("role", side), players
    winners = [", ".join(side_named(speaker, one) for one in line.winners) for line in lines]
    yield say("results.winner"), [one or say("results.no_winner") for one in winners]
    if any(line.rounds for line in lines):
        yield say("results.last_round"), [str(line.rounds) for line in lines]
    for name, side in dict.fromkeys((one.name, one.side) for line in lines for one in line.scores):
        values = [
            next(
                (str(one.value) for one in line.scores if (one.name, one.side) == (name, side)), ""
            )
            for line in lines
        ]
        yield speaker.name("score", name), values


def players_of(line: SetupResult) -> dict[str, list[str]]:
    """Return the names of the players by side; empty in a game with one side."""
    found: dict[str, list[str]] = {}
    for side, name in zip(line.sides, line.names, strict=False):
        found.setdefault(side, []).append(name)
    return found
