"""Seating bots of this server before a game, each in the role that it is to play."""

from collections.abc import Awaitable, Callable

from protocol.common import events
from protocol.common.table import RoomTable
from server.kernel.admission.by_ruleset import check_role
from server.kernel.errors import Refused
from server.lobby.rooms.host import Decision, RoomHost
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.bots import Bots


def free_seat(room: RoomTable) -> int:
    """Return the number of the lowest seat that nobody has taken."""
    return next(seat for seat in range(len(room.seats) + 1) if seat not in room.seats)


async def seat_bot(
    host: RoomHost,
    submit: Callable[[Decision], Awaitable[object]],
    services: LobbyServices,
    bots: Bots,
    role: str = "",
) -> None:
    """
    Seat a bot, and claim its role.

    The server claims the role for the bot, so that the role is on the log before the bot acts, and
    survives a restart of the server.

    Args:
        host: the host of the room.
        submit: submits the input that seats the bot, as the seat that may give it.
        services: the services of the lobby.
        bots: the bots of this server.
        role: the role; empty for none, which is the first of the roster.

    Raises:
        Refused: this server runs no bots, no seat is free, or the role is unknown or taken.
    """
    taken: list[events.SeatTaken] = []

    def decide(room: RoomTable) -> events.SeatTaken:
        if services.make_bot is None:
            raise Refused("table/no_bots")
        seat = free_seat(room)
        if role:
            roster = services.shelf.ruleset(room.ruleset).roster(services.shelf.content(room))
            check_role(room, roster, seat, role)
        name, key = bots.new_name(room)
        taken.append(events.SeatTaken(seat, name, key, is_bot=True))
        return taken[-1]

    await submit(decide)
    if not role:
        return
    seat, key = taken[-1].seat, taken[-1].key
    try:
        await host.submit(events.RoleClaimed(seat, role), seat, key=key)
    except Refused:
        # Somebody was faster: a bot in another role is not what was asked for.
        await host.submit(events.SeatLeft(seat), seat, key=key)
        raise
