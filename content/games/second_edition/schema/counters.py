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
    """One for the whole game."""
    INVESTIGATOR = "investigator"
    """One for each investigator; its name means that of the investigator concerned."""
    ROUND = "round"
    """Set back to its first value in each new round."""
    CAMPAIGN = "campaign"
    """Carried over to the next scenario."""


@attrs.frozen
class Counter:
    """A counter of a scenario. It stays within its bounds, whatever is added to it."""

    is_: CounterKind = CounterKind.NUMBER
    """The type of its value."""
    of: Scope = Scope.GAME
    first: Annotated[int, COUNTED] = 0
    """The value at the beginning."""
    least: Annotated[int, COUNTED] | None = None
    """The least value that it can have."""
    most: Annotated[int, COUNTED] | None = None
    """The greatest value that it can have."""

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest value."""
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
