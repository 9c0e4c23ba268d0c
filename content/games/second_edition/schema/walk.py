"""Walking through what a pack says, part by part."""

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import attrs


def parts_in(value: Any) -> Iterator[Any]:
    """Yield the attrs objects of a value: itself, then all within, in the order of writing."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        kind: type = type(part)
        if isinstance(part, tuple):
            waiting.extend(reversed(part))
        elif isinstance(part, Mapping):
            waiting.extend(reversed(tuple(part.values())))
        elif (names := _fields_of(kind)) is not None:
            yield part
            waiting.extend([getattr(part, name) for name in names])


@functools.cache
def _fields_of(kind: type) -> tuple[str, ...] | None:
    """Return the names of the fields of an attrs class, the last first; None of other classes."""
    if not attrs.has(kind):
        return None
    return tuple(field.name for field in reversed(attrs.fields(kind)))
