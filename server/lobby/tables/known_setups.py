"""
Known setups: keys that have played a fixed setup, watched it, or exported a game with it.

They are stored outside the logs. Only the owner of a key is told that the key knows a setup, when
they get ready for a game with it. Making a setup does not count, since its maker is not shown the
board. A viewer with a delay counts only once the start of the game is shown to them: until then
they must not learn of the start.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

import attrs
from twisted.logger import Logger

from protocol.common.table import RoomTable, Stage
from server.kernel.errors import Refused
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.summary import Summary
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import Shelf
from server.lobby.views.viewer import viewer_of
from server.storage import StorageError, Store

KIND = "setup_known"
"""
Namespace in the store. Keys are `ID KEY ROOM`, where the room is the one in which the key met the
setup, or `ID KEY` as earlier versions wrote them; values are the time in milliseconds since 1970
from which the key knows the setup, in eight bytes, or empty for always.
"""

BARRED = "setup/known_seat"
"""Code of the refusal of a seat whose role must not know the setup."""
ELSEWHERE = "setup/other_game"
"""Code of the refusal of a seat that is told the setup, while another game of it goes on."""
BEGUN = frozenset({Stage.PLAYING, Stage.OVER})
"""Stages of a game whose board was shown."""


@attrs.define(eq=False)
class KnownSetups:
    """The setups that each key knows."""

    store: Store
    registry: Registry
    shelf: Shelf
    now: Callable[[], int]
    """Milliseconds since 1970."""
    _met: defaultdict[tuple[str, bytes], dict[str, int]] = attrs.field(
        factory=lambda: defaultdict[tuple[str, bytes], dict[str, int]](dict), init=False
    )
    """By setup and key: the rooms in which the key met it, with the time from which it knows it."""
    _looked_up: set[str] = attrs.field(factory=set, init=False)
    """Setups whose tables were searched once; `note_all` adds the people of later tables."""
    _log = Logger()

    async def load(self) -> None:
        """Read the stored knowledge of all keys."""
        for known, since in await self.store.scan(KIND):
            try:
                # An entry without a room was met outside the stored rooms.
                setup_id, key, room_id = [*known.split(" "), ""][:3]
                self._met[setup_id, bytes.fromhex(key)][room_id] = int.from_bytes(since, "big")
            except ValueError:
                self._log.warn("nobody knows who met the setup {id}", id=known)

    async def note(self, room: RoomTable, keys: Iterable[bytes]) -> None:
        """
        Store that some keys know the setup of a room, or will know it once its start is shown.

        Nothing is stored before the game has begun.

        StorageError: some keys that are shown the board now were not stored.
        """
        if room.fixed_setup is None or room.stage not in BEGUN:
            return
        setup_id, room_id, now = room.fixed_setup.setup_id, room.room_id, self.now()
        for key in filter(None, keys):
            since, met = self._shown_at(room, key), self._met[setup_id, key]
            # A time that is known already and not later stays.
            if met.get(room_id, since + 1) <= since:
                continue
            name = f"{setup_id} {key.hex()} {room_id}"
            if since > now:
                # Detached: a reply that waited for the store would tell that the game has begun.
                met[room_id] = since
                run_detached(self._keep_later(name, since))
            else:
                await self._keep(name, 0)
                met[room_id] = 0

    def _shown_at(self, room: RoomTable, key: bytes) -> int:
        """Return when the start of a game is shown to a key, in ms since 1970; 0 if it is past."""
        delay = viewer_of(room, key).delay_seconds(room.settings)
        summary = self.registry.summaries.get(room.room_id)
        shown_at = summary.begun_at + delay * 1000 if delay and summary is not None else 0
        return shown_at if shown_at > self.now() else 0

    async def _keep(self, name: str, since: int) -> None:
        await self.store.put(KIND, name, since.to_bytes(8, "big") if since else b"")

    async def _keep_later(self, name: str, since: int) -> None:
        try:
            await self._keep(name, since)
        except StorageError as error:
            self._log.warn("not all who know a setup are kept: {why}", why=repr(error))

    async def note_all(self, room: RoomTable, followers: Iterable[bytes]) -> None:
        """
        Store that all seats and followers of a room know its setup, once its game has begun.

        A failure of the store is harmless for seats, which are found by their tables too.
        """
        if room.fixed_setup is None:
            return
        keys = [seat.key for seat in room.seats.values() if not seat.is_bot]
        try:
            await self.note(room, (*keys, *sorted(followers)))
        except StorageError as error:
            # In memory until the next start, which finds the seats by their tables.
            self._note_seated(room.fixed_setup.setup_id, room.room_id, keys)
            self._log.warn("not all who know a setup are kept: {why}", why=repr(error))

    def _note_seated(self, setup_id: str, room_id: str, keys: Iterable[bytes]) -> None:
        for key in keys:
            self._met[setup_id, key][room_id] = 0

    def knows(self, key: bytes, setup_id: str) -> bool:
        """Return True if a key knows a setup, from the store or by a seat at a table."""
        return bool(self._rooms_of(key, setup_id))

    def met_elsewhere(self, key: bytes, room: RoomTable) -> bool:
        """Return True if a key knows a room's setup from another room."""
        fixed = room.fixed_setup
        met = () if fixed is None else self._rooms_of(key, fixed.setup_id)
        return any(room_id != room.room_id for room_id in met)

    def _rooms_of(self, key: bytes, setup_id: str) -> list[str]:
        """Return the rooms from which a key knows a setup now."""
        if setup_id not in self._looked_up:
            # Once for each setup, since it goes through all tables of the server.
            self._looked_up.add(setup_id)
            for one in self._tables_of(setup_id):
                self._note_seated(setup_id, one.room_id, one.keys)
        met, now = self._met.get((setup_id, key), {}), self.now()
        return [room_id for room_id, since in met.items() if since <= now]

    def has_played(self, key: bytes, setup_id: str) -> bool:
        """Return True if a key has a seat in a game of this setup that has begun."""
        return any(key in one.keys for one in self._tables_of(setup_id))

    def plays_elsewhere(self, key: bytes, room: RoomTable) -> bool:
        """Return True if a key has a seat in another game of a room's setup that goes on."""
        fixed = room.fixed_setup
        tables = () if fixed is None else self._tables_of(fixed.setup_id)
        return any(
            key in one.keys and one.stage is Stage.PLAYING
            for one in tables
            if one.room_id != room.room_id
        )

    def _tables_of(self, setup_id: str) -> Iterator[Summary]:
        for one in self.registry.summaries.values():
            if one.setup_id == setup_id and one.stage in BEGUN:
                yield one

    def refuse_known(self, room: RoomTable, seat: int) -> None:
        """Refuse a seat that knows the setup, and has not agreed to play it or may not."""
        self.refuse_barred(room, seat)
        if seat in self.unwilling(room):
            raise Refused("setup/known")

    def refuse_barred(self, room: RoomTable, seat: int) -> None:
        """Refuse a seat that knows the setup and must not, or that must not be told it yet."""
        if seat in self._knowing(room) and (code := self._why_barred(room, seat)):
            raise Refused(code)

    def unwilling(self, room: RoomTable) -> tuple[int, ...]:
        """Return the seats that know the setup, and have not agreed to play it or may not."""
        return tuple(
            seat
            for seat in self._knowing(room)
            if not room.seats[seat].knows_setup or self._why_barred(room, seat)
        )

    def why_unwilling(self, room: RoomTable, seat: int) -> str:
        """Return the code with which a seat that is unwilling is told why."""
        return self._why_barred(room, seat) or "setup/known"

    def _why_barred(self, room: RoomTable, seat: int) -> str:
        """
        Return the code with which a seat is barred to somebody who knows the setup; empty if not.

        A seat that is told the setup is barred to who walks in it at another table meanwhile, and
        for simplicity to everybody who has a seat there.
        """
        informed = self.informed_roles(room)
        if informed is None:
            return ""
        one = room.seats[seat]
        if one.role not in informed:
            return BARRED
        return ELSEWHERE if self.plays_elsewhere(one.key, room) else ""

    def _knowing(self, room: RoomTable) -> tuple[int, ...]:
        """Return the seats of people who know the setup or said so."""
        fixed = room.fixed_setup
        if fixed is None:
            return ()
        return tuple(
            seat.seat
            for seat in room.seats.values()
            if not seat.is_bot and (seat.knows_setup or self.knows(seat.key, fixed.setup_id))
        )

    def informed_roles(self, room: RoomTable) -> tuple[str, ...] | None:
        """Return the roles for people who know the room's setup; None for any."""
        return self.shelf.ruleset(room.ruleset).informed_roles(self.shelf.content(room))
