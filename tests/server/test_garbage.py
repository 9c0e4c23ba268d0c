"""Garbage is collected by plan: in quiet moments, and never while a room is built."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from twisted.internet.task import Clock
from twisted.logger import globalLogPublisher

from server.lobby.sessions import QUIET_SECONDS
from server.system import garbage
from server.system.garbage import DUE_SECONDS, LOOK_SECONDS, OVERDUE_SECONDS, CollectionPlan
from tests.kit.servers.house import House


class Heap:
    """A process whose full collections are counted."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.is_quiet = True
        self.full = 0
        self.plan = CollectionPlan(self.clock, lambda: self.is_quiet)

    def _count(self, phase: str, info: dict[str, int]) -> None:
        self.full += phase == "start" and info["generation"] == 2

    def pass_seconds(self, seconds: float) -> None:
        """Advance the clock, and let the plan look as often as it does."""
        with self.counted():
            self.clock.pump([LOOK_SECONDS] * int(seconds / LOOK_SECONDS))

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the full collections during the block."""
        gc.callbacks.append(self._count)
        try:
            yield
        finally:
            gc.callbacks.remove(self._count)


@pytest.fixture
def heap() -> Iterator[Heap]:
    """Yield a process whose plan runs."""
    heap = Heap()
    heap.plan.start()
    yield heap
    heap.plan.stop()


def test_python_goes_on_collecting_once_all_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    for name in ("collect", "freeze", "enable"):
        monkeypatch.setattr(gc, name, lambda name=name: done.append(name))

    garbage.freeze()

    assert done == ["collect", "freeze", "enable"]


def test_a_quiet_moment_is_used_once_a_collection_is_due(heap: Heap) -> None:
    heap.pass_seconds(DUE_SECONDS - LOOK_SECONDS)
    early = heap.full
    heap.pass_seconds(LOOK_SECONDS)

    assert (early, heap.full) == (0, 1)


def test_nobody_waits_for_a_collection_that_can_wait(heap: Heap) -> None:
    heap.is_quiet = False
    heap.pass_seconds(2 * DUE_SECONDS)
    busy = heap.full
    heap.is_quiet = True
    heap.pass_seconds(LOOK_SECONDS)

    assert (busy, heap.full) == (0, 1)


def test_what_is_overdue_comes_all_the_same(heap: Heap) -> None:
    """If it waited for a quiet moment, a server that is never quiet would grow."""
    heap.is_quiet = False
    heap.pass_seconds(OVERDUE_SECONDS)

    assert heap.full == 1


def test_python_collects_nothing_in_full_by_itself(heap: Heap) -> None:
    with heap.counted():
        made: list[Any] = [[] for _ in range(300_000)]

    assert (len(made), heap.full) == (300_000, 0)


def test_a_long_collection_is_logged(heap: Heap, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator can then tell why an answer was late."""
    told: list[Any] = []
    observer: Any = told.append
    monkeypatch.setattr(garbage, "LONG_MS", -1.0)
    globalLogPublisher.addObserver(observer)
    try:
        gc.collect()
    finally:
        globalLogPublisher.removeObserver(observer)

    assert told[0]["generation"] == 2


def test_two_plans_in_turn_leave_nothing_behind() -> None:
    before = list(gc.callbacks), gc.get_threshold()
    heap = Heap()
    for _ in range(2):
        heap.plan.start()
        heap.plan.stop()

    assert (gc.callbacks, gc.get_threshold()) == before
    assert heap.clock.getDelayedCalls() == []


def test_a_server_is_quiet_when_nobody_has_asked_anything_for_a_moment() -> None:
    """Somebody who plays on does not wait now, but will in a moment."""
    house = House()
    ann = house.client("Ann")
    house.settle(QUIET_SECONDS)
    before = house.lobby.is_quiet
    ann.port.list_tables()
    house.settle(QUIET_SECONDS / 2)
    soon = house.lobby.is_quiet
    house.settle(QUIET_SECONDS)

    assert (before, soon, house.lobby.is_quiet) == (True, False, True)
