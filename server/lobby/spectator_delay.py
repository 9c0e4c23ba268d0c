"""
The delay of spectators: what spectators do not see yet.

A table may show everything to people without a seat only so many seconds after it happened. The
times on the log decide, by the server's wall clock, so that neither a restart nor coming back
opens anything early. What was shown once stays shown, even if that clock is set back.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence

import attrs

from protocol.event import Stored, time_of
from protocol.seams import Clock, DelayedCall
from server.kernel.room import Room

RECORDS_AT_ONCE = 256
"""How many records are read at once when a room is loaded."""

ReadLog = Callable[[int, int], Awaitable[Sequence[Stored]]]
"""Returns the log, of which the records from one sequence up to another can be looked at."""


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
    _held: deque[tuple[int, int]] = attrs.field(factory=deque, init=False)
    """What was held back when last looked at: a time, and how many records there were by then."""
    _noted: int = attrs.field(default=0, init=False)
    """How many records were there by the last of them."""
    _timer: DelayedCall | None = attrs.field(default=None, init=False)

    def end(self, room: Room, seat: int | None) -> int:
        """Return the sequence of the first record that a seat, or who has none, cannot see yet."""
        seconds = room.table.room.settings.spectators_delay_seconds
        if seat is not None or not seconds:
            return len(room.log)
        self._note(room.last_time, len(room.log))
        latest = self.now() - seconds * 1000
        while self._held and self._held[0][0] <= latest:
            self._open = self._held.popleft()[1]
        return self._open

    async def recall(self, room: Room, read: ReadLog) -> None:
        """Note what a room that was read has held back. It must not have been asked of before."""
        seconds = room.table.room.settings.spectators_delay_seconds
        first = end = len(room.log)
        if not seconds:
            return
        latest = self.now() - seconds * 1000
        times: list[int] = []
        while first and (not times or times[0] > latest):
            first = max(0, first - RECORDS_AT_ONCE)
            log = await read(first, end - len(times))
            times[:0] = [time_of(log[at].public) for at in range(first, end - len(times))]
        for sequence, time in enumerate(times, first):
            self._note(time, sequence + 1)

    def _note(self, time: int, end: int) -> None:
        """Note that there were so many records by that time."""
        if end <= self._noted:
            return
        self._noted = end
        if self._held and self._held[-1][0] == time:
            self._held.pop()
        self._held.append((time, end))

    def wait(self, room: Room, *, is_watched: bool) -> None:
        """Rise when the next record is due, if somebody without a seat waits for one."""
        # Also where nobody waits: from now on it is known when the latest records were made.
        end = self.end(room, None)
        if not is_watched or end == len(room.log):
            self.stop()
        elif self._timer is None:
            due = self._held[0][0] + room.table.room.settings.spectators_delay_seconds * 1000
            self._timer = self.clock.callLater(max(0, due - self.now()) / 1000, self._rise)

    def stop(self) -> None:
        """Wait for nothing."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None

    def _rise(self) -> None:
        self._timer = None
        self.rise()
