"""Interfaces of Twisted that only the server needs; `protocol.seams` has the shared ones."""

from typing import Any, Protocol

from twisted.internet.defer import Deferred

from protocol.seams import Transport


class PausableTransport(Transport, Protocol):
    """A transport that says when its buffer is full."""

    def registerProducer(self, producer: object, streaming: bool) -> None:  # noqa: FBT001 (Twisted's name)
        """Tell the producer when to pause and when to resume."""

    def unregisterProducer(self) -> None:
        """Stop notifying the producer."""

    def pauseProducing(self) -> None:
        """Read no more from the peer for now."""

    def resumeProducing(self) -> None:
        """Read from the peer again."""


class Port(Protocol):
    """A listening port."""

    def getHost(self) -> Any:
        """Return the address of the port."""

    def stopListening(self) -> Deferred[None] | None:  # noqa: N802 (Twisted's name)
        """Stop accepting connections."""


class ServerEndpoint(Protocol):
    """A place to listen at."""

    def listen(self, protocolFactory: Any) -> Deferred[Any]:
        """Start listening; fires with a `Port`."""
