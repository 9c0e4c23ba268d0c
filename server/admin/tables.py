"""Acts of an operator on a table, each an input on the room's log with origin OPERATOR."""

from collections.abc import Callable
from typing import Final

from protocol.common import events
from protocol.common.absence import absentees
from protocol.common.table import RoomTable
from protocol.event import OPERATOR, Event
from server.admin.vocabulary import AgreeToGoBack, CloseTable, PauseTable, ResumeTable
from server.kernel.errors import Refused
from server.lobby.lobby import Lobby

ActForReason = PauseTable | ResumeTable | CloseTable
ActOnTable = ActForReason | AgreeToGoBack
"""Acts that are recorded on the log of a room."""

_INPUTS: Final[dict[type[ActForReason], Callable[[bytes], Event]]] = {
    PauseTable: events.OperatorPaused,
    ResumeTable: events.OperatorResumed,
    CloseTable: events.OperatorClosed,
}


async def act_on_table(lobby: Lobby, act: ActOnTable) -> int:
    """
    Submit an operator's input to a room, which is loaded if need be.

    Returns:
        The number of sessions that follow the room.

    Raises:
        Refused: there is no such room, or the room refuses the act now.
        RuleFailed, StorageError: as `RoomHost.submit`.
    """
    host = await lobby.registry.load(act.room_id)
    try:
        # Made at its turn in the queue: earlier inputs may change the open proposal.
        await host.submit(lambda room: _input_of(act, room), OPERATOR)
        # The act may have ended the game, whose closed setup is opened then.
        await lobby.setups.open_on(host)
        return len(host.followers.by_session)
    finally:
        lobby.registry.release(host)


def _input_of(act: ActOnTable, room: RoomTable) -> Event:
    """
    Return the input that carries out an act on the room.

    Raises:
        Refused: `act` agrees to a proposal, and the room has no open proposal.
    """
    if not isinstance(act, AgreeToGoBack):
        return _INPUTS[type(act)](act.reason.encode())
    if room.proposal is None:
        raise Refused("proposal/stale")
    return events.AgreedForAbsent(room.proposal.proposal_id, absentees(room))
