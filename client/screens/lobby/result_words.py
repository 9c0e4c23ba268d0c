"""Results of the tables that played one setup, in words."""

from collections.abc import Iterator
from datetime import datetime

from client.locale.results import scores_in_words, winners_in_words
from client.model.model import ClientModel
from client.widgets.moments import moment
from protocol.messages import GameResult, SetupResult, SetupResults

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
    return say("entry.line", model.title(line.scenario), f"{who}; {said}")


def left_out(model: ClientModel, found: SetupResults) -> Iterator[str]:
    """Yield a line with the number of tables that are not listed; nothing if all are."""
    if found.table_count > len(found.lines):
        yield model.locale.say("results.more", found.table_count - len(found.lines))
