"""A reader with a fault that lies behind four bytes, each looked at on a line of its own."""

from protocol.errors import Malformed


def planted(data: bytes) -> str:
    """Read a heading. KeyError for one single heading; Malformed for any other that is short."""
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
