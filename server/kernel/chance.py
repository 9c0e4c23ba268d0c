"""
Where a room's chance comes from: fresh entropy for secrets, and a seeded chance for outcomes.

How outcomes follow from a seed stands in `protocol.common.chance`, since whoever verifies a log
computes them too.
"""

from collections.abc import Callable
from typing import Protocol

from protocol.common.chance import SEED_BYTES, Chance, SeededChance, play_key, setup_key
from protocol.common.table import RoomTable

__all__ = ["SEED_BYTES", "Chance", "Entropy", "MakeChance", "SeededChance", "chances_of"]

MakeChance = Callable[[bytes], Chance]
"""Makes chance from a key. Tests give their own."""


class Entropy(Protocol):
    """Where what nobody may foresee comes from: salts, handles, seeds."""

    def draw(self, count: int) -> bytes:
        """Return that many random bytes."""


def chances_of(room: RoomTable, head: bytes, make: MakeChance) -> tuple[Chance, Chance]:
    """
    Return the chance of play and that of the setup, once all shares are open.

    Args:
        room: with both seeds committed.
        head: of the log up to here, every seat's share in it: the salt of the first key.
        make: makes chance from a key.
    """
    assert room.seed is not None and room.setup_seed is not None  # noqa: PT018 (one thing)
    return make(play_key(room.seed.value, head)), make(setup_key(room.setup_seed.value))
