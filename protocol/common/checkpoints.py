"""
Checkpoints: the game at the latest moments that a table can go back to, by sequence.

They may be any mapping: a table that is folded has a plain one. Whoever keeps many tables can have
another that takes less room, which then says itself what folding makes of it.
"""

from collections.abc import Mapping
from typing import Final, Self, TypeVar

T = TypeVar("T")

CHECKPOINTS_KEPT: Final = 64
"""How many checkpoints a table remembers, that is, how far back a group can go."""


class Checkpoints(Mapping[int, T]):
    """Checkpoints that are kept in another way than as a plain mapping; they never change."""

    __slots__ = ()

    def with_one(self, sequence: int, game: T) -> Self:
        """Return them with one more, the latest, and without those that are too many."""
        raise NotImplementedError

    def up_to(self, sequence: int) -> Self:
        """Return those up to the one of this sequence, which is among them."""
        raise NotImplementedError


def with_one(kept: Mapping[int, T], sequence: int, game: T) -> Mapping[int, T]:
    """Return checkpoints with one more, the latest."""
    if isinstance(kept, Checkpoints):
        packed: Mapping[int, T] = kept.with_one(sequence, game)
        return packed
    checkpoints = {**kept, sequence: game}
    # Sequences only grow, so that the first is the earliest.
    if len(checkpoints) > CHECKPOINTS_KEPT:
        del checkpoints[next(iter(checkpoints))]
    return checkpoints


def up_to(kept: Mapping[int, T], sequence: int) -> Mapping[int, T]:
    """Return the checkpoints up to one of them."""
    if isinstance(kept, Checkpoints):
        packed: Mapping[int, T] = kept.up_to(sequence)
        return packed
    return {at: game for at, game in kept.items() if at <= sequence}
