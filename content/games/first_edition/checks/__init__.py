"""Checks inside one object of a pack, beyond its types: a module for each part of the schema."""

from content.games.first_edition.checks import (  # noqa: F401  # each declares its checks
    cards,
    fights,
    puzzles,
    steps,
    stories,
)
from content.games.first_edition.checks.registry import CHECKS

__all__ = ["CHECKS"]
