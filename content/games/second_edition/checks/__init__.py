"""
What must hold inside one object of a pack, beyond its types.

Each check gets an object that has been read and tells what is wrong with a field, in words that
say what to do; there is a module for each part of the schema. What needs more than one object is
checked in `content.games.second_edition.maps` and `content.language.loader`.
"""

from content.games.second_edition.checks import (
    cards,
    monsters,
    puzzles,
    requirements,
    scenarios,
    steps,
)
from content.games.second_edition.checks.bounds import DEFAULT_BOUNDS, INT_BOUNDS
from content.language.checking import CHECKS

__all__ = [
    "CHECKS",
    "DEFAULT_BOUNDS",
    "INT_BOUNDS",
    "cards",
    "monsters",
    "puzzles",
    "requirements",
    "scenarios",
    "steps",
]
