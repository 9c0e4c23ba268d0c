"""Connections from trusted proxies, in memory: the header, and the bytes after it."""

import ipaddress
from collections.abc import Callable, Iterator
from typing import Any, cast
from unittest import mock

import attrs
import pytest
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.protocol import Protocol, connectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.logger import LogEvent, LogLevel, globalLogPublisher

from server.net import proxied, proxy_header
from server.net.addresses import is_within, network_named
from server.net.gate import Gate, Place
from server.net.limits import PlaceLimits
from server.net.proxied import Entrance, ProxiedConnection
from tests.net import test_proxy_header as headers
from tests.net.test_proxy_header import BAD, GOOD

PROXY = IPv4Address("TCP", "198.51.100.1", 5555)
STRANGER = IPv4Address("TCP", "203.0.113.1", 5555)
LINE = GOOD["line, IPv4"][0]
LOCAL = GOOD["binary, local"][0]

# Twisted does not say what it takes.
make_transport: Any = StringTransport

pytestmark = pytest.mark.issue(13)


class Heard(Protocol):
    """A protocol that records what comes after the header."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.data = b""
        self.is_over = False

    def dataReceived(self, data: bytes) -> None:
        self.data += data

    def connectionLost(self, reason: Any = connectionDone) -> None:
        self.is_over = True


@attrs.define
class House:
    """An entrance with one trusted proxy."""

    limits: PlaceLimits = attrs.field(factory=PlaceLimits)
    clock: Clock = attrs.field(factory=Clock)
    inside: list[Heard] = attrs.field(factory=list)
    is_stopping: bool = False
    gate: Gate = attrs.field(init=False)
    entrance: Entrance = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.gate = Gate(self.limits, self.clock)
        trusted = (network_named("198.51.100.0/24"), network_named("2001:db8:5::/48"))
        self.entrance = Entrance(trusted, self.gate, self.clock, self._connect)

    def _connect(self, addr: Any) -> Protocol | None:
        if self.is_stopping:
            return None
        self.inside.append(Heard(addr.host))
        return self.inside[-1]

    def connect(self, addr: Any = PROXY) -> tuple[Protocol, Any]:
        """Connect from an address."""
        connection, transport = self.entrance.buildProtocol(addr), make_transport()
        assert connection is not None
        cast("Any", connection).makeConnection(transport)
        return connection, transport

    def is_left(self) -> bool:
        """True if nobody waits for a header any more."""
        is_empty = not self.entrance.waiting and not self.gate.waiting_count
        return is_empty and not self.clock.getDelayedCalls()


@pytest.fixture
def events() -> Iterator[list[LogEvent]]:
    seen: list[LogEvent] = []
    globalLogPublisher.addObserver(cast("Any", seen.append))
    yield seen
    globalLogPublisher.removeObserver(cast("Any", seen.append))


@pytest.mark.parametrize(("header", "source"), GOOD.values(), ids=GOOD)
def test_what_follows_the_header_is_of_whom_it_names(header: bytes, source: str | None) -> None:
    data = header + b"\x16\x03hello"
    cuts = [[data], [data[n : n + 1] for n in range(len(data))]]
    cuts += [[data[:at], data[at:]] for at in range(1, len(data), 1 + len(data) // 60)]
    for pieces in cuts:
        house = House()
        connection, transport = house.connect()
        for piece in pieces:
            connection.dataReceived(piece)

        named = (source or PROXY.host).removeprefix("::ffff:")
        assert [(one.host, one.data) for one in house.inside] == [(named, b"\x16\x03hello")]
        assert house.inside[0].transport is transport
        assert house.is_left()


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_a_proxy_without_a_good_header_is_closed(data: bytes) -> None:
    house = House()
    connection, transport = house.connect()

    connection.dataReceived(data)
    connection.dataReceived(LINE)

    assert transport.disconnected
    assert transport.value() == b""
    assert house.inside == []
    assert house.is_left()


def test_a_header_has_five_seconds() -> None:
    house = House()
    connection, transport = house.connect()
    for byte in LINE[:-1]:
        connection.dataReceived(bytes([byte]))
        house.clock.advance(5 / len(LINE))

    house.clock.advance(5 / len(LINE))

    assert transport.disconnected
    assert house.inside == []
    assert house.is_left()


def test_a_header_from_anybody_else_is_not_read() -> None:
    house = House()
    connection, _ = house.connect(STRANGER)

    connection.dataReceived(LINE)

    assert [(one.host, one.data) for one in house.inside] == [(STRANGER.host, LINE)]


def test_a_proxy_may_speak_ipv6() -> None:
    house = House()
    for host in ("2001:db8:5:1::9", "::ffff:198.51.100.7"):
        connection, _ = house.connect(IPv6Address("TCP", host, 5555))
        connection.dataReceived(LINE)

    assert [one.host for one in house.inside] == ["192.0.2.7"] * 2


def test_a_connection_that_waits_for_its_header_makes_way() -> None:
    house = House(PlaceLimits(handshakes=2))
    transports = [house.connect()[1] for _ in range(3)]

    assert [each.disconnected for each in transports] == [True, False, False]
    assert len(house.entrance.waiting) == 2


def test_many_may_wait_for_a_header_at_once() -> None:
    """A restarted proxy connects all its clients at once, so it has no limit per address."""
    house = House(PlaceLimits(waiting_per_address=1))
    transports = [house.connect()[1] for _ in range(100)]

    assert not any(each.disconnected for each in transports)


def test_a_connection_that_ends_before_its_header_leaves_nothing() -> None:
    """A program that only checks whether the port is open ends its connection like this."""
    house = House()
    connection, _ = house.connect()

    connection.connectionLost()

    assert house.inside == []
    assert house.is_left()


def test_the_end_of_a_connection_is_told() -> None:
    house = House()
    connection, _ = house.connect()
    connection.dataReceived(LOCAL)

    connection.connectionLost()

    assert house.inside[0].is_over


def test_who_comes_while_the_server_stops_is_closed() -> None:
    house = House(is_stopping=True)
    connection, transport = house.connect()

    connection.dataReceived(LINE)

    assert transport.disconnected
    assert house.is_left()


def test_stopping_drops_who_waits_for_a_header() -> None:
    house = House()
    _, transport = house.connect()

    house.entrance.stop()

    assert transport.disconnected
    assert house.is_left()


def test_an_operator_is_warned_once_of_a_proxy_without_headers(events: list[LogEvent]) -> None:
    house = House()
    for _ in range(2):
        connection, _ = house.connect()
        connection.dataReceived(b"canary\r\n")

    levels = [event["log_level"] for event in events if event.get("host") == PROXY.host]
    assert levels == [LogLevel.warn, LogLevel.info]
    assert "canary" not in str(events)


@pytest.mark.parametrize(
    ("host", "is_trusted"),
    [
        ("192.0.2.7", True),
        ("192.0.2.8", False),
        ("::ffff:192.0.2.7", True),
        ("10.1.255.255", True),
        ("10.2.0.0", False),
        ("fd00::1", True),
        ("fe80::1%eth0", False),
        ("local", False),
        ("", False),
    ],
)
def test_a_proxy_is_known_by_its_address(host: str, is_trusted: bool) -> None:
    named = tuple(map(network_named, ("192.0.2.7", "10.1.0.0/16", "fd00::/8")))

    assert is_within(host, named) == is_trusted


@pytest.mark.parametrize("text", ["", "localhost", "10.1.0.1/16", "192.0.2", "::ffff:192.0.2.7"])
def test_what_is_no_network_is_refused(text: str) -> None:
    """A host name is refused, too, since its address can change."""
    with pytest.raises(ValueError, match=r"."):
        network_named(text)


def test_a_network_can_be_everything() -> None:
    """An operator may have a firewall before the server."""
    assert network_named("0.0.0.0/0") == ipaddress.ip_network("0.0.0.0/0")


FAULTS: dict[str, tuple[Any, str, Any, Callable[[], None]]] = {
    "everybody is believed": (
        proxied,
        "is_within",
        lambda *_: True,
        test_a_header_from_anybody_else_is_not_read,
    ),
    "a header has all the time that it wants": (
        ProxiedConnection,
        "_too_late",
        lambda _: None,
        test_a_header_has_five_seconds,
    ),
    "who is not named counts for an address": (
        proxied,
        "UNSAID",
        "the proxy",
        test_many_may_wait_for_a_header_at_once,
    ),
    "who waits for a header has no place": (
        Gate,
        "enter",
        lambda _, network, drop: Place(network, drop, 0.0),
        test_a_connection_that_waits_for_its_header_makes_way,
    ),
    "who goes keeps its place": (
        Gate,
        "leave",
        lambda *_: None,
        test_a_connection_that_ends_before_its_header_leaves_nothing,
    ),
    "a line may be of any length": (
        proxy_header,
        "MAX_LINE_BYTES",
        1 << 20,
        lambda: headers.test_only_so_much_is_awaited(b"PROXY UNKNOWN "),
    ),
    "a header may announce any length": (
        proxy_header,
        "MAX_BINARY_BYTES",
        1 << 20,
        lambda: test_a_proxy_without_a_good_header_is_closed(BAD["local, too long"][:1000]),
    ),
    "any kind is believed": (
        proxy_header,
        "_FAMILIES",
        {0x12: (4, ipaddress.IPv4Address)},
        lambda: test_a_proxy_without_a_good_header_is_closed(BAD["datagrams"]),
    ),
}
"""Planted faults: the object, the attribute, its false value, and the test that fails."""


@pytest.mark.parametrize(("owner", "name", "fault", "sees"), FAULTS.values(), ids=FAULTS)
def test_without_its_guard_a_header_does_harm(
    owner: Any, name: str, fault: Any, sees: Callable[[], None]
) -> None:
    with mock.patch.object(owner, name, fault), pytest.raises(AssertionError):
        sees()
