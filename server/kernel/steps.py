"""Steps: work in parts, so that its caller can serve others between them."""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Steps: TypeAlias = Generator[None, None, T]
"""Work that stops wherever others may be served, and what it returns in the end."""


def run_through(steps: Steps[T]) -> T:
    """Take all steps of some work at once, and return what it returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
