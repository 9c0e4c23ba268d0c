"""Counters of messages, for metrics."""

from typing import Protocol


class Counts(Protocol):
    """Counter of messages, without their senders and contents."""

    def now(self) -> float:
        """Return the time in seconds, for `replied`."""

    def replied(self, kind: str, since: float) -> None:
        """Count a reply to a message of the class `kind`, whose handling began at `since`."""

    def refused(self, code: str) -> None:
        """Count a refusal."""


class NoCounts:
    """Counter of a server without metrics, which counts nothing."""

    def now(self) -> float:
        """See `Counts.now`."""
        return 0.0

    def replied(self, kind: str, since: float) -> None:
        """See `Counts.replied`."""

    def refused(self, code: str) -> None:
        """See `Counts.refused`."""
