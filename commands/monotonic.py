"""
The clock of durations: monotonic, for Twisted's reactor, and through it for all timers of ours.

Twisted's reactors measure by the wall clock. When somebody sets that back by an hour, no timer of
such a reactor fires for an hour; set forward, every deadline has passed at once. The wall clock is
only for what people read and what is compared across restarts.
"""

import time
from collections.abc import Callable
from typing import Any


def elapsed_ns() -> int:
    """Return nanoseconds since a fixed moment. Never decreases."""
    # Time in which the machine slept has passed for everybody else: a lid that is opened again
    # must find dead connections dropped. Linux counts sleep in a clock of its own; elsewhere the
    # monotonic clock counts it, or none does.
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.monotonic_ns() if clock is None else time.clock_gettime_ns(clock)


def elapsed_seconds() -> float:
    """Return the same in seconds."""
    return elapsed_ns() / 1e9


def measure_by_monotonic(reactor: Any, seconds: Callable[[], float] = elapsed_seconds) -> None:
    """
    Make a reactor measure by this clock. Called before anything is scheduled.

    Args:
        reactor: Twisted's, of any kind: all of them measure by their own `seconds`.
        seconds: the clock; simulations have their own.
    """
    assert not reactor.getDelayedCalls(), "the time of an earlier call is of the wall clock"
    reactor.seconds = seconds
