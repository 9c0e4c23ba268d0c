"""
Reading: how far the people at a table have read, for the programs that wait for them.

Nothing is asked until a program waits. Then each client with a seat reports the last record that
its player has read; the programs receive the lowest of these numbers, without the name of the
player. A client that reports nothing for a while is not waited for: its player may have left the
open page. A seat that has reported one number for too long is not waited for either: a broken or
hostile client must not stop the bots of a table.
"""

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from protocol.messages import ReadersAwaited, ReadSoFar
from protocol.seams import Clock, DelayedCall
from server.kernel.room import Room
from server.net.handler import Session

PATIENCE_SECONDS: Final = 120.0
"""Seconds without a report after which a reader is no longer waited for."""
MOST_SECONDS: Final = 600.0
"""Seconds after which a seat that has not read a further record is no longer waited for."""


@attrs.frozen
class _Place:
    """The last record that a seat has read, and the time from which the next one is awaited."""

    until: int
    since: float


@attrs.define(eq=False)
class Reading:
    """The readers of one room, and the programs that wait for them."""

    clock: Clock
    room: Callable[[], Room]
    seated: Callable[[], Mapping[Session, int]]
    """Returns the sessions that follow by a seat, with the seat."""
    _read: dict[Session, int] = attrs.field(factory=dict, init=False)
    """Last record that each reader has read."""
    _places: dict[int, _Place] = attrs.field(factory=dict, init=False)
    """The place of each seat. It stays when a session ends: to come back gives no further time."""
    _timers: dict[Session, DelayedCall] = attrs.field(factory=dict, init=False)
    """Timer of each reader with unread records; when it fires, programs no longer wait for the
    reader."""
    _told: dict[Session, int] = attrs.field(factory=dict, init=False)
    """The last sequence sent to each waiting program."""

    def wait(self, session: Session) -> None:
        """Let a program wait for its table's readers; tell it how far they have read."""
        is_first = not self._told
        self._told[session] = so_far = self._so_far()
        session.send(ReadSoFar(self.room().room_id, so_far))
        # Readers who were asked before keep reporting.
        if is_first:
            for other in self.seated():
                if other is not session:
                    self._ask(other)

    def joined(self, session: Session) -> None:
        """Ask a session that follows by a seat for reports, if a program waits."""
        if self._told:
            self._ask(session)

    def left(self, session: Session) -> None:
        """Forget a session that no longer follows the room, as a reader and as a program."""
        self._told.pop(session, None)
        self._forget(session)

    def have_read(self, session: Session, until: int) -> None:
        """Note that a reader has read up to a record; ignored while no program waits."""
        seat = self.seated().get(session)
        if not self._told or seat is None:
            return
        # Nobody has read what is not written yet.
        until = min(until, len(self.room().log) - 1)
        place = self._places.get(seat)
        if place is None or self._is_further(place, until):
            self._places[seat] = _Place(until, self.clock.seconds())
        self._read[session] = max(until, self._read.get(session, -1))
        self._stop_timer(session)
        self._watch(session, seat)
        self._tell()

    def _is_further(self, place: _Place, until: int) -> bool:
        """Return True if a report restarts the time for which its seat is waited for."""
        if self._limit() is None:
            return until > place.until
        # The time limit of a question does not begin again with each page.
        return not self._is_unread(until)

    def grew(self) -> None:
        """After a batch, start a timer for each reader who had read everything before it."""
        now, end = self.clock.seconds(), len(self.room().log) - 1
        seated = self.seated()
        for session in list(self._read):
            seat = seated.get(session)
            if seat is None or session in self._timers or not self._is_unread(self._read[session]):
                continue
            # Everything before this batch was read.
            self._places[seat] = _Place(min(self._read[session], end), now)
            self._watch(session, seat)

    def stop(self) -> None:
        """Stop all timers."""
        for session in list(self._timers):
            self._stop_timer(session)

    def _ask(self, session: Session) -> None:
        session.send(ReadersAwaited(self.room().room_id))

    def _so_far(self) -> int:
        return min(self._read.values(), default=-1)

    def _tell(self) -> None:
        so_far = self._so_far()
        for session, told in list(self._told.items()):
            if told != so_far:
                self._told[session] = so_far
                session.send(ReadSoFar(self.room().room_id, so_far))

    def _is_unread(self, until: int) -> bool:
        return until + 1 < len(self.room().log)

    def _limit(self) -> float | None:
        """
        Return the seconds for which programs wait for a reader, by the time limit.

        None if the table has no time limit.
        """
        limit = self.room().table.room.settings.time_limit_seconds
        # A question with a time limit must not pass while a bot waits before it.
        return min(PATIENCE_SECONDS, limit / 2) if limit else None

    def _watch(self, session: Session, seat: int) -> None:
        if not self._is_unread(self._read[session]) or session in self._timers:
            return
        limit = self._limit()
        spent = self.clock.seconds() - self._places[seat].since
        left = (MOST_SECONDS if limit is None else limit) - spent
        seconds = min(PATIENCE_SECONDS, left)
        if seconds <= 0:
            self._forget(session)
        else:
            self._timers[session] = self.clock.callLater(seconds, lambda: self._forget(session))

    def _stop_timer(self, session: Session) -> None:
        timer = self._timers.pop(session, None)
        if timer is not None and timer.active():
            timer.cancel()

    def _forget(self, session: Session) -> None:
        """Stop waiting for a session until it reports again, and notify the waiting programs."""
        self._stop_timer(session)
        if self._read.pop(session, None) is not None:
            self._tell()
