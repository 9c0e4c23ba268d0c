"""
The registry: every room of this server, opened when somebody needs it.

What a list of tables shows is kept beside the logs as a summary, so that a server with many
finished games starts at once. A summary is only ever a copy; the log is what counts. It is stored
together with the batch that changes it, in the same transaction.
"""

import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocol import codec
from protocol.common.table import RoomTable, Stage
from protocol.errors import ProtocolError
from protocol.event import CLOCK
from server.kernel.batch_writer import Batch
from server.kernel.chance import seeded
from server.kernel.errors import Refused
from server.kernel.room import Room
from server.lobby.host import RoomHost
from server.lobby.loading import RoomLoader, UnreadableRoom
from server.lobby.run_detached import run_detached
from server.lobby.seams import Surroundings
from server.lobby.snapshots import Snapshots
from server.storage import LogDamaged, StorageError, StoreItem

KIND = "summary"
"""The namespace of summaries in the store."""

ROOM_ID_BYTES = 12


@attrs.frozen
class Summary:
    """One room as a list shows it."""

    room_id: str
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    keys: tuple[bytes, ...]
    waiting_for: tuple[int, ...]
    """Positions among the keys of those who are waited for."""
    has_alarm: bool
    """Whether the room has something to do by itself, and is opened when the server starts."""
    when: int = attrs.field(eq=False)
    """Milliseconds since 1970. Alone it is no reason to store a summary again."""
    setup_id: str = ""
    """Of the fixed setup that it plays; empty for none."""
    has_shut_setup: bool = False
    """Whether that is still to be opened here, once it is closed and the game is over."""


@attrs.frozen
class _Summary1:
    """A summary as release 0.1.0 kept it, when there were no fixed setups."""

    room_id: str
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    keys: tuple[bytes, ...]
    waiting_for: tuple[int, ...]
    has_alarm: bool
    when: int


def _read_summary(packed: bytes) -> Summary:
    """Return a summary of this version or the one before. ProtocolError for any other."""
    try:
        summary: Summary = codec.decode(packed, Summary)
    except ProtocolError:
        old = codec.decode(packed, _Summary1)
        summary = Summary(*(getattr(old, field.name) for field in attrs.fields(_Summary1)))
    # Thousands of tables have a few scenarios.
    return attrs.evolve(summary, scenario=sys.intern(summary.scenario))


@attrs.define(eq=False)
class Registry:
    """The rooms."""

    around: Surroundings
    when_loaded: Callable[[RoomHost], None] | None = None
    """Called once for each room that was read, such as to seat its bots."""
    when_alone: Callable[[RoomHost], Awaitable[None]] | None = None
    """Called after what happened in a room without anybody asking."""
    hosts: dict[str, RoomHost] = attrs.field(factory=dict, init=False)
    """Those that are loaded."""
    summaries: dict[str, Summary] = attrs.field(factory=dict, init=False)
    snapshots: Snapshots = attrs.field(init=False)
    _on_the_way: dict[str, Summary] = attrs.field(factory=dict, init=False)
    """By room, what it will be once the batch is durable that is being stored."""
    _unsaved: set[str] = attrs.field(factory=set, init=False)
    """Rooms whose summary the store did not take."""
    _is_stopped: bool = attrs.field(default=False, init=False)
    _loading: dict[str, list[Deferred[RoomHost]]] = attrs.field(factory=dict, init=False)
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        """Prepare what rooms are loaded from."""
        self.snapshots = Snapshots(self.around)

    async def start(self) -> None:
        """Read all summaries, and begin to load the rooms that have something to do themselves."""
        for room_id, packed in await self.around.store.scan(KIND):
            try:
                self.summaries[room_id] = _read_summary(packed)
            except ProtocolError:
                # Of an older version: the log tells the same.
                self._log.info("room {room}: its summary is made anew", room=room_id)
        rooms = [info.room_id for info in await self.around.store.rooms()]
        summaries = self.summaries
        due = [at for at in rooms if at not in summaries or summaries[at].has_alarm]
        # Those who come meanwhile are served: the store answers between any two parts of a log.
        run_detached(self._load_all(due))

    async def _load_all(self, room_ids: Sequence[str]) -> None:
        """Load rooms one after the other, so that their bots play and their limits run."""
        for room_id in room_ids:
            if self._is_stopped:
                return
            await self._load_or_report(room_id)

    async def _load_or_report(self, room_id: str) -> None:
        try:
            self.release(await self.load(room_id))
        except Exception as error:  # noqa: BLE001
            # One room that cannot be read must not keep the others from being played.
            self._log.error("room {room} cannot be opened: {why}", room=room_id, why=repr(error))

    def new_room_id(self) -> str:
        """Return the id of a room that does not exist yet."""
        return self.around.entropy.draw(ROOM_ID_BYTES).hex()

    def add(self, room_id: str) -> RoomHost:
        """Return the host of a new, empty room, which the caller uses."""
        make_chance = self.around.make_chance or seeded
        room = Room(room_id, self.around.shelf, self.around.entropy, make_chance=make_chance)
        host = self._host(room)
        host.users += 1
        self.hosts[room_id] = host
        return host

    def _host(self, room: Room) -> RoomHost:
        host = RoomHost(room, self.around, self._read_room, self.when_alone)
        host.when_stored = self.snapshots.keep_if_due
        host.beside, host.when_durable = self._changed_summary, self._take_over_summary
        return host

    async def load(self, room_id: str) -> RoomHost:
        """
        Return the host of a room, reading its log first if it is closed. `release` it in the end.

        Raises:
            Refused: there is no such room, or its log cannot be read.
        """
        if room_id in self.hosts:
            host = self.hosts[room_id]
            host.users += 1
            return host
        waiting: Deferred[RoomHost] = Deferred()
        queue = self._loading.setdefault(room_id, [])
        queue.append(waiting)
        if len(queue) == 1:
            run_detached(self._read_for_all(room_id))
        return await waiting

    def release(self, host: RoomHost) -> None:
        """Say that one caller is done with a room. A room that nobody follows is closed."""
        host.users -= 1
        summary = self.summaries.get(host.room.room_id)
        if host.is_idle and not (summary is not None and summary.has_alarm):
            host.unload()
            self.snapshots.forget(host.room)
            if self.hosts.get(host.room.room_id) is host:
                del self.hosts[host.room.room_id]

    async def _read_for_all(self, room_id: str) -> None:
        """Read a room once, for all who wait for it."""
        try:
            host = await self._read(room_id)
        except Exception as error:  # noqa: BLE001 (those who wait must hear of it, whatever it is)
            for waiting in self._loading.pop(room_id):
                waiting.errback(error)
            return
        self.hosts[room_id] = host
        queue = self._loading.pop(room_id)
        # All of them at once, or the first to be done would close the room again. One was
        # counted while it was read, so that nothing else could.
        host.users += len(queue) - 1
        for waiting in queue:
            waiting.callback(host)

    async def _read(self, room_id: str) -> RoomHost:
        host = self._host(await self._read_room(room_id))
        host.users += 1
        await host.followers.recall_delay()
        if host.room.halted is not None:
            self._log.warn("room {room} halted: {why}", room=room_id, why=str(host.room.halted))
        if self._is_stopped:
            # The server ended while the room was read.
            host.unload()
            return host
        host.watch_clock()
        # Whoever was present when the server went down is not any more.
        await host.presence.note(CLOCK)
        await self.summarise(host)
        if self.when_loaded is not None:
            self.when_loaded(host)
        return host

    async def _read_room(self, room_id: str) -> Room:
        """Build a room from its log. Refused where there is none, or none of ours."""
        try:
            return await RoomLoader(self.around, self.snapshots).load(room_id)
        except LogDamaged as error:
            self._log.error("{why}", why=str(error))
            raise Refused("table/unreadable") from error
        except UnreadableRoom as error:
            # This room's trouble alone.
            self._log.failure("room {room} cannot be read", room=room_id)
            raise Refused("table/unreadable") from error

    def _changed_summary(self, room_id: str, batch: Batch) -> StoreItem | None:
        """Return the summary of a room after this batch; None if the one in the store is right."""
        summary = summary_of(room_id, batch.table.room, batch.time)
        self._on_the_way[room_id] = summary
        return self._item_of(summary) if self._is_to_be_stored(summary) else None

    def _take_over_summary(self, room_id: str) -> None:
        """The batch of this room is durable, and its summary with it."""
        self.summaries[room_id] = self._on_the_way.pop(room_id)
        self._unsaved.discard(room_id)

    def _is_to_be_stored(self, summary: Summary) -> bool:
        room_id = summary.room_id
        return self.summaries.get(room_id) != summary or room_id in self._unsaved

    def _item_of(self, summary: Summary) -> StoreItem:
        return StoreItem(KIND, summary.room_id, codec.encode(summary, Summary))

    async def summarise(self, host: RoomHost) -> None:
        """Store the summary of a room that was read, if it is another than the one we have."""
        if not host.room.log:
            return
        room_id = host.room.room_id
        summary = summary_of(room_id, host.room.table.room, host.room.last_time)
        is_to_be_stored = self._is_to_be_stored(summary)
        self.summaries[room_id] = summary
        if not is_to_be_stored:
            return
        self._unsaved.discard(room_id)
        item = self._item_of(summary)
        try:
            await self.around.store.put(item.kind, item.key, item.value)
        except StorageError as error:
            # Only a copy: what was asked for is on the log, and the next batch tries again.
            self._unsaved.add(room_id)
            self._log.warn("room {room}: no summary: {why}", room=room_id, why=str(error))

    def of_key(self, key: bytes) -> Iterator[Summary]:
        """Yield the rooms where a key has a seat, the newest first."""
        found = [summary for summary in self.summaries.values() if key in summary.keys]
        yield from sorted(found, key=lambda summary: (-summary.when, summary.room_id))

    @property
    def is_quiet(self) -> bool:
        """Whether no room has anything to do for anybody."""
        return not any(host.is_busy for host in self.hosts.values())

    def stop(self) -> None:
        """Load nothing any more, and stop all alarms; for the end of the server."""
        self._is_stopped = True
        for host in self.hosts.values():
            host.unload()


def summary_of(room_id: str, room: RoomTable, time: int) -> Summary:
    """Return what a list shows of a room, whose last batch is of this time."""
    seats = list(room.seats.values())
    waiting = room.ask.waiting_for if room.ask is not None else ()
    is_open = room.stage in {Stage.PLAYING, Stage.STARTING}
    has_bots = any(seat.is_bot for seat in seats)
    fixed = room.fixed_setup
    is_shut = fixed is not None and room.opened_setup is None
    return Summary(
        room_id=room_id,
        scenario=room.scenario,
        stage=room.stage,
        names=tuple(seat.name for seat in seats),
        keys=tuple(seat.key for seat in seats),
        waiting_for=tuple(at for at, seat in enumerate(seats) if seat.seat in waiting),
        has_alarm=is_open and (has_bots or bool(room.settings.time_limit_seconds)),
        when=time,
        setup_id=fixed.setup_id if fixed is not None else "",
        # Where the settings keep the log, nothing of it is opened at all.
        has_shut_setup=is_shut and room.settings.publish,
    )
