"""The loop monitor counts long turns, and names what ran in them."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import attrs
import pytest
from twisted.internet.task import Clock
from twisted.logger import globalLogPublisher

from protocol import messages
from server.net.handler import Account
from server.system.loop_monitor import LONG_SECONDS, LoopMonitor, NotingHandler, NotingReactor
from tests.kit.servers.house import FakeSession

pytestmark = pytest.mark.issue(12)

SHORT, LONG = LONG_SECONDS / 2, LONG_SECONDS * 3


@attrs.define(eq=False)
class Reactor:
    """A reactor whose turns take as long as the test says."""

    now: float = 0.0
    polled: list[tuple[Any, ...]] = attrs.field(factory=list)
    _poller: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._poller = self

    def poll(self, *args: Any) -> list[int]:
        """Wait for a whole second."""
        self.polled.append(args)
        self.now += 1
        return [7]

    def turn(self, work: Callable[[], object]) -> None:
        """Poll once, and do some work."""
        assert self._poller.poll(1, 2) == [7]
        work()

    def take(self, seconds: float) -> None:
        """Work for some seconds."""
        self.now += seconds


@attrs.define(eq=False)
class Watched:
    """A reactor, its monitor, and what is logged."""

    reactor: Reactor
    monitor: LoopMonitor
    told: list[dict[str, Any]]

    def turn(self, *pieces: tuple[str, float]) -> None:
        """Run work of these names, each for the given seconds."""

        def work() -> None:
            for name, seconds in pieces:
                self.monitor.note(name)
                self.reactor.take(seconds)

        self.reactor.turn(work)

    def long_turns(self) -> list[dict[str, Any]]:
        """Return the long turns that were logged, up to the next poll."""
        self.reactor.turn(lambda: None)
        return [line for line in self.told if "what" in line]


@pytest.fixture
def watched() -> Iterator[Watched]:
    """Yield a reactor that is watched."""
    reactor = Reactor()
    monitor = LoopMonitor(reactor, clock=lambda: reactor.now, cpu=lambda: reactor.now / 2)
    with logged() as told:
        monitor.start()
        yield Watched(reactor, monitor, told)
        monitor.stop()


@contextmanager
def logged() -> Iterator[list[dict[str, Any]]]:
    """Yield the list of logged events."""
    told: list[Any] = []
    observer: Any = told.append
    globalLogPublisher.addObserver(observer)
    try:
        yield told
    finally:
        globalLogPublisher.removeObserver(observer)


def test_waiting_is_no_part_of_a_turn(watched: Watched) -> None:
    for _ in range(20):
        watched.turn(("Answer", SHORT))

    assert watched.long_turns() == []
    assert watched.monitor.stalls == 0
    assert watched.reactor.polled == [(1, 2)] * 21


def test_a_long_turn_is_told_with_what_took_longest(watched: Watched) -> None:
    watched.turn(("Ping", SHORT / 2), ("Answer", SHORT * 1.5), ("RoomClock.ring", SHORT))

    (line,) = watched.long_turns()
    assert line["what"] == "Answer"
    assert line["ms"] == pytest.approx(SHORT * 3 * 1000)
    assert line["cpu_ms"] == pytest.approx(SHORT * 1.5 * 1000)
    assert watched.monitor.stalls == 1


def test_what_nobody_noted_is_of_the_network(watched: Watched) -> None:
    watched.reactor.turn(lambda: watched.reactor.take(LONG))

    assert [line["what"] for line in watched.long_turns()] == ["the network"]


def test_names_of_an_earlier_turn_are_forgotten(watched: Watched) -> None:
    watched.turn(("Answer", LONG))
    watched.turn(("Ping", LONG))

    assert [line["what"] for line in watched.long_turns()] == ["Answer", "Ping"]
    assert watched.monitor.longest_seconds == pytest.approx(LONG)


def test_a_collection_of_garbage_is_left_out(watched: Watched) -> None:
    """The plan of collections logs it."""

    def collect(phase: str, _info: dict[str, int]) -> None:
        if phase == "start":
            return
        watched.reactor.take(LONG)

    # Called between the monitor's two, as it was added before the monitor's second call.
    gc.callbacks.insert(0, collect)
    try:
        watched.reactor.turn(gc.collect)
        turns = watched.long_turns()
    finally:
        gc.callbacks.remove(collect)

    assert (turns, watched.monitor.stalls) == ([], 0)


def test_what_was_counted_is_told_at_the_end() -> None:
    reactor = Reactor()
    monitor = LoopMonitor(reactor, clock=lambda: reactor.now, cpu=lambda: 0.0)
    callbacks = list(gc.callbacks)
    monitor.start()
    reactor.turn(lambda: reactor.take(LONG))
    reactor.turn(lambda: None)

    with logged() as told:
        monitor.stop()

    assert [(line["stalls"], line["longest"]) for line in told] == [(1, pytest.approx(LONG * 1000))]
    assert reactor._poller is reactor
    assert gc.callbacks == callbacks


def test_a_reactor_without_a_poller_is_left_alone() -> None:
    monitor = LoopMonitor(Clock())
    with logged() as told:
        monitor.start()
        monitor.note("Answer")
        monitor.stop()

    assert len(told) == 1
    assert monitor._pieces == []


def test_calls_of_the_reactor_are_noted_by_name_alone() -> None:
    """An argument may be secret."""
    clock, notes, done = Clock(), list[str](), list[object]()
    reactor = NotingReactor(clock, notes.append)

    def deal(*what: object) -> None:
        done.extend(what)

    call = reactor.callLater(1, deal, "secret")
    reactor.callLater(2, done.append, "another").cancel()
    clock.advance(5)

    assert notes == [deal.__qualname__]
    assert done == ["secret"]
    assert not call.active()
    assert reactor.seconds() == 5


def test_messages_are_noted_by_their_class_alone() -> None:
    notes, heard = list[str](), list[object]()

    class Desk:
        """A handler that records messages."""

        def connected(self, session: object) -> None:
            heard.append("connected")

        def received(self, session: object, message: object) -> None:
            heard.append(message)

        def disconnected(self, session: object) -> None:
            heard.append("disconnected")

    handler = NotingHandler(Desk(), notes.append)
    session = FakeSession(Account(b"k" * 32, "Ann", "en"))
    said = messages.Chat(1, "room", "a word for the table alone")
    handler.connected(session)
    handler.received(session, said)
    handler.disconnected(session)

    assert notes == ["connected", "Chat", "disconnected"]
    assert heard == ["connected", said, "disconnected"]
