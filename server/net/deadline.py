"""The deadline of a session: a single timer for handshake, login, silence and closing."""

from collections.abc import Callable

import attrs

from protocol.seams import Clock, DelayedCall
from server.net.inbox import ReadTime


@attrs.define(eq=False)
class Deadline:
    """A timer that calls back once; arming it again replaces the time."""

    clock: Clock
    when_up: Callable[[], None]
    armed_at: ReadTime = attrs.field(default=ReadTime(0.0), init=False)
    """Time of the last call of `arm`."""
    _call: DelayedCall | None = attrs.field(default=None, init=False)

    def arm(self, seconds: float, now: ReadTime) -> None:
        """Call back after this many seconds; an earlier deadline is cancelled."""
        self.disarm()
        self.armed_at = now
        self._call = self.clock.callLater(seconds, self._up)

    def disarm(self) -> None:
        if self._call is not None and self._call.active():
            self._call.cancel()
        self._call = None

    def _up(self) -> None:
        self._call = None
        self.when_up()
