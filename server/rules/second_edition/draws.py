"""
Draws: which of several texts the keeper takes.

The texts of checks, attacks and activations are not known before they are drawn. Rule SECRET-13.
"""

from collections.abc import Sequence
from typing import TypeVar

from server.rules.second_edition.play import Play

T = TypeVar("T")


def draw_entry(play: Play, purpose: str, entries: Sequence[T]) -> T:
    """Return one of these, each equally likely; where there is one only, chance is not asked."""
    return entries[0] if len(entries) == 1 else play.pick(purpose, entries)
