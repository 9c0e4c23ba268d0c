"""Reflection on declared classes: their fields, and the types of the fields."""

import enum
import functools
import typing
from collections.abc import Iterator
from typing import Any

import attrs

from protocol import event


def attributes(of: type) -> "list[attrs.Attribute[Any]]":
    """Return the fields of a class that are encoded, in order."""
    return [field for field in attrs.fields(typing.cast("Any", of)) if field.init]


@functools.cache
def hints(of: type) -> dict[str, Any]:
    """Return the type of each encoded field of a class; empty for a class without fields."""
    if not attrs.has(of):
        return {}
    names = {field.name for field in attributes(of)}
    return {name: hint for name, hint in typing.get_type_hints(of).items() if name in names}


def types_in(*roots: type) -> list[type]:
    """
    Return the classes and enumerations in the fields of `roots`, at any depth, sorted by name.

    The roots themselves are left out.
    """
    seen: set[type] = set(roots)
    waiting = list(roots)
    while waiting:
        for hint in hints(waiting.pop()).values():
            for part in _parts(hint):
                if part not in seen:
                    seen.add(part)
                    waiting.append(part)
    # By name: the order of a set differs between processes.
    return sorted(seen - set(roots), key=lambda of: (of.__name__, of.__module__))


def _parts(hint: Any) -> Iterator[type]:
    """Yield the classes and enumerations inside a type."""
    for argument in typing.get_args(hint):
        yield from _parts(argument)
    if isinstance(hint, type) and (attrs.has(hint) or issubclass(hint, enum.Enum)):
        origin = typing.get_origin(hint)
        if origin is None and hint is not event.Sealed:
            yield hint
