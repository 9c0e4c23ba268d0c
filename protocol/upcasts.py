"""
Upcasts: conversions of records from earlier forms to newer ones, as data.

A change names the source of each public field of the newer form: a field of the earlier form,
unchanged or converted, or a constant. For a secret it does so for the fields of its value, which is
converted when it is opened. Nothing else can be expressed, so `types.json` can list each earlier
form as a kind of its own, for readers in other languages.
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
    """The unchanged value of an earlier field, whose name may differ."""

    field: str


@frozen
class Extended:
    """An earlier array, such as the fields of a class, with items appended."""

    field: str
    more: tuple[Plain, ...]


@frozen
class Alone:
    """An array whose only item is the value of an earlier field."""

    field: str


@frozen
class Inserted:
    """An earlier array whose items are arrays, with a constant inserted into each of the items."""

    field: str
    at: int
    """Index of the new part in the item."""
    value: Plain


@frozen
class Mapped:
    """The value of an earlier field, looked up in a table."""

    field: str
    values: tuple[tuple[Plain, Plain], ...]
    """Pairs of earlier and newer value, without duplicate earlier values. Other values are
    malformed."""


@frozen
class Packed:
    """Array of an earlier field in which one item, an array of integers, becomes packed bytes."""

    field: str
    at: int
    """Index of the array of integers."""
    most: int
    """Maximum length of the array of integers."""


@frozen
class Constant:
    """A value that all records of the earlier form implied."""

    value: Plain


Source = Kept | Alone | Extended | Inserted | Mapped | Packed | Constant
"""Source of the value of a newer field."""


@frozen
class Compared:
    """True if an earlier field had this value."""

    field: str
    value: Plain


@frozen
class EachOf:
    """Array of an earlier field, each item of which is converted to a newer class."""

    field: str
    shape: "Shape"


@frozen
class Shape:
    """Conversion of a value of an earlier class to today's class."""

    name: str
    """Name of the earlier class in `types.json`."""
    fields: tuple[str, ...]
    """Names of the earlier class's fields, in order."""
    becomes: Mapping[str, Kept | Constant | Compared | EachOf]
    """Sources of all fields of today's class, in order."""

    def apply(self, value: Plain) -> Plain:
        """Return the value of today's class. Malformed if `value` is not of the earlier class."""
        if not isinstance(value, tuple):
            raise Malformed(f"a {self.name} is an array")
        values = _by_name(self.fields, value)
        return tuple([_reshaped(source, values) for source in self.becomes.values()])


@frozen
class Change:
    """Conversion of the fields of an earlier form to the fields of the next newer form."""

    fields: tuple[str, ...]
    """Names of the public fields of the earlier form, in order."""
    becomes: Mapping[str, Source] = attrs.field(factory=dict)
    """Sources of newer fields. A field that is missing here has the value of the earlier field with
    the same name."""
    secrets: Mapping[str, Shape] = attrs.field(factory=dict)
    """Shapes of secret fields whose values are of another class now."""

    def source(self, name: str) -> Source:
        """Return the source of the value of a newer field."""
        return self.becomes.get(name, Kept(name))

    def faults(self, newer: Sequence[str]) -> list[str]:
        """Return the faults of this declaration, given the public names of the newer form."""
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
            earlier: public fields of a record of the earlier form.
            newer: names of the public fields of the newer form, in order.

        Raises:
            Malformed: the record does not have the fields of the earlier form.
        """
        values = _by_name(self.fields, earlier)
        return tuple(_made(self.source(name), values) for name in newer)


def _by_name(names: Sequence[str], values: Sequence[Plain]) -> Mapping[str, Plain]:
    if len(values) != len(names):
        raise Malformed(f"{len(names)} fields expected, {len(values)} found")
    return dict(zip(names, values, strict=True))


def joined(first: Change, then: Change, newest: Sequence[str]) -> Change:
    """
    Return the composition of two changes.

    Args:
        first: from the earliest form to the middle one.
        then: from the middle form to the newest one.
        newest: names of the public fields of the newest form, in order.

    Raises:
        TypeError: both convert the same field, which no single source can express.
    """
    # `types.json` has one conversion for each earlier form, straight to the newest one.
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
            # An unknown earlier value was never written by us.
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
    """Return whether two plain values are equal and of one type: True is not 1."""
    return type(one) is type(other) and one == other
