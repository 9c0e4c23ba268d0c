"""
The host of one room: queues its inputs, stores each batch, then shows it to the followers.

A room takes its next input only once the batch of the previous input is on disk, and nothing of a
batch is sent before that. If a batch cannot be stored, the room drops it and stops, notifies its
followers, and is read again from the store later. Long work is split into turns
(`server.net.scheduling`).
"""

from collections import deque
from collections.abc import Awaitable, Callable

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocol.common.table import RoomTable, Table
from protocol.event import Event
from protocol.fault_report import fault_lines
from protocol.seams import DelayedCall
from server.kernel.batch_writer import Batch
from server.kernel.errors import RecordNeeded, Refused, RuleFailed
from server.kernel.kept_log import KeptLog
from server.kernel.room import Room
from server.kernel.steps import Steps
from server.lobby.rooms.lookalikes import must_look_like_nobody
from server.lobby.rooms.room_clock import RoomClock
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.lobby.views.followers import Followers
from server.lobby.views.presence import Presence
from server.lobby.views.showing import Showing
from server.storage import StorageError, StoreItem

MAX_WAITING = 256
"""Maximum number of inputs that wait for one room."""

RETRY_SECONDS = 10.0
"""Seconds until a stopped room is read from the store again."""

PROBE = "probe"
"""Namespace of the values that a stopped room writes to test the store."""

PROBE_BYTES = 64 * 1024
"""Minimum bytes of a test value. After a larger failed batch the test value is as large as that
batch, since a full disk may accept a small write."""


Decision = Callable[[RoomTable], Event]
"""
Function that makes an input from the table, once all earlier inputs are folded. It may raise
`Refused`.
"""


@attrs.define
class _Waiting:
    happened: Event | Decision
    origin: int
    key: bytes | None
    done: Deferred[Table]


@attrs.define
class _Turn:
    """An entry of the queue that lets its caller read the table between two inputs."""

    done: Deferred[None]


@attrs.define(eq=False)
class RoomHost:
    """Runs one room: its queue, its followers and its clock."""

    room: Room
    services: LobbyServices
    read_again: Callable[[str], Awaitable[Room]] | None = None
    """Rebuilds the room from the store; None for a room that stays stopped."""
    when_alone: Callable[["RoomHost"], Awaitable[None]] | None = None
    """Called after an input of the clock, and after a stopped room was read again."""
    beside: Callable[[str, Batch], StoreItem | None] = lambda _room_id, _batch: None
    """Returns an item to store together with a batch; None if there is none."""
    when_durable: Callable[[str], None] = lambda _room_id: None
    """Called with the room's id once a batch is durable, before the batch is shown."""
    when_stored: Callable[[Room], None] = lambda _: None
    """Called with the room after each batch has been shown."""
    followers: Followers = attrs.field(init=False)
    stopped: str = attrs.field(default="", init=False)
    """Reason why the room takes no inputs; empty while it takes them."""
    users: int = attrs.field(default=0, init=False)
    """Number of callers that use the room now; a room in use is not unloaded."""
    _waiting: deque[_Waiting | _Turn] = attrs.field(factory=deque, init=False)
    _of_turn: list[_Waiting] | None = attrs.field(default=None, init=False)
    """Inputs submitted in the turn that is under way; None between turns."""
    _is_working: bool = attrs.field(default=False, init=False)
    """True while a call of `_work` is running."""
    _is_storing: bool = attrs.field(default=False, init=False)
    """True from taking an input until its sender has its result."""
    _is_unloaded: bool = attrs.field(default=False, init=False)
    clock: RoomClock = attrs.field(init=False)
    presence: Presence = attrs.field(init=False)
    _retry: DelayedCall | None = attrs.field(default=None, init=False)
    _probe_bytes: int = attrs.field(default=PROBE_BYTES, init=False)
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        self.followers = Followers(
            self.services, lambda: self.room, lambda: bool(self.stopped), self.now
        )
        self.clock = RoomClock(
            *(self.services, lambda: self.room, self.now, self.submit, self._clock_did_something),
            self.followers.tell_undelayed,
        )
        self.presence = Presence(
            self.followers.by_session,
            lambda: self.room.table.room,
            lambda: self.is_going,
            self.submit,
        )

    def now(self) -> int:
        """Return the time of this room, which is never behind its log."""
        return self.services.log_times.of(self.room.room_id, self.room.last_time)

    @property
    def is_going(self) -> bool:
        """True if the room takes inputs: neither stopped nor unloaded."""
        return not (self.stopped or self._is_unloaded)

    @property
    def is_busy(self) -> bool:
        """True if inputs wait in the queue, or a batch is being stored."""
        return self._is_storing or bool(self._waiting)

    def submit(
        self, happened: Event | Decision, origin: int, *, key: bytes | None = None
    ) -> Deferred[Table]:
        """
        Queue an input of the room.

        Args:
            happened: the input; a `Decision` if it depends on the table, which earlier inputs in
                the queue may still change.
            origin: the seat that gives the input, CLOCK or OPERATOR.
            key: the owner of that seat; the input is refused if the seat has changed its owner.

        Returns:
            Fires with the table once the input and its consequences are durable and were sent.
                Fails with `Refused`, `RuleFailed`, or the `StorageError` that stopped the room.
        """
        done: Deferred[Table] = Deferred()
        if len(self._waiting) >= MAX_WAITING:
            done.errback(Refused("table/too_busy"))
            return done
        waiting = _Waiting(happened, origin, key, done)
        if self._of_turn is not None:
            self._of_turn.append(waiting)
            return done
        self._waiting.append(waiting)
        # One worker alone: a second input must not be folded before the first one is stored.
        if not self._is_working:
            self._is_working = True
            run_detached(self._work())
        return done

    def turn(self) -> Deferred[None]:
        """
        Return a Deferred that fires once all inputs queued now are processed, before any later one.

        An input that the callback submits is the next one, so what the callback reads from the
        table still holds for it. Fails with `Refused` if too many inputs wait.
        """
        done: Deferred[None] = Deferred()
        if not self.is_busy:
            done.callback(None)
        elif len(self._waiting) >= MAX_WAITING:
            done.errback(Refused("table/too_busy"))
        else:
            self._waiting.append(_Turn(done))
        return done

    async def _work(self) -> None:
        """Process the queue, oldest input first, until it is empty."""
        try:
            while self._waiting:
                waiting = self._waiting.popleft()
                if isinstance(waiting, _Turn):
                    self._of_turn = []
                    waiting.done.callback(None)
                    # Inputs submitted by the callback go to the front of the queue, in their order.
                    self._waiting.extendleft(reversed(self._of_turn))
                    self._of_turn = None
                else:
                    await self._process(waiting)
        finally:
            self._is_working = False

    async def _process(self, waiting: _Waiting) -> None:
        self._is_storing = True
        try:
            batch = await self.services.scheduler.run(self._received(waiting))
        except Refused as refused:
            self._fail(waiting.done, refused)
        except RuleFailed as failed:
            # The places in the program without values, since a rule may have read secrets.
            cause = failed.__cause__ or failed
            where = "\n".join(fault_lines(cause, cause.__traceback__))
            self._log.critical(
                "room {room}: {why}\n{where}", room=self.room.room_id, why=str(failed), where=where
            )
            self._fail(waiting.done, failed)
        except RecordNeeded as needed:
            # The input needs a record that is not in memory: read it, then take this input first.
            try:
                records = await self.followers.older(needed.sequence, needed.sequence + 1)
            except Exception as error:  # noqa: BLE001 (its sender must hear of it)
                self._fail(waiting.done, error)
            else:
                self.room.recall({needed.sequence: records[needed.sequence]})
                self._waiting.appendleft(waiting)
        else:
            await self._make_durable(batch, waiting.done)

    def _fail(self, done: Deferred[Table], error: Exception) -> None:
        self._is_storing = False
        done.errback(error)

    def _must_be_going(self) -> None:
        if not self.is_going:
            raise Refused("table/stopped")

    def _received(self, waiting: _Waiting) -> Steps[Batch]:
        """
        Check an input and pass it to the room, in steps. Raises as `Room.receiving`.

        Also raises `Refused` if the room takes no inputs, or the seat has another owner.
        """
        self._must_be_going()
        if waiting.key is not None:
            seat = self.room.table.room.seats.get(waiting.origin)
            if seat is None or seat.key != waiting.key:
                raise Refused("table/no_seat")
        room, event = self.room.table.room, waiting.happened
        if not isinstance(event, Event):
            event = event(room)
        must_look_like_nobody(room, event)
        steps = self.room.receiving(event, time=self.now(), origin=waiting.origin)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                batch: Batch = end.value
                return batch
            yield
            try:
                self._must_be_going()
            except Refused:
                # The host was unloaded between two steps: the server ends.
                steps.close()
                raise

    async def _make_durable(self, batch: Batch, done: Deferred[Table]) -> None:
        try:
            room_id = self.room.room_id
            item = self.beside(room_id, batch)
            stored = self.services.store.append(room_id, batch.first, batch.stored, item)
            # The store writes in a thread of its own; meanwhile this one renders the batch.
            ready = self._made_ready(batch)
            await stored
        except StorageError as error:
            self._probe_bytes = max(
                PROBE_BYTES,
                sum(len(record.public) + len(record.openings) for record in batch.stored),
            )
            self._stop(error)
            self._fail(done, error)
        except Exception as error:  # noqa: BLE001 (a bug of the store must not hang the room)
            self._log.failure("room {room}: the store raised", room=self.room.room_id)
            self._stop(error)
            self._fail(done, StorageError("the store made a mistake"))
        else:
            # Durable by now; showing only waits for its turn.
            await self.services.scheduler.time_to_show()
            self.room.commit()
            self.when_durable(room_id)
            self._is_storing = False
            self.followers.show(ready)
            # After showing, which reads the batch from memory.
            self.room.forget()
            self.when_stored(self.room)
            self.watch_clock()
            # Last, so that the sender's reply comes after the records.
            done.callback(self.room.table)

    def _made_ready(self, batch: Batch) -> Showing | None:
        """
        Render a batch while the store writes it, within the time budget of this turn.

        The result may be unfinished; it is None if rendering fails.
        """
        log = KeptLog(batch.stored, first=batch.first)
        showing = Showing(self.room.room_id, log)
        steps = self.followers.making_ready(showing, range(log.first, len(log)))
        try:
            while self.services.scheduler.has_time and next(steps, None) is not None:
                pass
        except Exception:  # noqa: BLE001 (it is rendered again when it is shown)
            self._log.failure("room {room}: showing", room=self.room.room_id)
            return None
        return showing

    @property
    def is_idle(self) -> bool:
        """True if the room can be unloaded: no person follows it, and no bot or caller needs it."""
        is_at_work = self._waiting or self._is_storing or self.presence.is_noting or self._retry
        is_needed = self._are_bots_asked or self._is_decision_due or self.users
        return not (self.followers.has_people or is_needed or is_at_work)

    @property
    def _is_decision_due(self) -> bool:
        """Return whether an answer is held that the clock is about to submit."""
        # It is in memory alone; at a table by the calendar its owner may leave meanwhile.
        return self.room.decision() is not None and self.clock.seconds_left() is not None

    @property
    def _are_bots_asked(self) -> bool:
        room = self.room.table.room
        if room.ask is None or room.stands_still or not self.is_going:
            return False
        # A game in which only bots are asked has to go on by itself.
        return all(room.seats[seat].is_bot for seat in room.ask.questions)

    # Stopping and coming back

    def _stop(self, error: Exception) -> None:
        """Stop the room after a failed write, since the disk may tear the next write too."""
        self.room.discard()
        self._is_storing = False
        self.stopped = str(error) or type(error).__name__
        self._log.error("room {room} stopped: {why}", room=self.room.room_id, why=self.stopped)
        self.watch_clock()
        self.followers.tell_undelayed("table/stopped")
        self._try_again_later()

    def give_up(self, why: str, code: str = "table/unreadable") -> None:
        """
        Stop the room for good, for example because its log is damaged.

        Args:
            why: the reason, for the operator.
            code: code of the notice to the followers.
        """
        self.stopped = why
        self.read_again = None
        if self._retry is not None and self._retry.active():
            self._retry.cancel()
        self._retry = None
        self.watch_clock()
        self.followers.tell_all(code)

    def _try_again_later(self) -> None:
        # A room whose first batch failed is not in the store.
        if self.read_again is not None and self.room.log and not self._is_unloaded:
            again = self.services.clock.callLater
            self._retry = again(RETRY_SECONDS, lambda: run_detached(self._come_back()))

    async def _come_back(self) -> None:
        """
        Read the room again: only the store knows whether its last batch was written.

        A test write has to succeed first. Otherwise the table would resume and stop again and again
        while the disk is full.
        """
        assert self.read_again is not None
        try:
            # As much as the batch that failed: on a full disk a small write may still succeed.
            store, room_id = self.services.store, self.room.room_id
            await store.put(PROBE, room_id, bytes(self._probe_bytes))
            await store.delete(PROBE, room_id)
            room = await self.read_again(self.room.room_id)
        except Exception as error:  # noqa: BLE001 (whatever it is, it may be mended by then)
            self._log.warn("room {room}: {why}", room=self.room.room_id, why=repr(error))
            self._retry = None
            self._try_again_later()
            return
        self._retry = None
        if self._is_unloaded:
            return
        # Clients do not say it again: to them the server has never been away.
        room.holding.take_over(self.room.holding)
        self.room, self.stopped = room, ""
        # The failed batch may have been written after all.
        self.followers.show()
        self.followers.tell_undelayed("table/goes_on")
        self.watch_clock()
        await self.presence.note()
        if self.when_alone is not None:
            await self.when_alone(self)

    # The clock

    def watch_clock(self) -> None:
        """Set the alarm for the next deadline of the room; stop it if there is none."""
        if self.is_going:
            self.clock.watch()
        else:
            self.clock.stop()

    def unload(self) -> None:
        """Stop all timers; the host takes no input after that."""
        self._is_unloaded = True
        self.clock.stop()
        self.followers.stop()
        if self._retry is not None and self._retry.active():
            self._retry.cancel()
        self._retry = None

    async def _clock_did_something(self) -> None:
        if self.when_alone is not None:
            await self.when_alone(self)
