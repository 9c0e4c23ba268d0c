"""Registry of planted leaks, with the games in which each can show.

If twin games do not show a planted leak, their comparison has a hole.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

import attrs
import pytest

Plant = Callable[[pytest.MonkeyPatch], None]
G = TypeVar("G")


@attrs.frozen
class Leak(Generic[G]):
    """Leak that can be planted, with the games in which it can show."""

    name: str
    plant: Plant
    games: tuple[G, ...]
    """Games in which the secret comes up."""
    kinds: tuple[str, ...]
    """Names of the viewer classes that can notice it; all of them if empty."""
    steps: int
    """Number of answers given in these games."""

    def concerns(self, kind: type, _seat: int | None) -> bool:
        """True if the leak can show to viewers of a kind."""
        return not self.kinds or kind.__name__ in self.kinds


class Leaks(dict[str, Leak[G]]):
    """Leaks of one game, by name."""

    def leak(self, games: tuple[G, ...], *kinds: str, steps: int = 140) -> Callable[[Plant], Plant]:
        """Return a decorator that registers a function that plants a leak in these games."""

        def declare(plant: Plant) -> Plant:
            self[plant.__name__] = Leak(plant.__name__, plant, games, kinds, steps)
            return plant

        return declare
