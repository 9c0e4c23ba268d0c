"""
Structures: serialises attrs values, each shared part once.

The tables at a room's checkpoints share almost everything, and the order of their mappings matters.
So this encoding differs from the wire's: a value is a list of *scalars* and a list of *nodes*; each
node names its kind and its parts, which come earlier. Equal values give equal bytes, and a value
that is read back shares its parts again.

The bytes are trusted: the reader has checked that the same code wrote them.
"""

import enum
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

import attrs

from protocol import codec
from server.kernel.steps import Steps, run_through

_TUPLE, _MAPPING, _FIRST_CLASS = 0, 1, 2
_SCALARS = frozenset((type(None), bool, int, str, bytes))


class Structures:
    """Serialises values of given classes and of every class that their fields declare."""

    def __init__(self, *roots: type) -> None:
        """
        Find all classes that the fields of these classes declare.

        Raises:
            TypeError: a class has state that its constructor does not take as a field.
        """
        # Sorted by name: the number of a class must be the same in every process.
        found = sorted(_classes_in(roots), key=lambda cls: (cls.__module__, cls.__qualname__))
        self._classes = tuple(found)
        self._kinds = {cls: kind for kind, cls in enumerate(found, _FIRST_CLASS)}
        self._fields = {cls: _getter(cls) for cls in found if not issubclass(cls, enum.Enum)}

    def write(self, value: object) -> bytes:
        """Return the bytes of a value without pausing; see `writing`."""
        return run_through(self.writing(value))

    def writing(self, value: object, parts: Iterable[object] = ()) -> Steps[bytes]:
        """
        Serialise a value in steps: first each of `parts`, then the rest.

        Raises:
            TypeError: a part of the value has an undeclared type.
        """
        writer = self.writer()
        for part in parts:
            writer.add(part)
            yield
        writer.add(value)
        yield
        nodes = tuple(writer.nodes)
        yield
        return codec.pack_known((tuple(writer.scalars), nodes))

    def read(self, packed: bytes) -> Any:
        """Read back the bytes of `write`. Other bytes give an arbitrary value or error."""
        content: Any = codec.unpack_own(packed)
        return self.parts_of(*content)[-1]

    def writer(self) -> "Writer":
        """Return a writer of scalars and nodes, for callers that add to them."""
        return Writer(self._kinds, self._fields)

    def fields_of(self, value: object) -> tuple[Any, ...] | None:
        """Return the fields of a value, in the order of its constructor; None if it has none."""
        fields = self._fields.get(type(value))
        if fields is None:
            return None
        found: tuple[Any, ...] = fields(value)
        return found

    def parts_of(self, scalars: Sequence[Any], nodes: Iterable[tuple[int, ...]]) -> list[Any]:
        """Return all parts: the scalars, then the values of the nodes."""
        parts: list[Any] = list(scalars)
        classes = self._classes
        for node in nodes:
            kind = node[0]
            if kind == _TUPLE:
                parts.append(_parts_at(parts, node[1:]))
            elif kind == _MAPPING:
                keys, values = node[1::2], node[2::2]
                parts.append(
                    dict(zip(_parts_at(parts, keys), _parts_at(parts, values), strict=True))
                )
            else:
                parts.append(classes[kind - _FIRST_CLASS](*_parts_at(parts, node[1:])))
        return parts


class Writer:
    """Takes values apart into scalars and nodes."""

    def __init__(self, kinds: Mapping[type, int], fields: Mapping[type, Any]) -> None:
        self._kinds = kinds
        self._fields = fields
        self._places: dict[Any, int] = {}
        """References of scalars, by their types and values."""
        self._seen: dict[int, int] = {}
        """References of all values, by identity; all these values stay alive."""
        self.scalars: list[Any] = []
        self._rows: dict[tuple[int, ...], int] = {}

    def add(self, value: object) -> int:
        """
        Add a value and return its reference.

        The reference of a node is its number; the reference of a scalar is the bitwise complement
        of its number.
        """
        place = self._seen.get(id(value))
        if place is not None:
            return place
        cls = type(value)
        if cls in _SCALARS:
            key = (cls, value)
            if key not in self._places:
                self._places[key] = ~len(self.scalars)
                self.scalars.append(value)
            place = self._places[key]
        else:
            kind, parts = self._parts_of(cls, value)
            seen, add = self._seen.get, self.add
            # Most parts are known, so `add` is called only for new ones (and, harmlessly, for 0).
            row = (kind, *[seen(id(part)) or add(part) for part in parts])
            # Equal values are written once, even if they are different objects.
            place = self._rows.setdefault(row, len(self._rows))
        self._seen[id(value)] = place
        return place

    def _parts_of(self, cls: type, value: Any) -> tuple[int, Iterable[Any]]:
        if cls is tuple:
            return _TUPLE, value
        if cls is dict:
            return _MAPPING, chain.from_iterable(value.items())
        kind = self._kinds.get(cls)
        if kind is None:
            raise TypeError(f"a {cls.__name__} that no field declares")
        return kind, self._fields[cls](value) if cls in self._fields else (value.value,)

    @property
    def nodes(self) -> Iterator[tuple[int, ...]]:
        """The nodes in order, each naming its parts by their positions after the scalars."""
        count = len(self.scalars)
        for kind, *parts in self._rows:
            yield (kind, *[~part if part < 0 else count + part for part in parts])


def _parts_at(parts: list[Any], places: tuple[int, ...]) -> tuple[Any, ...]:
    if len(places) > 1:
        several: tuple[Any, ...] = itemgetter(*places)(parts)
        return several
    return (parts[places[0]],) if places else ()


def _getter(cls: type) -> Any:
    """
    Return a function that reads the fields of a value, in the order of its constructor.

    Raises:
        TypeError: the constructor does not take each field as it is, by position.
    """
    fields = attrs.fields(cls)
    if not all(field.init and not field.kw_only and field.converter is None for field in fields):
        raise TypeError(f"{cls.__name__} is not made of its fields alone")
    names = [field.name for field in fields]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _classes_in(roots: tuple[type, ...]) -> set[type]:
    found: set[type] = set()
    waiting: list[Any] = list(roots)
    seen: set[Any] = set()
    while waiting:
        hint = waiting.pop()
        if hint in seen:
            continue
        seen.add(hint)
        waiting += typing.get_args(hint)
        if isinstance(hint, typing.NewType):
            waiting.append(hint.__supertype__)
        origin = typing.get_origin(hint) or hint
        if isinstance(origin, type) and issubclass(origin, enum.Enum):
            found.add(origin)
        elif isinstance(origin, type) and attrs.has(origin):
            found.add(origin)
            hints = typing.get_type_hints(origin)
            waiting += [hints[field.name] for field in attrs.fields(origin)]
    return found
