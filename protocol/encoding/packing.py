"""
Packing: plain values to canonical bytes and back.

Plain values are integers, byte and text strings, booleans, None and tuples of those. Each has one
encoding: the shortest form of msgpack, without maps, floats and extensions. Bytes that would not
encode to the same bytes again are refused.
"""

import functools
import types
import typing
from collections.abc import Callable
from typing import Any

import msgpack

from protocol.errors import Malformed, OverLimit

Plain = None | bool | int | bytes | str | tuple["Plain", ...]
"""Any value that can be encoded."""

MAX_DEPTH = 24
"""Maximum depth of nested arrays."""

MAX_BYTES = 1 << 24
"""Maximum bytes of any packed value; frames have tighter limits."""


def pack(value: Plain) -> bytes:
    """Encode a plain value. ValueError or TypeError if it is not plain."""
    must_be_plain(value)
    return pack_known(value)


def must_be_plain(value: object) -> None:
    """Raise TypeError or ValueError if a value cannot be packed."""
    if type(value) not in _SCALARS:
        _check_plain((value,), MAX_DEPTH)


def pack_known(value: Plain) -> bytes:
    """Encode a value that is known to be plain, unchecked. ValueError if a number is too large."""
    try:
        return _pack(value)
    except OverflowError as error:
        raise ValueError(_TOO_LONG) from error


def pack_written(value: Plain) -> bytes:
    """
    Encode the output of a generated writer, whose parts may have wrong types.

    Floats are refused, and everything else that is not a scalar or a tuple: lists, mappings, sets.
    A subclass of `str`, `int` or `tuple` is encoded as its base class. The writer limits nesting
    itself (`protocol.encoding.generated`).

    Raises:
        TypeError, ValueError: the value cannot be encoded.
    """
    # Refuses lists, mappings and sets, which have no hash. It runs in C, while a check of each item
    # in Python would take as long as the packing.
    hash(value)
    try:
        packed = _pack(value)
    except OverflowError as error:
        raise ValueError(_TOO_LONG) from error
    if _FLOAT_HEAD in packed:
        # A float, or the same byte within a number or a text.
        must_be_plain(value)
    return packed


_FLOAT_HEAD = 0xCB
"""First byte of a float. An int, since `bytes in bytes` raises and catches an error internally."""
_TOO_LONG = "a number longer than 64 bits"


def array_head(count: int) -> bytes:
    """Return the packed head of a tuple of `count` items."""
    if count < len(_SHORT_HEADS):
        return _SHORT_HEADS[count]
    return (
        b"\xdc" + count.to_bytes(2, "big")
        if count < 1 << 16
        else b"\xdd" + count.to_bytes(4, "big")
    )


_SHORT_HEADS = tuple(bytes([0x90 | count]) for count in range(16))


def unpack_own(data: bytes) -> Plain:
    """
    Decode bytes of our own store or log, which `pack` made.

    Nothing is checked. Malformed if msgpack cannot read them.
    """
    try:
        return typing.cast("Plain", _unpack(data))
    except (ValueError, TypeError, msgpack.exceptions.UnpackException) as error:
        raise Malformed("bytes that are not one whole packed value") from error


def unpack(data: bytes, *, max_bytes: int = MAX_BYTES, max_items: int = MAX_BYTES) -> Plain:
    """
    Decode bytes that must be exactly one canonical value.

    Args:
        data: the bytes, from anywhere.
        max_bytes: most bytes of `data`.
        max_items: most items of all arrays together.

    Raises:
        OverLimit: the value is too long, too deep or has too many items.
        Malformed: `data` is anything else but one canonical value.
    """
    if len(data) > max_bytes:
        raise OverLimit(f"a value of {len(data)} bytes; the limit is {max_bytes}")
    _check_nesting(data, max_items)
    try:
        value = msgpack.unpackb(
            data,
            use_list=False,
            raw=False,
            strict_map_key=True,
            # No part can be longer than the data, whatever length its head announces.
            max_str_len=len(data),
            max_bin_len=len(data),
            max_array_len=len(data),
            max_map_len=0,
            max_ext_len=0,
        )
    except (ValueError, TypeError, msgpack.exceptions.UnpackException) as error:
        # msgpack raises half a dozen kinds of error for broken input.
        raise Malformed("bytes that are not one whole packed value") from error
    # One value has one encoding and one hash; else two logs could say the same with other heads.
    try:
        again = pack(value)
    except (TypeError, ValueError) as error:
        raise Malformed(f"a value the encoding does not have: {error}") from error
    if again != data:
        raise Malformed("not the canonical form of its value")
    return typing.cast("Plain", value)


# One packer for all: a new one allocates a buffer, which costs more than packing. It is safe with
# threads, since no Python code runs inside of `pack`.
_pack: Callable[[Plain], bytes] = msgpack.Packer(use_bin_type=True).pack
_unpack = functools.partial(msgpack.unpackb, use_list=False, raw=False, strict_map_key=True)

_SCALARS = frozenset((types.NoneType, bool, int, bytes, str))


def _check_plain(items: tuple[Any, ...], depth: int) -> None:
    """Raise TypeError or ValueError unless these are plain values, nested at most `depth` deep."""
    for item in items:
        # The exact type: msgpack's extensions arrive as a subclass of tuple.
        kind = type(item)
        if kind in _SCALARS:
            continue
        if kind is not tuple:
            raise TypeError(f"a {kind.__name__} stands where the encoding has none")
        if not depth:
            raise ValueError(f"nested deeper than {MAX_DEPTH}")
        _check_plain(item, depth - 1)


def _check_nesting(data: bytes, max_items: int) -> None:
    """
    Refuse arrays that are nested too deep or have too many items, before a decoder builds them.

    A few bytes can announce millions of items, for which a decoder would allocate memory. This
    walks the structure with a stack of items still to come. It stops at the first byte that it does
    not understand, which the decoder will refuse.
    """
    few_heads = len(data) - len(data.translate(None, _ARRAY_HEADS)) <= MAX_DEPTH
    if few_heads and len(data) <= max_items:
        # Too few bytes could be the head of an array that is not empty.
        return
    left: list[int] = []
    at = count = 0
    while at < len(data):
        first = data[at]
        size, items = _span(data, at, first)
        at += size
        if items is not None and items > 0:
            count += items
            if count > max_items:
                raise OverLimit(f"more than {max_items} items")
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
    """
    Return the length in bytes of the item at `at`, whose first byte is `first`, and None.

    For an array, return the length of its head and the number of its items.
    """
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
