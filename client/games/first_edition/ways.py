"""The way back: the space that an investigator has just left. The cursor never starts there."""

from collections.abc import Sequence

from protocol.common.asks import Point
from protocol.event import Record
from protocol.games.first_edition import events as fe


def way_back(records: Sequence[Record]) -> frozenset[Point]:
    """Return the space where the last move of this turn began.

    The result is empty if nobody has moved in this turn, or if the space is unknown.
    """
    moved: fe.Moved | None = None
    for record in reversed(records):
        event = record.event
        # Nobody has moved in this turn: the cursor may begin anywhere.
        if moved is None and isinstance(event, fe.TurnBegan | fe.TurnEnded):
            break
        if not isinstance(event, fe.Moved):
            continue
        if moved is None:
            moved = event
        # The move before the last one, in whatever turn, says where the last one began.
        elif event.investigator == moved.investigator:
            return frozenset({Point("space", event.space)})
    return frozenset()
