"""Timing: a piece of work against a yardstick, in turns."""

import gc
import math
import time
from collections.abc import Callable, Sequence

import attrs

Clock = Callable[[], float]
Work = Callable[[], object]


@attrs.frozen
class Size:
    """How much is done."""

    seed: int
    """Of the game that is played."""
    players: int
    appends: int
    rounds: int
    presses: int
    """Keys, records and the like, each with a frame; an even number."""
    bursts: int
    """Bursts of records, each with a frame."""


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
    samples: list[float] | None = None
    """
    The CPU seconds of each of these things, in any order, which the work appends as it does
    them; None where they are not timed one by one.
    """


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
    median_seconds: float | None = None
    """Of CPU time, of all things in all rounds; None where they are not timed one by one."""
    p99_seconds: float | None = None
    """What 99 of 100 took at most; None likewise."""

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
    work, yardstick, singles = [], [], list[float]()
    for _ in range(rounds):
        yardstick.append(_seconds(of.yardstick, clock))
        if of.samples is None:
            work.append(_seconds(of.work, clock))
            continue
        of.samples.clear()
        of.work()
        # What lies between the things, such as waiting, is none of their time.
        work.append(sum(of.samples))
        singles += of.samples
    result = Result(of.name, of.what, of.beside, min(work), min(yardstick), of.count, of.unit)
    if not singles:
        return result
    median, p99 = at_most(singles, 0.5), at_most(singles, 0.99)
    return attrs.evolve(result, median_seconds=median, p99_seconds=p99)


def at_most(samples: Sequence[float], part: float) -> float:
    """Return the smallest of these numbers that so large a part of them does not exceed."""
    return sorted(samples)[max(0, math.ceil(part * len(samples)) - 1)]


def _seconds(work: Work, clock: Clock) -> float:
    # What an earlier piece of work left behind is not this one's to clear away.
    gc.collect()
    start = clock()
    work()
    return clock() - start
