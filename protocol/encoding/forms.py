"""
Forms: the types that can be encoded, and the one walk over them.

A class becomes the tuple of its fields in order, a mapping the tuple of its pairs sorted by packed
key, an enumeration its value, a union the form of the member at hand. Readers and writers are made
by visitors of this walk (`Of`), which have a method for each form.
"""

import enum
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

import attrs

R_co = TypeVar("R_co", covariant=True)


class Of(Protocol[R_co]):
    """A visitor that makes something of a type, form by form."""

    def scalar(self, of: type) -> R_co:
        """Visit bool, int, bytes or str."""

    def nothing(self) -> R_co:
        """Visit None."""

    def union(self, by_kind: Mapping[type, Any]) -> R_co:
        """Visit a union. The plain kinds of its members (`plain_kind`) are distinct."""

    def sequence(self, of: Any) -> R_co:
        """Visit a tuple of any length whose items have one type."""

    def record(self, arguments: tuple[Any, ...]) -> R_co:
        """Visit a tuple of fixed types."""

    def mapping(self, key: Any, of: Any) -> R_co:
        """Visit a mapping."""

    def enumeration(self, of: type[enum.Enum]) -> R_co:
        """Visit an enumeration."""

    def structure(self, of: type) -> R_co:
        """Visit an attrs class."""


def made_of(of: Any, make: Of[R_co]) -> R_co:
    """
    Return the result of a visitor's method for a type.

    TypeError if the type cannot be encoded.
    """
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
    """Return members by plain kind. The kinds must differ, since the encoding has no tags."""
    # Refused when a reader is built, so a test of all declared types finds it.
    by_kind: dict[type, Any] = {}
    for member in members:
        kind = plain_kind(member)
        if kind in by_kind:
            raise TypeError(f"two members of one kind in {members!r}")
        by_kind[kind] = member
    return by_kind


def plain_kind(of: Any) -> type:
    """Return the type of plain values that encode values of the type `of`, which is no union."""
    if isinstance(of, typing.NewType):
        return plain_kind(of.__supertype__)
    if of in (bool, int, bytes, str, types.NoneType):
        return typing.cast("type", of)
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return type(next(iter(of)).value)
    return tuple


def fields_of(of: type) -> tuple[tuple[str, Any], ...]:
    """Return the encoded fields of an attrs class, in order, with their resolved types."""
    hints = typing.get_type_hints(of)
    return tuple((a.name, hints[a.name]) for a in attrs.fields(of) if a.init)


def holds_mappings(of: Any) -> bool:
    """Return whether values of a type can contain a mapping at any depth."""
    origins = (typing.get_origin(part) for part in _parts_of([of]))
    return any(isinstance(origin, type) and issubclass(origin, Mapping) for origin in origins)


def holds_itself(of: type) -> bool:
    """Return whether values of an attrs class can contain others of the class at any depth."""
    return of in _parts_of(hint for _, hint in fields_of(of))


def _parts_of(types_: Iterable[Any]) -> Iterator[Any]:
    """Yield types and all types within them, each once."""
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
