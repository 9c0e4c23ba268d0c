"""Kept facts: what follows from objects that never change, worked out once for these objects."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")

MAX_KEPT = 96
"""How many facts one `KeptFacts` has at most. Most change with each answer, and are asked for again
and again until the next: a hundred tables that take turns find no more of them in 256."""


class KeptFacts(Generic[T]):
    """
    A function that remembers its results by which objects it was given.

    It compares identities, which costs the same whatever the objects hold. They must never change.
    A table replaces what changes, so that a map stays the same object as long as it is the same.
    """

    def __init__(self, work_out: Callable[..., T], most: int = MAX_KEPT) -> None:
        """
        Remember the results of a function.

        Args:
            work_out: a pure function of positional arguments.
            most: results that are kept; for one more the oldest goes.
        """
        self._work_out = work_out
        self._most = most
        # The arguments are kept behind the result: as long as they are here, no other has their id.
        self._kept: dict[int | tuple[int, ...], tuple[Any, ...]] = {}

    def __call__(self, first: object, *others: object) -> T:
        """Return what follows from these objects."""
        # Asked several times in each event: one and two objects take the shortest way.
        if not others:
            key: int | tuple[int, ...] = id(first)
        elif len(others) == 1:
            key = (id(first), id(others[0]))
        else:
            key = (id(first), *map(id, others))
        known = self._kept.get(key)
        if known is not None:
            found: T = known[0]
            return found
        result = self._work_out(first, *others)
        if len(self._kept) >= self._most:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (result, first, *others)
        return result

    def __len__(self) -> int:
        """Return how many results are kept now."""
        return len(self._kept)
