"""Traversal of the objects of a pack."""

import functools
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs


def parts_in(value: Any) -> Iterator[Any]:
    """Yield the attrs objects in a value, itself included, depth first, in the order of fields."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        kind: type = type(part)
        # Asked once of each type: most values are plain, and that one is no mapping takes long.
        names = _fields_of(kind)
        if names is None:
            continue
        if names is _ITEMS:
            waiting.extend(reversed(part))
        elif names is _VALUES:
            waiting.extend(reversed(tuple(part.values())))
        else:
            yield part
            waiting.extend([getattr(part, name) for name in names])


_ITEMS: Final = ("items of a tuple",)
_VALUES: Final = ("values of a mapping",)


@functools.cache
def _fields_of(kind: type) -> tuple[str, ...] | None:
    """
    Return the fields of an attrs class, last first; None for a class without parts.

    The result is `_ITEMS` for tuples, and `_VALUES` for mappings.
    """
    if issubclass(kind, tuple):
        return _ITEMS
    if issubclass(kind, Mapping):
        return _VALUES
    if not attrs.has(kind):
        return None
    return tuple(field.name for field in reversed(attrs.fields(kind)))
