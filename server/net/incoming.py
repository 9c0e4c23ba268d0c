"""
Incoming bytes of one session: received, cut into payloads, handed on one at a time.

Where more waits than the limits allow, nothing more is read from the socket until it is handled, so
that TCP slows the client down. That time is not held against it: `ReadTime.held` counts it.
"""

from collections.abc import Callable

import attrs

from server.net.context import SessionContext
from server.net.inbox import Inbox, ReadTime
from server.net.seams import PausableTransport


@attrs.define(eq=False)
class Incoming:
    """Holds received bytes, and stops reading from a client that sends faster than it is served."""

    context: SessionContext
    transport: Callable[[], PausableTransport]
    inbox: Inbox = attrs.field(factory=Inbox, init=False)
    _paused_at: float | None = attrs.field(default=None, init=False)
    """When reading stopped, in seconds; None while we read."""
    _paused_seconds: float = attrs.field(default=0.0, init=False)
    """Seconds of all earlier pauses."""

    def now(self) -> ReadTime:
        """Return the time, with all seconds in which this server did not read from the client."""
        seconds = self.context.clock.seconds()
        paused = self._paused_seconds
        if self._paused_at is not None:
            paused += seconds - self._paused_at
        return ReadTime(seconds, self.context.standstill.seconds() + paused)

    def put(self, data: bytes) -> None:
        """Add bytes that have just arrived."""
        self.context.traffic.received += len(data)
        self.inbox.put(data, self.now())

    def pause_if_full(self) -> None:
        """Stop reading if more bytes wait than the limits allow."""
        is_full = self.inbox.waiting_bytes > self.context.limits.unread_bytes
        if is_full and self._paused_at is None:
            self._paused_at = self.context.clock.seconds()
            self.transport().pauseProducing()

    def read_on(self) -> None:
        """Resume reading, if it was stopped."""
        if self._paused_at is not None:
            self._paused_seconds += self.context.clock.seconds() - self._paused_at
            self._paused_at = None
            self.transport().resumeProducing()
