"""Finished games in words, for screens and for plain mode."""

from datetime import datetime

from client.locale.results import winners_in_words
from client.model.model import ClientModel
from client.widgets.moments import moment
from protocol.messages import FoundGame, GameResult


def found_line(model: ClientModel, line: FoundGame, now: datetime | None) -> str:
    """
    Return one finished game as a line: scenario, players, winning sides, time, access.

    Args:
        model: the model of the client.
        line: the game.
        now: the time in the reader's zone; None if there is no clock.
    """
    say = model.locale.say
    about = ", ".join(line.names)
    if line.outcome is GameResult.SIDES:
        about = f"{about}; {winners_in_words(model.speaker, line.winners, 0)}"
    if now is not None:
        about = f"{about}; {moment(model.locale, line.ended_at, now)}"
    said = say("entry.line", model.title_in_full(line.scenario), about)
    if line.is_open:
        return say("games.marked", said, say("games.is_open"))
    if line.agreed:
        return say("games.marked", said, say("games.agreed_by", ", ".join(line.agreed)))
    return said
