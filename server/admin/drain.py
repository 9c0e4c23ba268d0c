"""
Draining: the server opens no more tables and ends once its games are at rest.

Games are at rest when no person follows a table that is being played. If some people play on, the
server ends at the operator's deadline. Either way nothing is lost, because everything shown is
stored. Connected people get a notice when draining begins, and another one when the server ends.
"""

from collections.abc import Callable
from typing import Final

import attrs

from protocol import messages
from protocol.common.table import Stage
from protocol.common.text import Text
from protocol.seams import Clock, DelayedCall
from server.admin.view import View

LOOK_SECONDS: Final = 2.0
"""Seconds between two checks whether games are at rest."""
_CODE: Final = "server/draining"


@attrs.define(eq=False)
class Drain:
    """Closes the server to new tables and ends it once games are at rest."""

    view: View
    clock: Clock
    when_drained: Callable[[], None] = lambda: None
    """Ends the server."""
    _ends_at: float | None = attrs.field(default=None, init=False)
    """Latest end, in seconds of the clock; None if the server is not draining."""
    _timer: DelayedCall | None = attrs.field(default=None, init=False)

    @property
    def seconds_left(self) -> int:
        """Seconds until the deadline; -1 if the server is not draining."""
        return -1 if self._ends_at is None else max(0, int(self._ends_at - self.clock.seconds()))

    def begin(self, seconds: float) -> None:
        """
        Refuse new tables, notify everybody, and end the server within `seconds`.

        While the server is draining, a further call changes the deadline alone.
        """
        # First, so that no table opens while people read the notice.
        self.view.lobby.openers.is_closed = True
        is_new = self._ends_at is None
        self._ends_at = self.clock.seconds() + seconds
        if is_new:
            for session in self.view.sessions():
                session.send(messages.Notice("", _CODE, Text(f"refusal/{_CODE}"), ""))
        self._wait(LOOK_SECONDS)

    def cancel(self) -> bool:
        """Stop draining and allow new tables; return True if the server was draining."""
        was_on = self._ends_at is not None
        self.view.lobby.openers.is_closed = False
        self._ends_at = None
        self.stop()
        return was_on

    def stop(self) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None

    def _wait(self, seconds: float) -> None:
        self.stop()
        self._timer = self.clock.callLater(seconds, self._check)

    def _check(self) -> None:
        self._timer = None
        registry = self.view.lobby.registry
        # A room at work on an input has not stored it yet, and its sender waits for the reply.
        is_at_rest = registry.is_quiet and not any(
            host.followers.has_people and host.room.table.room.stage is Stage.PLAYING
            for host in registry.hosts.values()
        )
        if is_at_rest or not self.seconds_left:
            self.when_drained()
        else:
            self._wait(LOOK_SECONDS)
