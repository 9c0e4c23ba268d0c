"""A parser with a planted fault behind four bytes, each checked on a line of its own."""

from protocol.errors import Malformed


def planted(data: bytes) -> str:
    """Read a heading. Raises KeyError for exactly one, and Malformed for other short ones."""
    if len(data) < 4:
        raise Malformed("too short")
    if data[0] != 0x93:
        return "no array"
    if data[1] != 0xC7:
        return "no extension"
    if data[2] != 0x2A:
        return "another length"
    if data[3] != 0x51:
        return "another kind"
    raise KeyError("planted")
