"""Checks that a sealed record equals what a reader gets from its bytes.

Reading a record back costs more than the rules that made it. A value of a wrong type shows in the
record's shape: its own type and those of all values in it. So `make test` reads back each shape
once per process, and one in `SHARE` of all other records; `make test-long` reads back every record.
"""

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import attrs

from protocol.event import Record, Stored, read_whole

SHARE: Final = 16
"""Maximum number of records of known shapes between two that are read back all the same."""

Shape = object
"""A type, or the type of a container with the shapes of its values."""
Parts = Callable[[Any], Iterable[object]]


class NotAsRead(AssertionError):
    """A sealed record that differs from what a reader of its bytes gets."""


def read_back(room_id: str, stored: Stored, record: Record) -> None:
    """Raise NotAsRead unless a record equals what the strict reader makes of its bytes."""
    if read_whole(room_id, stored) != record:
        raise NotAsRead(f"a {record.event.tag} is not what is read off its bytes")


@attrs.define(eq=False)
class ReadingBack:
    """Reads back each shape of records once, and a fixed share of the others."""

    shapes: set[Shape] = attrs.field(factory=set)
    """Shapes that were read back without a fault."""
    _since: int = attrs.field(default=0, init=False)
    """Number of records since the last one that was read back."""

    def __call__(self, room_id: str, stored: Stored, record: Record) -> None:
        shape = shape_of(record.event)
        self._since += 1
        if shape not in self.shapes or self._since == SHARE:
            self._since = 0
            read_back(room_id, stored, record)
            self.shapes.add(shape)


def shape_of(value: object) -> Shape:
    """Return the type of a value with the types of its parts; for a sequence, the set of these."""
    return _shape(type(value), value)


def _shape(kind: type, value: object) -> Shape:
    parts = _PARTS[kind]
    if parts is None:
        return kind
    # A leaf needs no call: most values are leaves.
    inner = [
        one if _PARTS[one := type(part)] is None else _shape(one, part) for part in parts(value)
    ]
    return (kind, frozenset(inner)) if parts is iter else (kind, *inner)


class _PartsByKind(dict[type, Parts | None]):
    """Finds the parts of a value by its type; None for types without parts."""

    def __missing__(self, kind: type) -> Parts | None:
        self[kind] = found = _parts_of(kind)
        return found


_PARTS: Final = _PartsByKind()


def _parts_of(kind: type) -> Parts | None:
    if issubclass(kind, tuple | list):
        return iter
    if issubclass(kind, Mapping):
        return lambda value: (tuple(value), tuple(value.values()))
    names = [field.name for field in attrs.fields(kind)] if attrs.has(kind) else []
    if len(names) < 2:
        return (lambda value: (getattr(value, names[0]),)) if names else None
    return operator.attrgetter(*names)
