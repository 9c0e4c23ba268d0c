"""
Known setups: keys that have played a fixed setup, watched it, or exported a game with it.

They are stored by key, beside all logs. Only the owner of a key is told, when they get ready for a
setup that they know. Making a setup does not count: its maker is not shown its board.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

import attrs
from twisted.logger import Logger

from protocol.common.table import RoomTable, Stage
from server.kernel.errors import Refused
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.summary import Summary
from server.storage import StorageError, Store

KIND = "setup_known"
"""Namespace in the store. Keys are `ID KEY`, in hexadecimal; values are empty."""

_BEGUN = frozenset({Stage.PLAYING, Stage.OVER})


@attrs.define(eq=False)
class KnownSetups:
    """Record of the keys that know a setup."""

    store: Store
    registry: Registry
    _by_setup: defaultdict[str, set[bytes]] = attrs.field(
        factory=lambda: defaultdict[str, set[bytes]](set), init=False
    )
    _looked_up: set[str] = attrs.field(factory=set, init=False)
    """Setups whose tables were searched once; `note_all` adds the people of later tables."""
    _log = Logger()

    async def load(self) -> None:
        """Read all from the store."""
        for known, _ in await self.store.scan(KIND):
            setup_id, _, key = known.partition(" ")
            try:
                self._by_setup[setup_id].add(bytes.fromhex(key))
            except ValueError:
                self._log.warn("nobody knows who met the setup {id}", id=setup_id)

    async def note(self, room: RoomTable, keys: Iterable[bytes]) -> None:
        """Store that some keys know the setup of a room. StorageError: nothing is stored."""
        if room.fixed_setup is None or room.stage not in _BEGUN:
            return
        setup_id = room.fixed_setup.setup_id
        for key in keys:
            if key and key not in self._by_setup[setup_id]:
                await self.store.put(KIND, f"{setup_id} {key.hex()}", b"")
                self._by_setup[setup_id].add(key)

    async def note_all(self, room: RoomTable, followers: Iterable[bytes]) -> None:
        """
        Store that all seats and followers of a room know its setup.

        If the store fails, the seats are still known from the table itself.
        """
        if room.fixed_setup is None:
            return
        keys = [seat.key for seat in room.seats.values() if not seat.is_bot]
        try:
            await self.note(room, (*keys, *sorted(followers)))
        except StorageError as error:
            self._by_setup[room.fixed_setup.setup_id].update(keys)
            self._log.warn("not all who know a setup are kept: {why}", why=repr(error))

    def knows(self, key: bytes, setup_id: str) -> bool:
        """Return whether a key knows a setup, from the store or by a seat at a table."""
        if setup_id not in self._looked_up:
            # Once for each setup, since it goes through all tables of the server.
            self._looked_up.add(setup_id)
            seated = (one.keys for one in self._tables_of(setup_id))
            self._by_setup[setup_id].update(chain.from_iterable(seated))
        return key in self._by_setup[setup_id]

    def has_played(self, key: bytes, setup_id: str) -> bool:
        """Return whether a key has a seat in a game that has begun with a setup."""
        return any(key in one.keys for one in self._tables_of(setup_id))

    def _tables_of(self, setup_id: str) -> Iterator[Summary]:
        for one in self.registry.summaries.values():
            if one.setup_id == setup_id and one.stage in _BEGUN:
                yield one

    def refuse_known(self, room: RoomTable, seat: int) -> None:
        """Refuse a seat that knows the setup and has not accepted it."""
        if seat in self.unwilling(room):
            raise Refused("setup/known")

    def unwilling(self, room: RoomTable) -> tuple[int, ...]:
        """Return the seats that know the setup and have not accepted it."""
        fixed = room.fixed_setup
        if fixed is None:
            return ()
        return tuple(
            seat.seat
            for seat in room.seats.values()
            if not seat.knows_setup and not seat.is_bot and self.knows(seat.key, fixed.setup_id)
        )
