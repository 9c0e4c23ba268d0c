"""
Patience: the time that counts against the limit of the open question.

The server's alarm computes it, and verifiers compute the same from the records of a log.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Final

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.table import OpenAsk, RoomTable
from protocol.event import CLOCK, Event, Record

LIMITS_VERSION: Final = 3
"""Logs from this version on time out no question without a limit."""


def waited_ms(room: RoomTable, latest_first: Iterable[Record]) -> int:
    """
    Return the milliseconds that count against the open question at the latest record.

    Downtime of the server does not count, since nobody can answer. A server that starts records
    which seats are absent, with CLOCK as the origin; the time just before such a record is left
    out. Time without a present person does not count either. Bots are no people, except where the
    question has a time limit of its own: there existing logs count them. After a pause the time
    starts again at 0. At a table that goes by the calendar all time counts.

    If seats may object, time counts only while every seat that may still object is present; beside
    one that decides, while everybody who may interrupt is. A window that is open when the server
    starts gets its whole time again.

    Args:
        room: the room after the latest record.
        latest_first: the records of the table, latest first; read lazily.
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
    # Bots count as present in windows and objections. That is wrong, and part of existing logs.
    counts_bots = ask.settle.has_seconds
    nobody = {seat.seat for seat in room.seats.values() if seat.is_bot and not counts_bots}
    awaited = {*_needed(room, ask)}
    for record in latest_first:
        # Whether the time from this record to the one after it counts.
        if last is not None and here - nobody and awaited <= here and not is_start:
            waited += last - record.time
        event = record.event
        if _begins(event, ask):
            break
        last = record.time
        # Only a server that starts records presence by the clock; its downtime does not count.
        is_start = isinstance(event, events.PresenceChanged) and record.origin == CLOCK
        if is_start and ask.settle is Settle.WINDOW:
            break
        here = _here_before(event, here)
        awaited = _awaited_before(event, awaited, ask)
    return waited


def age_ms(room: RoomTable, latest_first: Iterable[Record], time: int) -> int:
    """
    Return the milliseconds that count against the open question at a time.

    Args:
        room: the room after the latest record.
        latest_first: the records of the table, latest first; read lazily.
        time: a time after the latest record, in milliseconds since 1970.
    """
    records = iter(latest_first)
    latest = next(records)
    is_running = goes_by_calendar(room) or not (is_nobody_here(room) or away(room))
    since = time - latest.time if is_running else 0
    return waited_ms(room, chain([latest], records)) + since


def goes_by_calendar(room: RoomTable) -> bool:
    """Return whether the limit of the open question runs by the calendar; false during a pause."""
    if room.ask is None or room.ask.settle.has_seconds or room.stands_still:
        return False
    return room.settings.by_calendar and room.settings.time_limit_seconds > 0


def asked_at(ask: OpenAsk, latest_first: Iterable[Record]) -> int | None:
    """Return when the time of a question last started, in ms since 1970; None if unknown."""
    return next((one.time for one in latest_first if _begins(one.event, ask)), None)


def is_nobody_here(room: RoomTable) -> bool:
    """Return whether no person with a seat is present. Bots do not wait."""
    return not any(seat.is_present and not seat.is_bot for seat in room.seats.values())


def away(room: RoomTable) -> tuple[int, ...]:
    """
    Return the absent seats that stop the clock of the open question.

    They may still object to it, or interrupt the seat that decides. A limit by the calendar runs on
    without them.
    """
    ask = room.ask
    if ask is None or goes_by_calendar(room):
        return ()
    here = {seat.seat for seat in room.seats.values() if seat.is_present}
    return tuple(seat for seat in _needed(room, ask) if seat in room.seats and seat not in here)


def _needed(room: RoomTable, ask: OpenAsk) -> tuple[int, ...]:
    """Return the seats without which no time of a question passes; a server may invent some."""
    if ask.settle is Settle.UNLESS_OBJECTED:
        return ask.waiting_for
    return tuple(seat for seat in ask.questions if _must_have_time(room, ask, seat))


def _must_have_time(room: RoomTable, ask: OpenAsk, seat: int) -> bool:
    """
    Return whether somebody needs time to interrupt a question.

    Bots need none, nor does who plays a practice game, in which one person has all seats.
    """
    one, other = room.seats.get(seat), room.seats.get(ask.decides)
    if one is None or other is None or not ask.may_interrupt(seat):
        return False
    return not one.is_bot and one.key != other.key


def least_seconds(room: RoomTable) -> int:
    """Return the least age in seconds at which the open question is settled by who decides it."""
    ask = room.ask
    if ask is None or not any(_must_have_time(room, ask, seat) for seat in ask.questions):
        return 0
    return room.settings.least_seconds


def limit_seconds(room: RoomTable) -> int:
    """Return the time limit of the open question in seconds; 0 for none."""
    ask, limit = room.ask, room.settings.time_limit_seconds
    if ask is not None and ask.settle.has_seconds:
        return ask.seconds
    # Never before an answer that is held could count.
    return max(limit, least_seconds(room)) if limit else 0


def _begins(event: Event, ask: OpenAsk) -> bool:
    """Return whether the time of a question starts at this event."""
    is_question = isinstance(event, events.Asked) and event.ask_id == ask.ask_id
    is_pause = events.PausedSet | events.OperatorPaused | events.OperatorResumed
    return is_question or isinstance(event, is_pause)


def _awaited_before(event: Event, awaited: set[int], ask: OpenAsk) -> set[int]:
    """Return the seats that could object before an event, given those that can after the event."""
    if ask.settle is not Settle.UNLESS_OBJECTED:
        return awaited
    if isinstance(event, events.Passed):
        return awaited | {event.seat}
    return awaited | {*event.seats} if isinstance(event, events.PassedStanding) else awaited


def _here_before(event: Event, here: set[int]) -> set[int]:
    """Return the seats that were present before an event, given the seats present after it."""
    if isinstance(event, events.PresenceChanged) and event.is_present:
        return here - {event.seat}
    if isinstance(event, events.PresenceChanged | events.SeatGiven):
        # The event does not say whether the seat was present; it counts as present.
        return here | {event.seat}
    return here
