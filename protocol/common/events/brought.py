"""Events of the secret data that a seat brings to a game, in the game's own encoding."""

from protocol.common.padded import Padded
from protocol.common.table import RoomEvent, RoomTable
from protocol.event import Sealed, event, secret
from protocol.values import evolve


@event("prepared", is_input=True)
class Prepared(RoomEvent):
    """A seat set its preparation for the game (a deck, say); replaces an earlier one."""

    seat: int
    prepared: Sealed[Padded] = secret(to="seat")

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the preparation; the seat is no longer ready."""
        seat = evolve(table.seats[self.seat], prepared=self.prepared, is_ready=False)
        return table.with_seat(seat)


@event("brought_along", is_input=True)
class BroughtAlong(RoomEvent):
    """A seat brings the state that its owner has from the last game of the campaign."""

    seat: int
    brought: Sealed[Padded] = secret(to="seat")

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the state; the seat is no longer ready."""
        seat = evolve(table.seats[self.seat], brought=self.brought, is_ready=False)
        return table.with_seat(seat)
