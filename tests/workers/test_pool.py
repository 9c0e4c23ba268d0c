"""A table whose rules run in a worker is the same to everybody, whatever becomes of the worker."""

import itertools
import random
from typing import Any

import pytest
from twisted.internet.defer import Deferred
from twisted.logger import LogLevel, capturedLogs

from protocol.common.table import Settings
from protocol.event import Stored
from protocol.messages import Refusal
from server.kernel import snapshot
from server.lobby.rooms import snapshots
from server.workers import messages as say
from server.workers import pool as pools
from server.workers.child import Copies
from tests.lobby.failing import FailingStore, Fault
from tests.lobby.house import Client, House
from tests.lobby.tables import room_id_of, start_all
from tests.lobby.test_saving import answer_some
from tests.workers.processes import FakeProcess, WorkersHouse

pytestmark = pytest.mark.issue(12)


def played(house: House, answers: int = 12) -> tuple[list[Stored], list[list[object]]]:
    """Play for a while; return the log, and what each of two players was sent."""
    clients = start_all(house, ["Ann", "Ben"])
    answer_some(house, clients, answers)
    return house.log_of(room_id_of(clients[0])), [list(c.session.sent) for c in clients]


def test_a_table_is_the_same_with_a_worker() -> None:
    """Its log, and all that is sent to its seats, to the byte."""
    house = WorkersHouse()

    with_one, without = played(house), played(House())

    assert with_one == without
    assert house.followed > 12


@pytest.mark.parametrize(
    "at",
    [0, 9, 18, *(pytest.param(at, marks=pytest.mark.long) for at in (3, 6, 12, 15, 21))],
)
def test_a_worker_that_ends_takes_nothing_along(at: int) -> None:
    """
    Whenever it ends: the room goes on by itself, and with the next worker once that is there.

    Three games in each run, and five more in `make test-long`.
    """
    house = WorkersHouse()
    clients = start_all(house, ["Ann", "Ben"])
    chance = random.Random(at)
    for _ in range(12):
        first = house.processes.spawned[-1]
        house.clock.callLater(chance.random() * 0.4, first.end)
        answer_some(house, clients, 2)

    assert len(house.processes.spawned) > 3
    assert house.followed > 6
    assert house.host_of(clients[0]).room.halted is None
    same_after_reading(house, clients[0])


def test_a_worker_may_end_while_a_copy_is_made_for_it() -> None:
    """That takes several turns; the input is then worked out in the server."""
    house = WorkersHouse(takes_steps=True)
    clients = start_all(house, ["Ann", "Ben"])
    (process,) = house.processes.spawned
    assert not process.copies._rooms
    before, saving = len(house.log_of(room_id_of(clients[0]))), snapshot.saving

    def ends(*given: Any) -> Any:
        steps = saving(*given)
        next(steps)
        process.end()
        yield
        return (yield from steps)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshot, "saving", ends)
        answer_some(house, clients, 1)

    assert process.pid is None
    assert len(house.log_of(room_id_of(clients[0]))) > before
    same_after_reading(house, clients[0])


@pytest.mark.parametrize("records", [(), (Stored(b"", b""),), (Stored(b"\x96", b"\x90"),)])
def test_what_does_not_follow_is_not_stored(
    monkeypatch: pytest.MonkeyPatch, records: tuple[Stored, ...]
) -> None:
    """The room takes the input by itself."""
    house = WorkersHouse()

    def lie(_: Copies, asked: say.Input) -> say.FromWorker:
        return say.Written(asked.serial, records)

    monkeypatch.setattr(Copies, "_follow", lie)

    assert played(house) == played(House())
    assert house.followed > 12


def test_a_worker_that_makes_no_sense_is_ended() -> None:
    """And what waits for it is worked out in the server."""
    house = WorkersHouse()
    clients = start_all(house, ["Ann", "Ben"])
    answer_some(house, clients, 2)
    process, before = muted(house), len(house.log_of(room_id_of(clients[0])))

    with capturedLogs() as logs:
        answer_some(house, clients, 1)
        process.protocol.outReceived(b"\0\0\0\1x")
        house.settle()

    assert process.pid is None
    assert any("makes no sense" in e["log_format"] for e in logs)
    assert len(house.log_of(room_id_of(clients[0]))) > before


def test_what_comes_too_late_for_a_room_is_not_stored() -> None:
    """As where its log was found to be damaged meanwhile."""
    house = WorkersHouse()
    clients = start_all(house, ["Ann", "Ben"])
    answer_some(house, clients, 2)
    (process,) = house.processes.spawned
    room_id = room_id_of(clients[0])
    before = house.log_of(room_id)
    process.seconds = 5

    answer_some(house, clients, 1)
    asked = house.followed
    house.desk.registry.refuse(room_id, "as it seems")
    house.settle(10)

    assert asked > 0
    assert house.log_of(room_id) == before


def same_after_reading(house: House, client: Client) -> None:
    """Check that a room is what its log amounts to, folded and played again from the start."""
    room = house.host_of(client).room
    before = (room.table.game, room.table.checkpoints, room.head)
    house.store._values.pop((snapshots.KIND, room.room_id), None)
    house.restart()
    again = house.client("Ann")
    again.port.enter(room.room_id)
    house.settle()
    came = house.host_of(again).room
    assert (came.table.game, came.table.checkpoints) == before[:2]
    assert came.halted is None


def muted(house: WorkersHouse) -> FakeProcess:
    """Have the worker say nothing any more, and return its process."""
    (process,) = house.processes.spawned
    process.is_mute = True
    return process


def test_a_worker_that_is_stuck_is_ended_and_its_input_refused() -> None:
    """Else the server would be stuck in the same rule; who asked is told, and the table goes on."""
    house = WorkersHouse()
    clients = start_all(house, ["Ann", "Ben"])
    answer_some(house, clients, 2)
    process, before = muted(house), len(house.log_of(room_id_of(clients[0])))

    with capturedLogs() as logs:
        answer_some(house, clients, 1)
        assert len(house.log_of(room_id_of(clients[0]))) == before
        house.settle(pools.PATIENCE_SECONDS + pools.LOOK_SECONDS)

    assert process.pid is None
    critical = [e for e in logs if e["log_level"] is LogLevel.critical]
    assert any("is stuck" in e["log_format"] for e in critical)
    assert any(told.code == "rule/failed" for told in refusals(clients))
    answer_some(house, clients, 3)
    assert len(house.log_of(room_id_of(clients[0]))) > before


def refusals(clients: list[Client]) -> list[Refusal]:
    """Return what was refused to somebody."""
    return [told for client in clients for told in client.session.all(Refusal)]


def test_a_room_that_cannot_be_copied_is_played_in_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Which says so once, with the place in the program and with no value."""

    def fail(*_: object) -> None:
        raise ValueError("the butler")

    monkeypatch.setattr(Copies, "_loaded", fail)
    house = WorkersHouse()

    with capturedLogs() as logs:
        with_one = played(house)

    assert with_one == played(House())
    told = [e for e in logs if "no worker can copy it" in e["log_format"]]
    assert len(told) == 1
    assert "ValueError" in told[0]["why"]
    assert "butler" not in told[0]["why"]


def test_what_the_store_refuses_is_not_on_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy has gone further than the room; it is made anew."""
    house = WorkersHouse(FailingStore())
    clients = start_all(house, ["Ann", "Ben"])
    answer_some(house, clients, 3)
    assert isinstance(house.store, FailingStore)
    house.store.faults.append(Fault())
    answer_some(house, clients, 1)
    assert house.host_of(clients[0]).stopped
    house.settle(30)
    copies = count(house, say.Copy)

    answer_some(house, clients, 4)

    assert count(house, say.Copy) == copies + 1
    same_after_reading(house, clients[0])


def count(house: WorkersHouse, kind: type) -> int:
    """Return how many messages of a kind workers were sent."""
    heard = [told for one in house.processes.spawned for told in one.heard]
    return sum(isinstance(told, kind) for told in heard)


def test_a_table_with_stops_is_played_in_the_server() -> None:
    """Where they stop is on no log."""
    house = WorkersHouse()
    clients = start_all(house, ["Ann", "Ben"], Settings(stops=True))

    answer_some(house, clients, 3)

    assert house.followed == 0


def test_a_room_that_is_unloaded_is_dropped() -> None:
    """A worker keeps no table that nobody is at."""
    house = WorkersHouse()
    clients = start_all(house, ["Ann", "Ben"])
    answer_some(house, clients, 3)
    room_id = room_id_of(clients[0])
    (process,) = house.processes.spawned
    assert room_id in process.copies._rooms

    for client in clients:
        client.disconnect()
    house.settle()

    assert room_id not in house.desk.registry.hosts
    assert not process.copies._rooms
    assert not house.pool._with


def test_tables_are_shared_out_among_the_workers() -> None:
    """Each to the one that has fewest."""
    house = WorkersHouse(count=2)
    tables = [start_all(house, [f"Ann{at}", f"Ben{at}"]) for at in range(4)]
    for clients in tables:
        answer_some(house, clients, 1)

    assert [len(one.copies._rooms) for one in house.processes.spawned] == [2, 2]


def test_a_snapshot_is_written_by_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same to the byte as the room's own."""
    monkeypatch.setattr(snapshots, "EVENTS_BETWEEN", 20)
    houses: list[House] = [WorkersHouse(), House()]
    kept = []
    for house in houses:
        played(house)
        kept.append(
            {key: value for key, value in house.store._values.items() if key[0] == "snapshot"}
        )

    assert kept[0] == kept[1]
    assert kept[0]
    assert isinstance(houses[0], WorkersHouse)
    assert count(houses[0], say.Save) > 1


def test_a_worker_that_is_ahead_writes_no_snapshot() -> None:
    """What is not stored yet may never be; the room writes its own."""
    house = WorkersHouse()
    clients = start_all(house, ["Ann", "Ben"])
    answer_some(house, clients, 3)
    rest = house.host_of(clients[0]).room.rest
    answer_some(house, clients, 6)
    assert house.host_of(clients[0]).room.rest != rest

    saved = Deferred.fromCoroutine(house.pool.saved(rest))
    house.settle()

    assert saved.result is None


def test_a_worker_that_cannot_begin_is_tried_ever_less_often() -> None:
    """After 1, 2, 4 seconds, and at most a minute; the server plays on meanwhile."""
    house = WorkersHouse()
    clock, processes = house.clock, house.processes
    processes.begins_mute = True
    processes.spawned[-1].end()
    begun: list[float] = []
    for _ in range(3000):
        if processes.spawned[-1].pid is not None and len(processes.spawned) > 1 + len(begun):
            begun.append(clock.seconds())
            processes.spawned[-1].end()
        clock.advance(0.1)

    pauses = [round(b - a) for a, b in itertools.pairwise(begun)]
    assert pauses[:6] == [2, 4, 8, 16, 32, 60]
    assert set(pauses[5:]) == {60}


def test_workers_end_with_the_server() -> None:
    """And none is begun again."""
    house = WorkersHouse(count=2)

    house.pool.stop()
    house.settle(120)

    assert [one.pid for one in house.processes.spawned] == [None, None]
