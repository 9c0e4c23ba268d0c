"""
Chance that can be checked: every outcome is a pure function of a key and a number.

The key of play comes from the server's seed, committed to before the seats add their shares; the
log up to there is the salt. The setup has a key of its own from a seed that a tournament may fix.
Draw *n* is used once. Picks are unbiased: what would lean is thrown away and drawn again.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Protocol

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol import codec

SEED_BYTES = 32


class Chance(Protocol):
    """What decides the outcomes of one game."""

    def roll(self, draw: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Return the faces of dice, each from 0 to sides - 1."""

    def pick(self, draw: int, purpose: str, bound: int) -> int:
        """Return a number from 0 to bound - 1."""

    def shuffle(self, draw: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return the items in a new order; the order they come in does not matter."""


def play_key(seed: bytes, head: bytes) -> bytes:
    """Return the key of play from the server's seed and the head of the log at the start."""
    return _key(seed, head, b"manse play 1")


def setup_key(seed: bytes) -> bytes:
    """Return the key of the setup, which depends on its seed alone."""
    return _key(seed, b"", b"manse setup 1")


def _key(seed: bytes, salt: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=info).derive(seed)


class SeededChance:
    """Chance from a key."""

    def __init__(self, key: bytes) -> None:
        """Take the key; it is never shown."""
        self._key = key

    def roll(self, draw: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Return the faces of dice, each from 0 to sides - 1."""
        stream = self._stream(draw, purpose)
        return tuple(_below(stream, sides) for _ in range(count))

    def pick(self, draw: int, purpose: str, bound: int) -> int:
        """Return a number from 0 to bound - 1."""
        return _below(self._stream(draw, purpose), bound)

    def shuffle(self, draw: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Return the sorted items permuted (Fisher and Yates, from the end)."""
        order = sorted(items)
        stream = self._stream(draw, purpose)
        for last in range(len(order) - 1, 0, -1):
            other = _below(stream, last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def _stream(self, draw: int, purpose: str) -> Iterator[int]:
        """Yield 32-bit numbers, for ever."""
        block = 0
        while True:
            message = codec.pack((draw, purpose, block))
            digest = hmac.new(self._key, message, hashlib.sha256).digest()
            for at in range(0, len(digest), 4):
                yield int.from_bytes(digest[at : at + 4], "big")
            block += 1


def _below(stream: Iterator[int], bound: int) -> int:
    """Return an unbiased number under the bound; numbers of an uneven rest are skipped."""
    if not 0 < bound <= 1 << 32:
        raise ValueError(f"a bound of {bound}")
    fair = (1 << 32) - (1 << 32) % bound
    return next(number for number in stream if number < fair) % bound
