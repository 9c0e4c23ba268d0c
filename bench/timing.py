"""Timing: a piece of work against a yardstick, in turns."""

import gc
import time
from collections.abc import Callable

import attrs

Clock = Callable[[], float]
Work = Callable[[], object]


@attrs.frozen
class Measure:
    """What is measured."""

    name: str
    what: str
    """The work, in a few words."""
    beside: str
    """The yardstick, in a few words."""
    work: Work
    yardstick: Work
    count: int = 0
    """How many things one piece of work does."""
    unit: str = ""
    """What these things are."""


@attrs.frozen
class Result:
    """What came of it."""

    name: str
    what: str
    beside: str
    work_seconds: float
    """The shortest time, since whatever else the machine does only ever adds."""
    yardstick_seconds: float
    count: int
    unit: str

    @property
    def ratio(self) -> float:
        """How many times the yardstick the work takes."""
        return self.work_seconds / self.yardstick_seconds

    @property
    def per_second(self) -> float:
        """How many things are done in a second; 0 where nothing is counted."""
        return self.count / self.work_seconds


def measure(of: Measure, rounds: int, clock: Clock = time.perf_counter) -> Result:
    """Time work and yardstick in turns, so many rounds after one to warm up."""
    of.yardstick()
    of.work()
    work, yardstick = [], []
    for _ in range(rounds):
        yardstick.append(_seconds(of.yardstick, clock))
        work.append(_seconds(of.work, clock))
    return Result(of.name, of.what, of.beside, min(work), min(yardstick), of.count, of.unit)


def _seconds(work: Work, clock: Clock) -> float:
    # What an earlier piece of work left behind is not this one's to clear away.
    gc.collect()
    start = clock()
    work()
    return clock() - start
