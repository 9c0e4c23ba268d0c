"""
Incoming bytes of one session: received, split into payloads, and passed on one at a time.

If more bytes wait than the limits allow, the server stops reading from the socket until they are
handled, so that TCP slows the client down. The client's time limits do not run meanwhile:
`ReadTime.held` counts these seconds.
"""

from collections.abc import Callable

import attrs

from server.net.context import SessionContext
from server.net.inbox import Inbox, ReadTime
from server.net.seams import PausableTransport


@attrs.define(eq=False)
class Incoming:
    """Buffers received bytes, and stops reading while too many wait to be handled."""

    context: SessionContext
    transport: Callable[[], PausableTransport]
    inbox: Inbox = attrs.field(factory=Inbox, init=False)
    _paused_at: float | None = attrs.field(default=None, init=False)
    """Time at which the server stopped reading, in seconds; None while it reads."""
    _paused_seconds: float = attrs.field(default=0.0, init=False)
    """Total seconds of all earlier pauses."""

    def now(self) -> ReadTime:
        """Return the time, with the total seconds for which the server did not read."""
        seconds = self.context.clock.seconds()
        paused = self._paused_seconds
        if self._paused_at is not None:
            paused += seconds - self._paused_at
        return ReadTime(seconds, self.context.standstill.seconds() + paused)

    def put(self, data: bytes) -> None:
        self.context.traffic.received += len(data)
        self.inbox.put(data, self.now())

    def pause_if_full(self) -> None:
        """Stop reading if more bytes wait than the limits allow."""
        is_full = self.inbox.waiting_bytes > self.context.limits.unread_bytes
        if is_full and self._paused_at is None:
            self._paused_at = self.context.clock.seconds()
            self.transport().pauseProducing()

    def read_on(self) -> None:
        """Resume reading if it was stopped."""
        if self._paused_at is not None:
            self._paused_seconds += self.context.clock.seconds() - self._paused_at
            self._paused_at = None
            self.transport().resumeProducing()
