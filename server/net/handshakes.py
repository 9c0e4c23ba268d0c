"""
TLS whose handshakes are scheduled among other work.

A handshake costs the server as much as tens of messages, and anybody who reaches the port can start
one.
"""

from typing import Any, cast

from twisted.protocols.tls import BufferingTLSTransport

from server.net.seams import PausableTransport
from server.net.session import SessionPhase, WireSession


class PatientTls(BufferingTLSTransport):
    """The TLS end of a session; the scheduler decides when it processes handshake bytes."""

    _held = b""

    def dataReceived(self, data: bytes) -> None:
        session = cast("WireSession", self.wrappedProtocol)
        if session.phase is not SessionPhase.HANDSHAKE:
            self._feed(data)
            return
        # Reads no further until its turn: a connection queues one piece of work at a time.
        if not self._held:
            cast("PausableTransport", self.transport).pauseProducing()
            session.in_turn(self._feed_held)
        self._held += data

    def _feed_held(self) -> None:
        held, self._held = self._held, b""
        if self.connected:
            self._feed(held)
            cast("PausableTransport", self.transport).resumeProducing()

    def _feed(self, data: bytes) -> None:
        # Twisted does not say what it takes.
        feed: Any = super().dataReceived
        feed(data)
