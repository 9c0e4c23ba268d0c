"""
Lost seats: tells a player once that they lost a seat while they were away.

A loss is stored until the client of the former owner asks. Nobody else is told.
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
"""Namespace in the store; its keys are the public keys of the former owners, in hexadecimal."""

KEPT_DAYS: Final = 365
"""Days after which a loss is dropped even if its owner was not told."""

_KEPT_MS = KEPT_DAYS * 24 * 3600 * 1000


@attrs.frozen
class _Kept:
    lost: tuple[LostSeat, ...]


@attrs.frozen
class LostSeats:
    """Stores the loss of seats until their former owners are told."""

    _store: Store
    _now: Callable[[], int]
    """Wall clock, in milliseconds since 1970."""
    _one_by_one: OneByOne = attrs.field(factory=OneByOne, init=False)
    """Serialises changes: a key may lose seats at two tables at the same moment."""

    async def note(
        self, room: RoomTable, seat: Seat, seen_by: frozenset[bytes], cause: LossCause, to: str = ""
    ) -> None:
        """
        Store a seat's loss, if its former owner did not see it. Fails as `Store.put`.

        Args:
            room: the room of the seat.
            seat: the seat before the loss.
            seen_by: keys of the followers who saw the loss.
            cause: the cause of the loss.
            to: name of the new owner; empty if there is none.
        """
        if seat.is_bot or not seat.key or seat.key in seen_by:
            return
        lost = LostSeat(room.room_id, room.scenario, self._now(), cause, to)
        await self._keep(seat.key, lost)

    async def note_expired(self, table: Summary) -> None:
        """Store a loss for every seat of a removed unfinished table. Fails as `Store.put`."""
        if table.stage is Stage.OVER:
            return
        for key in table.keys:
            when, cause = self._now(), LossCause.EXPIRED
            # Also for bots, which a summary does not tell apart; they never ask.
            await self._keep(key, LostSeat(table.room_id, table.scenario, when, cause, ""))

    async def _keep(self, key: bytes, lost: LostSeat) -> None:
        async with self._one_by_one:
            known = self._recent(_read(await self._store.get(KIND, key.hex())))
            kept = _Kept((*known, lost)[-MAX_LOST_SEATS:])
            await self._store.put(KIND, key.hex(), codec.encode(kept, _Kept))

    async def collect(self, key: bytes) -> tuple[LostSeat, ...]:
        """
        Return and delete the losses stored for a key, without those older than `KEPT_DAYS`.

        Fails as `Store.delete`.
        """
        async with self._one_by_one:
            found = _read(await self._store.get(KIND, key.hex()))
            # Deleted before they are told, so that nobody is told twice.
            if found:
                await self._store.delete(KIND, key.hex())
        return self._recent(found)

    async def forget_old(self, scheduler: FairScheduler) -> None:
        """Delete losses older than `KEPT_DAYS`. Fails as `Store.delete`."""
        for key, _ in await self._store.scan(KIND):
            await scheduler.time()
            async with self._one_by_one:
                # Read again under the lock: another seat may have been lost meanwhile.
                found = _read(await self._store.get(KIND, key))
                if found and not self._recent(found):
                    await self._store.delete(KIND, key)

    def _recent(self, lost: tuple[LostSeat, ...]) -> tuple[LostSeat, ...]:
        since = self._now() - _KEPT_MS
        return tuple(one for one in lost if one.when >= since)


def _read(stored: bytes | None) -> tuple[LostSeat, ...]:
    if stored is None:
        return ()
    try:
        kept: _Kept = codec.decode(stored, _Kept)
    except ProtocolError:
        # Written by a newer version, or damaged: nothing can be told.
        return ()
    return kept.lost


@handles(messages.ListLostSeats, needs=Needs.SERVER, cost=Cost.SEARCHED)
async def list_lost_seats(
    visitor: Visitor, message: messages.ListLostSeats, lost: LostSeats, replies: Replies
) -> messages.LostSeats:
    found = await lost.collect(visitor.key)
    replies.send_words(visitor, [one.scenario for one in found])
    return messages.LostSeats(message.serial, found)
