"""What an operator does to a table; it stands on the log of the room, with an origin of its own."""

from collections.abc import Callable
from typing import Final

from protocol.common import events as on
from protocol.event import OPERATOR, Event
from server.admin.vocabulary import CloseTable, PauseTable, ResumeTable
from server.lobby.desk import LobbyDesk

ActOnTable = PauseTable | ResumeTable | CloseTable

_INPUTS: Final[dict[type[ActOnTable], Callable[[bytes], Event]]] = {
    PauseTable: on.OperatorPaused,
    ResumeTable: on.OperatorResumed,
    CloseTable: on.OperatorClosed,
}


def input_of(act: ActOnTable) -> Event:
    """Return what stands on the log of the room for an act."""
    return _INPUTS[type(act)](act.reason.encode())


async def give(desk: LobbyDesk, room_id: str, happened: Event) -> int:
    """
    Give a room an input of the operator; it is read from the store where nobody follows it.

    Returns:
        How many sessions follow the room and so were told.

    Raises:
        Refused: there is no such room, or it cannot be done now.
        RuleFailed, StorageError: as `RoomHost.submit`.
    """
    host = await desk.registry.load(room_id)
    try:
        await host.submit(happened, OPERATOR)
        await desk.setups.open_on(host)
        return len(host.followers.by_session)
    finally:
        desk.registry.release(host)
