"""
Upcasts: how a record of an earlier form is read as the newer one, as data.

A change says for each public field of the newer form where its value comes from: a field of the
earlier form, as it was or changed, or a constant. Of a secret it says the same for the fields of
its value, which is changed once it is opened. Nothing else can be said, so that `types.json` can
hold each earlier form as a kind, for readers in another language.
"""

import typing
from collections.abc import Mapping, Sequence

import attrs

from protocol import codec
from protocol.codec import Plain
from protocol.errors import Malformed
from protocol.values import evolve, frozen


@frozen
class Kept:
    """The value of an earlier field, which perhaps had another name."""

    field: str


@frozen
class Extended:
    """The array that an earlier field held (a class, say) with more items at its end."""

    field: str
    more: tuple[Plain, ...]


@frozen
class Alone:
    """An array that holds the value of an earlier field, and nothing else."""

    field: str


@frozen
class Inserted:
    """The array that an earlier field held, each of whose items (a class, say) gained a part."""

    field: str
    at: int
    """How many parts of the item stand before it."""
    value: Plain


@frozen
class Mapped:
    """The value that stands in a list beside the one that an earlier field held."""

    field: str
    values: tuple[tuple[Plain, Plain], ...]
    """[earlier, newer], each earlier one once. What is not listed is malformed."""


@frozen
class Packed:
    """The array that an earlier field held, with the numbers at one place as packed bytes."""

    field: str
    at: int
    """The place of an array of integers, which becomes the bytes of its encoding."""
    most: int
    """Integers that it holds at most."""


@frozen
class Constant:
    """What every record of the earlier form meant without saying it."""

    value: Plain


Source = Kept | Alone | Extended | Inserted | Mapped | Packed | Constant
"""Where the value of a newer field comes from."""


@frozen
class Compared:
    """Whether an earlier field held this value."""

    field: str
    value: Plain


@frozen
class EachOf:
    """The array that an earlier field held, each item of which has another shape now."""

    field: str
    shape: "Shape"


@frozen
class Shape:
    """How a value of an earlier class becomes one of the class of today."""

    name: str
    """Of the earlier class, in `types.json`."""
    fields: tuple[str, ...]
    """The fields that it had, in order."""
    becomes: Mapping[str, Kept | Constant | Compared | EachOf]
    """Every field of today's class, in order."""

    def apply(self, value: Plain) -> Plain:
        """Return the value of today's class. Malformed for one that is not of the earlier."""
        if not isinstance(value, tuple):
            raise Malformed(f"a {self.name} is an array")
        values = _by_name(self.fields, value)
        return tuple([_reshaped(source, values) for source in self.becomes.values()])


@frozen
class Change:
    """How the fields of an earlier form become those of the next one."""

    fields: tuple[str, ...]
    """The public fields of the earlier form, in order."""
    becomes: Mapping[str, Source] = attrs.field(factory=dict)
    """Newer fields that are not simply the earlier ones of the same name."""
    secrets: Mapping[str, Shape] = attrs.field(factory=dict)
    """Secret fields whose values have another shape now; the others stay as they are."""

    def source(self, name: str) -> Source:
        """Return where a newer field comes from."""
        return self.becomes.get(name, Kept(name))

    def faults(self, newer: Sequence[str]) -> list[str]:
        """Return what is wrong with the declaration, for the names of the newer form."""
        used = [self.source(name) for name in newer]
        missing = {s.field for s in used if not isinstance(s, Constant)} - {*self.fields}
        return [
            *(f"no earlier field {name!r}" for name in sorted(missing)),
            *(f"no newer field {name!r}" for name in sorted({*self.becomes} - {*newer})),
        ]

    def apply(self, earlier: Sequence[Plain], newer: Sequence[str]) -> tuple[Plain, ...]:
        """
        Return the public fields of the newer form.

        Args:
            earlier: the public fields of a record of the earlier form.
            newer: the names of the newer form's public fields, in order.

        Raises:
            Malformed: the record has not the fields of the earlier form.
        """
        values = _by_name(self.fields, earlier)
        return tuple(_made(self.source(name), values) for name in newer)


def _by_name(names: Sequence[str], values: Sequence[Plain]) -> Mapping[str, Plain]:
    if len(values) != len(names):
        raise Malformed(f"{len(names)} fields expected, {len(values)} found")
    return dict(zip(names, values, strict=True))


def joined(first: Change, then: Change, newest: Sequence[str]) -> Change:
    """
    Return two changes, one after the other, as one.

    Args:
        first: from the earliest form to the one between.
        then: from there to the newest one.
        newest: the names of the newest form's public fields, in order.

    Raises:
        TypeError: both change the value of one field, which no source can say.
    """
    twice = first.secrets.keys() & then.secrets.keys()
    if twice:
        raise TypeError(f"two changes of the secrets {sorted(twice)}, which no single one can say")
    becomes = {name: _joined(first, then.source(name)) for name in newest}
    return Change(first.fields, becomes, {**first.secrets, **then.secrets})


def _joined(first: Change, source: Source) -> Source:
    if isinstance(source, Constant):
        return source
    before = first.source(source.field)
    if isinstance(source, Kept):
        return before
    if isinstance(before, Kept):
        return evolve(source, field=before.field)
    if isinstance(before, Extended) and isinstance(source, Extended):
        return Extended(before.field, (*before.more, *source.more))
    raise TypeError(f"two changes of the field {source.field!r}, which no single one can say")


_read_numbers = codec.strict_reader(tuple[int, ...])


def _packed(field: str, was: Plain, at: int, most: int) -> Plain:
    if not isinstance(was, tuple) or len(was) <= at:
        raise Malformed(f"the field {field!r} is no array, or too short")
    numbers = _read_numbers(was[at])
    if len(numbers) > most:
        raise Malformed(f"the field {field!r} holds more numbers than it could")
    return (*was[:at], codec.pack(numbers), *was[at + 1 :])


def _array(field: str, value: Plain) -> tuple[Plain, ...]:
    if not isinstance(value, tuple):
        raise Malformed(f"the field {field!r} holds no array where it always has one")
    return value


def _made(source: Source, values: Mapping[str, Plain]) -> Plain:
    match source:
        case Kept(field):
            return values[field]
        case Alone(field):
            return (values[field],)
        case Constant(value):
            return value
        case Extended(field, more):
            return (*_array(field, values[field]), *more)
        case Inserted(field, at, value):
            items = [_array(field, item) for item in _array(field, values[field])]
            return tuple((*item[:at], value, *item[at:]) for item in items)
        case Packed(field, at, most):
            return _packed(field, values[field], at, most)
        case Mapped(field, pairs):
            was = values[field]
            found = [new for old, new in pairs if _is_same(old, was)]
            if not found:
                raise Malformed(f"the field {field!r} holds what it never could")
            return found[0]
    typing.assert_never(source)


def _reshaped(source: Kept | Constant | Compared | EachOf, values: Mapping[str, Plain]) -> Plain:
    match source:
        case Compared(field, value):
            return _is_same(value, values[field])
        case EachOf(field, shape):
            items = values[field]
            if not isinstance(items, tuple):
                raise Malformed(f"the field {field!r} is no array")
            return tuple([shape.apply(item) for item in items])
    return _made(source, values)


def _is_same(one: Plain, other: Plain) -> bool:
    """Return whether two plain values are the same, of the same type: True is no 1."""
    return type(one) is type(other) and one == other
