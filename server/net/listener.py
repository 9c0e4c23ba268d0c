"""The listener: accepts connections at an endpoint, counts them, and ends them when it stops."""

import itertools
from collections.abc import Callable
from typing import Any, Final, cast

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.protocol import Factory, Protocol
from twisted.logger import Logger
from twisted.protocols.tls import TLSMemoryBIOFactory

from server.net.addresses import Network, network_of
from server.net.context import SessionContext, Traffic
from server.net.gate import Gate
from server.net.handshakes import PatientTls
from server.net.limits import Limits
from server.net.seams import Port, ServerEndpoint
from server.net.sending import EagerServer
from server.net.session import SessionPhase, WireSession
from server.net.tls import ServerTls

ACCEPTED_AT_ONCE: Final = 8
"""Number of connections accepted in one turn of the reactor."""


def accept_few(port: Any) -> None:
    """
    Limit the connections that a Twisted port accepts in one turn, and have each write at once.

    Unmodified, the port accepts ever more connections in a turn while a flood lasts, and all
    sessions wait. See `EagerServer` for writing.
    """
    if not hasattr(port, "numberAccepts"):
        # Other reactors, as that of Windows, accept one by one, and have connections of their own.
        return
    port.transport = EagerServer
    read = port.doRead

    def read_few() -> Any:
        port.numberAccepts = min(port.numberAccepts, ACCEPTED_AT_ONCE)
        return read()

    port.doRead = read_few


class SessionFactory(Factory):
    """Makes a session for each connection that the gate admits."""

    noisy = False
    _log = Logger()

    def __init__(self, context: SessionContext) -> None:
        self.context = context
        self.sessions: dict[WireSession, None] = {}
        """Open sessions; a dict for its order, since sessions end in the same order in each run."""
        self.gate = Gate(context.limits.places, context.clock)
        self._stopped: Deferred[None] | None = None
        self._numbers = itertools.count()

    def buildProtocol(self, addr: Any) -> Protocol | None:
        """Return a session; None, which closes the connection, while the server stops."""
        if self._stopped is not None:
            return None
        host = str(getattr(addr, "host", "local"))
        network = network_of(host)

        def lost(session: WireSession) -> None:
            self.sessions.pop(session, None)
            self.gate.leave(place)
            self._finish()

        session = WireSession(
            self.context,
            host,
            network=network,
            when_lost=lost,
            when_secured=lambda: self.gate.shook_hands(place),
            # Bans come first: a banned key must not take a place.
            admit=lambda key: self.context.refusal_of(key, host) or self.gate.log_in(place, key),
        )
        session.factory = self
        session.number = next(self._numbers)
        self.sessions[session] = None
        place = self.gate.enter(network, session.drop)
        return session

    def people(self) -> list[WireSession]:
        return [one for one in self.sessions if one.phase is SessionPhase.OPEN]

    def apply_settings(self, limits: Limits, server_name: str, public_address: str) -> None:
        """Use these settings for new connections."""
        self.context = self.context.with_settings(limits, server_name, public_address)
        self.gate.apply_limits(limits.places)

    def stop(self, reason: str) -> Deferred[None]:
        """
        Send goodbyes and end all sessions; fires after the last connection.

        Called at most once.
        """
        self._stopped = Deferred()
        for session in tuple(self.sessions):
            session.close("server/stopping", reason)
        self._finish()
        return self._stopped

    def _finish(self) -> None:
        if self._stopped is not None and not self._stopped.called and not self.sessions:
            self._stopped.callback(None)


class GuardedTls(TLSMemoryBIOFactory):
    """Adds TLS to sessions; connections that arrive during a stop get no TLS byte."""

    protocol = PatientTls

    def buildProtocol(self, addr: Any) -> Any:
        """Return the TLS end of a session; None closes the connection."""
        session = self.wrappedFactory.buildProtocol(addr)
        return None if session is None else self.protocol(self, session)


class Listener:
    """Listens at one endpoint."""

    def __init__(
        self,
        endpoint: ServerEndpoint,
        tls: ServerTls,
        context: SessionContext,
        proxies: tuple[Network, ...] = (),
    ) -> None:
        """
        Prepare to listen; nothing happens before `start`.

        Args:
            endpoint: the address to listen on.
            tls: makes the TLS end of each connection.
            context: shared by all sessions.
            proxies: networks of trusted proxies, whose headers are believed.
        """
        self._endpoint = endpoint
        self._sessions = SessionFactory(context)
        wrapped = GuardedTls(
            cast("Any", tls), False, cast("Any", self._sessions), cast("Any", context.clock)
        )
        self._factory: Factory = cast("Any", wrapped)
        self._drop_unnamed: Callable[[], None] = lambda: None
        """Drops proxy connections that have not sent their header."""
        if proxies:
            # Only now: most servers have no proxy.
            from server.net.proxied import Entrance  # noqa: PLC0415

            gate = self._sessions.gate
            entrance = Entrance(proxies, gate, context.clock, wrapped.buildProtocol)
            self._factory, self._drop_unnamed = entrance, entrance.stop
        self._port: Port | None = None

    @property
    def session_count(self) -> int:
        """Number of connections, logged in or not."""
        return len(self._sessions.sessions)

    @property
    def gate(self) -> Gate:
        return self._sessions.gate

    def people(self) -> list[WireSession]:
        return self._sessions.people()

    def apply_settings(self, limits: Limits, server_name: str, public_address: str) -> None:
        """Use these settings for new connections; present connections keep theirs."""
        self._sessions.apply_settings(limits, server_name, public_address)

    @property
    def logged_in_count(self) -> int:
        """Number of logged-in connections."""
        return self._sessions.gate.session_count

    @property
    def waiting_bytes(self) -> int:
        """Bytes queued for slow readers."""
        return self._sessions.context.backlog.waiting_bytes

    @property
    def traffic(self) -> Traffic:
        """Bytes received and sent by all sessions."""
        return self._sessions.context.traffic

    def start(self) -> Deferred[Any]:
        """Start listening; fires with the address, or fails with Twisted's CannotListenError."""
        return Deferred.fromCoroutine(self._start())

    def stop(self, reason: str = "the server is stopping") -> Deferred[None]:
        """Stop listening and end all sessions; fires after the last one. Called at most once."""
        return Deferred.fromCoroutine(self._stop(reason))

    async def _start(self) -> Any:
        self._port = await self._endpoint.listen(self._factory)
        accept_few(self._port)
        return self._port.getHost()

    async def _stop(self, reason: str) -> None:
        # The port first, so that no connection arrives while the others end.
        port, self._port = self._port, None
        if port is not None:
            await maybeDeferred(port.stopListening)
        self._drop_unnamed()
        await self._sessions.stop(reason)
