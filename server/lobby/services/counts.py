"""Counts: what the desk tells of the messages that it deals with, to whoever measures a server."""

from typing import Protocol


class Counts(Protocol):
    """Hears of messages; of none of them who sent it, or what is in it."""

    def now(self) -> float:
        """Return seconds, for `replied`."""

    def replied(self, kind: str, since: float) -> None:
        """Hear that the reply to a message is made: the name of its class, and when it began."""

    def refused(self, code: str) -> None:
        """Hear that a message is refused."""


class NoCounts:
    """Where nobody measures."""

    def now(self) -> float:
        """See `Counts.now`."""
        return 0.0

    def replied(self, kind: str, since: float) -> None:
        """See `Counts.replied`."""

    def refused(self, code: str) -> None:
        """See `Counts.refused`."""
