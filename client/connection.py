"""
The connection: one server, reached again and again until somebody stops it.

A small machine with the statuses of `client.status`. It resends nothing by itself: the layer
above enters its tables again whenever the status becomes `Online`, and what it tries to say while
there is no line is refused. Endpoint, clock, key store and retry policy are arguments.
"""

from typing import Protocol

from client.status import Status
from protocol.messages import ClientMessage, ServerMessage


class Listener(Protocol):
    """Who is told what happens on a connection."""

    def status_changed(self, status: Status) -> None:
        """The connection has this status now."""

    def received(self, message: ServerMessage) -> None:
        """The server said something, other than `Pong` to the connection's own pings."""


class NotOnline(Exception):
    """There is no line to the server; nothing was sent."""


class Connection:
    """A session with one server that comes back by itself."""

    status: Status

    def start(self) -> None:
        """Connect, and keep at it. Does nothing if it was started before."""
        raise NotImplementedError

    def stop(self) -> None:
        """Close, for good: the status becomes `GaveUp("stopped", …)`."""
        raise NotImplementedError

    def next_serial(self) -> int:
        """Return a serial that no message of this connection has used."""
        raise NotImplementedError

    def send(self, message: ClientMessage) -> None:
        """Say something. NotOnline while there is no line."""
        raise NotImplementedError
