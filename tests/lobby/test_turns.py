"""Turns: long work is done in parts, between which others are served."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import cast

import attrs
import pytest
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol.common.events import Chatted
from protocol.event import Event, Stored, hidden
from protocol.seams import Clock
from server.kernel.batch_writer import Batch
from server.kernel.errors import Refused
from server.kernel.room import Room
from server.kernel.steps import Steps
from server.lobby.rooms.host import RoomHost
from server.lobby.services.seams import LobbyServices
from server.net.scheduling import TURN_SECONDS, FairScheduler
from server.storage.store import StoreItem
from tests.kit.servers.house import House
from tests.kit.servers.tables import get_ready, happened, room_id_of, seat_all
from tests.kit.stores.memory import MemoryStore

pytestmark = pytest.mark.issue(12)


@attrs.define(eq=False)
class Reactor:
    """A manual reactor: work takes time, and turns are counted."""

    calls: list[Callable[[], object]] = attrs.field(factory=list)
    spent: float = 0.0
    done: list[tuple[int, str]] = attrs.field(factory=list)
    """Turn and name of each piece of work done."""
    turn: int = 0
    turns: FairScheduler = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.turns = FairScheduler(cast("Clock", self), lambda: self.spent)

    def work(self, name: str, part: float) -> Callable[[object], None]:
        """Return work that takes this share of a turn."""

        def do(_: object) -> None:
            self.spent += part * TURN_SECONDS
            self.done.append((self.turn, name))

        return do

    def run(self) -> None:
        """Run turns until nothing is left."""
        while self.calls:
            self.turn += 1
            calls, self.calls = self.calls, []
            for call in calls:
                call()

    def callLater(self, seconds: float, call: Callable[[], object]) -> None:
        assert seconds == 0
        self.calls.append(call)


def test_what_fits_into_a_turn_is_done_at_once() -> None:
    reactor = Reactor()
    for name in ("a", "b"):
        _ = reactor.turns.time().addCallback(reactor.work(name, 0.4))

    assert reactor.done == [(0, "a"), (0, "b")]


def test_what_comes_when_the_time_is_over_waits_for_the_next_turn() -> None:
    reactor = Reactor()
    for name in ("a", "b", "c", "d"):
        _ = reactor.turns.time().addCallback(reactor.work(name, 0.6))

    reactor.run()

    assert reactor.done == [(0, "a"), (0, "b"), (1, "c"), (1, "d")]


def test_what_only_has_to_be_shown_comes_first() -> None:
    """Viewers who wait for messages to be shown have waited longest."""
    reactor = Reactor()
    _ = reactor.turns.time().addCallback(reactor.work("a", 1))
    _ = reactor.turns.time().addCallback(reactor.work("b", 1))
    _ = reactor.turns.time_to_show().addCallback(reactor.work("shown", 1))

    reactor.run()

    assert [name for _, name in reactor.done] == ["a", "shown", "b"]


def test_an_idle_reactor_is_not_woken() -> None:
    reactor = Reactor()
    _ = reactor.turns.time().addCallback(reactor.work("a", 1))

    reactor.run()

    assert (reactor.turn, reactor.calls) == (1, [])


# Rooms --------------------------------------------------------------------------------------


@attrs.define(eq=False)
class OrderedStore(MemoryStore):
    """A store that records the rooms of its batches, in order."""

    order: list[str] = attrs.field(factory=list)

    def append(
        self, room_id: str, first: int, records: Sequence[Stored], beside: StoreItem | None = None
    ) -> Deferred[None]:
        self.order.append(room_id)
        return super().append(room_id, first, records, beside)


@attrs.define(eq=False)
class BusyHouse(House):
    """A server in which every part of work takes a whole turn."""

    store: OrderedStore = attrs.field(factory=OrderedStore)
    is_busy: bool = True
    _seconds: Iterator[float] = attrs.field(factory=itertools.count)

    def _services(self) -> LobbyServices:
        services = super()._services()
        scheduler = FairScheduler(self.clock, lambda: next(self._seconds))
        return attrs.evolve(services, scheduler=scheduler) if self.is_busy else services


@pytest.mark.long
def test_a_game_in_parts_is_the_same_game() -> None:
    logs = []
    for is_busy in (True, False):
        house = BusyHouse(is_busy=is_busy)
        ada, ben = seat_all(house, ["Ada", "Ben"])
        get_ready(house, [ada, ben])
        ada.port.start()
        bots = [house.bot(ada), house.bot(ben)]
        house.settle(5)
        assert all(bots)
        logs.append(house.log_of(room_id_of(ada)))

    assert len(logs[0]) > 200
    assert logs[0] == logs[1]


STEPS = 5


def made_long(room: Room) -> None:
    """Make a room process each input in many steps."""
    receiving = room.receiving

    def long(happened: Event, *, time: int, origin: int) -> Steps[Batch]:
        for _ in range(STEPS):
            yield
        return (yield from receiving(happened, time=time, origin=origin))

    room.receiving = long  # type: ignore[method-assign]  # of this room alone


def two_tables(house: House) -> tuple[RoomHost, RoomHost]:
    """Return the hosts of two tables; at the first everything takes long."""
    long, short = (house.host_of(seat_all(house, [name])[0]) for name in ("Ada", "Ben"))
    made_long(long.room)
    return long, short


def test_what_is_short_overtakes_what_is_long_at_another_table() -> None:
    house = BusyHouse()
    long, short = two_tables(house)
    house.store.order.clear()

    for host in (long, short):
        _ = host.submit(a_line(), 0)
    house.settle()

    assert house.store.order == [short.room.room_id, long.room.room_id]


def test_inputs_of_one_table_are_taken_in_their_order_all_the_same() -> None:
    house = BusyHouse()
    long, _ = two_tables(house)
    lines = ["first", "second", "third"]

    for line in lines:
        _ = long.submit(a_line(line), 0)
    house.settle()

    told = happened(house, long.room.room_id, Chatted)
    assert [one.words.value.decode() for one in told] == lines


def test_a_table_in_the_middle_of_an_input_is_not_idle() -> None:
    """An idle room would be unloaded in the middle of its input."""
    house = BusyHouse()
    long, _ = two_tables(house)
    long.followers.by_session.clear()
    before = long.is_idle

    _ = long.submit(a_line(), 0)

    assert (before, long.is_idle, long.is_busy) == (True, False, True)


def test_an_input_that_the_end_of_the_server_meets_is_given_up() -> None:
    house = BusyHouse()
    long, _ = two_tables(house)
    before = len(long.room.log)
    failed: list[Failure] = []

    _ = long.submit(a_line(), 0).addErrback(failed.append)
    house.lobby.close()
    house.settle()

    assert isinstance(failed[0].value, Refused)
    assert len(house.log_of(long.room.room_id)) == before == len(long.room.log)


def a_line(words: str = "hello") -> Chatted:
    """Return a line of talk."""
    return Chatted(0, hidden(words.encode()))
