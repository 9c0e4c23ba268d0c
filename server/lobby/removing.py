"""Removal of a table whose game never began, or of a practice game."""

from protocol import messages
from protocol.common.table import Stage
from server.kernel.errors import Refused
from server.lobby.finished.practising import Practising
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import SeatHolder
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.removal import invitations_by_room
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.lost_seats import LostSeats


@handles(messages.RemoveTable, needs=Needs.SEAT, cost=Cost.STORED)
async def remove_table(
    holder: SeatHolder,
    _: messages.RemoveTable,
    services: LobbyServices,
    registry: Registry,
    practising: Practising,
    lost: LostSeats,
) -> None:
    codes = await invitations_by_room(services.store, services.scheduler)
    # Asked after the store has answered: the game may have begun meanwhile.
    await holder.turn()
    if holder.room.source is None:
        holder.must_be_host()
    if holder.room.stage is not Stage.LOBBY and holder.room.source is None:
        raise Refused("table/already_started")
    room, seen_by = holder.room, holder.host.followers.keys()
    practising.forget(room.room_id)
    # Before anything is awaited: from here on the room takes no input that could begin the game.
    await registry.remove_at_once(holder.host, codes.get(room.room_id, ()))
    for seat in [one for one in room.seats.values() if one.key != holder.key]:
        await lost.note(room, seat, seen_by, messages.LossCause.REMOVED)
