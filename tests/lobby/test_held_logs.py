"""When players come back, the server compares the log that they hold with its own."""

from collections.abc import Iterator, Sequence
from typing import cast

import pytest
from twisted.logger import ILogObserver, LogEvent, globalLogPublisher

from client.model.status import Disconnected, Online
from protocol import messages
from protocol.commitments import first_head, next_head
from protocol.common.table import Settings
from protocol.event import Cut, Stored
from server.lobby.views.held_logs import HeldLogs
from server.storage import StorageError
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import assert_same, room_id_of, start_all
from tests.kit.stores.memory import MemoryStore

OTHER_LOG = "is not the one that you were shown before"


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Collect the lines of the server's log."""
    lines: list[str] = []

    def note(event: LogEvent) -> None:
        lines.append(str(event.get("log_format")).format_map(event))

    observer = cast("ILogObserver", note)
    globalLogPublisher.addObserver(observer)
    yield lines
    globalLogPublisher.removeObserver(observer)


def head_after(room_id: str, cuts: Sequence[Cut], after: int) -> bytes:
    """Return the head of the chain after a record."""
    head = first_head(room_id)
    for one in cuts[: after + 1]:
        head = next_head(head, one.public)
    return head


def put_back(house: House, room_id: str, log: Sequence[Stored]) -> None:
    """Restart the server with this log of a room in its store."""
    house.lobby.close()
    house.store = MemoryStore()
    _ = house.store.append(room_id, 0, log)
    house.restart()


def come_back(house: House, client: Client) -> messages.Entered:
    """Log in again with a client, enter its table, and return the reply."""
    client.port.status_changed(Disconnected(0.0, "gone"))
    client.connect()
    house.settle()
    return client.session.last(messages.Entered)


def test_whoever_holds_the_beginning_is_sent_the_rest(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    view = ada.model.view
    assert view is not None

    for after in range(len(view.cuts)):
        head = head_after(view.room_id, view.cuts, after)
        ada.send(messages.EnterTable(ada.next_serial(), view.room_id, after, head))
        house.settle(0.2)
        assert not ada.session.last(messages.Entered).is_other

    assert_same(house, [ada])


def test_who_holds_more_than_the_server_is_told_so(house: House, logged: list[str]) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    older = house.log_of(room_id)
    for number in range(6):
        ada.port.chat(f"this is what Ada saw, {number}")
        house.settle()
    count = len(house.log_of(room_id))
    put_back(house, room_id, older)

    assert come_back(house, ada).is_other
    assert_same(house, [ada])
    assert OTHER_LOG in ada.model.bar.text
    told = [line for line in logged if "more than the store has" in line]
    why = "more than the store has: was an older copy of the database put back?"
    assert told == [f"room {room_id}: the client of seat 1 holds {count} records, {why}"]


def test_who_holds_another_log_is_told_so(house: House, logged: list[str]) -> None:
    """A log rewritten as a whole is consistent; only those who saw the earlier one notice."""
    ada, ben = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    before = house.log_of(room_id)
    ada.port.chat("this is what Ada saw")
    house.settle()
    seen = len(house.log_of(room_id)) - len(before)
    put_back(house, room_id, before)
    ben.port.status_changed(Disconnected(0.0, "gone"))
    ben.model.follow(None)
    ben.connect()
    ben.port.enter(room_id)
    house.settle()
    for _ in range(seen):
        ben.port.chat("and this is what the server has now")
        house.settle()

    assert come_back(house, ada).is_other
    assert_same(house, [ada])
    assert OTHER_LOG in ada.model.bar.text
    assert any("that are not those in the store" in line for line in logged)


def test_nobody_else_can_ask_what_a_log_is(house: House) -> None:
    """Comparing heads would tell somebody without a seat what they may not see."""
    settings = Settings(spectators=True, spectators_delay_seconds=300)
    ada, _ = start_all(house, ["Ada", "Ben"], settings)
    code = ada.session.last(messages.TableOpened).watch_code
    wat = house.client("Wat")
    wat.port.watch(code)
    house.settle(300)
    room_id = room_id_of(ada)
    wat.send(messages.EnterTable(wat.next_serial(), room_id, -1))
    house.settle()
    end = wat.session.last(messages.Entered).next_sequence

    replies = []
    for after in (end - 1, end, end + 5):
        for head in (bytes(32), b""):
            wat.send(messages.EnterTable(wat.next_serial(), room_id, after, head))
            house.settle()
            replies.append(type(wat.session.sent[-1]))

    assert not wat.session.last(messages.Entered).is_other
    assert replies[2:] == [messages.Refusal] * 4


def test_head_of_another_form_is_another_log(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])

    ada.send(messages.EnterTable(ada.next_serial(), room_id_of(ada), 2, b"short"))
    house.settle()

    assert ada.session.last(messages.Entered).is_other
    assert_same(house, [ada])


def test_whoever_is_refused_by_a_disk_that_fails_comes_back_at_the_next_ping(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it did not, the client would for ever show the state before its connection broke."""
    ada, ben = start_all(house, ["Ada", "Ben"])
    ada.port.status_changed(Disconnected(0.0, "gone"))
    house.lobby.sessions.disconnected(ada.session)
    with monkeypatch.context() as failing:
        failing.setattr(HeldLogs, "is_other", _fails)
        ada.connect()
    assert ada.session.last(messages.Refusal).code == "table/stopped"

    ada.port.status_changed(Online("", "", "", delay_seconds=0.1))
    house.settle()
    ben.port.chat("are you back?")
    house.settle()

    view = ada.model.view
    assert view is not None
    assert view.last == len(house.log_of(view.room_id)) - 1


async def _fails(*_: object) -> bool:
    raise StorageError("the disk cannot be read")
