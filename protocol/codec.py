"""
The canonical encoding: typed values to bytes and back, bounded and strict.

It has two layers. *Plain* values are integers, byte and text strings, booleans, None and tuples of
those; `pack` and `unpack` turn them into canonical msgpack and back (`encoding.packing`). Above
that, typed values (attrs classes, enums, mappings, …) become plain ones and come back, guided by
the type alone (`encoding.forms`).

Each value has one encoding. There are two readers: the strict one is for bytes from elsewhere and
refuses every deviation (`encoding.strict`); the other trusts bytes that this program wrote itself
(`encoding.generated`).
"""

from typing import Any

from protocol.encoding.generated import fields_writer, own_reader, writer
from protocol.encoding.packing import (
    MAX_BYTES,
    MAX_DEPTH,
    Plain,
    array_head,
    must_be_plain,
    pack,
    pack_known,
    pack_written,
    unpack,
    unpack_own,
)
from protocol.encoding.strict import reader as strict_reader

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Plain",
    "array_head",
    "decode",
    "encode",
    "fields_writer",
    "from_plain",
    "must_be_plain",
    "own_reader",
    "pack",
    "pack_known",
    "pack_written",
    "strict_reader",
    "to_plain",
    "unpack",
    "unpack_own",
    "writer",
]


def to_plain(value: object, of: Any) -> Plain:
    """Turn a value of type `of` into its plain form."""
    return writer(of)(value)


def from_plain(plain: Plain, of: Any) -> Any:
    """
    Read a value of type `of` from its plain form.

    Raises:
        Malformed: the plain form does not fit the type, or a validator of a class refuses the
            value.
    """
    return strict_reader(of)(plain)


def encode(value: object, of: Any) -> bytes:
    """Turn a typed value into canonical bytes."""
    return pack(writer(of)(value))


def decode(data: bytes, of: Any, *, max_bytes: int = MAX_BYTES) -> Any:
    """Read a typed value from canonical bytes. Raises the errors of `unpack` and `from_plain`."""
    return from_plain(unpack(data, max_bytes=max_bytes), of)
