"""
Seams: types of the parts of Twisted that both ends of a connection use.

They are what Twisted declares as zope interfaces; a reactor, a `task.Clock` and its transports fit
them. Nothing here imports Twisted, so `protocol` stays free of I/O.
"""

from collections.abc import Callable
from typing import Protocol


class DelayedCall(Protocol):
    """A call that `Clock.callLater` has scheduled; it is made unless it is cancelled."""

    def active(self) -> bool:
        """Return whether the call is still to be made."""

    def cancel(self) -> None:
        """Cancel the call. Twisted raises if it is not active."""


class Clock(Protocol):
    """A monotonic clock that schedules calls: a reactor, or `task.Clock` in tests."""

    def seconds(self) -> float:
        """Return the time in seconds, which never decreases."""

    def callLater(self, delay: float, callable: Callable[..., object]) -> DelayedCall:  # noqa: A002 (Twisted's names)
        """Schedule a call in `delay` seconds."""


class Transport(Protocol):
    """A connection to the other end."""

    def write(self, data: bytes) -> None:
        """Send bytes, or buffer them until they can be sent."""

    def loseConnection(self) -> None:
        """Close when all buffered bytes are sent."""

    def abortConnection(self) -> None:
        """Close at once and drop buffered bytes."""
