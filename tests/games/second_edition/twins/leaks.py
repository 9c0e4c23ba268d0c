"""
Leaks that can be planted, and the games in which each can show.

A leak that twins do not find is a hole in the twins. How often each is found is measured by
`tests.games.second_edition.twins.test_faults`.
"""

from collections.abc import Callable

import attrs
import pytest

from tests.games.second_edition.twins.viewers import Viewer

Plant = Callable[[pytest.MonkeyPatch], None]
Game = tuple[str, str, int]
"""Pack, scenario and seed."""


@attrs.frozen
class Leak:
    """A leak that can be planted, and where it can show."""

    name: str
    plant: Plant
    games: tuple[Game, ...]
    """Games in which the secret comes up."""
    kinds: tuple[str, ...]
    """Kinds of viewers to whom it can show; all of them if empty."""
    steps: int
    """How many answers are given in these games."""

    def concerns(self, kind: type[Viewer], _seat: int | None) -> bool:
        """Return whether it can show to viewers of a kind."""
        return not self.kinds or kind.__name__ in self.kinds


LEAKS: dict[str, Leak] = {}
COMPANY = tuple(("house", "house/company", seed) for seed in (0, 3, 6, 9))
CONDITIONED = tuple(("house", "house/company", seed) for seed in (12, 57, 69, 96))
"""Chosen from many: somebody gains a two-sided Condition in one game of eight."""
WITH_BOT = tuple(("house", "house/company", seed) for seed in (1, 4, 7))
DELAYED = tuple(("house", "house/company", seed) for seed in (2, 5, 8, 11, 14))
HANDED_OVER = tuple((f"random {seed}", "", seed) for seed in (21, 117, 165))
"""Chosen from many: an heir who had something to be told is rare, and about a tenth of the pairs of
all seeds show what `since_is_ignored` leaks."""
MAD_AND_HANDED_OVER = tuple(("house", "house/company", seed) for seed in (17, 35, 113))
"""Whoever takes a seat over learns of its Insane back only later."""
SPELLS = tuple(("spells", "core/sluice-house", seed) for seed in (0, 3))
RANDOM = tuple((f"random {seed}", "", seed) for seed in (0, 3, 6, 9))
HEALTH = tuple((f"random {seed}", "", seed) for seed in (75, 84))
CAMPAIGN = tuple((f"random {seed}", "house/embers", seed) for seed in (3, 21, 24))
"""Chosen from many: in two of three such games nothing hidden is among what the leak adds up."""


def leak(games: tuple[Game, ...], *kinds: str, steps: int = 140) -> Callable[[Plant], Plant]:
    """Declare a leak by what plants it, and where it can show."""

    def declare(plant: Plant) -> Plant:
        LEAKS[plant.__name__] = Leak(plant.__name__, plant, games, kinds, steps)
        return plant

    return declare
