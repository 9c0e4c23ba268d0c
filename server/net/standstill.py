"""
Standstill: the time in which the reactor could not read from clients.

Bytes in the buffers of the system have no time of arrival. So a regular tick bounds how long the
reactor was away: bytes that are read afterwards may have come at any moment of that time.
"""

from typing import Final

import attrs

from protocol.seams import Clock, DelayedCall

TICK_SECONDS: Final = 0.25
SLACK_SECONDS: Final = 0.05
"""Minimum lateness of a tick that counts as a standstill, in seconds."""


@attrs.define(eq=False)
class Standstill:
    """Counts the seconds for which the reactor stood still; runs while any client is connected."""

    clock: Clock
    _users: int = attrs.field(default=0, init=False)
    _counted: float = attrs.field(default=0.0, init=False)
    _ticked_at: float = attrs.field(default=0.0, init=False)
    _next: DelayedCall | None = attrs.field(default=None, init=False)

    def enter(self) -> None:
        """Count one more connection."""
        self._users += 1
        if self._next is None:
            self._tick_again()

    def leave(self) -> None:
        """Count one connection less; stop the tick when none is left."""
        self._users -= 1
        if not self._users and self._next is not None:
            self._counted = self.seconds()
            self._next.cancel()
            self._next = None

    def seconds(self) -> float:
        """Return the total seconds of standstill; never decreases."""
        since = self.clock.seconds() - self._ticked_at
        # A late tick means that the reactor was away; how much of the time is unknown, so all
        # counts.
        is_late = self._next is not None and since > TICK_SECONDS + SLACK_SECONDS
        return self._counted + since if is_late else self._counted

    def _tick(self) -> None:
        self._counted = self.seconds()
        self._tick_again()

    def _tick_again(self) -> None:
        self._ticked_at = self.clock.seconds()
        self._next = self.clock.callLater(TICK_SECONDS, self._tick)
