"""
Counters of messages, for metrics.

They count what anybody may know: messages that were carried out, and refusals about the server. So
no count reveals why the server refused a message of a seat, or whether a seat has answered in a
window.
"""

from typing import Protocol


class Counts(Protocol):
    """Counts messages by kind, without their senders and contents."""

    def now(self) -> float:
        """Return the time in seconds, to pass to `replied` later."""

    def replied(self, kind: str, since: float) -> None:
        """Count a reply to a message of the class `kind`, whose handling began at `since`."""

    def refused(self, code: str) -> None:
        pass


class NoCounts:
    """Counts nothing, on a server without metrics."""

    def now(self) -> float:
        return 0.0

    def replied(self, kind: str, since: float) -> None:
        pass

    def refused(self, code: str) -> None:
        pass
