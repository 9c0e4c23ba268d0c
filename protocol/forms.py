"""
Forms: which types the encoding has, and the one walk over them.

A class is the tuple of its fields in order, a mapping the tuple of its pairs by ascending packed
key, an enumeration its value, a union whichever member's kind is there. What is made of a type (a
reader, a writer) is an `Of`, with a method for each form.
"""

import enum
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

import attrs

R_co = TypeVar("R_co", covariant=True)


class Of(Protocol[R_co]):
    """What is made of a type, form by form."""

    def scalar(self, of: type) -> R_co:
        """Make it of bool, int, bytes or str."""

    def nothing(self) -> R_co:
        """Make it of None."""

    def union(self, by_kind: Mapping[type, Any]) -> R_co:
        """Make it of members by their plain kind (`plain_kind`), of which no two are the same."""

    def sequence(self, of: Any) -> R_co:
        """Make it of a tuple of any length, all of one type."""

    def record(self, arguments: tuple[Any, ...]) -> R_co:
        """Make it of a tuple of these types."""

    def mapping(self, key: Any, of: Any) -> R_co:
        """Make it of a mapping."""

    def enumeration(self, of: type[enum.Enum]) -> R_co:
        """Make it of an enumeration."""

    def structure(self, of: type) -> R_co:
        """Make it of an attrs class."""


def made_of(of: Any, make: Of[R_co]) -> R_co:
    """Return what is made of a type. TypeError for types the encoding does not have."""
    if isinstance(of, typing.NewType):
        return made_of(of.__supertype__, make)
    if of in (bool, int, bytes, str):
        return make.scalar(of)
    if of is None or of is types.NoneType:
        return make.nothing()
    origin, arguments = typing.get_origin(of), typing.get_args(of)
    if origin in (typing.Union, types.UnionType):
        return make.union(_by_kind(arguments))
    if origin is tuple:
        is_sequence = arguments[1:] == (...,)
        return make.sequence(arguments[0]) if is_sequence else make.record(arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return make.mapping(*arguments)
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return make.enumeration(of)
    if isinstance(of, type) and attrs.has(of):
        return make.structure(of)
    raise TypeError(f"the encoding has no form for {of!r}")


def _by_kind(members: tuple[Any, ...]) -> Mapping[type, Any]:
    """Members must differ in their plain kind (text, integer, array, …), so no tag is needed."""
    by_kind: dict[type, Any] = {}
    for member in members:
        kind = plain_kind(member)
        if kind in by_kind:
            raise TypeError(f"two members of one kind in {members!r}")
        by_kind[kind] = member
    return by_kind


def plain_kind(of: Any) -> type:
    """Return the type that the plain form of a value has."""
    if isinstance(of, typing.NewType):
        return plain_kind(of.__supertype__)
    if of in (bool, int, bytes, str, types.NoneType):
        return typing.cast("type", of)
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return type(next(iter(of)).value)
    return tuple


def fields_of(of: type) -> tuple[tuple[str, Any], ...]:
    """Return the fields of an attrs class that travel, in order, with their resolved types."""
    hints = typing.get_type_hints(of)
    return tuple((a.name, hints[a.name]) for a in attrs.fields(of) if a.init)


def holds_mappings(of: Any) -> bool:
    """Return whether values of a type can hold a mapping, however deep."""
    origins = (typing.get_origin(part) for part in _parts_of([of]))
    return any(isinstance(origin, type) and issubclass(origin, Mapping) for origin in origins)


def holds_itself(of: type) -> bool:
    """Return whether values of an attrs class can hold others of the class, however deep."""
    return of in _parts_of(hint for _, hint in fields_of(of))


def _parts_of(types_: Iterable[Any]) -> Iterator[Any]:
    """Yield some types and all that they are made of, each once."""
    seen: set[Any] = set()
    waiting = list(types_)
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        yield part
        waiting += typing.get_args(part)
        if isinstance(part, typing.NewType):
            waiting.append(part.__supertype__)
        elif isinstance(part, type) and attrs.has(part):
            waiting += (hint for _, hint in fields_of(part))
