"""
Patience: how long the open question has waited, of the time that counts against its limit.

The server's alarm and the clients' clocks count the same, from the same records.
"""

from collections.abc import Iterable

from protocol.common import events as on
from protocol.common.table import RoomTable
from protocol.event import CLOCK, Event, Record


def waited_ms(room: RoomTable, latest_first: Iterable[Record]) -> int:
    """
    Return how many milliseconds the open question has waited by the latest record.

    While a server is down nobody can answer. One that starts again says first, by the clock, who
    is away; what lies before such a record does not count. Where all had gone before it went down
    there is nothing to say, so time with nobody here does not count either. A game that was
    resumed begins anew.

    Args:
        room: as it is after the latest record.
        latest_first: the records of the table, backwards; no more are taken than needed.
    """
    ask = room.ask
    if ask is None:
        return 0
    waited = 0
    last: int | None = None
    is_start = False
    here = {seat.seat for seat in room.seats.values() if seat.is_present}
    for record in latest_first:
        if last is not None and here and not is_start:
            waited += last - record.time
        happened = record.event
        is_question = isinstance(happened, on.Asked) and happened.ask_id == ask.ask_id
        if is_question or isinstance(happened, on.PausedSet):
            break
        last = record.time
        is_start = isinstance(happened, on.PresenceChanged) and record.origin == CLOCK
        here = _here_before(happened, here)
    return waited


def _here_before(happened: Event, here: set[int]) -> set[int]:
    """Return the seats whose owner was here before this event, of those who were after it."""
    if isinstance(happened, on.PresenceChanged) and happened.is_present:
        return here - {happened.seat}
    if isinstance(happened, on.PresenceChanged | on.SeatGiven):
        # Of a seat that was given away the event does not tell; then its time counts.
        return here | {happened.seat}
    return here
