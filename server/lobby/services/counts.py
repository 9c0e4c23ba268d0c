"""
Counters of messages, for metrics.

They count what anybody may know: messages that were carried out, and refusals about the server. So
no count tells what one seat was refused, or whether it has answered in a window.
"""

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
