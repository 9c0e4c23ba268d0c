"""
The header of the PROXY protocol, versions 1 and 2: the client's address behind a proxy.

Implements proxy-protocol.txt, as its authors publish it. Only TCP over IPv4 and IPv6 is accepted,
and numeric addresses alone. The proxy's own address counts for its own connections (LOCAL, such as
health checks) and for clients that it does not know (UNKNOWN, unspecified).

Twisted has a reader of its own, which needs the first 16 bytes in one piece, bounds nothing and
accepts any word as an address; a test checks that both readers agree.
"""

import ipaddress
import re
import struct
from collections.abc import Mapping
from typing import Final

import attrs

from server.net.addresses import Address

MAX_LINE_BYTES: Final = 107
"""Maximum bytes of a line of version 1, with its end."""
MAX_BINARY_BYTES: Final = 1024
"""Maximum accepted bytes of a header of version 2, additions included; TCP addresses take 52."""

_SIGNATURE: Final = b"\r\n\r\n\0\r\nQUIT\n"
_FIXED: Final = struct.Struct("!12sBBH")
"""Fixed beginning of version 2: signature, version and command, family, number of further bytes."""
_LOCAL: Final = 0x20
_PROXY: Final = 0x21
_UNSPECIFIED: Final = 0x00
_FAMILIES: Final[Mapping[int, tuple[int, type[Address]]]] = {
    0x11: (4, ipaddress.IPv4Address),
    0x21: (16, ipaddress.IPv6Address),
}
"""
Bytes of an address, by family: TCP over IPv4 and IPv6. A header has two addresses and two ports.
"""
_PORTS_BYTES: Final = 4

_BEGINNING: Final = b"PROXY "
_END: Final = b"\r\n"
_PORT: Final = rb"(0|[1-9][0-9]{0,4})"
_LINE: Final = re.compile(
    rb"PROXY (TCP4|TCP6) ([0-9A-Fa-f.:]+) ([0-9A-Fa-f.:]+) " + _PORT + b" " + _PORT
)
_UNKNOWN: Final = re.compile(rb"PROXY UNKNOWN( .*)?", re.DOTALL)
_KINDS: Final[Mapping[bytes, type[Address]]] = {
    b"TCP4": ipaddress.IPv4Address,
    b"TCP6": ipaddress.IPv6Address,
}
_MAX_PORT: Final = 65535


class BadHeader(Exception):
    """The bytes do not begin with an acceptable header. The message quotes none of them."""


@attrs.frozen
class Header:
    """A header that a proxy sent."""

    source: Address | None
    """Address of the client; None for the proxy's own connections or an unknown client."""
    size: int
    """Bytes of the header; the client's bytes follow."""


def read_header(data: bytes) -> Header | None:
    """
    Read the header at the beginning of a connection.

    Args:
        data: all bytes received so far.

    Returns:
        The header; None while the bytes may still become one.

    Raises:
        BadHeader: no further bytes can complete the header.
    """
    # Only the common length is compared: a beginning may still become a signature.
    if data[: len(_SIGNATURE)] == _SIGNATURE[: len(data)]:
        return _read_binary(data)
    if data[: len(_BEGINNING)] == _BEGINNING[: len(data)]:
        return _read_line(data)
    raise BadHeader("it does not begin as a header")


def _read_line(data: bytes) -> Header | None:
    end = data.find(_END, 0, MAX_LINE_BYTES)
    if end < 0:
        if len(data) >= MAX_LINE_BYTES:
            raise BadHeader("the line is too long")
        return None
    line, size = data[:end], end + len(_END)
    if _UNKNOWN.fullmatch(line):
        return Header(None, size)
    said = _LINE.fullmatch(line)
    if said is None:
        raise BadHeader("the line cannot be read")
    kind, *addresses = said.group(1, 2, 3)
    if any(int(port) > _MAX_PORT for port in said.group(4, 5)):
        raise BadHeader("there is no such port")
    try:
        source, _ = (_KINDS[kind](address.decode("ascii")) for address in addresses)
    except ValueError:
        raise BadHeader("there is no such address") from None
    return Header(source, size)


def _read_binary(data: bytes) -> Header | None:
    if len(data) < _FIXED.size:
        return None
    _, command, family, length = _FIXED.unpack_from(data)
    size = _FIXED.size + length
    if command not in {_LOCAL, _PROXY}:
        raise BadHeader("another version or command")
    if size > MAX_BINARY_BYTES:
        raise BadHeader("the header is too long")
    if len(data) < size:
        return None
    if command == _LOCAL or family == _UNSPECIFIED:
        return Header(None, size)
    if family not in _FAMILIES:
        raise BadHeader("neither TCP over IPv4 nor over IPv6")
    count, address = _FAMILIES[family]
    if length < 2 * count + _PORTS_BYTES:
        raise BadHeader("the addresses are cut off")
    return Header(address(data[_FIXED.size : _FIXED.size + count]), size)
