"""
Where a room's chance comes from: fresh entropy for secrets, and a seeded chance for outcomes.

How outcomes follow from a seed stands in `protocol.common.chance`, since whoever verifies a log
computes them too.
"""

from typing import Protocol

from protocol.common.chance import SEED_BYTES, Chance, SeededChance, play_key, setup_key

__all__ = ["SEED_BYTES", "Chance", "Entropy", "SeededChance", "play_key", "setup_key"]


class Entropy(Protocol):
    """Where what nobody may foresee comes from: salts, handles, seeds."""

    def draw(self, count: int) -> bytes:
        """Return that many random bytes."""
