"""
The delay of spectators: what spectators do not see yet.

A table may show everything to people without a seat only so many seconds after it happened. The
times on the log decide, by the server's wall clock, so that neither a restart nor coming back
opens anything early. What was shown once stays shown, even if that clock is set back.
"""

from bisect import bisect_right
from collections.abc import Callable

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
    """Called when there may be more to see for spectators."""
    _open: int = attrs.field(default=0, init=False)
    """How many records spectators could have seen already."""
    _timer: DelayedCall | None = attrs.field(default=None, init=False)

    def end(self, room: Room, seat: int | None) -> int:
        """Return the sequence of the first record that a seat, or who has none, cannot see yet."""
        seconds = room.table.room.settings.spectators_delay_seconds
        if seat is not None or not seconds:
            return len(room.log)
        latest = self.now() - seconds * 1000
        self._open = bisect_right(room.log, latest, lo=self._open, key=_time_of)
        return self._open

    def wait(self, room: Room, *, is_watched: bool) -> None:
        """Rise when the next record is due, if somebody without a seat waits for one."""
        end = self.end(room, None)
        if not is_watched or end == len(room.log):
            self.stop()
        elif self._timer is None:
            due = _time_of(room.log[end]) + room.table.room.settings.spectators_delay_seconds * 1000
            self._timer = self.clock.callLater(max(0, due - self.now()) / 1000, self._rise)

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
