"""
The host of one room: inputs in a row, each made durable, then shown to whoever follows.

A room takes its next input only when the batch before is on disk. Nothing is sent before. If the
store refuses a batch, the room is as it was; if the store cannot go on, the room stops and says so.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocol.common.table import Stage, Table
from protocol.common.text import Catalog, Text
from protocol.event import Event, Stored
from protocol.fault_report import fault_lines
from protocol.messages import Notice, ServerMessage, Words
from protocol.seams import DelayedCall
from server.kernel.batch_writer import Batch
from server.kernel.errors import RecordNeeded, Refused, RuleFailed
from server.kernel.kept_log import KeptLog
from server.kernel.room import Room
from server.lobby.alarm import ms_waited
from server.lobby.lookalikes import must_look_like_nobody
from server.lobby.presence import Follower, Presence
from server.lobby.room_clock import RoomClock
from server.lobby.run_detached import run_detached
from server.lobby.seams import Shelf, Surroundings
from server.lobby.showing import Showing, Shown
from server.lobby.spectator_delay import SpectatorDelay
from server.lobby.viewer import Viewer
from server.lobby.words import Wordsmith
from server.net.handler import Session
from server.storage import Item, LogDamaged, StorageError

MAX_WAITING = 256
"""Inputs that may wait for one room."""

RECORDS_AT_ONCE = 256
"""How many older records are read at once: a few milliseconds of work."""

RETRY_SECONDS = 10.0
"""How long a room that stopped waits before it is read from the store again."""


@attrs.define
class _Waiting:
    happened: Event
    origin: int
    key: bytes | None
    done: Deferred[Table]


@attrs.define(eq=False)
class RoomHost:
    """Keeps one room going."""

    room: Room
    around: Surroundings
    read_again: Callable[[str], Awaitable[Room]] | None = None
    """Builds the room anew from what the store holds; None where a room that stopped stays so."""
    when_alone: Callable[["RoomHost"], Awaitable[None]] | None = None
    """Called after what happened without anybody asking: by the clock, or a return."""
    beside: Callable[[str, Batch], Item | None] = lambda _room_id, _batch: None
    """Returns what is stored together with a batch; None for nothing."""
    when_durable: Callable[[str], None] = lambda _room_id: None
    """Called with the id of the room once a batch is durable, before it is shown."""
    when_stored: Callable[[Room], None] = lambda _: None
    """Called with the room after each batch, when its answer was sent."""
    followers: dict[Session, Follower] = attrs.field(factory=dict, init=False)
    stopped: str = attrs.field(default="", init=False)
    """Why nothing can be stored any more; empty as long as all is well."""
    users: int = attrs.field(default=0, init=False)
    """How many are dealing with the room just now."""
    _waiting: deque[_Waiting] = attrs.field(factory=deque, init=False)
    _is_storing: bool = attrs.field(default=False, init=False)
    _is_taking: bool = attrs.field(default=False, init=False)
    _is_unloaded: bool = attrs.field(default=False, init=False)
    clock: RoomClock = attrs.field(init=False)
    presence: Presence = attrs.field(init=False)
    _delay: SpectatorDelay = attrs.field(init=False)
    _showing: Showing | None = attrs.field(default=None, init=False)
    """What is shown to all followers just now."""
    _retry: DelayedCall | None = attrs.field(default=None, init=False)
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        """Prepare what submits inputs that nobody asked for, and what waits for the clock."""
        self.clock = RoomClock(
            self.around, lambda: self.room, self.submit, self._clock_did_something
        )
        self.presence = Presence(
            self.followers, lambda: self.room.table.room, lambda: self.is_going, self.submit
        )
        self._delay = SpectatorDelay(self.around.clock, self.around.now, self._show)

    @property
    def is_going(self) -> bool:
        """Whether the room takes inputs: it has not stopped, and this host is not unloaded."""
        return not (self.stopped or self._is_unloaded)

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits for what they gave the room."""
        return self._is_storing or bool(self._waiting)

    def submit(self, happened: Event, origin: int, *, key: bytes | None = None) -> Deferred[Table]:
        """
        Give the room an input.

        Args:
            happened: the input.
            origin: the seat that gives it, or CLOCK.
            key: of whoever speaks for that seat; once it has another owner, the input is refused.

        Returns:
            Fires with the table once the input and all that follows are durable and were sent.
            Fails with `Refused`, `RuleFailed`, or the `StorageError` that stopped the room.
        """
        done: Deferred[Table] = Deferred()
        if len(self._waiting) >= MAX_WAITING:
            done.errback(Refused("table/too_busy"))
            return done
        self._waiting.append(_Waiting(happened, origin, key, done))
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
        try:
            self._refuse_if_idle(waiting)
            must_look_like_nobody(self.room.table.room, waiting.happened)
            batch = self.room.receive(
                waiting.happened, time=self.around.now(), origin=waiting.origin
            )
        except Refused as refused:
            waiting.done.errback(refused)
        except RuleFailed as failed:
            self._log_failed_rule(failed)
            waiting.done.errback(failed)
        except RecordNeeded as needed:
            self._is_storing = True
            run_detached(self._recall(needed.sequence, waiting))
        else:
            self._is_storing = True
            run_detached(self._make_durable(batch, waiting.done))

    async def _recall(self, sequence: int, waiting: _Waiting) -> None:
        """Read a record that an input needs; then take that input before all others."""
        try:
            records = await self.older(sequence, sequence + 1)
        except Exception as error:  # noqa: BLE001 (whoever waits must hear of it)
            waiting.done.errback(error)
        else:
            self.room.recall({sequence: records[sequence]})
            self._waiting.appendleft(waiting)
        self._is_storing = False
        self._next()

    def _log_failed_rule(self, failed: RuleFailed) -> None:
        """Say where in the program it failed; what the rule looked at may be secret."""
        cause = failed.__cause__ or failed
        where = "\n".join(fault_lines(cause, cause.__traceback__))
        self._log.critical(
            "room {room}: {why}\n{where}", room=self.room.room_id, why=str(failed), where=where
        )

    def _refuse_if_idle(self, waiting: _Waiting) -> None:
        """Refuse where nothing can be stored, or a seat has another owner by now."""
        if not self.is_going:
            raise Refused("table/stopped")
        if waiting.key is not None:
            seat = self.room.table.room.seats.get(waiting.origin)
            if seat is None or seat.key != waiting.key:
                raise Refused("table/no_seat")

    async def _make_durable(self, batch: Batch, done: Deferred[Table]) -> None:
        try:
            room_id = self.room.room_id
            item = self.beside(room_id, batch)
            await self.around.store.append(room_id, batch.first, batch.stored, item)
        except StorageError as error:
            self._stop(error)
            done.errback(error)
        except Exception as error:  # noqa: BLE001 (a bug of the store must not hang the room)
            self._log.failure("room {room}: the store raised", room=self.room.room_id)
            self._stop(error)
            done.errback(StorageError("the store made a mistake"))
        else:
            self.room.commit()
            self.when_durable(room_id)
            self._is_storing = False
            self._show()
            self.room.forget()
            self.when_stored(self.room)
            self._watch_the_clock()
            done.callback(self.room.table)
        self._next()

    @property
    def is_idle(self) -> bool:
        """Whether nobody follows the room, and nothing is under way in it."""
        is_at_work = (
            self._waiting or self._is_storing or self.presence.is_noting or self._retry is not None
        )
        return not (self.followers or self.users or is_at_work)

    # Stopping and coming back

    def _stop(self, error: Exception) -> None:
        """Stop the room: what the disk refuses once it may tear the next time."""
        self.room.discard()
        self._is_storing = False
        self.stopped = str(error) or type(error).__name__
        self._log.error("room {room} stopped: {why}", room=self.room.room_id, why=self.stopped)
        self._watch_the_clock()
        self._tell_all("table/stopped")
        self._try_again_later()

    def _tell_all(self, code: str) -> None:
        for follower in list(self.followers.values()):
            self._tell(follower, code)

    def _tell(self, follower: Follower, code: str) -> None:
        follower.session.send(Notice(self.room.room_id, code, Text(f"refusal/{code}"), ""))

    def _try_again_later(self) -> None:
        # A room that never came to be has nothing to be read.
        if self.read_again is not None and self.room.log and not self._is_unloaded:
            again = self.around.clock.callLater
            self._retry = again(RETRY_SECONDS, lambda: run_detached(self._come_back()))

    async def _come_back(self) -> None:
        """Read the room again: only the store knows what became of its last batch."""
        assert self.read_again is not None
        try:
            room = await self.read_again(self.room.room_id)
        except Exception as error:  # noqa: BLE001 (whatever it is, it may be mended by then)
            self._log.warn("room {room}: {why}", room=self.room.room_id, why=repr(error))
            self._retry = None
            self._try_again_later()
            return
        self._retry = None
        if self._is_unloaded:
            return
        self.room, self.stopped = room, ""
        self._show()
        self._tell_all("table/goes_on")
        self.watch_clock()
        await self.presence.note()
        if self.when_alone is not None:
            await self.when_alone(self)

    # Followers

    def end_for(self, viewer: Viewer) -> int:
        """Return the sequence of the first record that a viewer cannot see yet."""
        return self._delay.end(self.room, self._delay_of(viewer))

    def _delay_of(self, viewer: Viewer) -> int:
        return viewer.delay_seconds(self.room.table.room.settings)

    def follow(self, session: Session, viewer: Viewer, after: int, language: str) -> None:
        """Let a session follow from the record after this one, with words in a language."""
        seat = viewer.seat
        key = self.room.table.room.seats[seat].key if seat is not None else b""
        follower = Follower(session, viewer, key, Wordsmith(language), after + 1)
        self.followers[session] = follower
        self._catch_up(follower)
        if self.stopped:
            self._tell(follower, "table/stopped")
        elif self.room.halted is not None and seat is not None:
            # Only they can propose to go back, and nothing else shows that it stands still.
            self._tell(follower, "table/halted")
        self._watch_the_curtain()

    def speak(self, session: Session, language: str) -> Iterator[Words]:
        """Speak another language with a follower; return the words of all they were told so far."""
        follower = self.followers.get(session)
        if follower is None:
            return iter(())
        told = follower.words.change(language)
        return follower.words.for_subjects(catalogs_of(self.around.shelf, self.room), told)

    def hearing_at_once(self) -> tuple[Session, ...]:
        """Return the followers who may know what happens here the moment that it does."""
        at_once = (f for f in self.followers.values() if not self._delay_of(f.viewer))
        return tuple(follower.session for follower in at_once)

    def unfollow(self, session: Session) -> None:
        """Let a session follow no more."""
        self.followers.pop(session, None)
        self._watch_the_curtain()

    def _watch_the_curtain(self) -> None:
        waiting = () if self._is_unloaded else tuple(self.followers.values())
        delays = {self._delay_of(follower.viewer) for follower in waiting}
        self._delay.wait(self.room, sorted(delays - {0}))

    def _show(self) -> None:
        self._showing = Showing(self.room.room_id, self.room.log)
        for follower in list(self.followers.values()):
            try:
                self._show_one(follower)
            except Exception:  # noqa: BLE001 (one session's fault must not stop the room)
                self._log.failure("room {room}: showing", room=self.room.room_id)
                self.unfollow(follower.session)
                follower.session.close("server/error", "the server made a mistake")
        self._showing = None
        self._watch_the_curtain()

    def _show_one(self, follower: Follower) -> None:
        room = self.room.table.room
        is_out = follower.seat is not None and (
            follower.seat not in room.seats or room.seats[follower.seat].key != follower.key
        )
        if is_out:
            # The seat is not theirs any more, and neither are the secrets of its next owner.
            follower.until, follower.viewer = self.end_for(follower.viewer), Viewer()
        if follower.is_behind:
            return
        if follower.next_sequence < self.room.log.first:
            self._catch_up(follower)
            return
        fresh = range(follower.next_sequence, self._end_of(follower))
        follower.next_sequence = fresh.stop
        for message in self._shown(follower, fresh, self.room.log):
            follower.session.send(message)
        self._let_go_if_out(follower)

    def _end_of(self, follower: Follower) -> int:
        """Return the sequence of the first record that a follower cannot see yet."""
        return self.end_for(follower.viewer) if follower.until is None else follower.until

    def _let_go_if_out(self, follower: Follower) -> None:
        """Let somebody follow no more who was shown how they lost their seat."""
        if follower.until is not None:
            self.unfollow(follower.session)
            if self.room.table.room.stage is not Stage.LOBBY:
                self._tell(follower, "table/no_seat")

    def _shown(self, follower: Follower, sequences: range, log: KeptLog) -> Iterator[ServerMessage]:
        """Return words and records of these sequences of a log, in messages that fit a frame."""
        # What is shown is settled now, however late a slow reader takes it.
        viewer, words = follower.viewer, follower.words
        seats = self.room.table.room.seats
        since = seats[viewer.seat].since if viewer.seat is not None else 0
        catalogs = catalogs_of(self.around.shelf, self.room)
        if self._showing is not None and log is self.room.log:
            shown: Iterable[Shown] = self._showing.of_batch(viewer, since, sequences)
        else:
            shown = Showing(self.room.room_id, log).one_by_one(viewer, since, sequences)

        def messages() -> Iterator[ServerMessage]:
            for one in shown:
                needed = one.needed(catalogs, words.language)
                if words.needs(needed):
                    yield from words.for_subjects(catalogs, needed)
                yield one.records

        return messages()

    # Older records

    async def older(self, first: int, end: int) -> KeptLog:
        """
        Return records that may be in the store alone, from one sequence up to another.

        Raises:
            StorageError: they cannot be read, or are not what was stored.
        """
        if first >= self.room.log.first:
            return KeptLog(self.room.log[first:end], first=first)
        records = await self.around.store.read(self.room.room_id, first, end)
        if len(records) < end - first:
            raise LogDamaged(self.room.room_id, first + len(records), "the log ends here")
        return KeptLog(records, first=first)

    async def log_for(self, viewer: Viewer) -> list[Stored]:
        """Return all records that a viewer can see now. Raises as `older`."""
        end = self.end_for(viewer)
        log: list[Stored] = []
        while len(log) < end:
            first = len(log)
            last = min(end, first + RECORDS_AT_ONCE)
            log += (await self.older(first, last))[first:last]
        return log

    def _catch_up(self, follower: Follower) -> None:
        """Show a follower all that they were not shown yet, read in parts as they take them."""
        follower.is_behind = True
        run_detached(self._show_older(follower))

    async def _show_older(self, follower: Follower) -> None:
        session = follower.session
        try:
            while self.followers.get(session) is follower:
                first, end = follower.next_sequence, self._end_of(follower)
                if first >= end:
                    follower.is_behind = False
                    self._let_go_if_out(follower)
                    return
                log = await self.older(first, min(end, first + RECORDS_AT_ONCE))
                if self.followers.get(session) is follower:
                    follower.next_sequence = len(log)
                    part = self._shown(follower, range(first, len(log)), log)
                    await self._taken(session, part)
        except StorageError as error:
            self._log.error("room {room}: {why}", room=self.room.room_id, why=str(error))
            self.unfollow(session)
            self._tell(follower, "table/unreadable")
        except Exception:  # noqa: BLE001 (one session's fault must not stop the room)
            self._log.failure("room {room}: showing", room=self.room.room_id)
            self.unfollow(session)
            session.close("server/error", "the server made a mistake")

    def _taken(self, session: Session, messages: Iterator[ServerMessage]) -> Deferred[None]:
        """Stream messages; fires once the session has taken the last of them."""
        taken: Deferred[None] = Deferred()
        is_given = False

        def all_of_them() -> Iterator[ServerMessage]:
            yield from messages
            # Never within the session, which is not done with this stream yet.
            if is_given:
                self.around.clock.callLater(0, lambda: taken.callback(None))
            else:
                taken.callback(None)

        session.stream(all_of_them())
        is_given = True
        return taken

    async def recall_delay(self) -> None:
        """Find out what spectators may see already, after a room was read from the store."""
        await self._delay.recall(self.room, self.older)

    # The clock

    def _watch_the_clock(self, waited: float = 0.0) -> None:
        """Set the one alarm that this room has, if it waits for anything with a limit."""
        if self.is_going:
            self.clock.watch(waited)
        else:
            self.clock.stop()

    def watch_clock(self) -> None:
        """Begin to watch the clock, after a room was read from the store."""
        self._watch_the_clock(ms_waited(self.room) / 1000)

    def unload(self) -> None:
        """Stop what waits for the clock. The host takes no input after that."""
        self._is_unloaded = True
        self.clock.stop()
        self._delay.stop()
        if self._retry is not None and self._retry.active():
            self._retry.cancel()
        self._retry = None

    async def _clock_did_something(self) -> None:
        if self.when_alone is not None:
            await self.when_alone(self)


def catalogs_of(shelf: Shelf, room: Room) -> Mapping[str, Catalog]:
    """Return the words of a room's content; none where the content is not there any more."""
    try:
        return shelf.catalogs(room.table.room.content_hash)
    except KeyError:
        return {}
