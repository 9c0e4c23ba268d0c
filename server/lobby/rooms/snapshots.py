"""
Snapshots in the store, from which rooms load, so that loading costs the same at any length.

Each is a copy of the fold of a log at a rest point. It is dropped on any doubt, and is kept nowhere
but in the store, since it holds every secret of its table.
"""

import functools
import hashlib
import importlib.resources
from collections.abc import Iterator
from importlib.resources.abc import Traversable

import attrs
from twisted.logger import Logger

from protocol.plugs import UnknownGameError, folders
from server.kernel import snapshot
from server.kernel.chance import seeded
from server.kernel.rest_point import RestPoint
from server.kernel.room import Room
from server.kernel.snapshot import BadSnapshot
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.net.scheduling import Party
from server.storage import LogEnd, StorageError

KIND = "snapshot"
"""Namespace of snapshots in the store."""

EVENTS_BETWEEN = 512
"""Events between two snapshots of a table that is played."""
EVENTS_BEFORE_UNLOADING = 32
"""Events since the last snapshot from which unloading a table writes another."""
CHECKED_AMONG = 100
"""One in so many snapshots is compared with the fold of the whole log when it is loaded."""


@attrs.define(eq=False)
class Snapshots:
    """Loads and writes the snapshots of this server."""

    services: LobbyServices
    _ends: dict[str, int] = attrs.field(factory=dict, init=False)
    """Number of records before the snapshot of each loaded room."""
    _log = Logger()

    async def load(self, room_id: str, end: LogEnd) -> RestPoint | None:
        """Return the rest point of a room's snapshot; None if there is none, or on any doubt."""
        try:
            data = await self.services.store.get(KIND, room_id)
            if data is None:
                return None
            make = self.services.make_chance or seeded
            rest = snapshot.load(data, room_id, code_of, make)
        except StorageError as error:
            self._log.warn("room {room}: no snapshot: {why}", room=room_id, why=str(error))
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
        """Delete the snapshot of a room, so that the room is folded from its log."""
        self._log.warn("room {room}: its snapshot is thrown away: {why}", room=room_id, why=why)
        self._ends.pop(room_id, None)
        run_detached(self._delete(room_id))

    async def _delete(self, room_id: str) -> None:
        try:
            await self.services.store.delete(KIND, room_id)
        except StorageError as error:
            self._log.warn("room {room}: snapshot: {why}", room=room_id, why=str(error))

    def keep_if_due(self, room: Room, events: int | None = None) -> None:
        """Write a snapshot of a room if enough events have come since the last one."""
        fresh = room.rest.end - self._ends.get(room.room_id, 0)
        due = EVENTS_BETWEEN if events is None else events
        if fresh >= due and room.halted is None:
            self._ends[room.room_id] = room.rest.end
            # Later: those who wait for an answer have it first.
            self.services.clock.callLater(0, lambda: run_detached(self._keep(room.rest)))

    def forget(self, room: Room) -> None:
        """Write a snapshot of a room that is unloaded, if enough events have come."""
        self.keep_if_due(room, EVENTS_BEFORE_UNLOADING)
        self._ends.pop(room.room_id, None)

    async def _keep(self, rest: RestPoint) -> None:
        room = rest.table.room
        code = code_of(room.ruleset)
        if code is None:
            return
        try:
            data = await self.services.scheduler.run_in_background(
                Party("", room.room_id), snapshot.saving(rest, code)
            )
            await self.services.store.put(KIND, room.room_id, data)
        except (StorageError, TypeError) as error:
            # Only a copy: without it, loading takes longer.
            self._log.warn("room {room}: no snapshot: {why}", room=room.room_id, why=str(error))


def is_checked(end: LogEnd) -> bool:
    """Return whether a snapshot is compared with the whole log: one in `CHECKED_AMONG`."""
    return int.from_bytes(end.head[:4], "big") % CHECKED_AMONG == 0


@functools.cache
def code_of(ruleset: str) -> bytes | None:
    """
    Return the digest of all code that a table depends on, given its events.

    That is the protocol with the game's part of it, and the kernel. None for a game that is not
    installed, and where there is no source to look at.
    """
    try:
        game = folders("protocol", ruleset)
    except UnknownGameError:
        return None
    digest = hashlib.sha256()
    protocol = importlib.resources.files("protocol")
    shared = [part for part in protocol.iterdir() if part.name != "games"]
    count = 0
    kernel = importlib.resources.files("server.kernel")
    for part in (*sorted(shared, key=lambda part: part.name), kernel, *game):
        for place, source in _sources(part, part.name):
            count += 1
            digest.update(f"{place} {len(source)} ".encode() + source)
    return digest.digest() if count else None


def _sources(part: Traversable, place: str) -> Iterator[tuple[str, bytes]]:
    """Yield the Python sources in a folder, or a file itself, in the order of their names."""
    if part.is_dir():
        for inner in sorted(part.iterdir(), key=lambda one: one.name):
            yield from _sources(inner, f"{place}/{inner.name}")
    elif part.name.endswith(".py"):
        yield place, part.read_bytes()
