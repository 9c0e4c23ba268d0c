"""
Seats that somebody lost while they did not look: kept for them until they are told, once.

Nobody but the owner of the key is told of it, and only where they ask.
"""

from collections.abc import Callable
from typing import Final

import attrs

from protocol import codec
from protocol.common.table import RoomTable, Seat
from protocol.errors import ProtocolError
from protocol.messages import MAX_LOST_SEATS, LossCause, LostSeat
from server.storage.store import Store

KIND: Final = "lost seat"
"""The namespace in the store, by the key of whoever had the seats in hexadecimal."""


@attrs.frozen
class _Kept:
    lost: tuple[LostSeat, ...]


@attrs.frozen
class LostSeats:
    """What is kept for those who lost a seat."""

    _store: Store
    _now: Callable[[], int]
    """Milliseconds since 1970."""

    async def note(
        self, room: RoomTable, seat: Seat, seen_by: frozenset[bytes], cause: LossCause, to: str = ""
    ) -> None:
        """
        Keep that somebody lost a seat, unless they see it happen. Fails as `Store.put`.

        Args:
            room: the room where it was.
            seat: as they had it.
            seen_by: the keys of those who saw it happen.
            cause: why they lost it.
            to: the name of who has it now; empty for nobody yet.
        """
        if seat.is_bot or not seat.key or seat.key in seen_by:
            return
        key = seat.key.hex()
        lost = LostSeat(room.room_id, room.scenario, self._now(), cause, to)
        kept = _Kept((*_read(await self._store.get(KIND, key)), lost)[-MAX_LOST_SEATS:])
        await self._store.put(KIND, key, codec.encode(kept, _Kept))

    async def take(self, key: bytes) -> tuple[LostSeat, ...]:
        """Return what is kept for a key, and keep it no longer. Fails as `Store.delete`."""
        found = _read(await self._store.get(KIND, key.hex()))
        if found:
            await self._store.delete(KIND, key.hex())
        return found


def _read(stored: bytes | None) -> tuple[LostSeat, ...]:
    if stored is None:
        return ()
    try:
        kept: _Kept = codec.decode(stored, _Kept)
    except ProtocolError:
        # Written by a newer version, or damaged: there is nothing that could be told.
        return ()
    return kept.lost
