"""
Checkpoints: the latest game tables to which a group can go back, by sequence.

A fold accepts any mapping of checkpoints, and starts with a plain one. A server with many tables
uses a `Checkpoints`, which takes less memory and implements `with_one` and `up_to` itself.
"""

from collections.abc import Mapping
from typing import Final, Self, TypeVar

T = TypeVar("T")

CHECKPOINTS_KEPT: Final = 64
"""Maximum number of checkpoints of a table, to which a group can go back."""


class Checkpoints(Mapping[int, T]):
    """Immutable checkpoints that are stored in less memory than in a plain mapping."""

    __slots__ = ()

    def with_one(self, sequence: int, game: T) -> Self:
        """Return the checkpoints with a new latest one, at most `CHECKPOINTS_KEPT` of them."""
        raise NotImplementedError

    def up_to(self, sequence: int) -> Self:
        """Return the checkpoints up to and including `sequence`, which must be one of them."""
        raise NotImplementedError


def with_one(kept: Mapping[int, T], sequence: int, game: T) -> Mapping[int, T]:
    """Return checkpoints with a new latest one; beyond `CHECKPOINTS_KEPT` the oldest is dropped."""
    if isinstance(kept, Checkpoints):
        packed: Mapping[int, T] = kept.with_one(sequence, game)
        return packed
    checkpoints = {**kept, sequence: game}
    # Sequences only grow, so the first key is the oldest checkpoint.
    if len(checkpoints) > CHECKPOINTS_KEPT:
        del checkpoints[next(iter(checkpoints))]
    return checkpoints


def up_to(kept: Mapping[int, T], sequence: int) -> Mapping[int, T]:
    """Return the checkpoints up to and including `sequence`, which must be one of them."""
    if isinstance(kept, Checkpoints):
        packed: Mapping[int, T] = kept.up_to(sequence)
        return packed
    return {at: game for at, game in kept.items() if at <= sequence}
