"""A network in memory on a fake clock: delayed links without TLS to one server.

Bytes, ends of connections and back pressure behave as on a socket; both ends of a link have the
same exporter value, which differs from link to link.
"""

import itertools
from typing import Any, Protocol, cast

import attrs
from twisted.internet.address import IPv4Address
from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.error import ConnectError, ConnectionDone, ConnectionLost
from twisted.internet.task import Clock
from twisted.python.failure import Failure

BUFFER_BYTES = 64 * 1024
"""Bytes written and not yet taken by the other end, above which an end pauses its producer."""


class Spoken(Protocol):
    """A Twisted protocol with TLS, as used at both ends of a link."""

    def makeConnection(self, transport: Any) -> None:
        pass

    def handshakeCompleted(self) -> None:
        pass

    def dataReceived(self, data: bytes) -> None:
        pass

    def connectionLost(self, reason: Failure) -> None:
        pass


@attrs.define(eq=False)
class End:
    """One end of a link: the transport of one protocol."""

    network: "MemoryNetwork"
    exporter: bytes
    protocol: Spoken
    peer: "End | None" = None
    written: bytearray = attrs.field(factory=bytearray)
    """All bytes ever written at this end."""
    unread_bytes: int = 0
    """Bytes written at this end that the other end has not taken yet."""
    is_reading: bool = True
    """True if this end takes arriving data; set to False for a slow reader."""
    waiting: list[bytes] = attrs.field(factory=list)
    """Data that arrived while this end did not read."""
    is_closed: bool = False
    producer: Any = None
    held_until: float = 0.0
    """Time before which nothing from this end arrives, the end of the link included."""
    _arrives: float = 0.0
    """Time at which the last bytes arrive; later bytes arrive no earlier."""

    def write(self, data: bytes) -> None:
        """Send bytes; they arrive after the network's delay."""
        if self.is_closed:
            return
        self.written += data
        self.unread_bytes += len(data)
        self.network.clock.callLater(self._way(), self._arrive, bytes(data))
        if self.producer is not None and self.unread_bytes > BUFFER_BYTES:
            self.producer.pauseProducing()

    def loseConnection(self) -> None:
        """Close; the other end notices once it has read everything that was written."""
        if not self.is_closed:
            self.is_closed = True
            self.network.clock.callLater(self._way(), self._close_when_read)

    def abortConnection(self) -> None:
        """Close now; the other end loses what is still under way."""
        self.is_closed = True
        held = max(0.0, self.held_until - self.network.clock.seconds())
        self.network.clock.callLater(0, self._end, ConnectionLost())
        if self.peer is not None:
            self.network.clock.callLater(held, self.peer._end, ConnectionLost())

    def registerProducer(self, producer: Any, streaming: bool) -> None:
        assert streaming
        self.producer = producer

    def unregisterProducer(self) -> None:
        self.producer = None

    def pauseProducing(self) -> None:
        self.is_reading = False

    def resumeProducing(self) -> None:
        self.network.clock.callLater(0, self.read_on)

    def read_on(self) -> None:
        """Resume reading: deliver what has arrived."""
        self.is_reading = True
        waiting, self.waiting = self.waiting, []
        for data in waiting:
            self._take(data)

    def _arrive(self, data: bytes) -> None:
        peer = self.peer
        assert peer is not None
        if peer.is_reading:
            peer._take(data)
        else:
            peer.waiting.append(data)

    def _take(self, data: bytes) -> None:
        peer = self.peer
        assert peer is not None
        peer.unread_bytes -= len(data)
        if not self.is_closed:
            for piece in self.network.slices(data):
                self.protocol.dataReceived(piece)
        if peer.producer is not None and peer.unread_bytes <= BUFFER_BYTES // 2:
            peer.producer.resumeProducing()

    def _close_when_read(self) -> None:
        if self.unread_bytes:
            self.network.clock.callLater(self.network.delay, self._close_when_read)
        else:
            self._end(ConnectionDone())
            if self.peer is not None:
                self.peer._end(ConnectionDone())

    def _way(self) -> float:
        """Return the seconds until bytes sent now arrive; bytes arrive in order."""
        now = self.network.clock.seconds()
        self._arrives = max(now + self.network.delay, self.held_until, self._arrives)
        return self._arrives - now

    def vanish(self) -> None:
        """End without notice to the other end, as when the machine loses power."""
        self.is_closed = True
        if self in self.network.ends:
            self.network.ends.remove(self)

    def _end(self, reason: Exception) -> None:
        if self in self.network.ends:
            self.vanish()
            self.protocol.connectionLost(cast("Any", Failure)(reason))


@attrs.define(eq=False)
class MemoryNetwork:
    """Links to one server. It is the client's endpoint, and reads exporter values."""

    clock: Clock
    factory: Any = None
    """The server's factory of sessions; None while the server is down."""
    delay: float = 0.01
    """Seconds from one end to the other."""
    slice_bytes: int = 1 << 20
    """Maximum bytes that arrive in one piece; 1 for byte by byte."""
    ends: list[End] = attrs.field(factory=list)
    _count: Any = attrs.field(factory=itertools.count, repr=False)

    def connect(self, protocolFactory: Any) -> Deferred[Any]:
        """Connect a client's protocol to the server; fails if the server is down or full."""
        session = self.factory and self.factory.buildProtocol(IPv4Address("TCP", "192.0.2.1", 9))
        if session is None:
            return fail(cast("Any", ConnectError)(string="nobody listens there"))
        client = protocolFactory.buildProtocol(None)
        self.link(client, session)
        return succeed(client)

    def link(self, client: Spoken, server: Spoken, *, relayed: bool = False) -> tuple[End, End]:
        """Link two protocols, and complete the handshake of both."""
        number = next(self._count)
        exporters = [f"link {number} {side if relayed else ''}".encode() for side in "ab"]
        one, other = (
            End(self, exporter.ljust(32, b"."), protocol)
            for exporter, protocol in zip(exporters, (client, server), strict=True)
        )
        one.peer, other.peer = other, one
        self.ends += [one, other]
        server.makeConnection(other)
        client.makeConnection(one)
        server.handshakeCompleted()
        client.handshakeCompleted()
        return one, other

    def cut(self) -> None:
        """Break every link, as when a cable is pulled."""
        for end in tuple(self.ends):
            end.abortConnection()

    def settle(self, seconds: float = 1.0) -> None:
        """Let time pass in small steps, so that everything under way arrives."""
        for _ in range(round(seconds / 0.01)):
            self.clock.advance(0.01)

    def slices(self, data: bytes) -> list[bytes]:
        """Cut arriving bytes into pieces."""
        return [data[at : at + self.slice_bytes] for at in range(0, len(data), self.slice_bytes)]


def read_exporter(transport: object) -> bytes:
    """Return the exporter value of an end."""
    return cast("End", transport).exporter
