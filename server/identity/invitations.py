"""
Invitations: codes that open a seat of a table, any free seat, or a place to spectate.

The store holds only their hashes, so a reader of the store cannot use them.
"""

import enum
import hashlib
import hmac
from collections.abc import Callable, Sequence

import attrs
from twisted.internet.defer import Deferred

from protocol import codec
from protocol.errors import ProtocolError
from protocol.invitation import CODE_BYTES, UnreadableInvitation, code_text, parse_code
from server.storage.store import Store

KIND = "invitation"
"""Namespace in the store."""

_KEY_LETTERS = 32
_LABEL = b"manse invitation 1"


class InvitationKind(enum.Enum):
    """Kind of right that an invitation grants."""

    SEAT = "seat"
    """One seat, whose owner gave it away."""
    ANY_SEAT = "any_seat"
    """Any free seat, as long as the game has not begun."""
    WATCH = "watch"
    """A place to spectate."""


@attrs.frozen
class InvitationTarget:
    """The room of an invitation, and the right that it grants."""

    room_id: str
    place: InvitationKind
    seat: int = -1
    """The seat of `InvitationKind.SEAT`; -1 otherwise."""


@attrs.frozen
class _Invitation:
    digest: bytes
    target: InvitationTarget


@attrs.frozen
class Invitations:
    """The invitations that this server gave out."""

    _store: Store
    _new_bytes: Callable[[int], bytes] = attrs.field(repr=False)
    """Entropy source: returns the given number of random bytes."""

    def make(self, target: InvitationTarget) -> Deferred[str]:
        """Return the code of a new invitation, once it is durable. Fails as `Store.put`."""
        return Deferred.fromCoroutine(self._make(target))

    def find(self, code: str) -> Deferred[InvitationTarget | None]:
        """Return the target of a code; None if it is no invitation. Fails as `Store.get`."""
        return Deferred.fromCoroutine(self._find(code))

    def revoke(self, code: str) -> Deferred[None]:
        """Revoke an invitation by its code, if there is one. Fails as `Store.delete`."""
        return Deferred.fromCoroutine(self._revoke(code))

    def revoke_by_keys(self, keys: Sequence[str]) -> Deferred[None]:
        """Revoke invitations, given their keys in the store. Fails as `Store.delete`."""
        return Deferred.fromCoroutine(self._revoke_by_keys(keys))

    def revoke_all(self, room_id: str, seat: int | None = None) -> Deferred[int]:
        """Revoke every invitation of a room, or of one seat; return their number."""
        return Deferred.fromCoroutine(self._revoke_all(room_id, seat))

    async def _make(self, target: InvitationTarget) -> str:
        code = code_text(self._new_bytes(CODE_BYTES))
        digest = _digest(code)
        # Stored before the code is given out, so that every code in circulation works.
        await self._store.put(
            KIND, _key(digest), codec.encode(_Invitation(digest, target), _Invitation)
        )
        return code

    async def _find(self, code: str) -> InvitationTarget | None:
        digest = _digest_of_typed(code)
        if digest is None:
            return None
        stored = await self._store.get(KIND, _key(digest))
        entry = _read(stored)
        # The key in the store is half the hash; the whole is compared in constant time.
        if entry is None or not hmac.compare_digest(entry.digest, digest):
            return None
        return entry.target

    async def _revoke(self, code: str) -> None:
        digest = _digest_of_typed(code)
        if digest is not None:
            await self._store.delete(KIND, _key(digest))

    async def _revoke_by_keys(self, keys: Sequence[str]) -> None:
        for key in keys:
            await self._store.delete(KIND, key)

    async def _revoke_all(self, room_id: str, seat: int | None) -> int:
        count = 0
        for key, stored in await self._store.scan(KIND):
            entry = _read(stored)
            if entry is None or entry.target.room_id != room_id:
                continue
            if seat is None or (
                entry.target.place is InvitationKind.SEAT and entry.target.seat == seat
            ):
                await self._store.delete(KIND, key)
                count += 1
        return count


def target_of(stored: bytes) -> InvitationTarget | None:
    """Return the target of an invitation by its value in the store; None if it is invalid."""
    entry = _read(stored)
    return None if entry is None else entry.target


def _digest(code: str) -> bytes:
    # The label keeps this hash apart from hashes for other purposes.
    return hashlib.sha256(_LABEL + code.encode()).digest()


def _digest_of_typed(code: str) -> bytes | None:
    try:
        return _digest(parse_code(code))
    except UnreadableInvitation:
        return None


def _key(digest: bytes) -> str:
    return digest.hex()[:_KEY_LETTERS]


def _read(stored: bytes | None) -> _Invitation | None:
    if stored is None:
        return None
    try:
        entry: _Invitation = codec.decode(stored, _Invitation)
    except ProtocolError:
        # Written by a newer version, or damaged: it grants nothing.
        return None
    return entry
