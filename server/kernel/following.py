"""
Following: what a copy of a room wrote in another process, as the room itself would have written it.

The records are folded, and no rule runs. So the room has no procedure that waits for an answer; it
is made anew from the last rest point once this room's own rules are to go on.
"""

from collections.abc import Sequence
from typing import Final

import attrs

from protocol.commitments import next_head
from protocol.common.events import BranchStarted, GameStarted
from protocol.common.table import Table, fold
from protocol.event import Stored, read_own
from protocol.values import frozen
from server.kernel.batch_writer import Batch, RoomState
from server.kernel.chance import Chances
from server.kernel.errors import Diverged
from server.kernel.rest_point import RestPoint, goes_back, is_rest_after
from server.kernel.steps import Steps

RECORDS_AT_ONCE: Final = 32
"""How many records are folded in one step: less than a millisecond of work."""


@frozen
class FollowedBatch:
    """A batch that was written elsewhere, and what it makes of the room; see `BatchWriter`."""

    first: int
    stored: Sequence[Stored]
    table: Table = attrs.field(repr=False)
    head: bytes
    chances: Chances
    time: int
    rest: RestPoint | None

    def batch(self) -> Batch:
        """Return what is to be made durable."""
        return Batch(self.first, tuple(self.stored), self.table, self.time)


def following(state: RoomState, records: Sequence[Stored]) -> Steps[FollowedBatch]:
    """
    Fold what follows from one input in a game that is being played, in steps.

    Args:
        state: of the room before; it is not changed.
        records: as a copy of the room at the same moment wrote them.

    Raises:
        Diverged: they are not what comes next in such a game.
        ProtocolError: one of them is no record of ours.
    """
    first = len(state.log)
    if not records:
        raise Diverged(first, "nothing follows, not even the input")
    table, head, time = state.table, state.head, state.time
    rest: RestPoint | None = None
    for count, stored in enumerate(records, 1):
        record = read_own(state.room_id, stored)
        happened, sequence = record.event, first + count - 1
        if record.sequence != sequence or isinstance(happened, GameStarted | BranchStarted):
            raise Diverged(sequence, f"a {happened.tag}, which cannot follow here")
        head, time = next_head(head, stored.public), record.time
        table = fold(table, record)
        if is_rest_after(happened):
            goes = goes_back(happened)
            rest = RestPoint(first + count, table, head, time, state.chances, goes)
        if count % RECORDS_AT_ONCE == 0:
            yield
    return FollowedBatch(first, records, table, head, state.chances, time, rest)
