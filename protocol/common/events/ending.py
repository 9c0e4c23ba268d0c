"""The end of a game, and the secrets that are opened on its log."""

import enum

import attrs

from protocol.bounds import BYTES_32
from protocol.common.disclosure import Disclosure
from protocol.common.table import RoomEvent, RoomTable, Stage
from protocol.event import event, upcast
from protocol.upcasts import Change, Constant
from protocol.values import evolve


class HowClosed(enum.Enum):
    """Why a game goes no further."""

    FINISHED = "finished"
    """The rules brought it to its end."""
    GIVEN_UP = "given_up"
    """The seats agreed to end it."""
    CLOSED = "closed"
    """Whoever runs the server ended it."""


@event("room_closed/2")
class RoomClosed(RoomEvent):
    """The result is final. The seeds are opened, so that everybody can check every draw."""

    seeds: tuple[Disclosure, ...]
    """The seed of play and that of the house; empty where the settings keep them."""
    how: HowClosed

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with its game over; why the operator had paused it counts no more."""
        reason = table.operator_reason if self.how is HowClosed.CLOSED else b""
        over = Stage.OVER
        return evolve(table, stage=over, ask=None, proposal=None, operator_reason=reason)


upcast(
    "room_closed",
    "room_closed/2",
    Change(("seeds",), {"how": Constant(HowClosed.FINISHED.value)}),
)


@event("setup_opened", is_input=True)
class SetupOpened(RoomEvent):
    """The owner of a fixed setup closed it: its seed is open, perhaps after the game's end."""

    salt: bytes = attrs.field(validator=BYTES_32)
    seed: bytes = attrs.field(validator=BYTES_32)

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with nothing left that its log keeps back."""
        return evolve(table, opened_setup=self.seed)
