"""
Seams: what both ends of a connection need of Twisted, as types that a checker can read.

Twisted says the same in zope interfaces; a reactor, a `task.Clock` and any of its transports fit.
Nothing here imports Twisted, so that the protocol stays free of input and output.
"""

from collections.abc import Callable
from typing import Protocol


class DelayedCall(Protocol):
    """A call that the clock makes at a later time, unless it is cancelled before."""

    def active(self) -> bool:
        """Whether it was neither made nor cancelled."""

    def cancel(self) -> None:
        """Never make the call. Twisted raises if it is not active any more."""


class Clock(Protocol):
    """Time, and calls at a later time. A reactor, or `task.Clock` in tests."""

    def seconds(self) -> float:
        """Return the time in seconds; it never goes back."""

    def callLater(self, delay: float, callable: Callable[..., object]) -> DelayedCall:  # noqa: A002 (Twisted's names)
        """Call something after so many seconds."""


class Transport(Protocol):
    """What carries bytes to the other end."""

    def write(self, data: bytes) -> None:
        """Send bytes, at once or when there is room."""

    def loseConnection(self) -> None:
        """Close once everything written is sent."""

    def abortConnection(self) -> None:
        """Close now."""
