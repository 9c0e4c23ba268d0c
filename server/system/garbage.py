"""
Scheduled garbage collection: collects at times when no answer waits.

Code and packs stay in memory to the end: after loading they are frozen, and no collection visits
them again. Nothing is frozen later, since frozen garbage is never freed. Young objects are
collected as they come, few at a time. A full collection waits for a moment without requests, since
with a hundred tables it takes a fifth of a second.
"""

import gc
import time
from collections.abc import Callable
from typing import Any, Final

import attrs
from twisted.internet.task import LoopingCall
from twisted.logger import Logger

THRESHOLDS: Final = (1_000, 10, 1_000_000)
"""
Arguments of `gc.set_threshold`: new objects before a young collection, young collections before a
middle one; full collections never come by themselves.
"""
LOOK_SECONDS: Final = 5.0
"""Seconds between checks whether a full collection is due."""
DUE_SECONDS: Final = 60.0
"""Seconds between full collections; a due collection waits until the server is idle."""
OVERDUE_SECONDS: Final = 900.0
"""Seconds after which a due collection no longer waits."""
LONG_MS: Final = 10.0
"""Milliseconds from which on a collection is logged, as normal operation."""


def freeze() -> None:
    """Collect once after loading, freeze the remaining objects, and keep collecting enabled."""
    gc.collect()
    gc.freeze()
    gc.enable()


@attrs.define(eq=False)
class CollectionPlan:
    """Runs collections in this process from `start` to `stop`."""

    clock: Any
    """Twisted's reactor, or a clock of the tests."""
    is_quiet: Callable[[], bool]
    """Returns True if no client waits for a reply."""
    _last: float = attrs.field(default=0.0, init=False)
    _began: float = attrs.field(default=0.0, init=False)
    _before: tuple[int, int, int] = attrs.field(default=(0, 0, 0), init=False)
    _looking: LoopingCall | None = attrs.field(default=None, init=False)
    _log = Logger()

    def start(self) -> None:
        """Set the thresholds, and begin to check for due collections."""
        self._before = gc.get_threshold()
        gc.set_threshold(*THRESHOLDS)
        gc.callbacks.append(self._measured)
        self._last = self.clock.seconds()
        self._looking = LoopingCall(self._collect_if_due)
        self._looking.clock = self.clock
        _ = self._looking.start(LOOK_SECONDS, now=False)

    def stop(self) -> None:
        """End the checks, and restore the earlier thresholds."""
        if self._looking is not None:
            self._looking.stop()
            self._looking = None
            gc.callbacks.remove(self._measured)
            gc.set_threshold(*self._before)

    def _collect_if_due(self) -> None:
        since = self.clock.seconds() - self._last
        if since >= OVERDUE_SECONDS or (since >= DUE_SECONDS and self.is_quiet()):
            gc.collect()
            self._last = self.clock.seconds()

    def _measured(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.perf_counter()
            return
        ms = (time.perf_counter() - self._began) * 1000
        if ms > LONG_MS:
            self._log.info(
                "collecting garbage of generation {generation} took {ms:.0f} ms",
                generation=info["generation"],
                ms=ms,
            )
