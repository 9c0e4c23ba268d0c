"""Finished games in words, for screens and for plain mode."""

from datetime import datetime

from client.model.model import ClientModel
from client.widgets.moments import moment
from protocol.messages import FoundGame


def found_line(model: ClientModel, line: FoundGame, now: datetime | None) -> str:
    """
    Return one finished game as a line: scenario, players, time, access.

    Args:
        model: the model of the client.
        line: the game.
        now: the time in the reader's zone; None if there is no clock.
    """
    say = model.locale.say
    names = ", ".join(line.names)
    about = names if now is None else f"{names}; {moment(model.locale, line.ended_at, now)}"
    said = say("entry.line", model.title(line.scenario), about)
    if line.is_open:
        return say("games.marked", said, say("games.is_open"))
    if line.agreed:
        return say("games.marked", said, say("games.agreed_by", ", ".join(line.agreed)))
    return said
