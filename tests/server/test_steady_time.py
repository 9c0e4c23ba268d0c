"""Steady time: the server logs a jump of the wall clock, and never follows it."""

from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from twisted.internet.task import Clock
from twisted.logger import globalLogPublisher

from server.system.steady_time import LOOK_SECONDS, SteadyTime, elapsed_ms, wall_ms

pytestmark = pytest.mark.issue(15)

START = 1_700_000_000_000
TEN_YEARS = 10 * 365 * 86_400_000


@attrs.define
class Machine:
    """The two clocks of a machine."""

    clock: Clock = attrs.field(factory=Clock)
    jumped: int = 0

    def elapsed(self) -> int:
        """Return the milliseconds since the machine was switched on."""
        return 5_000 + int(self.clock.seconds() * 1000)

    def wall(self) -> int:
        """Return the time of the machine's wall clock."""
        return START + int(self.clock.seconds() * 1000) + self.jumped


@pytest.fixture
def warned() -> Iterator[list[str]]:
    """Yield a list that collects the warnings of the log."""
    found: list[str] = []

    def note(event: Any) -> None:
        if event.get("log_namespace") == "server.system.steady_time.SteadyTime":
            found.append(f"{event['jump']:+.0f}")

    observer: Any = note
    globalLogPublisher.addObserver(observer)
    yield found
    globalLogPublisher.removeObserver(observer)


def started(machine: Machine) -> SteadyTime:
    """Return the steady time of a server on this machine, which watches the wall clock."""
    time = SteadyTime(machine.clock, wall=machine.wall, elapsed=machine.elapsed)
    time.start()
    return time


def test_it_is_the_wall_clock_as_long_as_that_is_right(warned: list[str]) -> None:
    machine = Machine()
    time = started(machine)

    machine.clock.pump([LOOK_SECONDS] * 100)

    assert time.now() == machine.wall()
    assert warned == []


@pytest.mark.parametrize("by", [TEN_YEARS, -TEN_YEARS])
def test_a_jump_is_not_followed(by: int) -> None:
    machine = Machine()
    time = started(machine)
    machine.clock.advance(60)

    machine.jumped = by
    during = time.now()
    machine.clock.advance(60)
    machine.jumped = 0

    assert during == START + 60_000
    assert time.now() == START + 120_000


def test_a_jump_is_said_once_and_so_is_its_end(warned: list[str]) -> None:
    machine = Machine()
    time = started(machine)
    machine.jumped = 3_600_000
    machine.clock.pump([LOOK_SECONDS] * 5)
    machine.jumped = 0
    machine.clock.pump([LOOK_SECONDS] * 5)

    time.stop()
    machine.jumped = TEN_YEARS
    machine.clock.pump([LOOK_SECONDS] * 5)

    assert warned == ["+3600", "-3600"]


def test_the_clocks_of_this_machine_go_on() -> None:
    assert wall_ms() > START
    assert 0 <= elapsed_ms() <= elapsed_ms()
