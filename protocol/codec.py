"""
The canonical encoding: plain values to bytes and back, bounded and strict.

Two layers. *Plain* values are integers, byte and text strings, booleans, None and tuples of
those; `pack` and `unpack` turn them into canonical msgpack and back. Above that, `to_plain` and
`from_plain` turn typed values (attrs classes, enums, mappings, …) into plain ones, guided by the
type alone: a class is the tuple of its fields in order, a mapping the tuple of its pairs by
ascending packed key.

There is one encoding of each value: shortest forms, no maps, no floats, no extensions. What
would not encode to the same bytes again is refused.
"""

import enum
import functools
import itertools
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import attrs
import msgpack

from protocol.bounds import MAX_INTEGER
from protocol.errors import BrokenPiece, Malformed, OverLimit

Plain = None | bool | int | bytes | str | tuple["Plain", ...]
"""What the wire can carry."""

MAX_DEPTH = 24
"""How deep arrays may nest."""

MAX_BYTES = 1 << 24
"""How long one packed value may be at most, wherever it stands; frames have tighter limits."""


def pack(value: Plain) -> bytes:
    """Encode a plain value canonically. ValueError or TypeError on what is not plain."""
    _check_plain(value, MAX_DEPTH)
    return typing.cast("bytes", msgpack.packb(value, use_bin_type=True))


def unpack(data: bytes, *, max_bytes: int = MAX_BYTES) -> Plain:
    """
    Decode bytes that must be one canonical value, whole and nothing after it.

    Raises:
        OverLimit: too long or too deep.
        Malformed: everything else that is wrong.
    """
    if len(data) > max_bytes:
        raise OverLimit(f"a value of {len(data)} bytes; the limit is {max_bytes}")
    _check_depth(data)
    try:
        value = msgpack.unpackb(
            data,
            use_list=False,
            raw=False,
            strict_map_key=True,
            max_str_len=len(data),
            max_bin_len=len(data),
            max_array_len=len(data),
            max_map_len=0,
            max_ext_len=0,
        )
    except (ValueError, TypeError, msgpack.exceptions.UnpackException) as error:
        # msgpack raises half a dozen kinds for broken input; all mean the same to us.
        raise Malformed("bytes that are not one whole packed value") from error
    try:
        again = pack(value)
    except (TypeError, ValueError) as error:
        raise Malformed(f"a value the encoding does not have: {error}") from error
    if again != data:
        raise Malformed("not the canonical form of its value")
    return typing.cast("Plain", value)


_BOUNDLESS = frozenset((types.NoneType, bool, bytes, str))
"""Plain types of which every value is allowed."""


def _check_plain(value: object, depth: int) -> None:
    # The exact type: msgpack's extensions arrive as a subclass of tuple.
    if type(value) is tuple:
        if depth == 0:
            raise ValueError(f"nested deeper than {MAX_DEPTH}")
        for item in value:
            # Most items are these, and a call for each would cost more than the check.
            if type(item) not in _BOUNDLESS:
                _check_plain(item, depth - 1)
    elif type(value) is int:
        if not -(1 << 63) <= value < 1 << 64:
            raise ValueError("a number longer than 64 bits")
    elif type(value) not in _BOUNDLESS:
        raise TypeError(f"a {type(value).__name__} stands where the encoding has none")


def _check_depth(data: bytes) -> None:
    """
    Refuse arrays nested over the limit before a recursive decoder sees them.

    Walks the structure with a stack of "items still to come" and stops at the first thing that
    it does not understand, which the decoder then refuses in its own words.
    """
    if len(data) - len(data.translate(None, _ARRAY_HEADS)) <= MAX_DEPTH:
        # Too few bytes that could begin an array with anything in it, wherever they stand.
        return
    left: list[int] = []
    at = 0
    while at < len(data):
        first = data[at]
        size, items = _span(data, at, first)
        at += size
        if items is not None and items > 0:
            left.append(items)
            if len(left) > MAX_DEPTH:
                raise OverLimit(f"nested deeper than {MAX_DEPTH}")
            continue
        while left:
            left[-1] -= 1
            if left[-1]:
                break
            left.pop()
        if not left:
            return


_ARRAY_HEADS = bytes((*range(0x91, 0xA0), 0xDC, 0xDD))
_FIXED = {0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9, 0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9}
_LENGTH_BYTES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}


def _span(data: bytes, at: int, first: int) -> tuple[int, int | None]:
    """Return the bytes of the item at `at` (an array's head only) and an array's item count."""
    if 0x90 <= first <= 0x9F:
        return 1, first & 0x0F
    if first in (0xDC, 0xDD):
        width = 2 if first == 0xDC else 4
        return 1 + width, int.from_bytes(data[at + 1 : at + 1 + width], "big")
    if 0xA0 <= first <= 0xBF:
        return 1 + (first & 0x1F), None
    if first in _LENGTH_BYTES:
        width = _LENGTH_BYTES[first]
        return 1 + width + int.from_bytes(data[at + 1 : at + 1 + width], "big"), None
    return _FIXED.get(first, 1), None


# Typed values ------------------------------------------------------------------------------


@attrs.frozen
class _Shape:
    """How values of one type become plain and come back."""

    to_plain: Callable[[Any], Plain]
    from_plain: Callable[[Plain], Any]


def to_plain(value: object, of: Any) -> Plain:
    """Turn a value of type `of` into its plain form."""
    return shape(of).to_plain(value)


def from_plain(plain: Plain, of: Any) -> Any:
    """
    Read a value of type `of` off its plain form.

    Raises:
        Malformed: it has another shape, or a validator of the class refuses it.
    """
    return shape(of).from_plain(plain)


def encode(value: object, of: Any) -> bytes:
    """Turn a typed value into canonical bytes."""
    return pack(to_plain(value, of))


def decode(data: bytes, of: Any, *, max_bytes: int = MAX_BYTES) -> Any:
    """Read a typed value off canonical bytes. Errors as `unpack` and `from_plain`."""
    return from_plain(unpack(data, max_bytes=max_bytes), of)


@functools.cache
def shape(of: Any) -> _Shape:
    """Build the converter of a type, once. TypeError for types the encoding does not have."""
    if isinstance(of, typing.NewType):
        return shape(of.__supertype__)
    if of in (bool, int, bytes, str):
        return _scalar(of)
    if of is None or of is types.NoneType:
        return _Shape(lambda value: value, _expect_none)
    origin, arguments = typing.get_origin(of), typing.get_args(of)
    if origin in (typing.Union, types.UnionType):
        return _union(arguments)
    if origin is tuple:
        return _sequence(arguments[0]) if arguments[1:] == (...,) else _record(arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(*arguments)
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return _enum(of)
    if isinstance(of, type) and attrs.has(of):
        return _class(of)
    raise TypeError(f"the encoding has no form for {of!r}")


def fields_of(of: type) -> tuple[tuple[str, Any], ...]:
    """Return the fields of an attrs class that travel, in order, with their resolved types."""
    hints = typing.get_type_hints(of)
    return tuple((a.name, hints[a.name]) for a in attrs.fields(of) if a.init)


def _expect_none(plain: Plain) -> None:
    if plain is not None:
        raise Malformed("nothing was expected here")


def _scalar(of: type) -> _Shape:
    def read(plain: Plain) -> Any:
        if type(plain) is not of:
            raise Malformed(f"{of.__name__} expected, {type(plain).__name__} found")
        if type(plain) is int and not -MAX_INTEGER <= plain <= MAX_INTEGER:
            raise Malformed("a number that not every language can hold")
        return plain

    return _Shape(lambda value: value, read)


def _enum(of: type[enum.Enum]) -> _Shape:
    by_value = {member.value: member for member in of}

    def read(plain: Plain) -> Any:
        if isinstance(plain, tuple) or plain not in by_value or type(plain) is bool:
            raise Malformed(f"no {of.__name__}")
        return by_value[plain]

    return _Shape(lambda value: value.value, read)


def _items(plain: Plain) -> tuple[Plain, ...]:
    if not isinstance(plain, tuple):
        raise Malformed(f"an array expected, {type(plain).__name__} found")
    return plain


def _sequence(of: Any) -> _Shape:
    # Lazily, since a class may hold a sequence of itself.
    return _Shape(
        lambda value: tuple(map(shape(of).to_plain, value)),
        lambda plain: tuple(map(shape(of).from_plain, _items(plain))),
    )


def _record(arguments: tuple[Any, ...]) -> _Shape:
    def read(plain: Plain) -> Any:
        items = _items(plain)
        if len(items) != len(arguments):
            raise Malformed(f"{len(arguments)} items expected, {len(items)} found")
        return tuple(shape(a).from_plain(i) for a, i in zip(arguments, items, strict=True))

    return _Shape(
        lambda value: tuple(shape(a).to_plain(v) for a, v in zip(arguments, value, strict=True)),
        read,
    )


def _mapping(key: Any, of: Any) -> _Shape:
    def write(value: Mapping[Any, Any]) -> Plain:
        pairs = [(shape(key).to_plain(k), shape(of).to_plain(v)) for k, v in value.items()]
        return tuple(sorted(pairs, key=lambda pair: pack(pair[0])))

    def read(plain: Plain) -> Any:
        pairs = [_items(pair) for pair in _items(plain)]
        if any(len(pair) != 2 for pair in pairs):
            raise Malformed("a mapping is an array of pairs")
        packed = [pack(pair[0]) for pair in pairs]
        if any(low >= high for low, high in itertools.pairwise(packed)):
            raise Malformed("the keys of a mapping must ascend")
        return {shape(key).from_plain(k): shape(of).from_plain(v) for k, v in pairs}

    return _Shape(write, read)


def _union(members: tuple[Any, ...]) -> _Shape:
    """Members must differ in their plain kind (text, integer, array, …), so no tag is needed."""
    by_kind: dict[type, Any] = {}
    for member in members:
        kind = _plain_kind(member)
        if kind in by_kind:
            raise TypeError(f"two members of one kind in {members!r}")
        by_kind[kind] = member

    def write(value: Any) -> Plain:
        kind: type = type(value)
        if kind not in by_kind:
            kind = str if isinstance(value, enum.Enum) else tuple
        return shape(by_kind[kind]).to_plain(value)

    def read(plain: Plain) -> Any:
        if type(plain) not in by_kind:
            raise Malformed(f"{type(plain).__name__} found where it has no meaning")
        return shape(by_kind[type(plain)]).from_plain(plain)

    return _Shape(write, read)


def _plain_kind(of: Any) -> type:
    if isinstance(of, typing.NewType):
        return _plain_kind(of.__supertype__)
    if of in (bool, int, bytes, str, types.NoneType):
        return typing.cast("type", of)
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return type(next(iter(of)).value)
    return tuple


def _class(of: type) -> _Shape:
    @functools.cache
    def members() -> tuple[tuple[str, Any], ...]:
        return fields_of(of)

    def write(value: Any) -> Plain:
        return tuple(shape(hint).to_plain(getattr(value, name)) for name, hint in members())

    def read(plain: Plain) -> Any:
        items = _items(plain)
        if len(items) != len(members()):
            raise Malformed(f"{of.__name__} has {len(members())} fields, {len(items)} found")
        values = [shape(hint).from_plain(i) for (_, hint), i in zip(members(), items, strict=True)]
        try:
            return of(*values)
        except BrokenPiece as error:
            raise Malformed(f"{of.__name__}: {error}", code=error.code) from error
        except (ValueError, TypeError) as error:
            raise Malformed(f"{of.__name__}: {error}") from error

    return _Shape(write, read)
