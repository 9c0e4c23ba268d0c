"""
Seats that somebody lost while they did not look: kept for them until they are told, once.

Nobody but the owner of the key is told of it, and only where they ask.
"""

from collections.abc import Callable
from typing import Final

import attrs

from protocol import codec, messages
from protocol.common.table import RoomTable, Seat, Stage
from protocol.errors import ProtocolError
from protocol.messages import MAX_LOST_SEATS, LossCause, LostSeat
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.replies import Replies
from server.lobby.requests.visitor import Visitor
from server.lobby.rooms.summary import Summary
from server.lobby.services.one_by_one import OneByOne
from server.net.scheduling import FairScheduler
from server.storage.store import Store

KIND: Final = "lost seat"
"""The namespace in the store, by the key of whoever had the seats in hexadecimal."""

KEPT_DAYS: Final = 365
"""Whoever does not come for so long is not told any more."""

_KEPT_MS = KEPT_DAYS * 24 * 3600 * 1000


@attrs.frozen
class _Kept:
    lost: tuple[LostSeat, ...]


@attrs.frozen
class LostSeats:
    """What is kept for those who lost a seat."""

    _store: Store
    _now: Callable[[], int]
    """Milliseconds since 1970."""
    _one_by_one: OneByOne = attrs.field(factory=OneByOne, init=False)
    """Two tables may have the same key lose a seat at the same moment."""

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
        lost = LostSeat(room.room_id, room.scenario, self._now(), cause, to)
        await self._keep(seat.key, lost)

    async def note_expired(self, table: Summary) -> None:
        """Keep for all of a table that is not over that it is gone. Fails as `Store.put`."""
        if table.stage is Stage.OVER:
            return
        for key in table.keys:
            when, cause = self._now(), LossCause.EXPIRED
            # Also for bots of this server, which nobody tells apart here, and which never ask.
            await self._keep(key, LostSeat(table.room_id, table.scenario, when, cause, ""))

    async def _keep(self, key: bytes, lost: LostSeat) -> None:
        async with self._one_by_one:
            await self._add(key.hex(), lost)

    async def _add(self, key: str, lost: LostSeat) -> None:
        known = self._of_late(_read(await self._store.get(KIND, key)))
        kept = _Kept((*known, lost)[-MAX_LOST_SEATS:])
        await self._store.put(KIND, key, codec.encode(kept, _Kept))

    async def take(self, key: bytes) -> tuple[LostSeat, ...]:
        """Return what is kept for a key, and keep it no longer. Fails as `Store.delete`."""
        async with self._one_by_one:
            found = _read(await self._store.get(KIND, key.hex()))
            if found:
                await self._store.delete(KIND, key.hex())
        return self._of_late(found)

    async def forget_old(self, scheduler: FairScheduler) -> None:
        """Keep no longer what nobody came for in `KEPT_DAYS`. Fails as `Store.delete`."""
        for key, _ in await self._store.scan(KIND):
            await scheduler.time()
            async with self._one_by_one:
                # As it is now: they may have lost another one meanwhile.
                found = _read(await self._store.get(KIND, key))
                if found and not self._of_late(found):
                    await self._store.delete(KIND, key)

    def _of_late(self, lost: tuple[LostSeat, ...]) -> tuple[LostSeat, ...]:
        since = self._now() - _KEPT_MS
        return tuple(one for one in lost if one.when >= since)


def _read(stored: bytes | None) -> tuple[LostSeat, ...]:
    if stored is None:
        return ()
    try:
        kept: _Kept = codec.decode(stored, _Kept)
    except ProtocolError:
        # Written by a newer version, or damaged: there is nothing that could be told.
        return ()
    return kept.lost


@handles(messages.ListLostSeats, needs=Needs.SERVER, cost=Cost.SEARCHED)
async def list_lost_seats(
    visitor: Visitor, message: messages.ListLostSeats, lost: LostSeats, replies: Replies
) -> messages.LostSeats:
    found = await lost.take(visitor.key)
    replies.send_words(visitor, [one.scenario for one in found])
    return messages.LostSeats(message.serial, found)
