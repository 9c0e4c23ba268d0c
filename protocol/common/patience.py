"""
Patience: how long the open question has waited, of the time that counts against its limit.

The server's alarm counts it, and whoever verifies a log counts the same from its records.
"""

from collections.abc import Iterable
from itertools import chain

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.table import OpenAsk, RoomTable
from protocol.event import CLOCK, Event, Record


def waited_ms(room: RoomTable, latest_first: Iterable[Record]) -> int:
    """
    Return how many milliseconds the open question has waited by the latest record.

    While a server is down nobody can answer. One that starts again says first, by the clock, who
    is away; what lies before such a record does not count. Time with nobody here does not count
    either, however many bots are. A game that was resumed begins anew, whoever had paused it. At a
    table that goes by the calendar all time counts.

    Where somebody may object, only the time counts in which all who may and have not passed yet are
    here. A window that is open when the server starts is opened again, with its whole time.

    Args:
        room: as it is after the latest record.
        latest_first: the records of the table, backwards; no more are taken than needed.
    """
    ask = room.ask
    if ask is None:
        return 0
    if goes_by_calendar(room):
        records = iter(latest_first)
        latest = next(records)
        asked = asked_at(ask, chain([latest], records))
        return 0 if asked is None else latest.time - asked
    waited = 0
    last: int | None = None
    is_start = False
    here = {seat.seat for seat in room.seats.values() if seat.is_present}
    # What windows and objections count is part of logs that were written already.
    counts_bots = ask.settle.has_seconds
    nobody = {seat.seat for seat in room.seats.values() if seat.is_bot and not counts_bots}
    awaited = {*ask.waiting_for} if ask.settle is Settle.UNLESS_OBJECTED else set[int]()
    for record in latest_first:
        if last is not None and here - nobody and awaited <= here and not is_start:
            waited += last - record.time
        happened = record.event
        if _begins(happened, ask):
            break
        last = record.time
        is_start = isinstance(happened, events.PresenceChanged) and record.origin == CLOCK
        if is_start and ask.settle is Settle.WINDOW:
            break
        here = _here_before(happened, here)
        awaited = _awaited_before(happened, awaited, ask)
    return waited


def goes_by_calendar(room: RoomTable) -> bool:
    """Return whether a question is open against which all time counts, whoever is here."""
    if room.ask is None or room.ask.settle.has_seconds or room.stands_still:
        return False
    return room.settings.by_calendar and room.settings.time_limit_seconds > 0


def asked_at(ask: OpenAsk, latest_first: Iterable[Record]) -> int | None:
    """Return when the time of a question began, in milliseconds since 1970; None: not in these."""
    return next((one.time for one in latest_first if _begins(one.event, ask)), None)


def is_nobody_here(room: RoomTable) -> bool:
    """Return whether no person is here who has a seat. Bots never wait for anything."""
    return not any(seat.is_present and not seat.is_bot for seat in room.seats.values())


def away(room: RoomTable) -> tuple[int, ...]:
    """Return the seats that may object to the open question and are away, so that no time runs."""
    ask = room.ask
    if ask is None or ask.settle is not Settle.UNLESS_OBJECTED:
        return ()
    # A server that lies may ask a seat in which nobody sits.
    here = {seat.seat for seat in room.seats.values() if seat.is_present}
    return tuple(seat for seat in ask.waiting_for if seat in room.seats and seat not in here)


def limit_seconds(room: RoomTable) -> int:
    """Return how long the open question may wait, of the time that counts; 0 for ever."""
    ask = room.ask
    if ask is not None and ask.settle.has_seconds:
        return ask.seconds
    return room.settings.time_limit_seconds


def _begins(happened: Event, ask: OpenAsk) -> bool:
    """Return whether the time of a question is counted from this event on."""
    is_question = isinstance(happened, events.Asked) and happened.ask_id == ask.ask_id
    is_pause = events.PausedSet | events.OperatorPaused | events.OperatorResumed
    return is_question or isinstance(happened, is_pause)


def _awaited_before(happened: Event, awaited: set[int], ask: OpenAsk) -> set[int]:
    """Return the seats that could object before this event, of those who could after it."""
    if ask.settle is not Settle.UNLESS_OBJECTED:
        return awaited
    if isinstance(happened, events.Passed):
        return awaited | {happened.seat}
    return awaited | {*happened.seats} if isinstance(happened, events.PassedStanding) else awaited


def _here_before(happened: Event, here: set[int]) -> set[int]:
    """Return the seats whose owner was here before this event, of those who were after it."""
    if isinstance(happened, events.PresenceChanged) and happened.is_present:
        return here - {happened.seat}
    if isinstance(happened, events.PresenceChanged | events.SeatGiven):
        # Of a seat that was given away the event does not tell; then its time counts.
        return here | {happened.seat}
    return here
