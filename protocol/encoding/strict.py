"""
The strict reader: typed values from plain ones of any origin.

A plain value whose shape does not fit the type, or that a validator refuses, is Malformed.
"""

import enum
import functools
import itertools
from collections.abc import Callable, Mapping
from typing import Any

from protocol.bounds import MAX_INTEGER
from protocol.encoding.forms import fields_of, made_of
from protocol.encoding.packing import Plain, pack
from protocol.errors import ImpossibleValue, Malformed

Read = Callable[[Plain], Any]


@functools.cache
def reader(of: Any) -> Read:
    """Return the strict reader of a type, built once. TypeError if the type has no form."""
    return made_of(of, _Strict())


class _Strict:
    """Makes strict readers. Inner ones are built on first use: classes may be recursive."""

    def scalar(self, of: type) -> Read:
        def read(plain: Plain) -> Any:
            # The exact type: to Python a bool is an int as well.
            if type(plain) is not of:
                raise Malformed(f"{of.__name__} expected, {type(plain).__name__} found")
            if type(plain) is int and not -MAX_INTEGER <= plain <= MAX_INTEGER:
                raise Malformed("a number that not every language can hold")
            return plain

        return read

    def nothing(self) -> Read:
        return _expect_none

    def union(self, by_kind: Mapping[type, Any]) -> Read:
        @functools.cache
        def readers() -> Mapping[type, Read]:
            return {kind: reader(of) for kind, of in by_kind.items()}

        def read(plain: Plain) -> Any:
            if type(plain) not in by_kind:
                raise Malformed(f"{type(plain).__name__} found where it has no meaning")
            return readers()[type(plain)](plain)

        return read

    def sequence(self, of: Any) -> Read:
        readers = _later(of)

        def read(plain: Plain) -> Any:
            (read_item,) = readers()
            return tuple(map(read_item, _items(plain)))

        return read

    def record(self, arguments: tuple[Any, ...]) -> Read:
        readers = _later(*arguments)

        def read(plain: Plain) -> Any:
            items = _items(plain)
            if len(items) != len(arguments):
                raise Malformed(f"{len(arguments)} items expected, {len(items)} found")
            return tuple([one(item) for one, item in zip(readers(), items, strict=True)])

        return read

    def mapping(self, key: Any, of: Any) -> Read:
        readers = _later(key, of)

        def read(plain: Plain) -> Any:
            pairs = [_items(pair) for pair in _items(plain)]
            if any(len(pair) != 2 for pair in pairs):
                raise Malformed("a mapping is an array of pairs")
            # Strictly ascending, so each mapping has one encoding and no key occurs twice.
            packed = [pack(pair[0]) for pair in pairs]
            if any(low >= high for low, high in itertools.pairwise(packed)):
                raise Malformed("the keys of a mapping must ascend")
            read_key, read_value = readers()
            return {read_key(k): read_value(v) for k, v in pairs}

        return read

    def enumeration(self, of: type[enum.Enum]) -> Read:
        by_value = {member.value: member for member in of}

        def read(plain: Plain) -> Any:
            # To Python True equals 1, and would be found under it.
            if isinstance(plain, tuple) or plain not in by_value or type(plain) is bool:
                raise Malformed(f"no {of.__name__}")
            return by_value[plain]

        return read

    def structure(self, of: type) -> Read:
        @functools.cache
        def readers() -> tuple[Read, ...]:
            return tuple(reader(hint) for _, hint in fields_of(of))

        def read(plain: Plain) -> Any:
            items, fields = _items(plain), readers()
            if len(items) != len(fields):
                raise Malformed(f"{of.__name__} has {len(fields)} fields, {len(items)} found")
            values = [one(item) for one, item in zip(fields, items, strict=True)]
            try:
                return of(*values)
            except ImpossibleValue as error:
                raise Malformed(f"{of.__name__}: {error}", code=error.code) from error
            except (ValueError, TypeError) as error:
                raise Malformed(f"{of.__name__}: {error}") from error

        return read


def _later(*types: Any) -> Callable[[], tuple[Read, ...]]:
    """Return a function that builds the readers of some types when it is first called."""
    return functools.cache(lambda: tuple(map(reader, types)))


def _expect_none(plain: Plain) -> None:
    if plain is not None:
        raise Malformed("nothing was expected here")


def _items(plain: Plain) -> tuple[Plain, ...]:
    if not isinstance(plain, tuple):
        raise Malformed(f"an array expected, {type(plain).__name__} found")
    return plain
