"""
Patience: the time that counts against the limit of the open question.

The server's alarm computes it, and verifiers compute the same from the records of a log.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Final

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.table import OpenAsk, OpenTimer, RoomTable, Seat, table_class
from protocol.event import CLOCK, Event, Record
from protocol.values import frozen

LIMITS_VERSION: Final = 3
"""Logs from this version on time out no question without a limit."""
WINDOWS_VERSION: Final = 4
"""In logs from this version on, no time of a window runs while a person whom it asks is away, and
it may close early at a table with stops."""
_HANDED_OVER = events.SeatGiven | events.SeatFilled | events.SeatFilledKnowing


@frozen
class Limit:
    """A time limit of the open question."""

    seconds: int
    timer: int = -1
    """Id of the timer that sets the limit, over all questions since it was opened; -1 for a limit
    of the question itself."""


def limits(room: RoomTable) -> tuple[Limit, ...]:
    """Return the time limits of the open question: its own, and that of the timer."""
    timer, own = timer_of(room), limit_seconds(room)
    limited = (Limit(own),) if room.ask is not None and own else ()
    return limited if timer is None else (*limited, Limit(timer.seconds, timer.timer_id))


def timer_of(room: RoomTable) -> OpenTimer | None:
    """Return the timer under which the open question was asked; None for none."""
    ask, timer = room.ask, room.timer
    is_timed = ask is not None and timer is not None and ask.timer == timer.timer_id
    return timer if is_timed else None


def is_running(room: RoomTable, timer: int = -1) -> bool:
    """
    Return whether the time of the open question runs now, or that of the timer with this id.

    It stands still during a pause, and unless it goes by the calendar while nobody is at the table,
    or while a seat that stops the clock of the question is away. A timer never goes by the
    calendar, and stops for the absence of one seat only if it has the game's awaited role.
    """
    if room.stands_still:
        return False
    if timer != -1:
        return not (is_nobody_here(room) or _leaders_away(room))
    return goes_by_calendar(room) or not (is_nobody_here(room) or away(room))


def waited_ms(room: RoomTable, latest_first: Iterable[Record], *, timer: int = -1) -> int:
    """
    Return the milliseconds that count against the open question at the latest record.

    Downtime of the server does not count, since nobody can answer. A server that starts records
    which seats are absent, with CLOCK as the origin; the time just before such a record is left
    out. Time without a present person does not count either. Bots are no people, except where the
    question has a time limit of its own: there existing logs count them. After a pause the time
    starts again at 0. At a table that goes by the calendar all time counts.

    If seats may object, time counts only while every seat that may still object is present; beside
    one that decides, while everybody who may interrupt is; in a window, from version 4 on, while
    every person whom it asks is. A window that is open when the server starts gets its whole time
    again. Of any question and timer no time counts while a person of the awaited role is away, or
    before a seat of that role changed hands.

    Args:
        room: the room after the latest record.
        latest_first: the records of the table, latest first; read lazily.
        timer: id of the open timer, to count against it instead: the time of all questions since
            it was opened.
    """
    ask = room.ask
    if ask is None:
        return 0
    if goes_by_calendar(room) and timer == -1:
        records = iter(latest_first)
        latest = next(records)
        asked = asked_at(ask, chain([latest], records))
        return 0 if asked is None else latest.time - asked
    waited = 0
    last: int | None = None
    is_start = False
    here = {seat.seat for seat in room.seats.values() if seat.is_present}
    waits_for_all = _waits_for_all(room, ask)
    # Bots count as present in objections and older windows: wrong, but part of existing logs.
    counts_bots = ask.settle.has_seconds and not waits_for_all
    nobody = {seat.seat for seat in room.seats.values() if seat.is_bot and not counts_bots}
    led = {seat.seat for seat in _leaders(room)}
    awaited = {*(_needed(room, ask) if timer == -1 else _people(room, led))}
    for record in latest_first:
        # Whether the time from this record to the one after it counts.
        if last is not None and here - nobody and awaited <= here and not is_start:
            waited += last - record.time
        event = record.event
        if _begins(event, ask, timer):
            break
        last = record.time
        # Only a server that starts records presence by the clock; its downtime does not count.
        is_start = isinstance(event, events.PresenceChanged) and record.origin == CLOCK
        if is_start and ask.settle is Settle.WINDOW:
            break
        here = _here_before(event, here)
        awaited = _awaited_before(event, awaited, ask)
        if waits_for_all and isinstance(event, events.SeatFilled | events.SeatFilledKnowing):
            # The window asked the seat while it was empty, and waited for its next owner.
            here = here - {event.seat}
            awaited |= {event.seat} & ask.questions.keys()
        if isinstance(event, _HANDED_OVER) and event.seat in led:
            # Whether its last owner was here is not in the event: the table waited for the gift.
            here = here - {event.seat}
            awaited |= {event.seat}
    return waited


def age_ms(room: RoomTable, latest_first: Iterable[Record], time: int, *, timer: int = -1) -> int:
    """
    Return the milliseconds that count against the open question at a time.

    Args:
        room: the room after the latest record.
        latest_first: the records of the table, latest first; read lazily.
        time: a time after the latest record, in milliseconds since 1970.
        timer: id of the open timer, to count against it instead.
    """
    records = iter(latest_first)
    latest = next(records)
    # Presence changes by records only, so what runs now has run since the latest record.
    since = time - latest.time if is_running(room, timer) else 0
    return waited_ms(room, chain([latest], records), timer=timer) + since


def _leaders(room: RoomTable) -> tuple[Seat, ...]:
    """Return the seats of the role for which all time of the game waits."""
    role = table_class(room.ruleset).awaited_role
    return tuple(seat for seat in room.seats.values() if seat.role == role != "")


def _people(room: RoomTable, seats: Iterable[int]) -> tuple[int, ...]:
    """Return those of some seats that are no bots'. An empty seat counts as a person's."""
    return tuple(s for s in seats if s in room.seats and not room.seats[s].is_bot)


def _leaders_away(room: RoomTable) -> bool:
    return any(not (seat.is_bot or seat.is_present) for seat in _leaders(room))


def is_held_up(room: RoomTable) -> bool:
    """Return whether a person of the awaited role is away, so that no decision counts."""
    return not goes_by_calendar(room) and _leaders_away(room)


def _waits_for_all(room: RoomTable, ask: OpenAsk) -> bool:
    """Return whether the question is a window whose clock stops while a person is away."""
    return ask.settle is Settle.WINDOW and room.version >= WINDOWS_VERSION


def goes_by_calendar(room: RoomTable) -> bool:
    """Return whether the limit of the open question runs by the calendar; false during a pause."""
    if room.ask is None or room.ask.settle.has_seconds or room.stands_still:
        return False
    return room.settings.by_calendar and room.settings.time_limit_seconds > 0


def asked_at(ask: OpenAsk, latest_first: Iterable[Record]) -> int | None:
    """Return when the time of a question last started, in ms since 1970; None if unknown."""
    return next((one.time for one in latest_first if _begins(one.event, ask, -1)), None)


def is_nobody_here(room: RoomTable) -> bool:
    """Return whether no person with a seat is present. Bots do not wait."""
    return not any(seat.is_present and not seat.is_bot for seat in room.seats.values())


def away(room: RoomTable) -> tuple[int, ...]:
    """
    Return the absent seats that stop the clock of the open question.

    They may still object to it, or interrupt the seat that decides, or are people whom a window
    asks, or have the role for which all time of the game waits. A limit by the calendar runs on
    without them.
    """
    ask = room.ask
    if ask is None or goes_by_calendar(room):
        return ()
    here = {seat.seat for seat in room.seats.values() if seat.is_present}
    return tuple(seat for seat in _needed(room, ask) if seat in room.seats and seat not in here)


def _needed(room: RoomTable, ask: OpenAsk) -> tuple[int, ...]:
    """Return the seats without which no time of a question passes; a server may invent some."""
    led = _people(room, (seat.seat for seat in _leaders(room)))
    if ask.settle is Settle.UNLESS_OBJECTED:
        needed = ask.waiting_for
    elif _waits_for_all(room, ask):
        needed = _people(room, ask.questions)
    else:
        needed = tuple(seat for seat in ask.questions if _must_have_time(room, ask, seat))
    return tuple(sorted({*needed, *led})) if led else needed


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


def is_due(room: RoomTable, latest_first: Iterable[Record], time: int) -> bool:
    """Return whether the answer of the seat that decides counts at a time; args of `age_ms`."""
    return not is_held_up(room) and age_ms(room, latest_first, time) >= 1000 * least_seconds(room)


def limit_seconds(room: RoomTable) -> int:
    """Return the open question's own time limit in seconds; 0 for none."""
    ask, limit = room.ask, room.settings.time_limit_seconds
    if ask is not None and ask.settle.has_seconds:
        return ask.seconds
    # Never before an answer that is held could count.
    return max(limit, least_seconds(room)) if limit else 0


def _begins(event: Event, ask: OpenAsk, timer: int) -> bool:
    """Return whether the time of a question, or of the timer with this id, starts at this event."""
    if timer == -1:
        is_start = isinstance(event, events.Asked) and event.ask_id == ask.ask_id
    else:
        is_start = isinstance(event, events.TimerOpened) and event.timer_id == timer
    is_pause = events.PausedSet | events.OperatorPaused | events.OperatorResumed
    return is_start or isinstance(event, is_pause)


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
