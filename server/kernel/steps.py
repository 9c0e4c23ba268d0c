"""Steps: work in parts, so that the caller can serve others between the parts."""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

import attrs

from server.kernel.errors import TooManySteps

T = TypeVar("T")
Steps: TypeAlias = Generator[None, None, T]
"""
Generator of long work that yields between steps, so that others may be served, and finally returns
a result.
"""


def run_through(steps: Steps[T]) -> T:
    """Run all steps of some work without a pause, and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


@attrs.define
class StepBudget:
    """Number of steps left for some work: limits the rules of strangers without a clock."""

    left: int

    def run_through(self, steps: Steps[T]) -> T:
        """Run all steps, as the function `run_through` does. TooManySteps: the budget is spent."""
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            self.left -= 1
            if self.left < 0:
                raise TooManySteps
