"""
Marks: the meaning of a field of a schema, written at the field.

    item: Annotated[str, Names(Kind.ITEM)]
    copies: Annotated[int, Bounds(1, 99)] = 1
    counters: Mapping[Annotated[str, Declares(Kind.COUNTER)], Counter]

The reader of packs, the linter, the JSON schemas of editors and the reference page all follow these
marks, so that a new field is described in one place. A game gives the marks that it uses often a
name, such as `ItemId = Annotated[str, Names(Kind.ITEM)]`.
"""

import enum
import functools
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, TypeVar

import attrs

M = TypeVar("M")


@attrs.frozen
class Names:
    """The mark of a text that is the id of a thing, or one of a few words that name nothing."""

    kind: enum.Enum
    free: frozenset[str] = frozenset()
    """Words allowed in place of an id, such as `random`."""


@attrs.frozen
class Declares:
    """The mark of a text that is a new id; at the keys of a mapping, each key is a new id."""

    kind: enum.Enum


@attrs.frozen
class ShownUnder:
    """The mark of a text for which players are shown the name of the subject `prefix/text`."""

    prefix: str


@attrs.frozen
class Bounds:
    """The least and the greatest whole number that may be written."""

    least: int
    most: int


class Role(enum.Enum):
    """Further marks, which need no argument."""

    BRINGS = "brings"
    """The thing named comes into play when this part is resolved."""
    ASKS = "asks"
    """The part tests a thing that some other part must bring into play."""
    SHORT = "short"
    """The value of this field may be written in place of the whole mapping."""
    IMPLIED = "implied"
    """The file implies the value, so authors do not write the field."""
    FLAG = "flag"
    """Authors may write `true` and `false` for 1 and 0."""


Marks = tuple[Any, ...]
"""All marks that apply to one leaf of a field's type, the outermost first."""


@attrs.frozen
class Leaf:
    """A plain type inside the type of a field, such as the `str` in a tuple of ids."""

    type_: Any
    marks: Marks
    in_keys: bool = False
    """True for the keys of a mapping."""


def find(kind: type[M], marks: Iterable[Any]) -> M | None:
    """Return the first of some marks that is an instance of `kind`, or None."""
    return next((mark for mark in marks if isinstance(mark, kind)), None)


@functools.cache
def leaves(cls: type) -> Mapping[str, tuple[Leaf, ...]]:
    """Return the leaves of each field of an attrs class, by the name of the field."""
    hints = typing.get_type_hints(cls, include_extras=True)
    # Annotations without a field, such as class variables, are no part of the schema.
    return {
        field.name: tuple(_leaves(Leaf(hints[field.name], ())))
        for field in attrs.fields(cls)
        if field.name in hints
    }


def _leaves(leaf: Leaf) -> Iterator[Leaf]:
    origin, arguments = typing.get_origin(leaf.type_), typing.get_args(leaf.type_)
    if origin is Annotated:
        inner, *marks = arguments
        # Marks nearer to the leaf come first, and `find` takes the first.
        yield from _leaves(attrs.evolve(leaf, type_=inner, marks=(*marks, *leaf.marks)))
    elif origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        yield from _leaves(attrs.evolve(leaf, type_=arguments[0], in_keys=True))
        yield from _leaves(attrs.evolve(leaf, type_=arguments[1]))
    elif origin is None:
        yield leaf
    else:
        for argument in arguments:
            if argument not in {types.NoneType, Ellipsis}:
                yield from _leaves(attrs.evolve(leaf, type_=argument))


def marks_of(cls: type, field: str) -> Marks:
    """Return every mark in the type of a field; empty if the class has no such field."""
    return tuple(mark for leaf in leaves(cls).get(field, ()) for mark in leaf.marks)


def mark_of(kind: type[M], cls: type, field: str) -> M | None:
    """Return the first mark of class `kind` in the type of a field of `cls`, or None."""
    return find(kind, marks_of(cls, field))


def fields_with(mark: Any, cls: type) -> tuple[str, ...]:
    """Return the names of the fields that have a mark."""
    return tuple(field for field in leaves(cls) if mark in marks_of(cls, field))


def is_implied(cls: type, field: str) -> bool:
    """Return whether a field is not written, because its file implies it."""
    return Role.IMPLIED in marks_of(cls, field)


def short_of(cls: type) -> str | None:
    """Return the name of the field whose value may replace the whole mapping in YAML, or None."""
    return next(iter(fields_with(Role.SHORT, cls)), None) if attrs.has(cls) else None
