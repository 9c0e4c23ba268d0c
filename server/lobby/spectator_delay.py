"""
The delay of those without a seat: what spectators and observers do not see yet.

A table may show what happens to people without a seat only so many seconds after it happened. The
times on the log decide, by the server's wall clock, so that neither a restart nor coming back
opens anything early. What was shown once stays shown, even if that clock is set back.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable

import attrs

from protocol.event import Stored, time_of
from protocol.seams import Clock, DelayedCall
from server.kernel.room import Room


@attrs.define(eq=False)
class SpectatorDelay:
    """Holds the latest records of one room back, and rises by one timer while somebody waits."""

    clock: Clock
    now: Callable[[], int]
    """The wall clock, in milliseconds since 1970."""
    rise: Callable[[], None]
    """Called when there may be more to see for somebody."""
    _open: dict[int, int] = attrs.field(factory=dict, init=False)
    """By delay in seconds: how many records whoever has it could have seen already."""
    _timer: DelayedCall | None = attrs.field(default=None, init=False)

    def end(self, room: Room, seconds: int) -> int:
        """Return the sequence of the first record that nobody with this delay can see yet."""
        if not seconds:
            return len(room.log)
        latest = self.now() - seconds * 1000
        shown = self._open.get(seconds, 0)
        self._open[seconds] = bisect_right(room.log, latest, lo=shown, key=_time_of)
        return self._open[seconds]

    def wait(self, room: Room, delays: Iterable[int]) -> None:
        """Rise when the next record is due, if somebody waits for one with one of these delays."""
        self.stop()
        ends = {seconds: self.end(room, seconds) for seconds in delays}
        due = [
            _time_of(room.log[end]) + seconds * 1000
            for seconds, end in ends.items()
            if end < len(room.log)
        ]
        if due:
            wait = max(0, min(due) - self.now()) / 1000
            self._timer = self.clock.callLater(wait, self._rise)

    def stop(self) -> None:
        """Wait for nothing."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None

    def _rise(self) -> None:
        self._timer = None
        self.rise()


def _time_of(stored: Stored) -> int:
    return time_of(stored.public)
