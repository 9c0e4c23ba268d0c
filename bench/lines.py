"""
Connections of the load generator, to our server as by our own client, and to the bare server.

Data is timestamped at the socket in both directions (`bench.stamps`), so that no latency includes
the work of the load generator.
"""

from collections.abc import Callable
from typing import Any, Final, cast
from typing import Protocol as TypingProtocol

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import TCP4ClientEndpoint, connectProtocol
from twisted.internet.protocol import Protocol
from twisted.internet.protocol import connectionDone as connection_done
from twisted.python.failure import Failure

from bench import bare
from bench.processes import Process
from bench.stamps import NoStamps, Stamps, stamped
from client.net.line import LineProtocol
from client.net.tls import ClientTls, TlsEndpoint, read_exporter
from protocol import messages
from protocol.keys import SigningKey
from protocol.login import ClientLogin

PER_ADDRESS: Final = 50
"""The number of connections per loopback address, below the limit of a server."""
# A client must send something every 30 seconds.
PING_SECONDS: Final = 25.0

HOST: Final = "127.0.0.1"
# Twisted does not say what it takes.
_connect: Any = connectProtocol


class Lost(Exception):
    """A connection ended too early."""


class Reachable(TypingProtocol):
    """A server to which lines connect."""

    def endpoint(self, reactor: Any, number: int) -> Any:
        """Return the Twisted endpoint for the connection with a number, from 0."""


@attrs.frozen
class Remote:
    """A server in another process, reached by TLS."""

    process: Process

    def endpoint(self, reactor: Any, number: int) -> TlsEndpoint:
        # All of 127.0.0.0/8 is this machine, so each block has an address of its own.
        block = number // PER_ADDRESS
        mine = (f"127.0.{1 + block // 250}.{1 + block % 250}", 0)
        tcp = TCP4ClientEndpoint(reactor, HOST, self.process.port, bindAddress=mine)
        return TlsEndpoint(cast("Any", tcp), ClientTls(HOST), reactor)


class _StampedLine(LineProtocol):
    """Handles messages only after the socket has been read empty, so that timestamps are exact."""

    def __init__(
        self, reactor: Any, owner: "Line", start_login: Callable[[object], ClientLogin]
    ) -> None:
        super().__init__(owner, start_login)
        self._reactor = reactor
        self.stamps: Stamps = NoStamps()
        self.bytes_received = 0
        self.is_deaf = False
        self._came = b""

    def connectionMade(self) -> None:
        super().connectionMade()
        self.stamps = stamped(self.transport)

    def dataReceived(self, data: bytes) -> None:
        self.bytes_received += len(data)
        if self.is_deaf:
            return
        if not self._came:
            self._reactor.callLater(0, self._take_all)
        self._came += data

    def _take_all(self) -> None:
        came, self._came = self._came, b""
        super().dataReceived(came)


class Line:
    """One player's connection to our server."""

    def __init__(self, reactor: Any, name: str, key: SigningKey) -> None:
        self.name, self.key, self._reactor = name, key, reactor
        self.on_records: Callable[[messages.Records], None] = lambda _: None
        self.is_closed = False
        self._serial = 0
        self._replies: dict[int, Deferred[messages.ServerMessage]] = {}
        self._ready: Deferred[None] = Deferred()
        self._line = _StampedLine(reactor, self, self._login)

    @property
    def stamps(self) -> Stamps:
        """Timestamps of the last write and read."""
        return self._line.stamps

    @property
    def bytes_received(self) -> int:
        """Bytes received, without TLS."""
        return self._line.bytes_received

    def connect(self, server: Reachable, number: int) -> Deferred[None]:
        """Connect and log in; the result fires after the login."""
        way = server.endpoint(self._reactor, number)
        _ = _connect(way, self._line).addErrback(self._failed)
        return self._ready

    def listen_no_more(self) -> None:
        """Discard all further input."""
        self._line.is_deaf = True

    def close(self) -> None:
        self.is_closed = True
        self._line.close()

    def write(self, data: bytes) -> None:
        """Send bytes without a change."""
        cast("Any", self._line.transport).write(data)

    def say(self, make: Callable[..., messages.ClientMessage], *fields: object) -> int:
        """Send a message; return its serial."""
        self._serial += 1
        self._line.send(make(self._serial, *fields))
        return self._serial

    def ask(
        self, make: Callable[..., messages.ClientMessage], *fields: object
    ) -> Deferred[messages.ServerMessage]:
        """Send a message; the result fires with its reply, even if the reply is a refusal."""
        reply: Deferred[messages.ServerMessage] = Deferred()
        self._replies[self.say(make, *fields)] = reply
        return reply

    def _login(self, transport: object) -> ClientLogin:
        return ClientLogin(self.key, self.name, "en", read_exporter(transport), None)

    # What its line tells

    def line_secured(self, line: LineProtocol) -> None: ...

    def line_ready(self, line: LineProtocol, login: ClientLogin) -> None:  # noqa: ARG002 (its owner's)
        self._ready.callback(None)
        self._ping()

    def line_said(self, line: LineProtocol, message: messages.ServerMessage) -> None:  # noqa: ARG002 (its owner's)
        if isinstance(message, messages.Records):
            self.on_records(message)
            return
        serial = getattr(message, "serial", None)
        # All parts have the serial of the request; the last one is the reply.
        if isinstance(message, messages.ExportPart) and not message.is_last:
            return
        if serial in self._replies:
            self._replies.pop(serial).callback(message)

    def line_lost(self, line: LineProtocol, code: str, reason: str) -> None:  # noqa: ARG002 (its owner's)
        if not self.is_closed:
            raise Lost(f"{self.name}: {code} {reason}")

    def line_refused(self, line: LineProtocol, wrong: object) -> None: ...

    def _failed(self, failure: Failure) -> None:
        self._ready.errback(failure)

    def _ping(self) -> None:
        if not self.is_closed:
            self._reactor.callLater(PING_SECONDS, self._ping)
            self.say(messages.Ping)


class BareLine(Protocol):
    """One connection to the bare server."""

    def __init__(self, reactor: Any, when_told: Callable[[], None]) -> None:
        """Prepare; `when_told` is called when the records of an answer have arrived."""
        self.stamps: Stamps = NoStamps()
        self.updates = 0
        """Number of answers shown so far."""
        self._reactor = reactor
        self._when_told = when_told
        self._bytes = 0

    def connectionMade(self) -> None:
        self.stamps = stamped(self.transport)

    def dataReceived(self, data: bytes) -> None:
        self._bytes += len(data)
        # Every answer is shown by the same number of bytes.
        updates, self._bytes = divmod(self._bytes, len(bare.FANNED_OUT))
        if updates:
            self.updates += updates
            self._reactor.callLater(0, self._when_told)

    def answer(self) -> None:
        """Send an answer with the length of a short answer to our server."""
        cast("Any", self.transport).write(_BARE_ANSWER)

    def connectionLost(self, reason: Failure = connection_done) -> None: ...


_BARE_ANSWER: Final = (60).to_bytes(bare.LENGTH_BYTES, "big") + bytes(60)


def bare_line(
    reactor: Any, server: Reachable, number: int, when_told: Callable[[], None]
) -> Deferred[BareLine]:
    """Connect to the bare server; the result fires with the connection."""
    line = BareLine(reactor, when_told)
    connected: Deferred[Any] = _connect(server.endpoint(reactor, number), line)
    # The Deferred fires with the TLS protocol around the line.
    return connected.addCallback(lambda _: line)
