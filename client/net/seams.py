"""
Seams: what a connection needs of Twisted, as types that a checker can read.

A reactor, a `task.Clock`, any of Twisted's transports and endpoints fit.
"""

from collections.abc import Callable
from typing import Any, Protocol

from twisted.internet.defer import Deferred


class Timer(Protocol):
    """A call that is still to come."""

    def active(self) -> bool:
        """Whether it is still to come."""

    def cancel(self) -> None:
        """Call it off."""


class Clock(Protocol):
    """Time, and calls at a later time. A reactor, or `task.Clock` in tests."""

    def seconds(self) -> float:
        """Return the time in seconds; it never goes back."""

    def callLater(self, delay: float, callable: Callable[..., object]) -> Timer:  # noqa: A002 (Twisted's names)
        """Call something after so many seconds."""


class Wire(Protocol):
    """A transport, that is, the way to the server."""

    def write(self, data: bytes) -> None:
        """Send bytes, at once or when there is room."""

    def loseConnection(self) -> None:
        """Close once everything written is sent."""

    def abortConnection(self) -> None:
        """Close now."""


class ClientEndpoint(Protocol):
    """A way to reach one server."""

    def connect(self, protocolFactory: Any) -> Deferred[Any]:
        """Connect a protocol of the factory; fires once TCP is there, or fails."""
