"""
Notifying: reports state to the service manager that started the server, as `sd_notify` does.

A report is a datagram to a UNIX socket, whose name is in the environment; without one, nothing is
sent. The reactor feeds the watchdog: if the reactor stands still for too long, the manager restarts
the server.
"""

import os
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any

import attrs
from twisted.logger import Logger

from protocol.seams import DelayedCall


@attrs.define(eq=False)
class ServiceManager:
    """The service manager that started this process, such as systemd, or none."""

    environment: Mapping[str, str]
    clock: Any
    """Twisted's reactor, or a clock of the tests."""
    monotonic: Callable[[], float] = time.monotonic
    _timer: DelayedCall | None = attrs.field(default=None, init=False)
    _log = Logger()

    @classmethod
    def of_this_process(cls, clock: Any) -> "ServiceManager":
        """Return the service manager that the environment names."""
        return cls(os.environ, clock)

    def ready(self) -> None:
        """Report that players are accepted, at start and after reloads; begin the watchdog."""
        self._tell("READY=1")
        if self._timer is None and (seconds := self._watchdog_seconds()) is not None:
            # Twice as often as the manager demands, as systemd recommends.
            self._feed(seconds / 2)

    def reloading(self) -> None:
        """Report that a reload begins; `ready` ends it."""
        self._tell(f"RELOADING=1\nMONOTONIC_USEC={int(self.monotonic() * 1_000_000)}")

    def stopping(self) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._tell("STOPPING=1")

    def _feed(self, seconds: float) -> None:
        self._tell("WATCHDOG=1")
        self._timer = self.clock.callLater(seconds, self._feed, seconds)

    def _watchdog_seconds(self) -> float | None:
        """Return the seconds after which the watchdog acts on silence; None if none watches us."""
        told, process = (self.environment.get(f"WATCHDOG_{name}", "") for name in ("USEC", "PID"))
        # The environment may have been inherited from the process that is watched.
        if not told.isdecimal() or not int(told) or process not in {"", str(os.getpid())}:
            return None
        return int(told) / 1_000_000

    def _tell(self, state: str) -> None:
        name = self.environment.get("NOTIFY_SOCKET", "")
        if not name.startswith(("/", "@")):
            return
        # A name that begins with @ is an abstract socket, which has no file.
        address = f"\0{name[1:]}" if name.startswith("@") else name
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one:
                # A manager that does not read must not stop the server.
                one.setblocking(False)
                one.sendto(state.encode(), address)
        except OSError as error:
            self._log.warn("the service manager cannot be told: {why}", why=error.strerror)
