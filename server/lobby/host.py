"""
The host of one room: inputs in a row, each made durable, then shown to whoever follows.

A room takes its next input only when the batch before is on disk. Nothing is sent before. If the
store refuses a batch, the room is as it was; if the store cannot go on, the room stops and says so.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocol.bounds import MAX_CUTS
from protocol.common import events as on
from protocol.common.table import Stage, Table
from protocol.common.text import Text
from protocol.event import CLOCK, Event, Stored, cut
from protocol.messages import Notice, Records, ServerMessage
from server.kernel.errors import Refused, RuleFailed
from server.kernel.room import Room
from server.kernel.scribe import Batch
from server.lobby.seams import Surroundings
from server.lobby.spawn import spawn
from server.lobby.words import Wordsmith
from server.net.desk import Session
from server.net.seams import Timer
from server.storage import StorageError, StoredRecord

START_SECONDS = 30
"""How long a start waits for everybody's share of chance."""

MAX_WAITING = 256
"""Inputs that may wait for one room."""

MAX_RECORDS_BYTES = 60 * 1024
"""Bytes of records in one message."""


@attrs.define(eq=False)
class Follower:
    """One session that follows the room."""

    session: Session
    seat: int | None
    words: Wordsmith
    next_sequence: int


@attrs.define
class _Waiting:
    happened: Event
    origin: int
    done: Deferred[Table]


@attrs.define(eq=False)
class RoomHost:
    """Keeps one room going."""

    room: Room
    around: Surroundings
    followers: dict[Session, Follower] = attrs.field(factory=dict, init=False)
    stopped: str = attrs.field(default="", init=False)
    """Why nothing can be stored any more; empty as long as all is well."""
    _waiting: deque[_Waiting] = attrs.field(factory=deque, init=False)
    _is_storing: bool = attrs.field(default=False, init=False)
    _is_taking: bool = attrs.field(default=False, init=False)
    _timer: Timer | None = attrs.field(default=None, init=False)
    _log = Logger()

    def submit(self, happened: Event, origin: int) -> Deferred[Table]:
        """
        Give the room an input.

        Returns:
            Fires with the table once the input and all that follows are durable and were sent.
            Fails with `Refused`, `RuleFailed`, or the `StorageError` that stopped the room.
        """
        done: Deferred[Table] = Deferred()
        if len(self._waiting) >= MAX_WAITING:
            done.errback(Refused("table/too_busy"))
            return done
        self._waiting.append(_Waiting(happened, origin, done))
        self._next()
        return done

    def _next(self) -> None:
        """Take inputs in a row. A store that answers at once must not make this recurse."""
        if self._is_taking:
            return
        self._is_taking = True
        try:
            while self._waiting and not self._is_storing:
                self._take(self._waiting.popleft())
        finally:
            self._is_taking = False

    def _take(self, waiting: _Waiting) -> None:
        if self.stopped:
            waiting.done.errback(Refused("table/stopped"))
            return
        try:
            batch = self.room.receive(
                waiting.happened, time=self.around.now(), origin=waiting.origin
            )
        except Refused as refused:
            waiting.done.errback(refused)
        except RuleFailed as failed:
            self._log.failure("room {room}: {why}", room=self.room.room_id, why=str(failed))
            waiting.done.errback(failed)
        else:
            self._is_storing = True
            spawn(self._make_durable(batch, waiting.done))

    async def _make_durable(self, batch: Batch, done: Deferred[Table]) -> None:
        records = [StoredRecord(stored.public, stored.openings) for stored in batch.stored]
        try:
            await self.around.store.append(self.room.room_id, batch.first, records)
        except StorageError as error:
            self._stop(error)
            done.errback(error)
        else:
            self.room.commit()
            self._is_storing = False
            self._show()
            self._watch_the_clock()
            done.callback(self.room.table)
        self._next()

    def _stop(self, error: StorageError) -> None:
        """Stop the room: what the disk refuses once it may tear the next time."""
        self.room.discard()
        self._is_storing = False
        self.stopped = str(error) or type(error).__name__
        self._log.error("room {room} stopped: {why}", room=self.room.room_id, why=self.stopped)
        self._watch_the_clock()
        notice = Notice(self.room.room_id, "table/stopped", Text("refusal/table/stopped"), "")
        for follower in list(self.followers.values()):
            follower.session.send(notice)

    # Followers

    def follow(self, session: Session, seat: int | None, after: int) -> int:
        """
        Let a session follow from the record after this one.

        Returns:
            The sequence of the first record that does not exist yet.
        """
        words = Wordsmith(session.account.language)
        following = len(self.room.log)
        self.followers[session] = Follower(session, seat, words, following)
        session.stream(self._shown(self.followers[session], range(after + 1, following)))
        return following

    def unfollow(self, session: Session) -> None:
        """Let a session follow no more."""
        self.followers.pop(session, None)

    def seats_present(self) -> tuple[int, ...]:
        """Return the seats that somebody follows from."""
        seats = [f.seat for f in self.followers.values() if f.seat is not None]
        return tuple(sorted(set(seats)))

    def _show(self) -> None:
        for follower in list(self.followers.values()):
            fresh = range(follower.next_sequence, len(self.room.log))
            follower.next_sequence = len(self.room.log)
            for message in self._shown(follower, fresh):
                follower.session.send(message)

    def _shown(self, follower: Follower, sequences: Iterable[int]) -> Iterator[ServerMessage]:
        """Yield words and records of these sequences, in messages that fit a frame."""
        seat = follower.seat
        since = self.room.table.room.seats[seat].since if seat is not None else 0
        catalogs = self.around.shelf.catalogs(self.room.table.room.content_hash)
        for chunk in _chunks(self.room.log, sequences):
            cuts = tuple(cut(stored, seat, since=since) for stored in chunk)
            yield from follower.words.for_cuts(catalogs, cuts)
            yield Records(self.room.room_id, cuts)

    # The clock

    def _watch_the_clock(self) -> None:
        """Set the one alarm that this room has, if it waits for anything with a limit."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None
        left = self.seconds_left()
        if left is not None and not self.stopped:
            self._timer = self.around.clock.callLater(max(0.0, left), self._time_is_up)

    def seconds_left(self) -> float | None:
        """Return how long the room still waits for what it waits for; None for ever."""
        room = self.room.table.room
        if room.stage is Stage.STARTING:
            return START_SECONDS
        limit = room.settings.time_limit_seconds
        if room.ask is None or not limit or room.is_paused or self.room.halted is not None:
            return None
        # Counted to the last thing that happened: while the server was down, time stood still.
        passed = (self.room.last_time - room.ask.asked_at) / 1000
        return limit - passed

    def wake(self) -> None:
        """Begin to watch the clock, after a room was read from the store."""
        self._watch_the_clock()

    def sleep(self) -> None:
        """Watch it no more; for the end of the server."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None

    def _time_is_up(self) -> None:
        self._timer = None
        room = self.room.table.room
        if room.stage is Stage.STARTING and room.ceremony is not None:
            shares = room.ceremony.shares
            missing = tuple(seat for seat in room.seats if seat not in shares)
            self._by_the_clock(on.StartFailed(missing))
        elif room.ask is not None:
            self._by_the_clock(on.TimedOut(room.ask.ask_id))

    def _by_the_clock(self, happened: Event) -> None:
        spawn(self._submit_by_the_clock(happened))

    async def _submit_by_the_clock(self, happened: Event) -> None:
        try:
            await self.submit(happened, CLOCK)
        except Refused:
            # Somebody was faster than the clock.
            return
        except RuleFailed:
            if not isinstance(happened, on.PausedSet):
                # Trying again for ever would be the alternative; people have to look at it.
                self._by_the_clock(on.PausedSet(is_paused=True))
        except StorageError:
            return


def _chunks(log: Sequence[Stored], sequences: Iterable[int]) -> Iterator[list[Stored]]:
    chunk: list[Stored] = []
    size = 0
    for sequence in sequences:
        stored = log[sequence]
        weight = len(stored.public) + len(stored.openings) + 64
        if chunk and (size + weight > MAX_RECORDS_BYTES or len(chunk) >= MAX_CUTS):
            yield chunk
            chunk, size = [], 0
        chunk.append(stored)
        size += weight
    if chunk:
        yield chunk
