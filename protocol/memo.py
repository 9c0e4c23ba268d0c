"""Memoisation by identity: caches results that depend only on immutable objects."""

from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

MAX_KEPT = 96
"""Default number of results that one function caches. Most arguments change with each answer and
repeat until the next answer. With a hundred tables that take turns, a cache of 256 had no more
hits."""


def memo(
    most: int = MAX_KEPT,
) -> Callable[[Callable[[*Arguments], T]], Callable[[*Arguments], T]]:
    """
    Return a decorator that caches the results of a pure function of positional arguments.

    Arguments are compared by identity, which costs the same for any size, and must never change. A
    table replaces only the parts that change, so an unchanged map stays the same object.

    Args:
        most: maximum number of cached results; a further one evicts the oldest.
    """

    def decorate(function: Callable[[*Arguments], T]) -> Callable[[*Arguments], T]:
        # The arguments are kept beside the result: until then no other object can have their id.
        kept: dict[tuple[int, ...], tuple[Any, ...]] = {}

        def remembered(*arguments: *Arguments) -> T:
            key = tuple(map(id, arguments))
            known = kept.get(key)
            if known is not None:
                return known[0]  # type: ignore[no-any-return]  # stored below
            result = function(*arguments)
            if len(kept) >= most:
                del kept[next(iter(kept))]
            kept[key] = (result, arguments)
            return result

        return remembered

    return decorate
