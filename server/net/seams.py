"""
Seams: what the network needs of Twisted, as types that a checker can read.

Twisted says the same in zope interfaces; a reactor, a `task.Clock`, any of its transports and
endpoints fit.
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
    """A transport, that is, the way to one peer."""

    def write(self, data: bytes) -> None:
        """Send bytes, at once or when there is room."""

    def loseConnection(self) -> None:
        """Close once everything written is sent."""

    def abortConnection(self) -> None:
        """Close now."""

    def registerProducer(self, producer: object, streaming: bool) -> None:  # noqa: FBT001 (Twisted's name)
        """Tell the producer when to pause and when to go on."""

    def unregisterProducer(self) -> None:
        """Tell it no more."""


class Port(Protocol):
    """Something that listens."""

    def getHost(self) -> Any:
        """Return its address."""

    def stopListening(self) -> Deferred[None] | None:  # noqa: N802 (Twisted's name)
        """Accept no more."""


class ServerEndpoint(Protocol):
    """A place to listen at."""

    def listen(self, protocolFactory: Any) -> Deferred[Any]:
        """Begin; fires with a `Port`."""
