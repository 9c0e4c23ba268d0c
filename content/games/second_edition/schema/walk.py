"""Walking through what a pack says, part by part."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs


def parts_in(value: Any) -> Iterator[Any]:
    """Yield the attrs objects of a value: itself, then all within, in the order of writing."""
    if attrs.has(type(value)):
        yield value
        for field in attrs.fields(type(value)):
            yield from parts_in(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from parts_in(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from parts_in(item)
