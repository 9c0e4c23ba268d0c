"""
Facts about the player's own seats that no log has.

The server stores held answers and stops only in memory, so the client sends them again after an
interruption.
"""

from collections.abc import Mapping

import attrs

from client.model.tables import TableView
from protocol import messages
from protocol.common.table import FixedSetup, Seat


@attrs.frozen
class HeldAnswer:
    """The viewer's answer that the server holds, kept until its record arrives."""

    room_id: str
    ask_id: int
    picks: tuple[str, ...] = attrs.field(repr=False)
    is_done: bool = attrs.field(default=False, repr=False)
    """In a window of a table with stops: whether the window may close once all say so."""


@attrs.frozen
class Stops:
    """The kinds of window at which the viewer wants the game to stop."""

    kinds: tuple[str, ...] = ()
    """Kinds of window at which the game stops, ascending."""
    is_everywhere: bool = False
    """True if the game also stops at all other kinds of window."""


@attrs.frozen
class Unfit:
    """The refusal of a preparation by the rules. The refused content is not stored."""

    room_id: str
    seat: Seat
    """The refused seat, reduced to the fields that determine the refusal."""
    refused: messages.Refusal

    @classmethod
    def judge(cls, view: TableView, refused: messages.Refusal) -> "Unfit | None":
        """Return the refusal with the seat to which it applies; None for a spectator."""
        seat = view.my_seat
        return None if seat is None else cls(view.room_id, _as_judged(seat), refused)

    def is_at(self, view: TableView) -> bool:
        """Return whether the refusal still holds at this table, because the seat is unchanged."""
        seat = view.my_seat
        is_same = seat is not None and _as_judged(seat) == self.seat
        return is_same and view.room_id == self.room_id


def _as_judged(seat: Seat) -> Seat:
    """Return a seat without the fields that do not affect a refusal, for comparison."""
    return attrs.evolve(seat, is_ready=False, is_present=False, withheld=0, knows_setup=False)


@attrs.frozen
class OffLog:
    """Facts about the viewer's own seats that no log has."""

    held: HeldAnswer | None = None
    """The answer given in the last timed window."""
    stops: Mapping[str, Stops] = attrs.field(factory=dict, repr=False)
    """The viewer's stops, by room."""
    unfit: Unfit | None = None
    """The last refusal of a preparation."""
    setup_known: tuple[str, FixedSetup] | None = None
    """A room with a fixed setup that this player knows already, according to the server."""
