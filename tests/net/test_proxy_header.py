"""The PROXY header: how it is parsed, and what is refused."""

import ipaddress
import itertools
import random

import pytest
from twisted.protocols.haproxy._exceptions import InvalidProxyHeader
from twisted.protocols.haproxy._v1parser import V1Parser
from twisted.protocols.haproxy._v2parser import V2Parser

from server.net.proxy_header import (
    MAX_BINARY_BYTES,
    MAX_LINE_BYTES,
    BadHeader,
    Header,
    read_header,
)

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
PORTS = b"\xdc\x04\x11\x76"
FOUR = bytes([192, 0, 2, 7, 192, 0, 2, 1]) + PORTS
SIX = (
    ipaddress.ip_address("2001:db8::7").packed + ipaddress.ip_address("2001:db8::1").packed + PORTS
)


def binary(command: int, family: int, body: bytes) -> bytes:
    """Return a header of version 2."""
    return SIGNATURE + bytes([command, family]) + len(body).to_bytes(2, "big") + body


GOOD = {
    "line, IPv4": (b"PROXY TCP4 192.0.2.7 192.0.2.1 56324 4470\r\n", "192.0.2.7"),
    "line, IPv6": (b"PROXY TCP6 2001:DB8::7 2001:db8::1 56324 4470\r\n", "2001:db8::7"),
    "line, IPv4 in IPv6": (b"PROXY TCP6 ::ffff:192.0.2.7 ::1 0 65535\r\n", "::ffff:192.0.2.7"),
    "line, the longest": (
        b"PROXY TCP6 " + b" ".join([b"ffff:" * 7 + b"ffff"] * 2) + b" 65535 65535\r\n",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ),
    "line, unknown": (b"PROXY UNKNOWN\r\n", None),
    "line, unknown with more": (b"PROXY UNKNOWN " + b"f" * 91 + b"\r\n", None),
    "binary, IPv4": (binary(0x21, 0x11, FOUR), "192.0.2.7"),
    "binary, IPv6": (binary(0x21, 0x21, SIX), "2001:db8::7"),
    "binary, with more": (binary(0x21, 0x11, FOUR + b"\x04\0\3abc"), "192.0.2.7"),
    "binary, local": (binary(0x20, 0x00, b""), None),
    "binary, local with addresses": (binary(0x20, 0x11, FOUR), None),
    "binary, local of a family that is none": (binary(0x20, 0x77, b"xyz"), None),
    "binary, unspecified": (binary(0x21, 0x00, b"\x03\0\4abcd"), None),
    "binary, the longest": (
        binary(0x21, 0x11, FOUR + bytes(MAX_BINARY_BYTES - 16 - len(FOUR))),
        "192.0.2.7",
    ),
}
"""Valid headers by name, each with the address of the client."""

BAD = {
    "TLS": b"\x16\x03\x01\x02\x00\x01",
    "a request": b"GET / HTTP/1.0\r\n\r\n",
    "small letters": b"proxy TCP4 192.0.2.7 192.0.2.1 1 2\r\n",
    "two spaces": b"PROXY  TCP4 192.0.2.7 192.0.2.1 1 2\r\n",
    "a tab": b"PROXY TCP4\t192.0.2.7 192.0.2.1 1 2\r\n",
    "no kind": b"PROXY\r\n",
    "another kind": b"PROXY UDP4 192.0.2.7 192.0.2.1 1 2\r\n",
    "unknown, and glued": b"PROXY UNKNOWNS\r\n",
    "a name": b"PROXY TCP4 localhost 192.0.2.1 1 2\r\n",
    "a name of letters that numbers have": b"PROXY TCP6 face 192.0.2.1 1 2\r\n",
    "IPv6 as IPv4": b"PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n",
    "IPv4 as IPv6": b"PROXY TCP6 192.0.2.7 192.0.2.1 1 2\r\n",
    "a part too large": b"PROXY TCP4 192.0.2.256 192.0.2.1 1 2\r\n",
    "leading zeros": b"PROXY TCP4 192.0.02.7 192.0.2.1 1 2\r\n",
    "a bad destination": b"PROXY TCP4 192.0.2.7 192.0.2 1 2\r\n",
    "a zone": b"PROXY TCP6 fe80::1%eth0 fe80::2 1 2\r\n",
    "no ports": b"PROXY TCP4 192.0.2.7 192.0.2.1\r\n",
    "one port": b"PROXY TCP4 192.0.2.7 192.0.2.1 1\r\n",
    "a port too large": b"PROXY TCP4 192.0.2.7 192.0.2.1 65536 2\r\n",
    "a destination's port too large": b"PROXY TCP4 192.0.2.7 192.0.2.1 1 65536\r\n",
    "a port with a sign": b"PROXY TCP4 192.0.2.7 192.0.2.1 +1 2\r\n",
    "a port with a zero": b"PROXY TCP4 192.0.2.7 192.0.2.1 01 2\r\n",
    "a port in other digits": b"PROXY TCP4 192.0.2.7 192.0.2.1 \xd9\xa1 2\r\n",
    "more at the end": b"PROXY TCP4 192.0.2.7 192.0.2.1 1 2 3\r\n",
    "half an end": b"PROXY TCP4 192.0.2.7 192.0.2.1 1 2\n" + b"x" * 99 + b"\r\n",
    "a line too long": b"PROXY UNKNOWN " + b"f" * (MAX_LINE_BYTES - 15) + b"\r\n",
    "a line without end": b"PROXY TCP4 " + b"1" * 200,
    "version 1 in binary": binary(0x11, 0x11, FOUR),
    "another command": binary(0x22, 0x11, FOUR),
    "datagrams": binary(0x21, 0x12, FOUR),
    "a UNIX socket": binary(0x21, 0x31, bytes(216)),
    "a family without a protocol": binary(0x21, 0x10, FOUR),
    "a family that is none": binary(0x21, 0x41, FOUR),
    "addresses cut off": binary(0x21, 0x11, FOUR[:-1]),
    "IPv4 for IPv6": binary(0x21, 0x21, FOUR),
    "no addresses": binary(0x21, 0x21, b""),
    "binary, too long": binary(0x21, 0x11, bytes(MAX_BINARY_BYTES - 15)),
    "local, too long": binary(0x20, 0x00, bytes(65535)),
}


@pytest.mark.parametrize(("data", "source"), GOOD.values(), ids=GOOD)
def test_a_header_is_read(data: bytes, source: str | None) -> None:
    expected = Header(None if source is None else ipaddress.ip_address(source), len(data))

    assert read_header(data) == expected
    assert read_header(data + b"PROXY TCP4 \x16\x03\r\n") == expected


@pytest.mark.parametrize("data", [data for data, _ in GOOD.values()], ids=GOOD)
def test_a_header_that_is_not_whole_is_awaited(data: bytes) -> None:
    assert {read_header(data[:end]) for end in range(len(data))} == {None}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_what_is_no_header_is_refused(data: bytes) -> None:
    with pytest.raises(BadHeader) as caught:
        read_header(data)

    assert str(caught.value)
    assert not any(word in str(caught.value) for word in ("192", "2001", "localhost", "UDP4"))


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_what_is_no_header_is_refused_byte_by_byte(data: bytes) -> None:
    outcomes = [is_refused(data[:end]) for end in range(len(data) + 1)]

    assert outcomes == sorted(outcomes)
    assert outcomes[-1]


@pytest.mark.parametrize("begins", [b"PROXY UNKNOWN ", binary(0x21, 0x11, b"")[:14] + b"\xff\xff"])
def test_only_so_much_is_awaited(begins: bytes) -> None:
    assert is_refused(begins + bytes(MAX_LINE_BYTES))


def is_refused(data: bytes) -> bool:
    """True if these bytes cannot begin a header."""
    try:
        read_header(data)
    except BadHeader:
        return True
    return False


def test_twisted_reads_the_same() -> None:
    chance = random.Random(13)
    good = [data for data, _ in GOOD.values()]
    damaged = (
        bytes(chance.randrange(256) if chance.random() < 0.03 else byte for byte in data)
        for data in itertools.islice(itertools.cycle(good), 4000)
    )
    compared = 0
    for data in (*good, *damaged):
        header = None if is_refused(data) else read_header(data)
        if header is None or header.source is None:
            continue
        compared += 1
        assert as_twisted_reads(data[: header.size]) == header.source, data

    assert compared > 500


def as_twisted_reads(data: bytes) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that Twisted's parser reads from a header."""
    read = V2Parser.parse if data.startswith(SIGNATURE) else V1Parser.parse
    source = read(data.removesuffix(b"\r\n") if data.startswith(b"PROXY") else data).source
    return None if source is None else ipaddress.ip_address(source.host)


def test_twisted_takes_what_we_refuse() -> None:
    """Twisted's parser also refuses what is allowed, and raises undocumented errors."""
    assert V1Parser.parse(BAD["a name"][:-2]).source.host == "localhost"  # type: ignore[union-attr]  # one of TCP
    with pytest.raises(ValueError, match="invalid literal"):
        V1Parser.parse(b"PROXY TCP4 192.0.2.7 192.0.2.1 a b")
    with pytest.raises(InvalidProxyHeader):
        V1Parser.parse(b"PROXY UNKNOWN")
    with pytest.raises(InvalidProxyHeader):
        V2Parser().feed(GOOD["binary, IPv4"][0][:15])
