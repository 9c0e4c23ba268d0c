"""Seams: what only a client needs of Twisted; `protocol.seams` has what the server needs too."""

from typing import Any, Protocol

from twisted.internet.defer import Deferred


class ClientEndpoint(Protocol):
    """A way to reach one server."""

    def connect(self, protocolFactory: Any) -> Deferred[Any]:
        """Connect a protocol of the factory; fires once TCP is there, or fails."""
