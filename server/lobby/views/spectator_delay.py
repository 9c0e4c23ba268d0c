"""
The delay of spectators and observers: holds back the records that they may not see yet.

A table may delay by a number of seconds what people without a seat see. The delay counts from the
times on the log, by the time of the room, so that neither a restart nor a new connection shows
anything early. Records that were shown stay shown.
"""

from bisect import bisect_right
from collections.abc import Awaitable, Callable, Iterable, Sequence
from operator import itemgetter

import attrs

from protocol.common.observers import longest_delay
from protocol.event import Stored, time_of
from protocol.seams import Clock, DelayedCall
from server.kernel.room import Room

RECORDS_AT_ONCE = 256
"""Number of records read at once when a room is loaded."""

ReadLog = Callable[[int, int], Awaitable[Sequence[Stored]]]
"""
Function that returns a log in which the records from one sequence up to another are in memory.
"""

_time, _count = itemgetter(0), itemgetter(1)


@attrs.define(eq=False)
class SpectatorDelay:
    """The records of a room that are held back; a timer runs while somebody waits for them."""

    clock: Clock
    now: Callable[[], int]
    """The time of the room, in milliseconds since 1970."""
    rise: Callable[[], None]
    """Called when a delay has released records."""
    _open: dict[int, int] = attrs.field(factory=dict, init=False)
    """Number of records released already, by delay in seconds; never decreases."""
    _batches: list[tuple[int, int]] = attrs.field(factory=list, init=False)
    """Time of each of the latest batches, with the length of the log after it."""
    _before: int = attrs.field(default=0, init=False)
    """Number of records older than every delay."""
    _timer: DelayedCall | None = attrs.field(default=None, init=False)

    def end(self, room: Room, seconds: int) -> int:
        """Return the sequence of the first record that this delay holds back."""
        if not seconds:
            return len(room.log)
        self._note_latest(room)
        older = bisect_right(self._batches, self.now() - seconds * 1000, key=_time)
        count = self._batches[older - 1][1] if older else self._before
        self._open[seconds] = max(count, self._open.get(seconds, 0))
        return self._open[seconds]

    async def recall(self, room: Room, read: ReadLog) -> None:
        """Note the batches of a loaded room that may be held back. Called before `end`."""
        longest = longest_delay(room.table.room.settings)
        first = len(room.log)
        if not longest:
            return
        latest = self.now() - longest * 1000
        times: list[int] = []
        # Back to a record that is old enough for the longest delay; none before it is held back.
        while first and (not times or times[0] > latest):
            last, first = first, max(0, first - RECORDS_AT_ONCE)
            log = await read(first, last)
            times[:0] = [time_of(log[at].public) for at in range(first, last)]
        self._before = first
        for count, time in enumerate(times, first + 1):
            self._note(time, count)

    def _note_latest(self, room: Room) -> None:
        """Note the new records as one batch; drop batches that no delay holds back."""
        longest = longest_delay(room.table.room.settings)
        if not longest:
            return
        self._note(room.last_time, len(room.log))
        open_to_all = bisect_right(self._batches, self.now() - longest * 1000, key=_time)
        if open_to_all:
            self._before = self._batches[open_to_all - 1][1]
            del self._batches[:open_to_all]

    def _note(self, time: int, count: int) -> None:
        """Note that the log had `count` records at `time`."""
        if count <= (self._batches[-1][1] if self._batches else self._before):
            return
        # Batches of the same millisecond are released together.
        if self._batches and self._batches[-1][0] == time:
            self._batches.pop()
        self._batches.append((time, count))

    def wait(self, room: Room, delays: Iterable[int]) -> None:
        """Set the timer for the moment at which one of these delays next releases a record."""
        self.stop()
        # Even if nobody waits: only now is it known when the latest records came.
        self._note_latest(room)
        ends = {seconds: self.end(room, seconds) for seconds in delays}
        # The first record that is held back, by the time at which its batch came.
        due = [
            self._batches[bisect_right(self._batches, end, key=_count)][0] + seconds * 1000
            for seconds, end in ends.items()
            if end < len(room.log)
        ]
        if due:
            wait = max(0, min(due) - self.now()) / 1000
            self._timer = self.clock.callLater(wait, self._released)

    def stop(self) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None

    def _released(self) -> None:
        self._timer = None
        self.rise()
