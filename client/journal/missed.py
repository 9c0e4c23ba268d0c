"""The part of the journal that a player missed while away."""

from collections.abc import Sequence

from client.model.tables import TableView
from client.tellers.base import JournalLine, Tone
from protocol.common.events import (
    PresenceChanged,
    SeatFilled,
    SeatFilledKnowing,
    SeatGiven,
    SeatTaken,
)

NEW_OWNER = (SeatTaken, SeatGiven, SeatFilled, SeatFilledKnowing)
"""Events by which a seat changes hands."""


def missed(view: TableView, lines: Sequence[JournalLine]) -> list[JournalLine]:
    """Return the journal lines of the viewer's last absence; empty if there was none.

    An absence of the seat's earlier owner does not count.
    Lines of `Tone.ROOM` are left out, for example about players who left or returned.
    """
    went = came = -1
    # From the end, since only the last absence counts.
    for record in reversed(view.records):
        event = record.event
        if isinstance(event, NEW_OWNER) and event.seat == view.seat:
            break
        if not isinstance(event, PresenceChanged) or event.seat != view.seat:
            continue
        if not event.is_present:
            went = record.sequence
            break
        came = record.sequence if came < 0 else came
    if went < 0:
        return []
    end = came if came > went else view.last + 1
    return [line for line in lines if went < line.sequence < end and line.tone is not Tone.ROOM]
