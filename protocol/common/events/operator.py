"""
What whoever runs the server does at a table: pausing the game, letting it go on, ending it.

Each says why. A reason is bytes (UTF-8), as talk is: a text string on the log could be a key, whose
words would be sent along.
"""

from typing import Any

import attrs
from attrs.validators import and_, max_len, min_len

from protocol.common.table import RoomEvent, RoomTable
from protocol.event import event
from protocol.values import evolve

MAX_REASON = 200
"""Characters in a reason."""

_REASON: Any = and_(min_len(1), max_len(4 * MAX_REASON))


@event("operator_paused", is_input=True)
class OperatorPaused(RoomEvent):
    """The game stands still until whoever runs the server lets it go on: nobody can answer."""

    reason: bytes = attrs.field(validator=_REASON)

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that reason to stand still."""
        return evolve(table, operator_reason=self.reason)


@event("operator_resumed", is_input=True)
class OperatorResumed(RoomEvent):
    """The game goes on with the question that is open, whose time begins anew."""

    reason: bytes = attrs.field(validator=_REASON)

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the operator's pause over."""
        return evolve(table, operator_reason=b"")


@event("operator_closed", is_input=True)
class OperatorClosed(RoomEvent):
    """The game ends here, for good; `room_closed` follows."""

    reason: bytes = attrs.field(validator=_REASON)

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that reason, which stays."""
        return evolve(table, operator_reason=self.reason)
