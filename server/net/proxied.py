"""
Connections from trusted proxies: the header of the PROXY protocol, then the connection itself.

The header is read before the first byte of TLS, and only from addresses that the operator named: a
header from any other address is treated as bad TLS, so that nobody can claim another's address.
"""

import ipaddress
from collections.abc import Callable
from typing import Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure

from protocol.seams import Clock, DelayedCall
from server.net.addresses import Address, Network, address_of, is_within
from server.net.gate import UNSAID, Gate
from server.net.proxy_header import BadHeader, Header, read_header


class ProxiedConnection(Protocol):
    """Waits for the header, then forwards bytes to the connection that the header announces."""

    def __init__(self, entrance: "Entrance", peer: Any) -> None:
        self._entrance = entrance
        self._peer = peer
        self._read = b""
        self._inner: Any = None
        """The proxied connection; None until the header has come."""
        self._is_over = False
        self._timer: DelayedCall | None = None

    def connectionMade(self) -> None:
        """Wait for the header, in the queue of the gate and under its own deadline."""
        gate = self._entrance.gate
        self._place = gate.enter(UNSAID, self.drop)
        self._timer = self._entrance.clock.callLater(gate.limits.header_seconds, self._too_late)

    def dataReceived(self, data: bytes) -> None:
        if self._inner is not None:
            self._inner.dataReceived(data)
        elif not self._is_over:
            self._read += data
            try:
                header = read_header(self._read)
            except BadHeader as bad:
                self._refuse(str(bad))
                return
            if header is not None:
                self._begin(header)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        if self._inner is None:
            self._stop_waiting()
        else:
            self._inner.connectionLost(reason)

    def drop(self) -> None:
        """End the connection now, without a goodbye; called only while it waits for the header."""
        self._stop_waiting()
        self.transport.abortConnection()  # type: ignore[union-attr]  # one of TCP

    def _begin(self, header: Header) -> None:
        # The place at the gate is freed first: the connection gets one under its own address.
        rest, self._read = self._read[header.size :], b""
        self._stop_waiting()
        inner = self._entrance.connection_of(self._peer, header.source)
        if inner is None:
            self.transport.abortConnection()  # type: ignore[union-attr]  # one of TCP
            return
        self._inner = inner
        self._inner.makeConnection(self.transport)
        if rest:
            inner.dataReceived(rest)

    def _too_late(self) -> None:
        self._refuse("it did not come in time")

    def _refuse(self, why: str) -> None:
        self._entrance.tell_bad(self._peer, why)
        self.drop()

    def _stop_waiting(self) -> None:
        self._is_over, self._read = True, b""
        self._entrance.waiting.discard(self)
        self._entrance.gate.leave(self._place)
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None


class Entrance(Factory):
    """Makes connections: behind a header from trusted proxies, directly from all other peers."""

    noisy = False
    _log = Logger()

    def __init__(
        self,
        proxies: tuple[Network, ...],
        gate: Gate,
        clock: Clock,
        connect: Callable[[Any], Protocol | None],
    ) -> None:
        """
        Prepare to make connections.

        Args:
            proxies: networks of trusted proxies.
            gate: queues the connections that wait for their header.
            clock: measures the deadline of headers.
            connect: makes the connection of a Twisted address; returns None to refuse it.
        """
        self.gate = gate
        self.clock = clock
        self.waiting: set[ProxiedConnection] = set()
        """Connections that wait for their header."""
        self._proxies = proxies
        self._connect = connect
        self._was_told = False

    def buildProtocol(self, addr: Any) -> Protocol | None:
        """Return a connection; None closes it at once."""
        if not is_within(str(getattr(addr, "host", "")), self._proxies):
            return self._connect(addr)
        connection = ProxiedConnection(self, addr)
        self.waiting.add(connection)
        return connection

    def connection_of(self, peer: Any, source: Address | None) -> Protocol | None:
        """
        Return the connection that a proxy announced.

        Args:
            peer: the proxy's own address, in Twisted's form.
            source: the announced address; None for a connection of the proxy itself.
        """
        if source is None:
            return self._connect(peer)
        # IPv4 within IPv6 is one address, however it is written.
        address = address_of(str(source))
        kind = IPv4Address if isinstance(address, ipaddress.IPv4Address) else IPv6Address
        # The client's port is used for nothing.
        return self._connect(kind("TCP", str(address), 0))

    def tell_bad(self, peer: Any, why: str) -> None:
        """Log a bad header of a proxy; the first one as a warning."""
        if self._was_told:
            self._log.info(
                "{host}: no header of the PROXY protocol: {why}", host=peer.host, why=why
            )
            return
        self._was_told = True
        self._log.warn(
            "{host}: no header of the PROXY protocol: {why}; does this proxy send one? "
            "More of these are told with --verbose",
            host=peer.host,
            why=why,
        )

    def stop(self) -> None:
        """Drop the connections that wait for a header."""
        for connection in tuple(self.waiting):
            connection.drop()
