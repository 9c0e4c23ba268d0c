"""Types of the parts of Twisted that only a client needs; `protocol.seams` has the others."""

from typing import Any, Protocol

from twisted.internet.defer import Deferred


class ClientEndpoint(Protocol):
    """A way to reach one server."""

    def connect(self, protocolFactory: Any) -> Deferred[Any]:
        """Connect a protocol of the factory; fire once TCP is connected, or fail."""
