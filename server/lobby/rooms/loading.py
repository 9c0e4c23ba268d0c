"""Loading: builds a room from the store, in slices between which others are served."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from server.kernel.chance import seeded
from server.kernel.errors import RecordNeeded, Refused
from server.kernel.rest_point import Folding, RestPoint
from server.kernel.room import Room
from server.kernel.snapshot import BadSnapshot, difference
from server.lobby.rooms.snapshots import Snapshots, is_checked
from server.lobby.services.seams import LobbyServices
from server.storage import LogDamaged, LogEnd

RECORDS_AT_ONCE = 256
"""Number of records folded at once, a few milliseconds of work."""


class UnreadableRoom(Exception):
    """No room can be built from an intact log; the cause is chained."""


@attrs.frozen
class RoomLoader:
    """Builds rooms from the store."""

    services: LobbyServices
    snapshots: Snapshots

    async def load(self, room_id: str) -> Room:
        """
        Return the room of a stored log, from a snapshot if there is one.

        Raises:
            Refused: there is no such room.
            StorageError: the log cannot be read, or is not what was stored.
            UnreadableRoom: no room can be built from the log.
        """
        end = await self.services.store.end(room_id)
        if end is None:
            # A room without a known end of its log is damaged, not unknown.
            await self.services.store.read(room_id, 0, 1)
            raise Refused("table/no_such_table")
        room = self._new_room(room_id)
        rest = await self.snapshots.load(room_id, end)
        if rest is None or not await self._load_from(room, rest, end):
            await self._load_whole(room, end)
        return room

    async def load_whole(self, room_id: str) -> Room:
        """Return the room of a log, folded from its first record. Raises as `load`."""
        end = await self.services.store.end(room_id)
        if end is None:
            raise Refused("table/no_such_table")
        room = self._new_room(room_id)
        await self._load_whole(room, end)
        return room

    async def _load_whole(self, room: Room, end: LogEnd) -> None:
        first = Folding(RestPoint.first(room.room_id), room.chances_of)
        await self._load_folding(room, await self._fold(room.room_id, first, end))

    async def _load_from(self, room: Room, rest: RestPoint, end: LogEnd) -> bool:
        """
        Load a room from a snapshot's rest point.

        If that fails, the snapshot is deleted, and the result is False.
        """
        try:
            if is_checked(end):
                whole = Folding(RestPoint.first(room.room_id), room.chances_of)
                await self._fold(room.room_id, whole, LogEnd(rest.end, rest.head))
                found = difference(rest, whole.now)
                if found:
                    raise BadSnapshot(f"it is not what the log amounts to; {found}")  # noqa: TRY301
            folding = Folding(rest, room.chances_of)
            await self._load_folding(room, await self._fold(room.room_id, folding, end))
        except (BadSnapshot, LogDamaged, UnreadableRoom) as error:
            # Folding the whole log will show whether the snapshot was at fault or the log.
            why = str(error) if isinstance(error, BadSnapshot) else type(error).__name__
            self.snapshots.throw_away(room.room_id, why)
            return False
        return True

    def _new_room(self, room_id: str) -> Room:
        make_chance = self.services.make_chance or seeded
        services = self.services
        return Room(room_id, services.shelf, services.entropy, make_chance=make_chance)

    async def _fold(self, room_id: str, folding: Folding, end: LogEnd) -> Folding:
        """Fold the log up to `end`; return the folding. LogDamaged: log and `end` do not match."""
        while folding.end < end.next_sequence:
            first = folding.end
            last = min(end.next_sequence, first + RECORDS_AT_ONCE)
            records = await self.services.store.read(room_id, first, last)
            if len(records) < last - first:
                raise LogDamaged(room_id, first + len(records), "the log ends here")
            await self.services.scheduler.time()
            with no_collections(), _as_unreadable():
                folding.add(room_id, records)
        # Also finds a snapshot that belongs to another state of the log.
        if folding.head != end.head:
            raise LogDamaged(room_id, folding.end, "the head of the chain is another")
        return folding

    async def _load_folding(self, room: Room, folding: Folding) -> None:
        """Load a folding into a room, and read the earlier records that the room needs."""
        while True:
            await self.services.scheduler.time()
            try:
                with no_collections(), _as_unreadable():
                    room.load(folding)
            except RecordNeeded as needed:
                at = needed.sequence
                [folding.recalled[at]] = await self.services.store.read(room.room_id, at, at + 1)
            else:
                return


@contextmanager
def no_collections() -> Iterator[None]:
    """Suspend garbage collection, which would traverse all new objects and free none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def _as_unreadable() -> Iterator[None]:
    """Turn any exception but `RecordNeeded` into `UnreadableRoom`."""
    try:
        yield
    except RecordNeeded:
        raise
    except Exception as error:
        raise UnreadableRoom(repr(error)) from error
