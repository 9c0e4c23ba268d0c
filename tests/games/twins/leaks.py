"""
Leaks that can be planted, and the games in which each can show.

A leak that the twins of a game do not find is a hole in those twins.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

import attrs
import pytest

Plant = Callable[[pytest.MonkeyPatch], None]
G = TypeVar("G")


@attrs.frozen
class Leak(Generic[G]):
    """A leak that can be planted, and where it can show."""

    name: str
    plant: Plant
    games: tuple[G, ...]
    """Games in which the secret comes up."""
    kinds: tuple[str, ...]
    """Names of the viewer classes that can notice it; all of them if empty."""
    steps: int
    """Number of answers given in these games."""

    def concerns(self, kind: type, _seat: int | None) -> bool:
        """Return whether it can show to viewers of a kind."""
        return not self.kinds or kind.__name__ in self.kinds


class Leaks(dict[str, Leak[G]]):
    """Leaks of one game, by name."""

    def leak(self, games: tuple[G, ...], *kinds: str, steps: int = 140) -> Callable[[Plant], Plant]:
        """Declare a leak by the function that plants it."""

        def declare(plant: Plant) -> Plant:
            self[plant.__name__] = Leak(plant.__name__, plant, games, kinds, steps)
            return plant

        return declare
