"""The deadline of a session: one timer, for handshake, login, silence or the end."""

from collections.abc import Callable

import attrs

from protocol.seams import Clock, DelayedCall
from server.net.inbox import ReadTime


@attrs.define(eq=False)
class Deadline:
    """Calls back once, unless it is armed again or disarmed before."""

    clock: Clock
    when_up: Callable[[], None]
    armed_at: ReadTime = attrs.field(default=ReadTime(0.0), init=False)
    """The moment of the last `arm`."""
    _call: DelayedCall | None = attrs.field(default=None, init=False)

    def arm(self, seconds: float, now: ReadTime) -> None:
        """Call back after so many seconds, and not at any time set before."""
        self.disarm()
        self.armed_at = now
        self._call = self.clock.callLater(seconds, self._up)

    def disarm(self) -> None:
        """Call back no more."""
        if self._call is not None and self._call.active():
            self._call.cancel()
        self._call = None

    def _up(self) -> None:
        self._call = None
        self.when_up()
