"""
Packing: plain values to canonical bytes and back.

Plain values are integers, byte and text strings, booleans, None and tuples of those. There is one
encoding of each: msgpack's shortest forms, no maps, no floats, no extensions. What would not
encode to the same bytes again is refused.
"""

import functools
import types
import typing
from collections.abc import Callable
from typing import Any

import msgpack

from protocol.errors import Malformed, OverLimit

Plain = None | bool | int | bytes | str | tuple["Plain", ...]
"""What the wire can carry."""

MAX_DEPTH = 24
"""How deep arrays may nest."""

MAX_BYTES = 1 << 24
"""How long one packed value may be at most, wherever it stands; frames have tighter limits."""


def pack(value: Plain) -> bytes:
    """Encode a plain value canonically. ValueError or TypeError on what is not plain."""
    must_be_plain(value)
    return pack_known(value)


def must_be_plain(value: object) -> None:
    """Raise TypeError or ValueError unless a value can be packed."""
    if type(value) not in _SCALARS:
        _check_plain((value,), MAX_DEPTH)


def pack_known(value: Plain) -> bytes:
    """Encode what is plain since it was made so here, unchecked. ValueError: too long a number."""
    try:
        return _pack(value)
    except OverflowError as error:
        raise ValueError(_TOO_LONG) from error


def pack_written(value: Plain) -> bytes:
    """
    Encode what a generated writer made of a value whose parts may be of wrong types.

    A float is refused, and whatever else is no scalar or tuple: lists, mappings, sets. A subclass
    of `str`, `int` or `tuple` has the bytes of what it would be read as. The writer sees to it that
    nothing nests too deep (`protocol.generated`).

    Raises:
        TypeError, ValueError: it cannot be encoded.
    """
    # In C, where a walk in Python takes as long as the packing: what can be changed has no hash.
    hash(value)
    try:
        packed = _pack(value)
    except OverflowError as error:
        raise ValueError(_TOO_LONG) from error
    if _FLOAT_HEAD in packed:
        # It may as well be a byte of a number or of a text.
        must_be_plain(value)
    return packed


_FLOAT_HEAD = 0xCB
"""As a number: bytes that are looked for in bytes are first tried as one, which costs an error."""
_TOO_LONG = "a number longer than 64 bits"


def array_head(count: int) -> bytes:
    """Return how the packed form of a tuple begins, before its items."""
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
    Decode bytes that `pack` made in this program or an earlier one: our store's, our own log's.

    Nothing is checked but that msgpack can read them; Malformed where it cannot.
    """
    try:
        return typing.cast("Plain", _unpack(data))
    except (ValueError, TypeError, msgpack.exceptions.UnpackException) as error:
        raise Malformed("bytes that are not one whole packed value") from error


def unpack(data: bytes, *, max_bytes: int = MAX_BYTES, max_items: int = MAX_BYTES) -> Plain:
    """
    Decode bytes that must be one canonical value, whole and nothing after it.

    Args:
        data: the bytes.
        max_bytes: how many they may be.
        max_items: how many items all arrays may have together.

    Raises:
        OverLimit: too long, too deep or of too many items.
        Malformed: everything else that is wrong.
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


# One packer for all: a fresh one for each value allocates its buffer anew, which costs more than
# the packing. No Python code runs inside `pack`, so that threads cannot meet in it.
_pack: Callable[[Plain], bytes] = msgpack.Packer(use_bin_type=True).pack
_unpack = functools.partial(msgpack.unpackb, use_list=False, raw=False, strict_map_key=True)

_SCALARS = frozenset((types.NoneType, bool, int, bytes, str))


def _check_plain(items: tuple[Any, ...], depth: int) -> None:
    """Raise TypeError or ValueError unless these are plain values, nested no deeper than so."""
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
    Refuse arrays nested over the limit, or of too many items, before a decoder builds them.

    Walks the structure with a stack of "items still to come" and stops at the first thing that
    it does not understand, which the decoder then refuses in its own words.
    """
    few_heads = len(data) - len(data.translate(None, _ARRAY_HEADS)) <= MAX_DEPTH
    if few_heads and len(data) <= max_items:
        # Too few bytes that could begin an array with anything in it, wherever they stand.
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
