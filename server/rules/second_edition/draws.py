"""
Draws: which of several texts the keeper takes.

The texts of checks, attacks and activations are not known before they are drawn. Rule SECRET-13.
"""

from collections.abc import Sequence
from typing import TypeVar

from server.rules.second_edition.play import Play

T = TypeVar("T")


def draw_weighted(play: Play, purpose: str, entries: Sequence[T], weights: Sequence[int]) -> T:
    """Return one of these, each as likely as its weight says beside those of the others."""
    if len(entries) == 1:
        return entries[0]
    lots = [entry for entry, weight in zip(entries, weights, strict=True) for _ in range(weight)]
    return play.pick(purpose, lots)


def draw_entry(play: Play, purpose: str, entries: Sequence[T]) -> T:
    """Return one of these, each equally likely; where there is one only, chance is not asked."""
    return entries[0] if len(entries) == 1 else play.pick(purpose, entries)
