"""Alarms: the one thing that a room waits for with a limit, and how long it has waited."""

from collections.abc import Callable
from typing import Any

import attrs

from protocol.common import events as on
from protocol.event import CLOCK, Event, everything, read
from server.kernel.room import Room
from server.net.seams import Clock, Timer


@attrs.define(eq=False)
class Alarm:
    """Rings once for each thing that is waited for too long."""

    clock: Clock
    ring: Callable[[], None]
    _what: Any = attrs.field(default=None, init=False)
    _due: float = attrs.field(default=0.0, init=False)
    _timer: Timer | None = attrs.field(default=None, init=False)

    @property
    def what(self) -> Any:
        """What is waited for; None for nothing."""
        return self._what

    def wait_for(self, what: Any, seconds: float) -> None:
        """Ring in so many seconds. What is waited for already keeps the time it has left."""
        if what == self._what:
            return
        self.stop()
        self._what, self._due = what, self.clock.seconds() + max(0.0, seconds)
        self._timer = self.clock.callLater(max(0.0, seconds), self._rang)

    def stop(self) -> None:
        """Wait for nothing."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = self._what = None

    def left(self) -> float | None:
        """Return the seconds that are left; None where nothing is waited for."""
        return None if self._what is None else self._due - self.clock.seconds()

    def _rang(self) -> None:
        self._timer = self._what = None
        self.ring()


def seconds_waited(room: Room) -> float:
    """
    Return how long the open question has waited by the end of the log.

    While a server is down nobody can answer. One that starts again says first, by the clock, who
    is away; what lies before such a record does not count. Where all had gone before it went down
    there is nothing to say, so time with nobody here does not count either. A game that was
    resumed begins anew.
    """
    ask = room.table.room.ask
    if ask is None:
        return 0.0
    waited, last = 0, room.last_time
    is_start = False
    here = {seat.seat for seat in room.table.room.seats.values() if seat.is_present}
    for stored in reversed(room.log):
        record = read(room.room_id, everything(stored))
        if here and not is_start:
            waited += last - record.time
        happened = record.event
        is_question = isinstance(happened, on.Asked) and happened.ask_id == ask.ask_id
        if is_question or isinstance(happened, on.PausedSet):
            break
        last = record.time
        is_start = isinstance(happened, on.PresenceChanged) and record.origin == CLOCK
        here = _here_before(happened, here)
    return waited / 1000


def _here_before(happened: Event, here: set[int]) -> set[int]:
    """Return the seats whose owner was here before this event, of those who were after it."""
    if isinstance(happened, on.PresenceChanged) and happened.is_present:
        return here - {happened.seat}
    if isinstance(happened, on.PresenceChanged | on.SeatGiven):
        # Of a seat that was given away the event does not tell; then its time counts.
        return here | {happened.seat}
    return here
