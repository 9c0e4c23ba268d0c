"""Scheduling: everybody gets a turn, and a turn of the reactor ends in time."""

from collections.abc import Callable, Generator
from typing import Any, cast

import attrs
import pytest
from twisted.internet.defer import Deferred
from twisted.logger import LogEvent, globalLogPublisher

from server.net.scheduling import FairScheduler, Party

MS = 0.001


@attrs.define(eq=False)
class TurnClock:
    """A clock on which each turn makes the calls that were due before it, as a reactor does."""

    calls: list[Callable[[], None]] = attrs.field(factory=list)

    def callLater(self, delay: float, call: Callable[[], None]) -> Any:
        """Keep a call for the next turn."""
        assert delay == 0
        self.calls.append(call)
        return call

    def turn(self) -> None:
        """Make the calls that are due."""
        calls, self.calls = self.calls, []
        for call in calls:
            call()


@attrs.define
class Scene:
    """A scheduler whose work takes the time that a test says."""

    clock: TurnClock = attrs.field(factory=TurnClock)
    spent: float = 0.0
    done: list[str] = attrs.field(factory=list)
    scheduler: FairScheduler = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.scheduler = FairScheduler(cast("Any", self.clock), lambda: self.spent)

    def work(self, name: str, ms: float) -> Callable[[], None]:
        """Return work that takes `ms` milliseconds."""

        def do() -> None:
            self.done.append(name)
            self.spent += ms * MS

        return do

    def turn(self) -> list[str]:
        """Run one turn of the reactor; return the names of the work done in it."""
        done, self.done = self.done, []
        assert not done
        self.clock.turn()
        done, self.done = self.done, []
        return done


def test_a_turn_ends_when_its_time_is_used() -> None:
    scene = Scene()
    for number in range(196):
        scene.scheduler.urgent(Party("a", 1), scene.work(str(number), 0.4))

    turns = [scene.turn() for _ in range(28)]

    assert turns == [[str(at + number) for number in range(7)] for at in range(0, 196, 7)]
    assert scene.turn() == []
    assert not scene.clock.calls


def test_a_flood_of_one_keeps_another_waiting_for_one_piece() -> None:
    scene = Scene()
    for _ in range(200):
        scene.scheduler.urgent(Party("a", 1), scene.work("flood", 3))
    scene.turn()
    scene.scheduler.urgent(Party("a", 2), scene.work("neighbour", 1))
    scene.scheduler.urgent(Party("b", 3), scene.work("other", 1))

    assert "neighbour" in (done := scene.turn() + scene.turn())
    assert "other" in done


def test_many_connections_of_one_network_have_its_turn_together() -> None:
    scene = Scene()
    for who in range(60):
        scene.scheduler.urgent(Party("a", who), scene.work("flood", 1))
    for _ in range(4):
        scene.scheduler.urgent(Party("b", "ann"), scene.work("ann", 1))

    assert scene.turn() == ["flood", "ann", "flood"]
    assert scene.turn() == ["ann", "flood", "ann"]


def test_work_in_the_background_lets_all_others_go_first() -> None:
    scene = Scene()
    for _ in range(3):
        scene.scheduler.background(Party("a", 1), scene.work("export", 2))
    scene.scheduler.urgent(Party("b", 2), scene.work("answer", 1))

    assert scene.turn() == ["answer", "export"]
    scene.scheduler.urgent(Party("b", 2), scene.work("answer", 1))
    assert scene.turn() == ["answer", "export"]
    assert scene.turn() == ["export"]


def test_background_work_goes_on_under_load() -> None:
    scene = Scene()
    for _ in range(50):
        scene.scheduler.urgent(Party("a", 1), scene.work("flood", 4))
    scene.scheduler.background(Party("b", 2), scene.work("export", 2))

    assert scene.turn() == ["flood", "export"]


def test_fourteen_exports_share_their_lane() -> None:
    scene = Scene()
    for step in range(3):
        for who in range(14):
            work = scene.work(f"{step}", 2)
            scene.scheduler.background(Party(f"network {who}", who), work)

    turns = [scene.turn() for _ in range(42)]

    assert turns == [[str(step)] for step in range(3) for _ in range(14)]


def test_work_that_fails_stops_nobody_elses() -> None:
    found: list[LogEvent] = []
    scene = Scene()

    def fail() -> None:
        raise RuntimeError("planted")

    scene.scheduler.urgent(Party("a", 1), fail)
    scene.scheduler.urgent(Party("a", 2), scene.work("other", 1))
    observe = cast("Any", found.append)
    globalLogPublisher.addObserver(observe)
    done = scene.turn()
    globalLogPublisher.removeObserver(observe)

    assert done == ["other"]
    assert [entry["log_format"] for entry in found] == ["a piece of work failed"]


@pytest.mark.parametrize("lane", ["urgent", "background"])
def test_work_that_asks_for_more_has_it_in_its_turn(lane: str) -> None:
    scene = Scene()
    ask = getattr(scene.scheduler, lane)
    party = Party("a", 1)

    def step() -> None:
        scene.work("step", 5)()
        ask(party, step)

    ask(party, step)

    assert [scene.turn() for _ in range(3)] == [["step"]] * 3


# Parts of long work -------------------------------------------------------------------------


def row_of_parts(scene: Scene, name: str, count: int, ms: float) -> Deferred[None]:
    """Begin work in `count` parts of `ms` milliseconds each."""

    def steps() -> Generator[None, None, None]:
        for _ in range(count):
            scene.work(name, ms)()
            yield

    return Deferred.fromCoroutine(scene.scheduler.run(steps()))


@pytest.mark.issue(12)
def test_parts_and_messages_take_turns() -> None:
    scene = Scene()
    _ = row_of_parts(scene, "part", 3, 3)
    for _ in range(3):
        scene.scheduler.urgent(Party("a", 1), scene.work("message", 3))
    begun, scene.done = scene.done, []

    turns = [scene.turn() for _ in range(5)]

    assert begun == ["part"]
    assert turns == [["part"], ["message"], ["part"], ["message"], ["message"]]


@pytest.mark.issue(12)
def test_parts_and_messages_share_one_turn() -> None:
    """The time of a part that ran before the messages is not charged to the messages."""
    scene = Scene()
    for _ in range(5):
        scene.scheduler.urgent(Party("a", 1), scene.work("message", 1))
    _ = row_of_parts(scene, "part", 1, 2)
    begun, scene.done = scene.done, []

    assert (begun, scene.turn()) == (["part"], ["message"])
    assert scene.turn() == ["message"] * 3


@pytest.mark.issue(12)
def test_steps_in_the_background_wait_for_all_that_somebody_waits_for() -> None:
    scene = Scene()

    def steps() -> Generator[None, None, str]:
        for _ in range(2):
            scene.work("step", 1)()
            yield
        return "done"

    ended = Deferred.fromCoroutine(scene.scheduler.run_in_background(Party("a", 1), steps()))
    came: list[str] = []
    _ = ended.addCallback(came.append)
    scene.scheduler.urgent(Party("a", 2), scene.work("message", 1))

    assert [scene.turn() for _ in range(3)] == [["message", "step"], ["step"], []]
    assert came == ["done"]
