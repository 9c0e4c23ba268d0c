"""
Events by the operator of the server: pausing, resuming and ending a game.

Each has a reason. Like chat it is bytes (UTF-8): a text string on the log could be a key, and the
server sends the words of a key.
"""

from typing import Any

import attrs
from attrs.validators import and_, max_len, min_len

from protocol.common.table import RoomEvent, RoomTable
from protocol.event import event
from protocol.values import evolve

MAX_REASON = 200
"""Maximum number of characters in a reason."""

# A character takes up to four bytes in UTF-8.
_REASON: Any = and_(min_len(1), max_len(4 * MAX_REASON))


@event("operator_paused", is_input=True)
class OperatorPaused(RoomEvent):
    """The operator paused the game. Nobody can answer until the operator resumes it."""

    reason: bytes = attrs.field(validator=_REASON)

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, operator_reason=self.reason)


@event("operator_resumed", is_input=True)
class OperatorResumed(RoomEvent):
    """The operator resumed the game. The time of the open question starts again."""

    reason: bytes = attrs.field(validator=_REASON)

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, operator_reason=b"")


@event("operator_closed", is_input=True)
class OperatorClosed(RoomEvent):
    """The operator ended the game for good; `room_closed` follows."""

    reason: bytes = attrs.field(validator=_REASON)

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, operator_reason=self.reason)
