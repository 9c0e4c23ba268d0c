"""
The mail book: addresses by key, each confirmed by a code that was mailed to it.

The book exists only in the store, under `KIND`: no log line, export, metric or report has an
address or a code, or reveals who has one.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

import attrs

from protocol import codec
from protocol.messages import MailState
from server.kernel.chance import Entropy
from server.kernel.errors import Refused
from server.lobby.services.one_by_one import OneByOne
from server.lobby.services.run_detached import run_detached
from server.mail.addresses import is_address
from server.net.handler import Session
from server.storage import StorageError, Store

KIND: Final = "mail"
"""Namespace of entries in the store, by the key of their owner in hexadecimal."""
CODE_DIGITS: Final = 8
CODE_SECONDS: Final = 3600
"""Seconds for which a code is valid."""
MAX_GUESSES: Final = 5
"""Number of wrong codes after which a new code is needed."""
_STOP_BYTES: Final = 10


@attrs.frozen
class Entry:
    """The address of one key."""

    address: str = attrs.field(repr=False)
    language: str
    stop: str = attrs.field(repr=False)
    """Code in each mail with which any reader of a mail can stop further mails."""
    code: bytes = attrs.field(default=b"", repr=False)
    """Digest of the code that was sent; empty once confirmed."""
    code_at: int = 0
    """Time of that code, in milliseconds since 1970."""
    guesses: int = 0
    """Number of wrong codes typed so far."""
    is_told: bool = False
    """True if a mail was sent in the present absence."""

    @property
    def counts(self) -> bool:
        """True if the owner has confirmed the address, so that mail may be sent to it."""
        return not self.code


@attrs.define(eq=False)
class MailBook:
    """Addresses for mail, by key; implements `server.lobby.services.mailing.Mailing`."""

    store: Store
    entropy: Entropy
    now: Callable[[], int]
    """Wall clock, in milliseconds since 1970."""
    may_send_code: Callable[[str], bool]
    """Counts a code to an address; returns True if it may be sent."""
    send_code: Callable[[Entry, str], None]
    """Sends a code to the address of an entry."""
    entries: dict[bytes, Entry] = attrs.field(factory=dict, init=False, repr=False)
    _one_by_one: OneByOne = attrs.field(factory=OneByOne, init=False)
    left_at: dict[bytes, int] = attrs.field(factory=dict, init=False, repr=False)
    """Time when a client of a key with an address last stopped showing a table, since the start."""

    async def load(self) -> None:
        """Read all entries from the store."""
        for key, packed in await self.store.scan(KIND):
            self.entries[bytes.fromhex(key)] = codec.decode(packed, Entry)

    def untold(self) -> Iterator[tuple[bytes, Entry]]:
        """
        Yield each key without a notice in its present absence, with its entry.

        Keys whose address is not confirmed are left out.
        """
        for key, entry in self.entries.items():
            if entry.counts and not entry.is_told:
                yield key, entry

    async def replace(self, key: bytes, before: Entry, after: Entry) -> bool:
        """
        Replace an entry; do nothing if it was removed or changed meanwhile.

        Returns:
            True if the entry was replaced.

        Raises:
            StorageError: nothing has changed.
        """
        async with self._one_by_one:
            if self.entries.get(key) != before:
                return False
            await self._put(key, after)
            return True

    async def _put(self, key: bytes, entry: Entry) -> None:
        await self.store.put(KIND, key.hex(), codec.encode(entry, Entry))
        self.entries[key] = entry

    async def forget(self, key: bytes) -> None:
        """Delete the entry of a key, if there is one. StorageError: nothing has changed."""
        async with self._one_by_one:
            await self.store.delete(KIND, key.hex())
            self.entries.pop(key, None)
            self.left_at.pop(key, None)

    # What players ask

    def state(self, key: bytes) -> MailState:
        entry = self.entries.get(key)
        if entry is None:
            return MailState.OFF
        return MailState.ON if entry.counts else MailState.UNCONFIRMED

    async def set_address(self, session: Session, address: str) -> None:
        key = session.account.key
        if not address:
            await self.forget(key)
            return
        if not is_address(address):
            raise Refused("mail/address")
        if not self.may_send_code(address):
            raise Refused("mail/too_often")
        # The remainder of 64 random bits is practically uniform.
        code = str(int.from_bytes(self.entropy.draw(8)) % 10**CODE_DIGITS).zfill(CODE_DIGITS)
        stop = self.entropy.draw(_STOP_BYTES).hex()
        entry = Entry(
            address, session.account.language, stop, code=_digest(key, code), code_at=self.now()
        )
        async with self._one_by_one:
            await self._put(key, entry)
        # After storing, so that a code that arrives works.
        self.send_code(entry, code)

    async def confirm(self, key: bytes, code: str) -> None:
        async with self._one_by_one:
            entry = self.entries.get(key)
            if entry is None or entry.counts or entry.guesses >= MAX_GUESSES:
                raise Refused("mail/no_code")
            if not 0 <= self.now() - entry.code_at < CODE_SECONDS * 1000:
                raise Refused("mail/no_code")
            if not hmac.compare_digest(entry.code, _digest(key, code)):
                # Stored, so that a restart grants no new guesses.
                await self._put(key, attrs.evolve(entry, guesses=entry.guesses + 1))
                raise Refused("mail/wrong_code")
            await self._put(key, attrs.evolve(entry, code=b"", guesses=0))

    async def stop_by(self, code: str) -> None:
        # All are compared in constant time: timing must not tell how much of a code is right.
        found = [
            key
            for key, entry in self.entries.items()
            if hmac.compare_digest(entry.stop.encode(), code.encode())
        ]
        if not found:
            raise Refused("mail/unknown_stop")
        for key in found:
            await self.forget(key)

    # Absences

    def present(self, key: bytes) -> None:
        entry = self.entries.get(key)
        if entry is not None and entry.is_told:
            self.entries[key] = attrs.evolve(entry, is_told=False)
            run_detached(self._note_present(key))

    def left(self, key: bytes) -> None:
        if key in self.entries:
            self.left_at[key] = self.now()

    async def _note_present(self, key: bytes) -> None:
        async with self._one_by_one:
            entry = self.entries.get(key)
            if entry is None:
                return
            # If it fails, a restart believes the old absence continues, and one mail is not sent.
            with suppress(StorageError):
                await self._put(key, entry)


def _digest(key: bytes, code: str) -> bytes:
    return hashlib.sha256(b"manse mail code" + key + code.encode()).digest()
