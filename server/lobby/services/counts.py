"""Counts: the figures of messages, for metrics."""

from typing import Protocol


class Counts(Protocol):
    """Counts messages, without their senders and contents."""

    def now(self) -> float:
        """Return the time in seconds, for `replied`."""

    def replied(self, kind: str, since: float) -> None:
        """Count a reply: the class of the message, and the time at which handling it began."""

    def refused(self, code: str) -> None:
        """Count a refusal."""


class NoCounts:
    """Counts nothing: a server without metrics."""

    def now(self) -> float:
        """See `Counts.now`."""
        return 0.0

    def replied(self, kind: str, since: float) -> None:
        """See `Counts.replied`."""

    def refused(self, code: str) -> None:
        """See `Counts.refused`."""
