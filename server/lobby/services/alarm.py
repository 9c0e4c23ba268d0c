"""Alarms: ring when something is overdue, and measure how long a question has waited."""

from collections.abc import Callable
from typing import Any

import attrs

from protocol.common.patience import Limit, waited_ms
from protocol.event import read_own
from protocol.seams import Clock, DelayedCall
from server.kernel.room import Room


@attrs.define(eq=False)
class Alarm:
    """A timer that rings once for each thing that becomes overdue."""

    clock: Clock
    ring: Callable[[], None]
    _what: Any = attrs.field(default=None, init=False)
    _due: float = attrs.field(default=0.0, init=False)
    _timer: DelayedCall | None = attrs.field(default=None, init=False)

    @property
    def what(self) -> Any:
        """Identity of the awaited thing; None for nothing."""
        return self._what

    def wait_for(self, what: Any, left: Callable[[], float]) -> None:
        """
        Set the alarm for a thing; do nothing if it is set for the same thing already.

        Args:
            what: identity of the awaited thing.
            left: returns the seconds until the alarm rings; called when the alarm is set.
        """
        if what == self._what:
            return
        self.stop()
        seconds = max(0.0, left())
        self._what, self._due = what, self.clock.seconds() + seconds
        self._timer = self.clock.callLater(seconds, self._rang)

    def stop(self) -> None:
        """Cancel the alarm."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = self._what = None

    def left(self) -> float | None:
        """Return the remaining seconds; None if the alarm is not set."""
        return None if self._what is None else self._due - self.clock.seconds()

    def _rang(self) -> None:
        # Cleared first, since `ring` may set the alarm for the next thing.
        self._timer = self._what = None
        self.ring()


def ms_waited(room: Room, limit: Limit) -> int:
    """Return the milliseconds of a limit that were over at the last record of the log."""
    records = (read_own(room.room_id, stored) for stored in reversed(room.log))
    return waited_ms(room.table.room, records, timer=limit.timer)
