"""
Verifiable chance: each outcome is a pure function of a key, a number and a purpose.

There are three streams with a key each. Keys are derived from the server's seeds, to which it
commits before the seats add their shares, and from these shares. Nothing is left that the server
could choose after it has seen the shares. Draws are numbered per purpose, so an additional draw
does not shift those for other purposes. Draws of setup and deal depend on the names of the things
drawn, so tables with the same fixed setup draw the same things, whatever their players do.
"""

import enum
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol import codec
from protocol.common.table import SIGNED_VERSION, RoomTable

SEED_BYTES = 32


class Stream(enum.Enum):
    """One of the three streams of a game's chance."""

    SETUP = "setup"
    """The layout before the first question, and later parts that the scenario determines."""
    DEAL = "deal"
    """Hidden facts of the scenario, and orders of cards that players do not cause."""
    PLAY = "play"
    """Dice, tiebreaks, and shuffles that players cause."""


class Chance(Protocol):
    """Source of the outcomes of one stream of one game."""

    def roll(self, number: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Return the faces of dice, each from 0 to sides - 1."""

    def pick(self, number: int, purpose: str, bound: int) -> int:
        """Return a number from 0 to bound - 1."""

    def shuffle(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return the items in a random order that does not depend on their given order."""

    def rank(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return the items in a random order; removing an item does not reorder the others."""


def seed_in(value: bytes) -> bytes | None:
    """Return the seed if `value` is one packed seed; None otherwise."""
    # 0xC4 and one byte of length: the head of a short byte string.
    is_seed = len(value) == SEED_BYTES + 2 and value[:2] == bytes([0xC4, SEED_BYTES])
    return value[2:] if is_seed else None


def play_key(seed: bytes, salt: bytes) -> bytes:
    """Return the key of play from the server's seed and `salt_of_shares`."""
    return _key(seed, salt, b"manse play 2")


def setup_key(seed: bytes, salt: bytes) -> bytes:
    """Return the key of the setup. The salt is that of shares, or of a fixed setup."""
    return _key(seed, salt, b"manse setup 2")


def deal_key(seed: bytes, salt: bytes) -> bytes:
    """Return the key of the deal from the seed and the salt of the setup."""
    return _key(seed, salt, b"manse deal 2")


def salt_of_shares(
    room_id: str,
    commitments: tuple[bytes, bytes],
    shares: Mapping[int, bytes],
    bound: Mapping[int, bytes] | None = None,
) -> bytes:
    """
    Return the salt of the keys: 32 bytes, fixed when the last share is opened.

    Args:
        room_id: room of the table.
        commitments: the commitments to the seeds of play and of the setup, as on the log.
        shares: opened shares by seat.
        bound: the commitments to the shares, by seat; None in a log of version 2. A commitment also
            covers what its seat signs when it opens the share: the number of its starts, and the
            previous one. The signature itself does not enter the salt: a seat can sign one
            statement in many ways, so a seat in league with the server could choose among keys.
    """
    label = "manse keys 2"
    given: codec.Plain = tuple(sorted(shares.items()))
    if bound is not None:
        label = "manse keys 3"
        given = tuple((seat, share, bound[seat]) for seat, share in sorted(shares.items()))
    salted = (label, room_id, commitments, given)
    return hashlib.sha256(codec.pack(salted)).digest()


def commitment_of_setup(salt: bytes, seed: bytes) -> bytes:
    """Return the commitment to the seed of a fixed setup: 32 bytes."""
    return hashlib.sha256(codec.pack(("manse fixed setup 1", salt, seed))).digest()


def salt_of_setup(commitment: bytes) -> bytes:
    """Return the salt of the keys of a fixed setup, which is the same at all tables."""
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
    Return the key of each stream of a room whose seed is given.

    Args:
        room: must have both commitments and all shares.
        play_seed: the server's seed of play; None if not known.
        house_seed: the seed of the setup, or of the fixed setup if the room has one.
        head: head of the log at the start of the game; used by logs of version 1 only.
    """
    keys: dict[Stream, bytes] = {}
    # The head salts the key in version 1: a server could vary the log until it liked the dice.
    if room.version == 1:
        keys |= {Stream.PLAY: play_key_1(play_seed, head)} if play_seed else {}
        keys |= {Stream.SETUP: setup_key_1(house_seed)} if house_seed else {}
        return keys
    assert room.ceremony is not None and room.play_seed is not None  # noqa: PT018 (one thing)
    assert room.house_seed is not None
    commitments = (room.play_seed.commitment, room.house_seed.commitment)
    salt = house_salt = salt_of_shares(
        room.room_id,
        commitments,
        room.ceremony.shares,
        room.ceremony.commitments if room.version >= SIGNED_VERSION else None,
    )
    # No share enters the keys of a fixed setup: it has to be the same at all tables.
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
"""Block length of SHA-256: HMAC pads its key to this length."""


class SeededChance:
    """Outcomes of one stream, computed from its key with HMAC-SHA-256."""

    def __init__(self, key: bytes) -> None:
        # HMAC-SHA-256 (RFC 2104) with the padded key already hashed. Copying both hashes takes half
        # the time of copying an `hmac.HMAC`, which is written in Python.
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
        # Sorted first: the given order could depend on something that a server chooses.
        order = sorted(items)
        stream = self._stream(number, purpose)
        for last in range(len(order) - 1, 0, -1):
            other = _below(stream, last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def rank(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return the items sorted by digest. Equal items are numbered, so their digests differ."""
        digests: list[tuple[bytes, str]] = []
        before, count = None, 0
        for item in sorted(items):
            # Equal items are adjacent, since they are sorted.
            count = count + 1 if item == before else 1
            before = item
            digests.append((self._digest(codec.pack_known((number, purpose, item, count))), item))
        return tuple(item for _, item in sorted(digests))

    def _stream(self, number: int, purpose: str) -> Iterator[int]:
        """Yield 32-bit numbers without end."""
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
    # Without rejection the smallest results would be more likely, unless the bound divides 2^32.
    fair = (1 << 32) - (1 << 32) % bound
    number = next(stream)
    while number >= fair:
        number = next(stream)
    return number % bound
