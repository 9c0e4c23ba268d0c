"""Older records: read from the store in parts, while other sessions are served."""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred

from protocol import messages as say
from protocol.archive import load
from protocol.common.table import Settings
from protocol.messages import ServerMessage
from server.lobby.finished import export
from server.lobby.views import followers
from server.lobby.views.viewer import Viewer
from server.storage import LogDamaged, LogEnd
from tests.kit.servers.failing import FailingHouse, FailingStore
from tests.kit.servers.house import FakeSession, House
from tests.kit.servers.slow import SlowHouse
from tests.kit.servers.tables import room_id_of, start_all
from tests.lobby.test_saving import answer_some


@attrs.define(eq=False)
class SlowReader(FakeSession):
    """A connection that reads streams only when told to."""

    streams: list[Iterator[ServerMessage]] = attrs.field(factory=list)

    def stream(self, messages: Iterable[ServerMessage]) -> None:
        self.streams.append(iter(messages))

    def take(self) -> int:
        """Read all waiting streams; return the number of records in them."""
        count = 0
        for stream in self.streams[:]:
            self.streams.remove(stream)
            for message in stream:
                self.send(message)
                count += len(message.cuts) if isinstance(message, say.Records) else 0
        return count


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> int:
    """Limit reads of the log to small parts; return the number of records in one."""
    monkeypatch.setattr(followers, "RECORDS_AT_ONCE", 20)
    return 20


def test_next_part_is_read_when_the_last_was_taken(parts: int) -> None:
    house = House()
    ann, ben = start_all(house, ["Ann", "Ben"])
    answer_some(house, [ann, ben], 12)
    host = house.host_of(ann)
    slow = SlowReader(ben.session.account)
    length = len(host.room.log)

    host.followers.follow(slow, Viewer(1), -1, "en")

    assert len(slow.streams) == 1
    ann.port.chat("meanwhile")
    house.settle()
    taken = [slow.take()]
    house.settle(0.1)
    while slow.streams:
        taken.append(slow.take())
        house.settle(0.1)
    assert set(taken[:-1]) == {parts}
    assert sum(taken) == length + 1
    ann.port.chat("and now")
    house.settle()
    cuts = [cut for message in slow.all(say.Records) for cut in message.cuts]
    assert [cut.public for cut in cuts] == [one.public for one in house.log_of(host.room.room_id)]


def test_whoever_comes_to_a_damaged_log_is_told() -> None:
    house = FailingHouse()
    ann, ben = start_all(house, ["Ann", "Ben"])
    answer_some(house, [ann, ben], 5)
    room_id = room_id_of(ann)
    ben.disconnect()
    house.store.read_faults.append(LogDamaged(room_id, 3, "the record is missing"))
    again = house.client("Ben")

    again.port.enter(room_id)
    house.settle()

    assert [notice.code for notice in again.session.all(say.Notice)] == ["table/unreadable"]
    assert again.session not in house.host_of(ann).followers.by_session
    before = len(house.log_of(room_id))
    ann.port.chat("still here")
    house.settle()
    assert len(house.log_of(room_id)) > before


@attrs.define(eq=False)
class HeldStore(FailingStore):
    """A store that answers no reads of a log while held."""

    held: list[Deferred[Any]] | None = None

    def end(self, room_id: str) -> Deferred[LogEnd | None]:
        if self.held is None:
            return super().end(room_id)
        late: Deferred[Any] = Deferred()
        self.held.append(late)
        return late.addCallback(lambda _: super(HeldStore, self).end(room_id))


def test_server_starts_before_its_tables_are_loaded() -> None:
    house = House(store=HeldStore())
    store = house.store
    assert isinstance(store, HeldStore)
    ids = []
    settings = Settings(time_limit_seconds=60, by_calendar=True)
    for name in ("Ann", "Ben"):
        (one, _) = start_all(house, [name, f"{name}'s friend"], settings)
        ids.append(room_id_of(one))
    store.held = []

    house.restart_after(100)

    registry = house.lobby.registry
    assert set(registry.summaries) == set(ids)
    assert (len(registry.hosts), len(store.held)) == (0, 1)
    cleo = house.client("Cleo")
    house.open_table(cleo)
    assert cleo.session.all(say.TableOpened)
    while store.held:
        store.held.pop().callback(None)
    assert set(ids) <= set(registry.hosts)


@pytest.mark.issue(13)
def test_next_part_of_a_file_is_read_when_the_last_was_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(export, "RECORDS_AT_ONCE", 20)
    house = SlowHouse()
    ann, ben = start_all(house, ["Ann", "Ben"])
    answer_some(house, [ann, ben], 8)
    room_id = room_id_of(ann)
    log = house.log_of(room_id)
    slow = SlowReader(ben.session.account)
    house.lobby.sessions.connected(slow)
    reads = house.store.reads

    house.lobby.sessions.received(slow, say.ExportTable(1, room_id))
    house.settle(5)
    read_at_first = house.store.reads - reads
    ann.port.chat("meanwhile")
    while slow.streams:
        slow.take()
        house.settle()

    assert read_at_first == 1
    assert house.store.reads - reads == -(-len(log) // 20)
    archive = load(b"".join(part.data for part in slow.all(say.ExportPart)))
    assert [one.public for one in archive.cuts] == [one.public for one in log]


def test_whoever_asks_for_a_file_of_a_damaged_log_is_told() -> None:
    house = FailingHouse()
    ann, ben = start_all(house, ["Ann", "Ben"])
    answer_some(house, [ann, ben], 8)
    room_id = room_id_of(ann)
    slow = SlowReader(ben.session.account)
    house.lobby.sessions.connected(slow)
    house.lobby.sessions.received(slow, say.ExportTable(7, room_id))

    house.store.read_faults.append(LogDamaged(room_id, 70, "the record is missing"))
    while slow.streams:
        slow.take()
        house.settle()

    assert [(one.serial, one.code) for one in slow.all(say.Refusal)] == [(7, "table/unreadable")]
    assert not any(part.is_last for part in slow.all(say.ExportPart))
