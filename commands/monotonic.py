"""
The monotonic clock of durations, for Twisted's reactor and so for all timers of this project.

Twisted's reactors measure by the wall clock. If somebody sets the wall clock back by an hour, no
timer of such a reactor fires for an hour; if it is set forward, every deadline has passed at once.
The wall clock is only for times that people read and that are compared across restarts.
"""

import time
from collections.abc import Callable
from typing import Any


def elapsed_ns() -> int:
    """Return nanoseconds since a fixed moment. The result never decreases."""
    # Time in which the machine slept has passed for everybody else: a lid that is opened again
    # must find dead connections dropped. Linux counts sleep in a clock of its own; elsewhere the
    # monotonic clock counts it, or none does.
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.monotonic_ns() if clock is None else time.clock_gettime_ns(clock)


def elapsed_seconds() -> float:
    """Return seconds since the same moment as `elapsed_ns`."""
    return elapsed_ns() / 1e9


def measure_by_monotonic(reactor: Any, seconds: Callable[[], float] = elapsed_seconds) -> None:
    """
    Make a reactor measure time by a monotonic clock. Call this before scheduling anything.

    Args:
        reactor: a reactor of Twisted, of any kind, because all kinds measure by their `seconds`.
        seconds: the clock. Simulations pass another clock.
    """
    assert not reactor.getDelayedCalls(), "the time of an earlier call is of the wall clock"
    reactor.seconds = seconds
