"""
Checks inside one object of a pack, beyond its types.

Each check gets an object that has been read, and reports the mistakes in its fields in words that
say what to do. There is a module for each part of the schema. Checks of more than one object are
in `content.games.second_edition.maps` and `content.games.second_edition.loader`.
"""

from content.games.second_edition.checks import (  # noqa: F401  # each declares its checks
    cards,
    monsters,
    puzzles,
    requirements,
    scenarios,
    steps,
)
from content.games.second_edition.checks.registry import CHECKS

__all__ = ["CHECKS"]
