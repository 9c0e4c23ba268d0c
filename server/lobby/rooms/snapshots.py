"""
Snapshots in the store, from which a long log loads as fast as a short one.

Each snapshot is a copy of the folded log at a rest point. A snapshot in doubt is dropped. Snapshots
exist only in the store, since they hold every secret of their table.
"""

import functools
import hashlib
import importlib.resources
from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable

import attrs
from twisted.logger import Logger

from protocol.plugs import PLACES, UnknownGameError, folders
from server.kernel import snapshot
from server.kernel.chance import seeded
from server.kernel.rest_point import RestPoint
from server.kernel.room import Room
from server.kernel.snapshot import BadSnapshot, StaleSnapshot
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.net.scheduling import Party
from server.storage import LogEnd, StorageError

KIND = "snapshot"
"""Namespace of snapshots in the store."""

EVENTS_BETWEEN = 512
"""Number of events between two snapshots of a game in progress."""
EVENTS_BEFORE_UNLOADING = 32
"""Minimum number of events since the last snapshot for which unloading a room writes another."""
CHECKED_AMONG = 100
"""One in this many loaded snapshots is compared with the fully folded log."""


@attrs.define(eq=False)
class Snapshots:
    """Loads and writes the snapshots of this server."""

    services: LobbyServices
    _ends: dict[str, int] = attrs.field(factory=dict, init=False)
    """Number of records that the last snapshot of each loaded room covers, by room id."""
    _is_stopped: bool = attrs.field(default=False, init=False)
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        # Now, at the start: later the files may be those of an update.
        for game in PLACES:
            code_of(game)

    async def load(self, room_id: str, end: LogEnd) -> RestPoint | None:
        """Return the rest point of a room's snapshot; None if there is no usable snapshot."""
        try:
            data = await self.services.store.get(KIND, room_id)
            if data is None:
                return None
            make = self.services.make_chance or seeded
            rest = snapshot.load(data, room_id, code_of, make)
        except StorageError as error:
            self._log.warn("room {room}: no snapshot: {why}", room=room_id, why=str(error))
            return None
        except StaleSnapshot as error:
            self._log.info("room {room}: no snapshot: {why}", room=room_id, why=str(error))
            self._remove(room_id)
            return None
        except BadSnapshot as error:
            self.throw_away(room_id, str(error))
            return None
        except Exception as error:  # noqa: BLE001 (whatever it is, the log tells all of it)
            # Its type alone: the message might name a secret value.
            self.throw_away(room_id, type(error).__name__)
            return None
        if rest.end > end.next_sequence:
            self.throw_away(room_id, "it goes further than the log")
            return None
        self._ends[room_id] = rest.end
        return rest

    def throw_away(self, room_id: str, why: str) -> None:
        """Delete the snapshot of a room, so that the room is folded from its whole log."""
        self._log.warn("room {room}: its snapshot is thrown away: {why}", room=room_id, why=why)
        self._remove(room_id)

    def _remove(self, room_id: str) -> None:
        self._ends.pop(room_id, None)
        run_detached(self._delete(room_id))

    async def _delete(self, room_id: str) -> None:
        try:
            await self.services.store.delete(KIND, room_id)
        except StorageError as error:
            self._log.warn("room {room}: snapshot: {why}", room=room_id, why=str(error))

    def stop(self) -> None:
        """
        Write no more snapshots, when the server ends.

        All rooms are unloaded then, and the store closes before their snapshots would be written.
        """
        self._is_stopped = True

    def keep_if_due(self, room: Room, events: int | None = None) -> None:
        """
        Write a snapshot of a room if at least `events` events have followed the last snapshot.

        `events` is `EVENTS_BETWEEN` by default. A halted room gets no snapshot.
        """
        fresh = room.rest.end - self._ends.get(room.room_id, 0)
        due = EVENTS_BETWEEN if events is None else events
        if fresh >= due and room.halted is None and not self._is_stopped:
            # Noted before it is written, so that the next batch does not write another one.
            self._ends[room.room_id] = room.rest.end
            # In a later turn: the followers are shown the batch first.
            self.services.clock.callLater(0, lambda: run_detached(self._keep(room.rest)))

    def keep_before_unloading(self, room: Room) -> None:
        """Write a snapshot if at least `EVENTS_BEFORE_UNLOADING` events followed the last one."""
        self.keep_if_due(room, EVENTS_BEFORE_UNLOADING)
        self.forget(room.room_id)

    def forget(self, room_id: str) -> None:
        """Drop what is known about the snapshot of a room that is no longer loaded."""
        self._ends.pop(room_id, None)

    async def _keep(self, rest: RestPoint) -> None:
        room = rest.table.room
        code = code_of(room.ruleset)
        if code is None:
            return
        try:
            data = await self.services.scheduler.run_in_background(
                Party("", room.room_id), snapshot.saving(rest, code)
            )
            if self._is_stopped:
                return
            await self.services.store.put(KIND, room.room_id, data)
        except (StorageError, TypeError) as error:
            # Only a copy: without it, loading takes longer.
            self._log.warn("room {room}: no snapshot: {why}", room=room.room_id, why=str(error))


def is_checked(end: LogEnd) -> bool:
    """Return True for about one snapshot in `CHECKED_AMONG`: it is compared with the whole log."""
    # Decided by the head: as good as random, and the same for the same log.
    return int.from_bytes(end.head[:4], "big") % CHECKED_AMONG == 0


@functools.cache
def code_of(ruleset: str) -> bytes | None:
    """
    Return a digest of the code that folds the logs of a game.

    The digest covers the protocol with the game's part of it, and the kernel. It is None for a game
    that is not installed, and if the source cannot be read: then no snapshots are written.
    """
    try:
        game, shared = folders("protocol", ruleset), _shared_code()
        own = [source for part in game for source in _sources(part, part.name)]
    except (UnknownGameError, OSError):
        return None
    return _digest_of(own, shared) if own and shared else None


@functools.cache
def _shared_code() -> bytes:
    """Return the digest of protocol and kernel, without games; empty if there is no source."""
    parts = list(importlib.resources.files("protocol").iterdir())
    parts = sorted((part for part in parts if part.name != "games"), key=lambda part: part.name)
    kernel = importlib.resources.files("server.kernel")
    found = [source for part in (*parts, kernel) for source in _sources(part, part.name)]
    return _digest_of(found) if found else b""


def _digest_of(sources: Iterable[tuple[str, bytes]], before: bytes = b"") -> bytes:
    digest = hashlib.sha256(before)
    for place, source in sources:
        digest.update(f"{place} {len(source)} ".encode() + source)
    return digest.digest()


def _sources(part: Traversable, place: str) -> Iterator[tuple[str, bytes]]:
    """Yield the Python sources in a folder, or the file itself, in the order of their names."""
    # Bytecode is no source, and a cache that root wrote may be unreadable.
    if part.is_dir() and part.name != "__pycache__":
        for inner in sorted(part.iterdir(), key=lambda one: one.name):
            yield from _sources(inner, f"{place}/{inner.name}")
    elif part.name.endswith(".py"):
        yield place, part.read_bytes()
