"""
The loop monitor: times each turn of the reactor, and logs the work of long turns.

A turn is everything between two polls, and all clients wait while it lasts. The log has only names
in our code (of message classes and functions), never a value, so it does not reveal what players
do. Garbage collections do not count; `server.system.garbage` logs them. Twisted offers no hook
around its poll, so the monitor wraps the poller of the reactor. A reactor without a poller, as on
macOS and Windows, is not monitored.
"""

import gc
import time
from collections.abc import Callable
from typing import Any, Final

import attrs
from twisted.logger import Logger

from protocol.messages import ClientMessage
from server.net.handler import Session, SessionHandler

LONG_SECONDS: Final = 0.010
"""Seconds from which on a turn counts as long, and is logged at level info."""
_POLLER: Final = "_poller"
"""Attribute of Twisted's reactors that holds the poller."""


@attrs.define(eq=False)
class LoopMonitor:
    """Monitors a reactor, from `start` to `stop`."""

    reactor: Any
    """Twisted's reactor, or a reactor of the tests."""
    clock: Callable[[], float] = time.perf_counter
    cpu: Callable[[], float] = time.thread_time
    """Returns the CPU seconds of the calling thread."""
    stalls: int = attrs.field(default=0, init=False)
    """Number of long turns."""
    longest_seconds: float = attrs.field(default=0.0, init=False)
    _poller: Any = attrs.field(default=None, init=False)
    """The reactor's own poller, while it is wrapped."""
    _pieces: list[tuple[float, str]] = attrs.field(factory=list, init=False)
    """Pieces of this turn: start and name of each."""
    _began: float | None = attrs.field(default=None, init=False)
    """Start of this turn; None until the first poll has returned."""
    _cpu_began: float = attrs.field(default=0.0, init=False)
    _collecting_since: float = attrs.field(default=0.0, init=False)
    _collected: float = attrs.field(default=0.0, init=False)
    """Seconds of this turn spent on garbage collection."""
    _log = Logger()

    def start(self) -> None:
        """Monitor from the next poll on. A reactor without a poller is not monitored."""
        poller = getattr(self.reactor, _POLLER, None)
        if poller is None:
            self._log.info("turns of this kind of reactor cannot be timed")
            return
        self._poller = poller
        setattr(self.reactor, _POLLER, _WatchedPoller(poller, self))
        gc.callbacks.append(self._collection)

    def stop(self) -> None:
        """Restore the reactor's poller, and log the number of long turns."""
        if self._poller is None:
            return
        setattr(self.reactor, _POLLER, self._poller)
        self._poller = None
        gc.callbacks.remove(self._collection)
        self._log.info(
            "{stalls} turns of the reactor took over {limit:.0f} ms; the longest {longest:.1f} ms",
            stalls=self.stalls,
            limit=LONG_SECONDS * 1000,
            longest=self.longest_seconds * 1000,
        )

    def note(self, name: str) -> None:
        """Note that a piece of work with this name begins in this turn."""
        if self._poller is not None:
            self._pieces.append((self.clock(), name))

    def turn_begins(self) -> None:
        """Begin a turn, when a poll has returned."""
        self._pieces.clear()
        self._collected = 0.0
        self._cpu_began = self.cpu()
        self._began = self.clock()

    def turn_ends(self) -> None:
        """End the turn, when the reactor is about to poll; log a long turn."""
        if self._began is None:
            return
        now = self.clock()
        seconds = now - self._began - self._collected
        self.longest_seconds = max(self.longest_seconds, seconds)
        if seconds > LONG_SECONDS:
            self.stalls += 1
            assert self._began is not None
            starts = [(self._began, "the network"), *self._pieces]
            ends = [at for at, _ in self._pieces] + [now]
            lasted = [(end - at, name) for (at, name), end in zip(starts, ends, strict=True)]
            self._log.info(
                "a turn of the reactor took {ms:.1f} ms, {cpu_ms:.1f} ms of them CPU;"
                " longest: {what}",
                ms=seconds * 1000,
                # A collection counts here if it was of this thread.
                cpu_ms=min(seconds, self.cpu() - self._cpu_began) * 1000,
                what=max(lasted)[1],
            )

    def _collection(self, phase: str, _info: dict[str, int]) -> None:
        # Collections in any thread count, since they stop the reactor's thread, too.
        if phase == "start":
            self._collecting_since = self.clock()
        else:
            self._collected += self.clock() - self._collecting_since


class _WatchedPoller:
    """Replaces the poller of a reactor, and notifies a monitor of each poll."""

    def __init__(self, poller: Any, monitor: LoopMonitor) -> None:
        self._poller, self._monitor = poller, monitor

    def poll(self, *args: Any) -> Any:
        """End the turn, poll, and begin the next turn."""
        self._monitor.turn_ends()
        try:
            return self._poller.poll(*args)
        finally:
            self._monitor.turn_begins()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._poller, name)


class NotingReactor:
    """A wrapper of a reactor that notes the name of each function which the reactor calls."""

    def __init__(self, reactor: Any, note: Callable[[str], None]) -> None:
        self._reactor, self._note = reactor, note

    def callLater(
        self, seconds: float, call: Callable[..., object], *args: Any, **more: Any
    ) -> Any:
        return self._reactor.callLater(seconds, self._noted, call, *args, **more)

    def callFromThread(self, call: Callable[..., object], *args: Any, **more: Any) -> None:  # noqa: N802 (Twisted's name)
        self._reactor.callFromThread(self._noted, call, *args, **more)

    def _noted(self, call: Callable[..., object], *args: Any, **more: Any) -> None:
        self._note(getattr(call, "__qualname__", type(call).__qualname__))
        call(*args, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reactor, name)


@attrs.frozen(eq=False)
class NotingHandler:
    """A `SessionHandler` that notes the class of each message and passes the message on."""

    _handler: SessionHandler
    _note: Callable[[str], None]

    def connected(self, session: Session) -> None:
        self._note("connected")
        self._handler.connected(session)

    def received(self, session: Session, message: ClientMessage) -> None:
        self._note(type(message).__name__)
        self._handler.received(session, message)

    def disconnected(self, session: Session) -> None:
        self._note("disconnected")
        self._handler.disconnected(session)
