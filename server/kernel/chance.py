"""
Chance of a room: fresh entropy for secrets, and outcomes that follow from seeds.

`protocol.common.chance` computes outcomes from a seed, since verifiers of a log compute them too.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

import attrs

from protocol.common.chance import SEED_BYTES, Chance, SeededChance, Stream, keys_of
from protocol.common.table import RoomTable
from protocol.values import frozen

__all__ = ["SEED_BYTES", "Chance", "Chances", "Entropy", "MakeChance", "chances_of", "seeded"]

MakeChance = Callable[[Stream, bytes], Chance]
"""Function that makes the chance of a stream from its key. Tests pass their own."""


@frozen
class Chances:
    """Chance of each stream; empty before the start of the game."""

    keys: Mapping[Stream, bytes] = attrs.field(repr=False)
    """Key of each stream; the outcomes follow from the key."""
    of: Mapping[Stream, Chance] = attrs.field(repr=False, eq=False)

    @classmethod
    def made(cls, keys: Mapping[Stream, bytes], make: MakeChance) -> "Chances":
        """Return the chance of each stream, which `make` makes from its key."""
        return cls(keys, {stream: make(stream, key) for stream, key in keys.items()})


NO_CHANCES = Chances({}, {})


def seeded(_stream: Stream, key: bytes) -> Chance:
    """Return the chance that follows from a key; the stream is ignored."""
    return SeededChance(key)


class Entropy(Protocol):
    """Source of unpredictable bytes for salts, handles and seeds."""

    def draw(self, count: int) -> bytes:
        pass


def chances_of(room: RoomTable, head: bytes, fixed_seed: bytes | None, make: MakeChance) -> Chances:
    """
    Return the chance of each stream, once all shares are open.

    Args:
        room: a room with both seeds committed and all shares of the ceremony opened.
        head: the head of the log so far; used by logs of version 1 only.
        fixed_seed: seed of the room's fixed setup, if it has one.
        make: makes the chance of a stream from its key.
    """
    assert room.play_seed is not None and room.house_seed is not None  # noqa: PT018 (one thing)
    house_seed = room.house_seed.value
    if room.fixed_setup is not None:
        assert fixed_seed is not None, "a fixed setup without its seed"
        house_seed = fixed_seed
    return Chances.made(keys_of(room, room.play_seed.value, house_seed, head), make)
