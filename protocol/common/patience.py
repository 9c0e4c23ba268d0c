"""
Patience: how long the open question has waited, of the time that counts against its limit.

The server's alarm and the clients' clocks count the same, from the same records.
"""

from collections.abc import Iterable

from protocol.common import events as on
from protocol.common.asks import Settle
from protocol.common.table import OpenAsk, RoomTable
from protocol.event import CLOCK, Event, Record


def waited_ms(room: RoomTable, latest_first: Iterable[Record]) -> int:
    """
    Return how many milliseconds the open question has waited by the latest record.

    While a server is down nobody can answer. One that starts again says first, by the clock, who
    is away; what lies before such a record does not count. Where all had gone before it went down
    there is nothing to say, so time with nobody here does not count either. A game that was
    resumed begins anew.

    Where somebody may object, only the time counts in which all who may and have not passed yet are
    here. A window that is open when the server starts is opened again, with its whole time.

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
    awaited = {*ask.waiting_for} if ask.settle is Settle.UNLESS_OBJECTED else set[int]()
    for record in latest_first:
        if last is not None and here and awaited <= here and not is_start:
            waited += last - record.time
        happened = record.event
        is_question = isinstance(happened, on.Asked) and happened.ask_id == ask.ask_id
        if is_question or isinstance(happened, on.PausedSet):
            break
        last = record.time
        is_start = isinstance(happened, on.PresenceChanged) and record.origin == CLOCK
        if is_start and ask.settle is Settle.WINDOW:
            break
        here = _here_before(happened, here)
        awaited = _awaited_before(happened, awaited, ask)
    return waited


def away(room: RoomTable) -> tuple[int, ...]:
    """Return the seats that may object to the open question and are away, so that no time runs."""
    ask = room.ask
    if ask is None or ask.settle is not Settle.UNLESS_OBJECTED:
        return ()
    return tuple(seat for seat in ask.waiting_for if not room.seats[seat].is_present)


def limit_seconds(room: RoomTable) -> int:
    """Return how long the open question may wait, of the time that counts; 0 for ever."""
    ask = room.ask
    if ask is not None and ask.settle.has_seconds:
        return ask.seconds
    return room.settings.time_limit_seconds


def _awaited_before(happened: Event, awaited: set[int], ask: OpenAsk) -> set[int]:
    """Return the seats that could object before this event, of those who could after it."""
    if ask.settle is not Settle.UNLESS_OBJECTED:
        return awaited
    if isinstance(happened, on.Passed):
        return awaited | {happened.seat}
    return awaited | {*happened.seats} if isinstance(happened, on.PassedStanding) else awaited


def _here_before(happened: Event, here: set[int]) -> set[int]:
    """Return the seats whose owner was here before this event, of those who were after it."""
    if isinstance(happened, on.PresenceChanged) and happened.is_present:
        return here - {happened.seat}
    if isinstance(happened, on.PresenceChanged | on.SeatGiven):
        # Of a seat that was given away the event does not tell; then its time counts.
        return here | {happened.seat}
    return here
