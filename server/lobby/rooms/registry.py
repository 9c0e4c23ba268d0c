"""
The registry: every room of this server, loaded on demand.

A summary of each room is stored beside its log, so that lists of tables need no logs and a server
with many finished games starts at once. The summary is a copy, stored in the transaction of the
batch that changes it; the log is authoritative.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocol import codec
from protocol.errors import ProtocolError
from protocol.event import CLOCK
from protocol.seams import DelayedCall
from server.kernel.batch_writer import Batch
from server.kernel.chance import seeded
from server.kernel.errors import Refused
from server.kernel.room import Room
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.loading import RoomLoader, UnreadableRoom
from server.lobby.rooms.removal import remove_room
from server.lobby.rooms.snapshots import Snapshots
from server.lobby.rooms.summary import (
    KIND,
    Summary,
    due_after,
    due_in,
    read_summary,
    summary_of,
)
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.storage import LogDamaged, StorageError, StoreItem

ROOM_ID_BYTES = 12

FUTURE_MS = 3_600_000
"""Lead over the clock, in milliseconds, beyond which records cause a warning at startup."""

STAYS_LOADED_SECONDS = 60.0
"""Seconds before its deadline in which a room stays loaded."""


@attrs.define(eq=False, repr=False)
class Registry:
    """Loads, unloads, wakes and removes the rooms of a server, and keeps their summaries."""

    services: LobbyServices
    when_loaded: Callable[[RoomHost], None] | None = None
    """Called with the host of each room that was loaded."""
    when_alone: Callable[[RoomHost], Awaitable[None]] | None = None
    """Passed to each host as `RoomHost.when_alone`."""
    when_unloaded: Callable[[str], None] = lambda _room_id: None
    """Called with the id of each room that was unloaded."""
    hosts: dict[str, RoomHost] = attrs.field(factory=dict, init=False)
    """Loaded rooms, by id."""
    summaries: dict[str, Summary] = attrs.field(factory=dict, init=False)
    damaged: dict[str, str] = attrs.field(factory=dict, init=False)
    """Rooms whose log failed its integrity check, with the reason. They cannot be entered."""
    quiet_ms: int = attrs.field(default=0, init=False)
    """Milliseconds from the newest record, except those of the future, to the start of the server;
    0 without records."""
    snapshots: Snapshots = attrs.field(init=False)
    _on_the_way: dict[str, Summary] = attrs.field(factory=dict, init=False)
    """Summaries that take effect once the batch beside them is durable, by room id."""
    _unsaved: set[str] = attrs.field(factory=set, init=False)
    """Rooms whose summary could not be stored."""
    _leaving: set[str] = attrs.field(factory=set, init=False)
    """Rooms that are being removed."""
    _is_stopped: bool = attrs.field(default=False, init=False)
    _loading: dict[str, list[Deferred[RoomHost]]] = attrs.field(factory=dict, init=False)
    _wakes: dict[str, DelayedCall] = attrs.field(factory=dict, init=False)
    """Timers of rooms that are due while they are not loaded, by id."""
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        self.snapshots = Snapshots(self.services)

    async def start(self) -> None:
        """Read all summaries; load the rooms that are due or lack a summary."""
        for room_id, packed in await self.services.store.scan(KIND):
            try:
                self.summaries[room_id] = read_summary(packed)
            except ProtocolError:
                # Of another version. The room is loaded below, which makes it from the log.
                self._log.info("room {room}: its summary is made anew", room=room_id)
        rooms = [info.room_id for info in await self.services.store.rooms()]
        now, due = self.services.now(), []
        times = [summary.when for summary in self.summaries.values()]
        newest = max(times, default=now)
        # A record from a time when the clock was wrong must not make a wrong clock plausible.
        past = max((when for when in times if when <= now + FUTURE_MS), default=now)
        self.quiet_ms = max(0, now - past)
        if newest > now + FUTURE_MS:
            self._log.warn(
                "the newest record is {hours:.0f} hours ahead of this machine's clock: the clock is"
                " wrong now, or was when that was written",
                hours=(newest - now) / 3_600_000,
            )
        for room_id in rooms:
            summary = self.summaries.get(room_id)
            if summary is None or 0 < summary.due <= self._time_of(summary):
                due.append(room_id)
            elif summary.due:
                self._wake_in(room_id, self._left(summary))
        # Detached, so that players are served meanwhile: the store answers between parts of a log.
        run_detached(self._load_all(due))

    def _time_of(self, summary: Summary) -> int:
        """Return the time of a room by its summary, in milliseconds since 1970."""
        return self.services.log_times.of(summary.room_id, summary.when)

    def _left(self, summary: Summary) -> float:
        """Return the seconds until a room is due; negative if it is overdue."""
        return (summary.due - self._time_of(summary)) / 1000

    async def _load_all(self, room_ids: Sequence[str]) -> None:
        """Load rooms one after another, and release each."""
        for room_id in room_ids:
            if self._is_stopped:
                return
            await self._load_or_report(room_id)

    def _wake_in(self, room_id: str, seconds: float) -> None:
        """Load an unloaded room after `seconds`; at once if the number is negative."""
        call = self.services.clock.callLater
        self._wakes[room_id] = call(max(0.0, seconds), lambda: self._wake(room_id))

    def _wake(self, room_id: str) -> None:
        del self._wakes[room_id]
        run_detached(self._load_or_report(room_id))

    async def _load_or_report(self, room_id: str) -> None:
        try:
            self.release(await self.load(room_id))
        except Exception as error:  # noqa: BLE001
            # One unreadable room must not keep the others from being loaded.
            self._log.error("room {room} cannot be opened: {why}", room=room_id, why=repr(error))

    def is_practice(self, branch_id: str, room_id: str, key: bytes) -> bool:
        """Return True if a room is a practice game of a key, branched off another room."""
        summary = self.summaries.get(branch_id)
        return summary is not None and summary.source_id == room_id and key in summary.keys

    def new_room_id(self) -> str:
        """Draw a room id: 96 random bits in hex, which need no check for collisions."""
        return self.services.entropy.draw(ROOM_ID_BYTES).hex()

    def add(self, room_id: str) -> RoomHost:
        """Return the host of a new, empty room. The caller has to `release` the host."""
        make_chance = self.services.make_chance or seeded
        room = Room(room_id, self.services.shelf, self.services.entropy, make_chance=make_chance)
        host = self._host(room)
        host.users += 1
        self.hosts[room_id] = host
        return host

    def _host(self, room: Room) -> RoomHost:
        host = RoomHost(room, self.services, self._read_room, self.when_alone)
        host.when_stored = self.snapshots.keep_if_due
        host.beside, host.when_durable = self._changed_summary, self._take_over_summary
        return host

    async def load(self, room_id: str) -> RoomHost:
        """
        Return the host of a room, loaded on demand. The caller has to `release` the host.

        Raises:
            Refused: there is no such room, or its log cannot be read.
            StorageError: the store failed.
        """
        if room_id in self.damaged:
            raise Refused("table/unreadable")
        if room_id in self.hosts:
            host = self.hosts[room_id]
            host.users += 1
            return host
        if room_id in self._leaving:
            raise Refused("table/no_such_table")
        waiting: Deferred[RoomHost] = Deferred()
        queue = self._loading.setdefault(room_id, [])
        queue.append(waiting)
        # Later callers wait for the same host: two hosts would write one log.
        if len(queue) == 1:
            run_detached(self._read_for_all(room_id))
        return await waiting

    def release(self, host: RoomHost) -> None:
        """End a caller's use of a room; unload one that nobody needs and that is not due soon."""
        host.users -= 1
        room_id = host.room.room_id
        summary = self.summaries.get(room_id)
        left = self._left(summary) if summary is not None and summary.due else None
        if not host.is_idle or (left is not None and left < STAYS_LOADED_SECONDS):
            return
        host.unload()
        self.snapshots.keep_before_unloading(host.room)
        # The room may have been removed meanwhile.
        if self.hosts.get(room_id) is host:
            del self.hosts[room_id]
            if left is not None:
                self._wake_in(room_id, left)
            self.when_unloaded(room_id)

    async def _read_for_all(self, room_id: str) -> None:
        """Load a room once, for all callers that wait for it."""
        try:
            host = await self._read(room_id)
        except Exception as error:  # noqa: BLE001 (those who wait must hear of it, whatever it is)
            for waiting in self._loading.pop(room_id):
                waiting.errback(error)
            return
        self.hosts[room_id] = host
        # A loaded room watches its own deadline.
        if room_id in self._wakes:
            self._wakes.pop(room_id).cancel()
        queue = self._loading.pop(room_id)
        # Count all callers before the first runs: it would unload the room under the others.
        # `_read` has counted one, so that nothing else unloaded it meanwhile.
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
        # By the log, the players who were present when the server ended still are.
        await host.presence.note(CLOCK)
        await self.summarise(host)
        if self.when_loaded is not None:
            self.when_loaded(host)
        return host

    async def _read_room(self, room_id: str) -> Room:
        """
        Build a room from its log.

        Raises:
            Refused: there is no log, or it cannot be read.
            StorageError: the store failed.
        """
        try:
            return await RoomLoader(self.services, self.snapshots).load(room_id)
        except LogDamaged as error:
            self._log.error("{why}", why=str(error))
            raise Refused("table/unreadable") from error
        except UnreadableRoom as error:
            # The fault of this room's log, such as of an unknown game: others are not affected.
            self._log.failure("room {room} cannot be read", room=room_id)
            raise Refused("table/unreadable") from error

    def _changed_summary(self, room_id: str, batch: Batch) -> StoreItem | None:
        """
        Return the summary to store with a batch; None if the stored summary is still right.

        The summary takes effect in `_take_over_summary`, once the batch is durable.
        """
        before = self.summaries.get(room_id)
        due = due_after(room_id, batch, before.due if before is not None else 0)
        summary = summary_of(room_id, batch.table, batch.time, due, before)
        self._on_the_way[room_id] = summary
        return self._item_of(summary) if self._is_to_be_stored(summary) else None

    def _take_over_summary(self, room_id: str) -> None:
        """Make the summary of a durable batch the room's current one."""
        self.summaries[room_id] = self._on_the_way.pop(room_id)
        self._unsaved.discard(room_id)

    def _is_to_be_stored(self, summary: Summary) -> bool:
        room_id = summary.room_id
        return self.summaries.get(room_id) != summary or room_id in self._unsaved

    def _item_of(self, summary: Summary) -> StoreItem:
        return StoreItem(KIND, summary.room_id, codec.encode(summary, Summary))

    async def summarise(self, host: RoomHost) -> None:
        """Store the summary of a loaded room if it differs from the known summary."""
        # A table whose first batch was not stored is not listed.
        if not host.room.log:
            return
        room_id = host.room.room_id
        room, before = host.room, self.summaries.get(room_id)
        summary = summary_of(room_id, room.table, room.last_time, due_in(room), before)
        is_to_be_stored = self._is_to_be_stored(summary)
        self.summaries[room_id] = summary
        if not is_to_be_stored:
            return
        self._unsaved.discard(room_id)
        item = self._item_of(summary)
        try:
            await self.services.store.put(item.kind, item.key, item.value)
        except StorageError as error:
            # Only a copy: the log has the input, and the next batch stores the summary again.
            self._unsaved.add(room_id)
            self._log.warn("room {room}: no summary: {why}", room=room_id, why=str(error))

    def of_key(self, key: bytes) -> Iterator[Summary]:
        """Yield the summaries of a key's rooms, newest first; rooms being removed are left out."""
        found = [
            summary
            for summary in self.summaries.values()
            if key in summary.keys and summary.room_id not in self._leaving
        ]
        yield from sorted(found, key=lambda summary: (-summary.when, summary.room_id))

    def awaited(self, key: bytes) -> list[Summary]:
        """Return summaries of the rooms that wait for a key's answer, the longest wait first."""
        # A practice game keeps nobody waiting.
        played = (one for one in self.summaries.values() if not one.is_practice)
        found = [one for one in played if key in one.keys]
        waiting = [one for one in found if one.keys.index(key) in one.waiting_for]
        return sorted(waiting, key=lambda one: (one.since, one.room_id))

    @property
    def is_quiet(self) -> bool:
        """True if no room is working on an input."""
        return not any(host.is_busy for host in self.hosts.values())

    async def remove(self, room_id: str, codes: Sequence[str]) -> bool:
        """
        Remove a room and all that is stored for it; return False if the room is in use.

        Args:
            room_id: id of the room.
            codes: the store keys of its invitations.

        Raises:
            StorageError: the room is still stored.
        """
        if room_id in self.hosts or room_id in self._loading:
            return False
        # `load` refuses the room meanwhile: nobody may enter what is about to vanish.
        self._leaving.add(room_id)
        try:
            await remove_room(self.services.store, room_id, codes)
        finally:
            self._leaving.discard(room_id)
        self.summaries.pop(room_id, None)
        self.services.log_times.forget(room_id)
        self._unsaved.discard(room_id)
        if room_id in self._wakes:
            self._wakes.pop(room_id).cancel()
        return True

    async def remove_at_once(self, host: RoomHost, codes: Sequence[str]) -> None:
        """
        Remove a room even if it is in use; its followers are notified and removed.

        Args:
            host: the host of the room, which takes no further input.
            codes: the store keys of its invitations.

        Raises:
            StorageError: the room is still stored, and can be loaded again.
        """
        room_id = host.room.room_id
        # First, so that no input is accepted while followers are removed.
        host.give_up("it is removed", "table/removed")
        for session in tuple(host.followers.by_session):
            host.followers.unfollow(session)
        host.unload()
        # No last snapshot: it would be written after the removal, and stay with its secrets.
        self.snapshots.forget(room_id)
        if self.hosts.get(room_id) is host:
            del self.hosts[room_id]
        self.when_unloaded(room_id)
        await self.remove(room_id, codes)

    def refuse(self, room_id: str, why: str) -> None:
        """Close a room whose log failed its integrity check, and notify its followers."""
        self._log.error("room {room} is refused: {why}", room=room_id, why=why)
        self.damaged[room_id] = why
        host = self.hosts.get(room_id)
        if host is not None:
            host.give_up(why)

    def stop(self) -> None:
        """Load no more rooms and stop all timers, when the server ends."""
        self._is_stopped = True
        for wake in self._wakes.values():
            wake.cancel()
        self._wakes.clear()
        for host in self.hosts.values():
            host.unload()
