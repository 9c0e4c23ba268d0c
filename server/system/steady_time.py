"""
Steady time: the wall clock at the start of the process, advanced by a clock that never jumps.

A wall clock that is wrong for a moment would otherwise affect logs for ever: no later record may be
earlier. So a jump is logged and never followed; the next start reads the wall clock again. Sleep of
the machine is no jump: the clock counts it on systems that have such a clock.
"""

import time
from collections.abc import Callable
from typing import Any, Final

import attrs
from twisted.internet.task import LoopingCall
from twisted.logger import Logger

from commands.monotonic import elapsed_ns

LOOK_SECONDS: Final = 10.0
"""Seconds between two comparisons of the clocks."""
JUMP_MS: Final = 2_000
"""
Minimum change of the difference between two comparisons that counts as a jump, in milliseconds.
"""


def wall_ms() -> int:
    """Return the wall clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def elapsed_ms() -> int:
    """Return milliseconds since a fixed moment, including the time in which the machine slept."""
    return elapsed_ns() // 1_000_000


@attrs.define(eq=False)
class SteadyTime:
    """The clock of this process."""

    clock: Any
    """Twisted's reactor, or a clock of the tests."""
    wall: Callable[[], int] = wall_ms
    elapsed: Callable[[], int] = elapsed_ms
    _offset: int = attrs.field(init=False)
    """Difference between wall clock and elapsed time at the start, in milliseconds."""
    _apart: int = attrs.field(default=0, init=False)
    """Lead of the wall clock over this clock at the last check, in milliseconds."""
    _looking: LoopingCall | None = attrs.field(default=None, init=False)
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        self._offset = self.wall() - self.elapsed()

    def now(self) -> int:
        """Return the time in milliseconds since 1970; it never goes back."""
        return self.elapsed() + self._offset

    def start(self) -> None:
        """Begin regular checks for jumps of the wall clock."""
        self._looking = LoopingCall(self.look)
        self._looking.clock = self.clock
        _ = self._looking.start(LOOK_SECONDS, now=False)

    def stop(self) -> None:
        if self._looking is not None and self._looking.running:
            self._looking.stop()

    def look(self) -> None:
        """Compare the two clocks, and log a jump of the wall clock."""
        apart = self.wall() - self.now()
        jump, self._apart = apart - self._apart, apart
        if abs(jump) < JUMP_MS:
            return
        self._log.warn(
            "the system's clock jumped by {jump:+.0f} s; this server goes on by the time that it"
            " has, now {apart:+.0f} s from the system's, until it is started again",
            jump=jump / 1000,
            apart=apart / 1000,
        )
