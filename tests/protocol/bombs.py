"""Bombs by name: payloads of one frame that would cost a careless reader far more memory."""

from collections.abc import Mapping
from typing import Final

from protocol.encoding.packing import MAX_DEPTH
from protocol.frames import LIMIT_AFTER_LOGIN as LIMIT


def array(count: int) -> bytes:
    """Return the head of an array of `count` items, with a length of four bytes."""
    return b"\xdd" + count.to_bytes(4, "big")


def text(data: bytes, head: bytes = b"\xda") -> bytes:
    """Return the encoding of a long text; another `head` makes it bytes."""
    return head + len(data).to_bytes(2, "big") + data


def said(tag: str, count: int, rest: bytes) -> bytes:
    """Return the encoding of a message with a tag and `count` fields."""
    name = tag.encode()
    return bytes([0x91 + count, 0xA0 | len(name)]) + name + rest


def filled(head: bytes, piece: bytes, tail: bytes = b"") -> bytes:
    """Return a payload at most as long as the limit, filled with copies of a piece."""
    count = (LIMIT - len(head) - len(tail)) // len(piece)
    return head + piece * count + tail


def listed(piece: bytes) -> bytes:
    """Return a canonical array that fills the frame with copies of a piece."""
    count = min((LIMIT - 3) // len(piece), (1 << 16) - 1)
    return b"\xdc" + count.to_bytes(2, "big") + piece * count


_ROOM: Final = b"\xa4room"
_PILE: Final = "e\u0301\u0302\u0303\u0304".encode()

BOMBS: Final[Mapping[str, bytes]] = {
    "arrays nested to the end of the frame": b"\x91" * LIMIT,
    "arrays nested one too deep": b"\x91" * (MAX_DEPTH + 1) + b"\xc0",
    "arrays of two nested, half of each left open": b"\x92" * LIMIT,
    "long heads of nested arrays": filled(b"", array(1)),
    "an array that declares four billion items": array(0xFFFFFFFF),
    "an array that declares a million items and has some": filled(array(1_000_000), b"\xc0"),
    "a text that declares four billion bytes": b"\xdb\xff\xff\xff\xff" + b"x",
    "bytes that declare four billion": b"\xc6\xff\xff\xff\xff" + b"x",
    "an extension that declares four billion bytes": b"\xc9\xff\xff\xff\xff\x01x",
    "arrays that each declare as much as is left": filled(b"", array(LIMIT)),
    "a map that declares four billion pairs": b"\xdf\xff\xff\xff\xff",
    "a map of many pairs": filled(b"\xde\x7f\xfe", b"\xc0\xc0"),
    "a map with one key many times": filled(b"\xde\x00\x0f", b"\xa1k\xc0"),
    "many tiny extensions": listed(b"\xd4\x01\x00"),
    "many timestamps": listed(b"\xd6\xff\x00\x00\x00\x00"),
    "a number over 64 bits' sign": said("ping", 1, b"\xcf" + b"\xff" * 8),
    "a number that not every language holds": said(
        "ping", 1, b"\xcf\x00\x20" + b"\x00" * 5 + b"\x01"
    ),
    "many of the longest numbers": listed(b"\xcf" + b"\xff" * 8),
    "a number in a longer form than it needs": said("ping", 1, b"\xcf" + bytes(7) + b"\x01"),
    "not a number": said("ping", 1, b"\xcb\x7f\xf8" + bytes(6)),
    "infinity": said("ping", 1, b"\xca\x7f\x80\x00\x00"),
    "many floats": listed(b"\xcb\x7f\xf8" + bytes(6)),
    "nothing, as often as a frame holds it": listed(b"\xc0"),
    "empty arrays, as many as a frame holds": listed(b"\x90"),
    "small arrays, as many as a frame holds": listed(b"\x91\xc0"),
    "small texts, as many as a frame holds": listed(b"\xa2ab"),
    "empty maps, as many as a frame holds": listed(b"\x80"),
    "a pile of combining characters": said(
        "chat", 3, b"\x01" + _ROOM + text(filled(b"", _PILE)[: 9 * 7000])
    ),
    "a text that is no UTF-8": said("chat", 3, b"\x01" + _ROOM + text(b"\xff" * 60_000)),
    "half a pair of surrogates": said("chat", 3, b"\x01" + _ROOM + b"\xa3\xed\xa0\x80"),
    "a room whose name fills the frame": said("leave_table", 2, b"\x01" + text(b"r" * 65_000)),
    "picks as many as a frame holds": said(
        "answer", 4, b"\x01" + _ROOM + b"\x01" + b"\xdc\x7f\x00" + b"\xa1a" * 0x7F00
    ),
    "mapping pairs that do not ascend": said(
        "answer", 4, b"\x01" + _ROOM + b"\x01" + b"\xdc\x3f\x00" + b"\x92\xa1a\xc0" * 0x3F00
    ),
    "arrays of many, one in the other": filled(array(1000) * 24, b"\xc0"),
    "a message of two dozen long arrays": (
        b"\xdc\x00\x18" + (b"\xdc\x03\xe8" + b"\xc0" * 1000) * 24
    ),
    "small arrays in arrays of a thousand": (
        b"\xdc\x00\x14" + (b"\xdc\x03\xe8" + b"\x91\xc0" * 1000) * 20
    ),
    "a tag that fills the frame": b"\x91" + text(b"t" * 65_000),
    "bytes at the exact limit": text(bytes(LIMIT - 3), b"\xc5"),
    "one byte over the limit": text(bytes(LIMIT - 2), b"\xc5"),
}
"""Bombs by name. No message can have such a value, so all of them are refused."""
