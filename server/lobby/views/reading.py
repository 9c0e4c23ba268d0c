"""
Reading: how far the people at a table have read, for the programs that wait for them.

Nothing is asked until a program waits. Then each client with a seat reports the last record that
its player has read; the programs receive the lowest of these numbers, without the name of the
player. A client that reports nothing for a while is not waited for: its player may have left the
open page.
"""

from collections.abc import Callable, Iterable
from typing import Final

import attrs

from protocol.messages import ReadersAwaited, ReadSoFar
from protocol.seams import Clock, DelayedCall
from server.kernel.room import Room
from server.net.handler import Session

PATIENCE_SECONDS: Final = 120.0
"""Seconds without a report after which a reader is no longer waited for."""


@attrs.define(eq=False)
class Reading:
    """The readers of one room, and the programs that wait for them."""

    clock: Clock
    room: Callable[[], Room]
    seated: Callable[[], Iterable[Session]]
    """Returns the sessions that follow by a seat."""
    _read: dict[Session, int] = attrs.field(factory=dict, init=False)
    """Last record that each reader has read."""
    _timers: dict[Session, DelayedCall] = attrs.field(factory=dict, init=False)
    """Timer of each reader with unread records; when it fires, programs no longer wait for the
    reader."""
    _told: dict[Session, int] = attrs.field(factory=dict, init=False)
    """The last sequence sent to each waiting program."""

    def wait(self, session: Session) -> None:
        """Let a program wait for the readers of its table from now on."""
        is_first = not self._told
        self._told[session] = so_far = self._so_far()
        session.send(ReadSoFar(self.room().room_id, so_far))
        # Readers who were asked before keep reporting.
        if is_first:
            for other in self.seated():
                if other is not session:
                    self._ask(other)

    def joined(self, session: Session) -> None:
        """Ask a session that has come to its seat for reports, if a program waits."""
        if self._told:
            self._ask(session)

    def left(self, session: Session) -> None:
        """Forget a session that no longer follows the room, as a reader and as a program."""
        self._told.pop(session, None)
        self._forget(session)

    def have_read(self, session: Session, until: int) -> None:
        """Note that a reader has read up to a record; ignored while no program waits."""
        if not self._told or session not in self.seated():
            return
        self._read[session] = max(until, self._read.get(session, -1))
        self._stop_timer(session)
        self._watch(session)
        self._tell()

    def grew(self) -> None:
        """Start a timer for each reader to whom the last batch gave something to read."""
        for session in self._read:
            self._watch(session)

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

    def _watch(self, session: Session) -> None:
        room = self.room()
        if self._read[session] + 1 < len(room.log) and session not in self._timers:
            # A question with a time limit must not pass while a bot waits before it.
            limit = room.table.room.settings.time_limit_seconds
            seconds = min(PATIENCE_SECONDS, limit / 2) if limit else PATIENCE_SECONDS
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
