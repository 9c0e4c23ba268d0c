"""Interfaces of Twisted that only the server needs; `protocol.seams` has the shared ones."""

from typing import Any, Protocol

from twisted.internet.defer import Deferred

from protocol.seams import Transport


class PausableTransport(Transport, Protocol):
    """A transport that notifies a producer when its buffer is full."""

    def registerProducer(self, producer: object, streaming: bool) -> None:  # noqa: FBT001 (Twisted's name)
        """Register the producer that is paused and resumed with the buffer."""

    def unregisterProducer(self) -> None:
        pass

    def pauseProducing(self) -> None:
        """Stop reading from the peer."""

    def resumeProducing(self) -> None:
        """Resume reading from the peer."""


class Port(Protocol):
    """A listening port."""

    def getHost(self) -> Any:
        """Return the address of the port."""

    def stopListening(self) -> Deferred[None] | None:  # noqa: N802 (Twisted's name)
        """Stop accepting connections."""


class ServerEndpoint(Protocol):
    """An address to listen at."""

    def listen(self, protocolFactory: Any) -> Deferred[Any]:
        """Start listening; fires with a `Port`."""
