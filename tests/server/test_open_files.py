"""Open files: a server raises its limit as far as it may need."""

import io
from typing import Any, cast

import attrs
import pytest
from twisted.internet.task import Clock
from twisted.logger import LogLevel, globalLogPublisher

from server.commands import cli
from server.net.limits import PlaceLimits
from server.process import serving
from server.system.open_files import allow_open_files, limits_of_this_process

INFINITE = -1


@attrs.define
class System:
    """A stand-in for a system with limits of open files."""

    soft: int
    hard: int
    is_stubborn: bool = False
    RLIMIT_NOFILE: int = 7
    RLIM_INFINITY: int = INFINITE

    def getrlimit(self, which: int, /) -> tuple[int, int]:
        assert which == self.RLIMIT_NOFILE
        return self.soft, self.hard

    def setrlimit(self, which: int, limits: tuple[int, int], /) -> None:
        assert which == self.RLIMIT_NOFILE
        if self.is_stubborn:
            raise ValueError("current limit exceeds maximum limit")
        self.soft, self.hard = limits


@pytest.mark.parametrize(
    ("system", "allowed", "soft"),
    [
        (System(256, 4096), 1500, 1500),
        (System(256, INFINITE), 1500, 1500),
        (System(256, 1024), 1024, 1024),
        (System(2000, 4096), 1500, 2000),
        (System(INFINITE, INFINITE), 1500, INFINITE),
        (System(256, INFINITE, is_stubborn=True), 256, 256),
    ],
    ids=["raised", "no bound", "as far as it goes", "enough", "none counted", "refused"],
)
def test_the_limit_is_raised_as_far_as_the_system_lets(
    system: System, allowed: int, soft: int
) -> None:
    assert allow_open_files(1500, system) == allowed
    assert system.soft == soft
    assert system.hard in {INFINITE, 1024, 4096}


def test_where_nobody_counts_there_is_enough() -> None:
    assert allow_open_files(1500, None) == 1500


def test_this_process_can_be_asked() -> None:
    assert allow_open_files(1, limits_of_this_process()) == 1


@pytest.mark.parametrize(("allowed", "is_warned"), [(1500, True), (10_000, False)])
def test_an_operator_is_warned_where_that_is_too_few(
    allowed: int, is_warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most servers never need that many files, so the server starts nevertheless."""
    events: list[Any] = []
    monkeypatch.setattr(serving, "allow_open_files", lambda wanted, _: min(wanted, allowed))
    parser = cli._parser([])
    options = parser.parse_args([])
    chosen = serving.configured(options)
    life = serving._Life(options, chosen, io.StringIO(), parser.words, Clock())

    globalLogPublisher.addObserver(cast("Any", events.append))
    try:
        life._allow_connections(PlaceLimits().connections)
    finally:
        globalLogPublisher.removeObserver(cast("Any", events.append))

    warned = [event for event in events if event["log_level"] is LogLevel.warn]
    assert bool(warned) == is_warned
    assert all(event["allowed"] == allowed for event in warned)
