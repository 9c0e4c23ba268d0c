"""Lines about the seats that a player lost while away."""

from collections.abc import Iterator
from datetime import UTC, datetime

from client.model.model import ClientModel
from client.widgets.moments import moment
from protocol.common.templates import Nickname
from protocol.messages import LossCause


def lost_lines(model: ClientModel, now: datetime) -> Iterator[str]:
    """Yield a line for each seat that the player lost, and then forget these seats."""
    lost = model.lobby.lost_seats
    if lost:
        model.update_lobby(lost_seats=())
    for one in lost:
        when, title = moment(model.locale, one.when, now), model.title(one.scenario)
        key = f"lost.{one.cause.value}"
        if one.cause is LossCause.GIVEN and not one.to:
            key = "lost.given_away"
        yield model.locale.say(key, title, when, Nickname(one.to))


def local_now() -> datetime:
    return datetime.now(UTC).astimezone()
