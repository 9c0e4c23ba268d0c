"""Summaries: the list of tables is stored with the log, and agrees with it."""

from collections.abc import Sequence

import attrs
import pytest
from twisted.internet.defer import Deferred
from twisted.logger import capturedLogs

from protocol import codec
from protocol.common.table import Stage
from protocol.event import Stored
from server.lobby.rooms.summary import KIND, Summary
from server.storage import StoreItem
from tests.kit.servers.failing import FailingStore, Fault
from tests.kit.servers.house import House
from tests.kit.servers.tables import room_id_of, start_all


@attrs.define(eq=False)
class CountingStore(FailingStore):
    """A store that counts values set by themselves, and values stored beside a batch, by kind."""

    alone: list[str] = attrs.field(factory=list)
    beside: list[str] = attrs.field(factory=list)

    def append(
        self, room_id: str, first: int, records: Sequence[Stored], beside: StoreItem | None = None
    ) -> Deferred[None]:
        if beside is not None:
            self.beside.append(beside.kind)
        return super().append(room_id, first, records, beside)

    def put(self, kind: str, key: str, value: bytes) -> Deferred[None]:
        self.alone.append(kind)
        return super().put(kind, key, value)


@attrs.define(eq=False)
class CountingHouse(House):
    """A server on a store that counts."""

    store: CountingStore = attrs.field(factory=CountingStore)

    def stored(self, room_id: str) -> Summary:
        packed = self.store._values[KIND, room_id]
        found: Summary = codec.decode(packed, Summary)
        return found


@pytest.fixture
def house() -> CountingHouse:
    """Return an empty server on a store that counts."""
    return CountingHouse()


def test_an_answer_is_one_transaction(house: CountingHouse) -> None:
    clients = start_all(house, ["Ann", "Ben"])
    for client in clients:
        house.bot(client)

    house.settle(3)

    assert KIND not in house.store.alone
    assert 5 < len(house.store.beside) < house.store.appends


def test_what_the_store_has_is_what_is_shown(house: CountingHouse) -> None:
    clients = start_all(house, ["Ann", "Ben"])
    room_id = room_id_of(clients[0])

    found = house.stored(room_id)

    assert found == house.lobby.registry.summaries[room_id]
    assert (found.stage, found.names) == (Stage.PLAYING, ("Ann", "Ben"))


@pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "lost"])
def test_what_may_not_be_stored_is_not_shown(house: CountingHouse, *, is_kept: bool) -> None:
    ann = house.client("Ann")
    code = house.open_table(ann)
    (room_id,) = house.lobby.registry.summaries
    house.store.faults.append(Fault(is_kept=is_kept))

    house.join(house.client("Ben"), code)
    assert house.lobby.registry.summaries[room_id].names == ("Ann",)
    house.settle(20)

    names = ("Ann", "Ben") if is_kept else ("Ann",)
    assert house.lobby.registry.summaries[room_id].names == names
    assert house.stored(room_id).names == names


def test_a_clock_that_was_wrong_is_said_at_the_start(house: CountingHouse) -> None:
    start_all(house, ["Ann", "Ben"])
    with capturedLogs() as few:
        house.restart()
    (room_id,) = house.lobby.registry.summaries
    summary = attrs.evolve(house.lobby.registry.summaries[room_id], when=2_000_000_000_000)
    _ = house.store.put(KIND, room_id, codec.encode(summary, Summary))

    with capturedLogs() as many:
        house.restart()

    told = [[event["log_format"] for event in events] for events in (few, many)]
    assert [any("ahead of this machine" in one for one in each) for each in told] == [False, True]
