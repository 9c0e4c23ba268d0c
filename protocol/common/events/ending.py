"""Events of the end of a game, which open secrets of its log."""

import enum

import attrs

from protocol.bounds import BYTES_32
from protocol.common.disclosure import Disclosure
from protocol.common.table import RoomEvent, RoomTable, Stage
from protocol.event import event, upcast
from protocol.upcasts import Change, Constant
from protocol.values import evolve


class HowClosed(enum.Enum):
    """Reason for the end of a game."""

    FINISHED = "finished"
    """The game ended by its rules."""
    GIVEN_UP = "given_up"
    """The seats agreed to end the game."""
    CLOSED = "closed"
    """The operator ended the game."""


@event("room_closed/2")
class RoomClosed(RoomEvent):
    """
    The result is final.

    If the log is published, the seeds are opened, so everybody can check all draws.
    """

    seeds: tuple[Disclosure, ...]
    """The seeds of play and of the setup; empty if the log is not published."""
    how: HowClosed

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with its game over; a reason stays only if the operator ended it."""
        # Kept only if it explains the end.
        reason = table.operator_reason if self.how is HowClosed.CLOSED else b""
        over = Stage.OVER
        return evolve(
            table, stage=over, ask=None, timer=None, proposal=None, operator_reason=reason
        )


upcast(
    "room_closed",
    "room_closed/2",
    Change(("seeds",), {"how": Constant(HowClosed.FINISHED.value)}),
)


@event("setup_opened", is_input=True)
class SetupOpened(RoomEvent):
    """The owner of the fixed setup closed it, maybe long after the game; its seed is opened."""

    salt: bytes = attrs.field(validator=BYTES_32)
    seed: bytes = attrs.field(validator=BYTES_32)

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, opened_setup=self.seed)
