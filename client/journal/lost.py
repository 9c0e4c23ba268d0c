"""Seats that a player lost while away, in words."""

from collections.abc import Iterator
from datetime import UTC, datetime

from client.model.model import ClientModel
from client.widgets.moments import moment
from protocol.messages import LossCause, LostSeat


def lost_lines(model: ClientModel, now: datetime) -> Iterator[str]:
    """Yield a line for each lost seat, and remove them from the model."""
    lost = model.lobby.lost_seats
    if lost:
        model.update_lobby(lost_seats=())
    for one in lost:
        yield _line(model, one, now)


def _line(model: ClientModel, lost: LostSeat, now: datetime) -> str:
    when, title = moment(model.locale, lost.when, now), model.title(lost.scenario)
    key = f"lost.{lost.cause.value}"
    if lost.cause is LossCause.GIVEN and not lost.to:
        key = "lost.given_away"
    return model.locale.say(key, title, when, lost.to)


def local_now() -> datetime:
    """Return the time of day, in the zone of this machine."""
    return datetime.now(UTC).astimezone()
