"""Steps: work in parts, so that its caller can serve others between the parts."""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

import attrs

from server.kernel.errors import TooManySteps

T = TypeVar("T")
Steps: TypeAlias = Generator[None, None, T]
"""Work that pauses wherever others may be served, and returns a result in the end."""


def run_through(steps: Steps[T]) -> T:
    """Take all steps of some work at once, and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


@attrs.define
class StepBudget:
    """Number of steps that work may still take. It bounds rules of strangers without a clock."""

    left: int

    def run_through(self, steps: Steps[T]) -> T:
        """Run like `run_through`. TooManySteps: the budget is spent."""
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            self.left -= 1
            if self.left < 0:
                raise TooManySteps
