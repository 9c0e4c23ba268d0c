"""
Chance that can be checked: every outcome is a pure function of a key, a number and a purpose.

There are three streams, each with a key of its own. The keys follow from the server's seeds, which
it committed to before the seats added their shares, and from those shares: from nothing that the
server could still choose once it has seen them. Draws are numbered by purpose, so that one more or
fewer moves no draw for another. Those of setup and deal go by the names of what is drawn, so that
what one table does changes nothing of what the same setup holds for another.
"""

import enum
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol import codec
from protocol.common.table import RoomTable

SEED_BYTES = 32


class Stream(enum.Enum):
    """What a draw belongs to."""

    SETUP = "setup"
    """What is laid out before the first question, and what is laid out later as it was made."""
    DEAL = "deal"
    """Every hidden fact of the scenario and every order that no player causes."""
    PLAY = "play"
    """Dice, draws among voters, and what is mixed anew because of what somebody did."""


class Chance(Protocol):
    """What decides the outcomes of one stream of one game."""

    def roll(self, number: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Return the faces of dice, each from 0 to sides - 1."""

    def pick(self, number: int, purpose: str, bound: int) -> int:
        """Return a number from 0 to bound - 1."""

    def shuffle(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return the items in a new order; the order they come in does not matter."""

    def rank(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return the items in a new order in which taking one away moves no other."""


def play_key(seed: bytes, salt: bytes) -> bytes:
    """Return the key of play from the server's seed and `salt_of_shares`."""
    return _key(seed, salt, b"manse play 2")


def setup_key(seed: bytes, salt: bytes) -> bytes:
    """Return the key of the setup from the seed of the house and its salt."""
    return _key(seed, salt, b"manse setup 2")


def deal_key(seed: bytes, salt: bytes) -> bytes:
    """Return the key of the deal from the seed of the house and its salt."""
    return _key(seed, salt, b"manse deal 2")


def salt_of_shares(
    room_id: str, commitments: tuple[bytes, bytes], shares: Mapping[int, bytes]
) -> bytes:
    """
    Return what the keys are salted with: 32 bytes that were fixed when the last share was opened.

    Args:
        room_id: of the table.
        commitments: to the seed of play and to the seed of the house, as they stand on the log.
        shares: by seat.
    """
    return hashlib.sha256(
        codec.pack(("manse keys 2", room_id, commitments, tuple(sorted(shares.items()))))
    ).digest()


def commitment_of_setup(salt: bytes, seed: bytes) -> bytes:
    """Return what a fixed setup is known by before its seed is opened: 32 bytes."""
    return hashlib.sha256(codec.pack(("manse fixed setup 1", salt, seed))).digest()


def salt_of_setup(commitment: bytes) -> bytes:
    """Return what the keys of a fixed setup are salted with: the same at every table."""
    return hashlib.sha256(codec.pack(("manse fixed keys 2", commitment))).digest()


def play_key_1(seed: bytes, head: bytes) -> bytes:
    """Return the key of play in a log of version 1, salted with its head at the start."""
    return _key(seed, head, b"manse play 1")


def setup_key_1(seed: bytes) -> bytes:
    """Return the key of the setup in a log of version 1, which depends on its seed alone."""
    return _key(seed, b"", b"manse setup 1")


def keys_of(
    room: RoomTable, play_seed: bytes | None, house_seed: bytes | None, head: bytes
) -> dict[Stream, bytes]:
    """
    Return the keys of a room's streams, as far as their seeds are known, by its log's version.

    Args:
        room: with both seeds committed, and the ceremony with all shares.
        play_seed: of the server.
        house_seed: of the fixed setup, where the room has one.
        head: of the log when the game starts; the salt of the key of play in version 1 alone.
    """
    keys: dict[Stream, bytes] = {}
    if room.version == 1:
        keys |= {Stream.PLAY: play_key_1(play_seed, head)} if play_seed else {}
        keys |= {Stream.SETUP: setup_key_1(house_seed)} if house_seed else {}
        return keys
    assert room.ceremony is not None and room.play_seed is not None  # noqa: PT018 (one thing)
    assert room.house_seed is not None
    commitments = (room.play_seed.commitment, room.house_seed.commitment)
    salt = house_salt = salt_of_shares(room.room_id, commitments, room.ceremony.shares)
    if room.fixed_setup is not None:
        house_salt = salt_of_setup(room.fixed_setup.commitment)
    keys |= {Stream.PLAY: play_key(play_seed, salt)} if play_seed else {}
    if house_seed:
        keys[Stream.SETUP] = setup_key(house_seed, house_salt)
        keys[Stream.DEAL] = deal_key(house_seed, house_salt)
    return keys


def _key(seed: bytes, salt: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=info).derive(seed)


_BLOCK_BYTES = 64
"""Of SHA-256, to which HMAC fills up its key."""


class SeededChance:
    """Chance from a key."""

    def __init__(self, key: bytes) -> None:
        """Take the key; it is never shown."""
        # HMAC-SHA-256 (RFC 2104), both its hashes begun: a copy of them takes half the time of one
        # of `hmac.HMAC`, which is written in Python.
        whole = key if len(key) <= _BLOCK_BYTES else hashlib.sha256(key).digest()
        block = whole.ljust(_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in block))

    def _digest(self, message: bytes) -> bytes:
        """Return the HMAC of a message under the key."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()

    def roll(self, number: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Return the faces of dice, each from 0 to sides - 1."""
        stream = self._stream(number, purpose)
        return tuple(_below(stream, sides) for _ in range(count))

    def pick(self, number: int, purpose: str, bound: int) -> int:
        """Return a number from 0 to bound - 1."""
        return _below(self._stream(number, purpose), bound)

    def shuffle(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return the sorted items permuted (Fisher and Yates, from the end)."""
        order = sorted(items)
        stream = self._stream(number, purpose)
        for last in range(len(order) - 1, 0, -1):
            other = _below(stream, last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def rank(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return the items ordered by the digest of each; equal ones are told apart by a count."""
        digests: list[tuple[bytes, str]] = []
        before, count = None, 0
        for item in sorted(items):
            # Equal ones stand beside each other.
            count = count + 1 if item == before else 1
            before = item
            digests.append((self._digest(codec.pack_known((number, purpose, item, count))), item))
        return tuple(item for _, item in sorted(digests))

    def _stream(self, number: int, purpose: str) -> Iterator[int]:
        """Yield 32-bit numbers, for ever."""
        block = 0
        while True:
            message = codec.pack_known((number, purpose, block))
            digest = self._digest(message)
            for at in range(0, len(digest), 4):
                yield int.from_bytes(digest[at : at + 4], "big")
            block += 1


def _below(stream: Iterator[int], bound: int) -> int:
    """Return an unbiased number under the bound; numbers in an uneven remainder are skipped."""
    if not 0 < bound <= 1 << 32:
        raise ValueError(f"a bound of {bound}")
    fair = (1 << 32) - (1 << 32) % bound
    number = next(stream)
    while number >= fair:
        number = next(stream)
    return number % bound
