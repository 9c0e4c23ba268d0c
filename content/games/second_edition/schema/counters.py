"""Counters: the numbers that a scenario remembers."""

import enum
from typing import Annotated

import attrs

from content.games.second_edition.schema.kinds import COUNTED
from content.reading.formulas import MOST


class CounterKind(enum.Enum):
    """The type of a counter's value."""

    NUMBER = "number"
    """A whole number."""
    FLAG = "flag"
    """Yes or no: 1 or 0."""


class Scope(enum.Enum):
    """The owner of a counter, which decides how many there are and how long they last."""

    GAME = "game"
    """One value for the whole game."""
    INVESTIGATOR = "investigator"
    """One value for each investigator. The counter's name means the value of the investigator
    concerned."""
    ROUND = "round"
    """One value, set back to the first value at the start of each round."""
    CAMPAIGN = "campaign"
    """One value, carried over to the next scenario of the campaign."""


@attrs.frozen
class Counter:
    """A counter of a scenario. Every change clamps its value to the bounds."""

    is_: CounterKind = CounterKind.NUMBER
    """The type of the value."""
    of: Scope = Scope.GAME
    first: Annotated[int, COUNTED] = 0
    """The value at the start of the game."""
    least: Annotated[int, COUNTED] | None = None
    """The lowest value; None for no bound. The value of a flag is always 0 or 1."""
    most: Annotated[int, COUNTED] | None = None
    """The highest value; None for no bound. The value of a flag is always 0 or 1."""

    @property
    def bounds(self) -> tuple[int, int]:
        """Return the lowest and the highest value."""
        if self.is_ is CounterKind.FLAG:
            return 0, 1
        return (
            -MOST if self.least is None else self.least,
            MOST if self.most is None else self.most,
        )

    def within(self, value: int) -> int:
        """Return a value clamped to the bounds of the counter."""
        low, high = self.bounds
        return max(low, min(high, value))
