"""Snapshots in the store: rooms restored from them are the same."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred
from twisted.logger import LogLevel, globalLogPublisher

from protocol import messages
from protocol.commitments import first_head
from protocol.common.table import Stage
from protocol.event import Stored
from server.kernel import snapshot
from server.kernel.chance import seeded
from server.kernel.packed import parted
from server.kernel.rest_point import RestPoint
from server.lobby.rooms import snapshots
from server.lobby.rooms.snapshots import KIND, code_of
from server.net.scheduling import FairScheduler, Party
from server.storage import LogEnd
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, room_of, start_all
from tests.kit.stores.memory import MemoryStore
from tests.lobby.test_saving import answer_some

Seen = tuple[Any, ...]


def seen(house: House, room_id: str) -> Seen:
    room = house.lobby.registry.hosts[room_id].room
    table = room.table
    return table.game, table.checkpoints, table.room.ask, table.room.draws, room.halted


def played(house: House) -> tuple[str, Seen]:
    """Play and unload a room; return its id and its state before."""
    ann, ben = start_all(house, ["Ann", "Ben"])
    answer_some(house, [ann, ben], 12)
    room_id = room_id_of(ann)
    before = seen(house, room_id)
    for client in (ann, ben):
        client.disconnect()
    house.settle()
    assert room_id not in house.lobby.registry.hosts
    assert kept(house, room_id) is not None
    return room_id, before


def kept(house: House, room_id: str) -> bytes | None:
    """Return the snapshot of a room."""
    return house.store._values.get((KIND, room_id))


def rest_of(house: House, room_id: str) -> RestPoint:
    """Return the content of a snapshot."""
    data = kept(house, room_id)
    assert data is not None
    return snapshot.load(data, room_id, code_of, seeded)


def plant(house: House, room_id: str, rest: RestPoint) -> None:
    """Replace the snapshot of a room."""
    code = code_of(rest.table.room.ruleset)
    assert code is not None
    house.store._values[KIND, room_id] = snapshot.save(rest, code)


def back(house: House, room_id: str) -> Client:
    """Return a client that has entered a table again."""
    ann = house.client("Ann")
    ann.port.enter(room_id)
    house.settle()
    return ann


@attrs.define(eq=False)
class NotingStore(MemoryStore):
    """A store that records where each read of a log begins."""

    reads: list[int] = attrs.field(factory=list)

    def read(self, room_id: str, first: int = 0, last: int | None = None) -> Deferred[list[Stored]]:
        self.reads.append(first)
        return super().read(room_id, first, last)


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> House:
    """Return a server that compares no room with its log."""
    monkeypatch.setattr(snapshots, "CHECKED_AMONG", 1 << 40)
    return House()


def test_room_comes_back_from_its_snapshot(house: House) -> None:
    house.store = store = NotingStore()
    house.open()
    room_id, before = played(house)
    end = rest_of(house, room_id).end
    store.reads.clear()

    with pytest.raises(StopIteration):
        house.lobby.registry.load(room_id).send(None)

    assert store.reads
    assert min(store.reads) >= end > 50
    assert seen(house, room_id) == before
    ann, ben = back(house, room_id), house.client("Ben")
    ben.port.enter(room_id)
    house.settle()
    assert ann.model.view is not None
    assert len(ann.model.view.records) == len(house.log_of(room_id))
    answer_some(house, [ann, ben], 3)
    assert room_of(house, ann).stage is Stage.PLAYING


def cut_short(data: bytes) -> bytes:
    """Return the part that a torn write leaves."""
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    """Return bytes with one bit flipped."""
    return data[:100] + bytes([data[100] ^ 1]) + data[101:]


@pytest.mark.parametrize("damage", [cut_short, flipped, lambda _: b""])
def test_damaged_snapshot_is_thrown_away(house: House, damage: Callable[[bytes], bytes]) -> None:
    room_id, before = played(house)
    data = kept(house, room_id)
    assert data is not None
    house.store._values[KIND, room_id] = damage(data)

    ann = back(house, room_id)

    assert seen(house, room_id) == before
    assert kept(house, room_id) is None
    assert not ann.session.all(messages.Refusal)


CHANGES: dict[str, Callable[[RestPoint], RestPoint]] = {
    "another head": lambda rest: attrs.evolve(rest, head=bytes(32)),
    "too far": lambda rest: attrs.evolve(rest, end=rest.end + 10**6),
    "one record off": lambda rest: attrs.evolve(rest, end=rest.end - 1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_snapshot_that_is_not_of_this_log_is_thrown_away(house: House, change: str) -> None:
    room_id, before = played(house)
    plant(house, room_id, CHANGES[change](rest_of(house, room_id)))

    back(house, room_id)

    assert seen(house, room_id) == before
    assert kept(house, room_id) is None


def test_snapshot_of_other_code_is_thrown_away(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room_id, before = played(house)
    monkeypatch.setattr(snapshots, "code_of", lambda _: b"newer")

    back(house, room_id)

    assert seen(house, room_id) == before
    assert kept(house, room_id) is None


def with_other_game(rest: RestPoint) -> RestPoint:
    """Return a rest point with one changed fact on its table, and the right head."""
    game: Any = rest.table.game
    return attrs.evolve(
        rest,
        table=attrs.evolve(rest.table, game=attrs.evolve(game, is_chat_open=not game.is_chat_open)),
    )


def test_one_room_in_a_hundred_is_compared_with_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    room_id, before = played(house)
    plant(house, room_id, with_other_game(rest_of(house, room_id)))
    monkeypatch.setattr("server.lobby.rooms.loading.is_checked", lambda _: True)
    told: list[str] = []
    thrown = house.lobby.registry.snapshots.throw_away

    def throw_away(_self: object, about: str, why: str) -> None:
        told.append(why)
        thrown(about, why)

    monkeypatch.setattr(snapshots.Snapshots, "throw_away", throw_away)

    back(house, room_id)

    assert seen(house, room_id) == before
    assert kept(house, room_id) is None
    assert told == ["it is not what the log amounts to; rest[].game.is_chat_open: another bool"]


def test_about_one_in_a_hundred_is_compared() -> None:
    """The log decides whether its room is compared, so each restart decides alike."""
    heads = [LogEnd(1, first_head(str(number))) for number in range(5000)]

    assert 25 <= sum(map(snapshots.is_checked, heads)) <= 80


def test_canary_lies_in_log_and_snapshot_alone(house: House) -> None:
    room_id, _ = played(house)
    seed = rest_of(house, room_id).table.room.play_seed
    assert seed is not None
    canary = seed.value
    ann = back(house, room_id)
    ann.send(messages.ExportTable(9_999, room_id))
    house.settle()

    holders = {kind for (kind, _), value in house.store._values.items() if canary in value}
    assert holders == {KIND}
    assert any(canary in record.openings for record in house.log_of(room_id))
    assert not any(canary in record.public for record in house.log_of(room_id))
    for message in ann.session.sent:
        assert canary not in messages.encode_message(message)


def test_table_that_is_played_is_written_now_and_then(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that crashes then need not fold the whole logs of its active rooms."""
    monkeypatch.setattr(snapshots, "EVENTS_BETWEEN", 50)
    ann, ben = start_all(house, ["Ann", "Ben"])

    answer_some(house, [ann, ben], 20)

    room = house.host_of(ann).room
    assert len(room.log) - rest_of(house, room.room_id).end < 150
    assert room.log.first > 100


@pytest.mark.issue(12)
def test_a_snapshot_is_written_when_nobody_waits(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[Party] = []
    background = FairScheduler.background

    def noted(scheduler: FairScheduler, party: Party, work: Callable[[], object]) -> None:
        steps.append(party)
        background(scheduler, party, work)

    monkeypatch.setattr(FairScheduler, "background", noted)
    room_id, before = played(house)

    assert set(steps) == {Party("", room_id)}
    assert len(steps) > len(parted(before[1])[1]) > 0


@pytest.mark.issue(37)
def test_snapshot_of_other_code_is_no_alarm(house: House) -> None:
    """After an update every room has a snapshot of other code."""
    room_id, _ = played(house)
    house.store._values[KIND, room_id] = snapshot.save(rest_of(house, room_id), b"yesterday's")
    seen: list[Any] = []
    observer: Any = seen.append
    globalLogPublisher.addObserver(observer)
    try:
        back(house, room_id)
    finally:
        globalLogPublisher.removeObserver(observer)

    told = [event for event in seen if "snapshot" in str(event.get("log_format"))]
    assert [event["log_level"] for event in told] == [LogLevel.info]
