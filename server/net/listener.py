"""The listener: accepts connections at an endpoint, counts them, and ends them when it stops."""

import ipaddress
from collections import Counter
from typing import Any, cast

import attrs
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.protocol import Factory, Protocol
from twisted.logger import Logger
from twisted.protocols.tls import TLSMemoryBIOFactory

from server.net.handshakes import PatientTls
from server.net.limits import Limits
from server.net.seams import Port, ServerEndpoint
from server.net.session import SessionContext, WireSession
from server.net.tls import ServerTls


def network_of(host: str) -> str:
    """Return what counts as one address: itself, or for IPv6 its /64 network."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        if mapped is not None:
            return str(mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


@attrs.define
class Gate:
    """Counts connections against the limits."""

    limits: Limits
    _by_network: Counter[str] = attrs.field(factory=Counter, init=False)

    def enter(self, network: str) -> bool:
        """Count a connection in. False if that would be one too many."""
        is_full = self._by_network.total() >= self.limits.connections
        if is_full or self._by_network[network] >= self.limits.connections_per_address:
            return False
        self._by_network[network] += 1
        return True

    def leave(self, network: str) -> None:
        """Count a connection out."""
        self._by_network[network] -= 1
        if not self._by_network[network]:
            del self._by_network[network]


class SessionFactory(Factory):
    """Makes a session of each connection that the gate lets in."""

    noisy = False
    _log = Logger()

    def __init__(self, door: SessionContext) -> None:
        """Make sessions that share `door`."""
        self.door = door
        self.sessions: set[WireSession] = set()
        self._gate = Gate(door.limits)
        self._stopped: Deferred[None] | None = None

    def buildProtocol(self, addr: Any) -> Protocol | None:
        """Return a session, or None to close at once: we are full, or stopping."""
        host = str(getattr(addr, "host", "local"))
        network = network_of(host)
        if self._stopped is not None or not self._gate.enter(network):
            self._log.info("no room for a connection from {host}", host=host)
            return None

        def lost(session: WireSession) -> None:
            self.sessions.discard(session)
            self._gate.leave(network)
            self._finish()

        session = WireSession(self.door, host, network=network, when_lost=lost)
        session.factory = self
        self.sessions.add(session)
        return session

    def stop(self, reason: str) -> Deferred[None]:
        """Say goodbye to everybody; fires once the last connection has ended. At most once."""
        self._stopped = Deferred()
        for session in tuple(self.sessions):
            session.close("server/stopping", reason)
        self._finish()
        return self._stopped

    def _finish(self) -> None:
        if self._stopped is not None and not self._stopped.called and not self.sessions:
            self._stopped.callback(None)


class GuardedTls(TLSMemoryBIOFactory):
    """TLS around sessions; what the gate refuses is closed before the first TLS byte."""

    protocol = PatientTls

    def buildProtocol(self, addr: Any) -> Any:
        """Return the TLS end of a session, or None to close at once."""
        session = self.wrappedFactory.buildProtocol(addr)
        return None if session is None else self.protocol(self, session)


class Listener:
    """Listens at one endpoint."""

    def __init__(self, endpoint: ServerEndpoint, tls: ServerTls, door: SessionContext) -> None:
        """Prepare to listen; nothing happens before `start`."""
        self._endpoint = endpoint
        self._sessions = SessionFactory(door)
        self._factory = GuardedTls(
            cast("Any", tls), False, cast("Any", self._sessions), cast("Any", door.clock)
        )
        self._port: Port | None = None

    @property
    def session_count(self) -> int:
        """How many connections there are, logged in or not."""
        return len(self._sessions.sessions)

    def start(self) -> Deferred[Any]:
        """Begin; fires with the address, or fails with twisted's CannotListenError."""
        return Deferred.fromCoroutine(self._start())

    def stop(self, reason: str = "the server is stopping") -> Deferred[None]:
        """Accept no more, say goodbye to everybody; fires once the last has gone. At most once."""
        return Deferred.fromCoroutine(self._stop(reason))

    async def _start(self) -> Any:
        self._port = await self._endpoint.listen(self._factory)
        return self._port.getHost()

    async def _stop(self, reason: str) -> None:
        port, self._port = self._port, None
        if port is not None:
            await maybeDeferred(port.stopListening)
        await self._sessions.stop(reason)
