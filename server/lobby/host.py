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

from protocol.bounds import MAX_CUTS
from protocol.common import events as on
from protocol.common.asks import Settle
from protocol.common.patience import away, limit_seconds
from protocol.common.table import RoomTable, Stage, Table
from protocol.common.text import Catalog, Text
from protocol.event import CLOCK, Cut, Event, cut
from protocol.fault_report import fault_lines
from protocol.messages import Notice, Records, ServerMessage, Words
from server.kernel.batch_writer import Batch
from server.kernel.errors import Refused, RuleFailed
from server.kernel.room import Room
from server.lobby.alarm import Alarm, ms_waited
from server.lobby.run_detached import run_detached
from server.lobby.seams import Shelf, Surroundings
from server.lobby.spectator_delay import SpectatorDelay
from server.lobby.words import Wordsmith
from server.net.desk import Session
from server.net.seams import Timer
from server.storage import StorageError

START_SECONDS = 30
"""How long a start waits for everybody's share of chance."""

MAX_WAITING = 256
"""Inputs that may wait for one room."""

MAX_RECORDS_BYTES = 60 * 1024
"""Bytes of records in one message."""


RETRY_SECONDS = 10.0
"""How long a room that stopped rests before it is read from the store again."""

MAX_REFUSED_NOTES = 64
"""How often what is noted of who is here may be out of date by the time its turn comes."""


@attrs.define(eq=False)
class Follower:
    """One session that follows the room."""

    session: Session
    seat: int | None
    """None for somebody who looks on."""
    key: bytes
    """Of the seat's owner when they began to follow; another owner's secrets are not theirs."""
    words: Wordsmith
    next_sequence: int


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
    followers: dict[Session, Follower] = attrs.field(factory=dict, init=False)
    stopped: str = attrs.field(default="", init=False)
    """Why nothing can be stored any more; empty as long as all is well."""
    users: int = attrs.field(default=0, init=False)
    """How many are dealing with the room just now."""
    _waiting: deque[_Waiting] = attrs.field(factory=deque, init=False)
    _is_storing: bool = attrs.field(default=False, init=False)
    _is_taking: bool = attrs.field(default=False, init=False)
    _is_noting: bool = attrs.field(default=False, init=False)
    _is_asleep: bool = attrs.field(default=False, init=False)
    _alarm: Alarm = attrs.field(init=False)
    _delay: SpectatorDelay = attrs.field(init=False)
    _retry: Timer | None = attrs.field(default=None, init=False)
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        """Prepare what waits for the clock."""
        self._alarm = Alarm(self.around.clock, self._time_is_up)
        self._delay = SpectatorDelay(self.around.clock, self.around.now, self._show)

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
            batch = self.room.receive(
                waiting.happened, time=self.around.now(), origin=waiting.origin
            )
        except Refused as refused:
            waiting.done.errback(refused)
        except RuleFailed as failed:
            self._log_failed_rule(failed)
            waiting.done.errback(failed)
        else:
            self._is_storing = True
            run_detached(self._make_durable(batch, waiting.done))

    def _log_failed_rule(self, failed: RuleFailed) -> None:
        """Say where in the program it failed; what the rule looked at may be secret."""
        cause = failed.__cause__ or failed
        where = "\n".join(fault_lines(cause, cause.__traceback__))
        line = "room {room}: {why}\n{where}"
        self._log.critical(line, room=self.room.room_id, why=str(failed), where=where)

    def _refuse_if_idle(self, waiting: _Waiting) -> None:
        """Refuse where nothing can be stored, or a seat has another owner by now."""
        if self.stopped or self._is_asleep:
            raise Refused("table/stopped")
        if waiting.key is not None:
            seat = self.room.table.room.seats.get(waiting.origin)
            if seat is None or seat.key != waiting.key:
                raise Refused("table/no_seat")

    async def _make_durable(self, batch: Batch, done: Deferred[Table]) -> None:
        try:
            await self.around.store.append(self.room.room_id, batch.first, batch.stored)
        except StorageError as error:
            self._stop(error)
            done.errback(error)
        except Exception as error:  # noqa: BLE001 (a bug of the store must not hang the room)
            self._log.failure("room {room}: the store raised", room=self.room.room_id)
            self._stop(error)
            done.errback(StorageError("the store made a mistake"))
        else:
            self.room.commit()
            self._is_storing = False
            self._show()
            self._watch_the_clock()
            done.callback(self.room.table)
        self._next()

    @property
    def is_idle(self) -> bool:
        """Whether nobody follows the room, and nothing is under way in it."""
        is_at_work = self._waiting or self._is_storing or self._is_noting or self._retry is not None
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
        if self.read_again is not None and self.room.log and not self._is_asleep:
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
        if self._is_asleep:
            return
        self.room, self.stopped = room, ""
        self._show()
        self._tell_all("table/goes_on")
        self.wake()
        await self.note_presence()
        if self.when_alone is not None:
            await self.when_alone(self)

    # Followers

    def end_for(self, seat: int | None) -> int:
        """Return the sequence of the first record that a seat, or who has none, cannot see yet."""
        return self._delay.end(self.room, seat)

    def follow(self, session: Session, seat: int | None, after: int, language: str) -> None:
        """Let a session follow from the record after this one, with words in a language."""
        key = self.room.table.room.seats[seat].key if seat is not None else b""
        end = self.end_for(seat)
        follower = Follower(session, seat, key, Wordsmith(language), end)
        self.followers[session] = follower
        session.stream(self._shown(follower, range(after + 1, end)))
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
        has_delay = self.room.table.room.settings.spectators_delay_seconds > 0
        at_once = (f for f in self.followers.values() if f.seat is not None or not has_delay)
        return tuple(follower.session for follower in at_once)

    def unfollow(self, session: Session) -> None:
        """Let a session follow no more."""
        self.followers.pop(session, None)
        self._watch_the_curtain()

    def _watch_the_curtain(self) -> None:
        is_watched = any(follower.seat is None for follower in self.followers.values())
        self._delay.wait(self.room, is_watched=is_watched and not self._is_asleep)

    def seats_present(self) -> tuple[int, ...]:
        """Return the seats that somebody follows from."""
        seats = [f.seat for f in self.followers.values() if f.seat is not None]
        return tuple(sorted(set(seats)))

    async def note_presence(self, origin: int | None = None) -> None:
        """
        Bring what the log says about who is here up to date.

        Whoever comes or goes meanwhile is noted by the one who is at it, so that the last word
        is always what is true.

        Args:
            origin: CLOCK where a server that starts says it; None for the seats themselves.
        """
        if self._is_noting:
            return
        self._is_noting = True
        patience = MAX_REFUSED_NOTES
        try:
            while patience and not self.stopped and not self._is_asleep:
                change = self._change_of_presence()
                if change is None:
                    return
                try:
                    await self.submit(change, change.seat if origin is None else origin)
                except Refused:
                    # Such as a seat that was left meanwhile; the others are still to be noted.
                    patience -= 1
        except (RuleFailed, StorageError) as error:
            self._log.debug("presence: {why}", why=str(error))
        finally:
            self._is_noting = False

    def _change_of_presence(self) -> on.PresenceChanged | None:
        present = self.seats_present()
        for seat in self.room.table.room.seats.values():
            if seat.is_present != (seat.seat in present):
                return on.PresenceChanged(seat.seat, is_present=seat.seat in present)
        return None

    def _show(self) -> None:
        for follower in list(self.followers.values()):
            try:
                self._show_one(follower)
            except Exception:  # noqa: BLE001 (one session's fault must not stop the room)
                self._log.failure("room {room}: showing", room=self.room.room_id)
                self.unfollow(follower.session)
                follower.session.close("server/error", "the server made a mistake")
        self._watch_the_curtain()

    def _show_one(self, follower: Follower) -> None:
        room = self.room.table.room
        end = self.end_for(follower.seat)
        fresh = range(follower.next_sequence, end)
        follower.next_sequence = end
        is_out = follower.seat is not None and (
            follower.seat not in room.seats or room.seats[follower.seat].key != follower.key
        )
        if is_out:
            # The seat is not theirs any more, and neither are the secrets of its next owner.
            follower.seat = None
            self.unfollow(follower.session)
        for message in self._shown(follower, fresh):
            follower.session.send(message)
        if is_out and room.stage is not Stage.LOBBY:
            self._tell(follower, "table/no_seat")

    def _shown(self, follower: Follower, sequences: Iterable[int]) -> Iterator[ServerMessage]:
        """Return words and records of these sequences, in messages that fit a frame."""
        # What is shown is settled now, however late a slow reader takes it.
        seat, log, words = follower.seat, self.room.log, follower.words
        since = self.room.table.room.seats[seat].since if seat is not None else 0
        catalogs = catalogs_of(self.around.shelf, self.room)

        def messages() -> Iterator[ServerMessage]:
            cuts = (cut(log[sequence], seat, since=since) for sequence in sequences)
            for chunk in _chunks(cuts):
                yield from words.for_cuts(catalogs, chunk)
                yield Records(self.room.room_id, chunk)

        return messages()

    # The clock

    def _watch_the_clock(self, waited: float = 0.0) -> None:
        """Set the one alarm that this room has, if it waits for anything with a limit."""
        room = self.room.table.room
        limit = limit_seconds(room)
        if self.stopped or self._is_asleep:
            self._alarm.stop()
        elif room.stage is Stage.STARTING and room.play_seed is not None:
            self._alarm.wait_for(room.play_seed.ref, START_SECONDS)
        elif room.ask is None or not limit or room.is_paused or self._stands_still(room):
            self._alarm.stop()
        elif room.ask.settle is Settle.WINDOW:
            # Whatever was said in it by now, or who is here; a room that woke begins anew.
            self._alarm.wait_for(("window", room.ask.ask_id), limit)
        elif room.ask.settle is Settle.UNLESS_OBJECTED:
            # Its time may have stood still: it is counted from the log whenever it runs again.
            self._alarm.wait_for(self._objectors(room), limit - ms_waited(self.room) / 1000)
        else:
            self._alarm.wait_for(room.ask.ask_id, limit - waited)

    def seconds_left(self) -> float | None:
        """Return how long the room still waits for what it waits for; None for ever."""
        return self._alarm.left()

    def wake(self) -> None:
        """Begin to watch the clock, after a room was read from the store."""
        self._watch_the_clock(ms_waited(self.room) / 1000)

    def sleep(self) -> None:
        """Watch it no more; for the end of the server, or of this host."""
        self._is_asleep = True
        self._alarm.stop()
        self._delay.stop()
        if self._retry is not None and self._retry.active():
            self._retry.cancel()
        self._retry = None

    def _time_is_up(self) -> None:
        room = self.room.table.room
        if room.stage is Stage.STARTING and room.ceremony is not None:
            self._by_the_clock(on.StartFailed(missing_at_start(room)))
        elif room.ask is not None and (left := self._ms_left_by_the_log(room)) > 0:
            # The clock of the log was put back meanwhile: by its times, all have their whole time.
            is_window = room.ask.settle is Settle.WINDOW
            what = ("window", room.ask.ask_id) if is_window else self._objectors(room)
            self._alarm.wait_for(what, left / 1000)
        elif room.ask is not None and room.ask.settle is Settle.WINDOW:
            self._by_the_clock(self.room.closing())
        elif room.ask is not None:
            self._by_the_clock(on.TimedOut(room.ask.ask_id))

    def _objectors(self, room: RoomTable) -> object:
        assert room.ask is not None
        return room.ask.ask_id, room.ask.waiting_for

    def _stands_still(self, room: RoomTable) -> bool:
        """Return whether no time runs: the game has halted, who may object or everybody is away."""
        is_window = room.ask is not None and room.ask.settle is Settle.WINDOW
        is_empty = is_window and not any(seat.is_present for seat in room.seats.values())
        return self.room.halted is not None or is_empty or bool(away(room))

    def _ms_left_by_the_log(self, room: RoomTable) -> int:
        """Return for how long a question that says so is still open by the times on the log."""
        if room.ask is None or not room.ask.settle.has_seconds:
            return 0
        since = max(0, self.around.now() - self.room.last_time)
        return room.ask.seconds * 1000 - ms_waited(self.room) - since

    def _by_the_clock(self, happened: Event) -> None:
        run_detached(self._submit_by_the_clock(happened))

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
        else:
            if self.when_alone is not None:
                await self.when_alone(self)


def missing_at_start(room: RoomTable) -> tuple[int, ...]:
    """Return the seats for which a start waits: to commit, or once all have, to open."""
    assert room.ceremony is not None
    given: Mapping[int, bytes] = room.ceremony.commitments
    if len(given) == len(room.seats):
        given = room.ceremony.shares
    return tuple(seat for seat in room.seats if seat not in given)


def catalogs_of(shelf: Shelf, room: Room) -> Mapping[str, Catalog]:
    """Return the words of a room's content; none where the content is not there any more."""
    try:
        return shelf.catalogs(room.table.room.content_hash)
    except KeyError:
        return {}


def _chunks(cuts: Iterable[Cut]) -> Iterator[tuple[Cut, ...]]:
    """
    Yield what is shown in messages that fit a frame.

    Only what is shown has a weight here: else where a message ends would tell how long the secrets
    of others are.
    """
    chunk: list[Cut] = []
    size = 0
    for shown in cuts:
        openings = sum(len(one.salt) + len(one.value) + 16 for _, one in shown.openings)
        weight = len(shown.public) + openings + 64
        if chunk and (size + weight > MAX_RECORDS_BYTES or len(chunk) >= MAX_CUTS):
            yield tuple(chunk)
            chunk, size = [], 0
        chunk.append(shown)
        size += weight
    if chunk:
        yield tuple(chunk)
