"""Where somebody is awaited: the server goes by their key, and the table learns nothing."""

import pytest

from protocol import messages
from protocol.messages import MailState
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, start_all

pytestmark = pytest.mark.issue(15)


def awaited(house: House, client: Client) -> messages.Awaited:
    """Return the tables that wait for a person, asked for on another connection."""
    other = house.client(client.session.account.name)
    other.send(messages.ListAwaited(99))
    house.settle()
    return other.session.last(messages.Awaited)


def asked(house: House, clients: list[Client]) -> tuple[Client, Client]:
    """Return the client that a game of two waits for, and the other one."""
    room = house.host_of(clients[0]).room.table.room
    assert room.ask is not None
    waiting = room.ask.waiting_for
    first = [client for at, client in enumerate(clients) if at in waiting]
    return first[0], clients[1 - clients.index(first[0])]


def test_a_table_that_waits_is_named_with_those_who_sit_there_and_since_when() -> None:
    house = House()
    clients = start_all(house, ["Ada", "Ben"])
    one, other = asked(house, clients)
    since = house.host_of(one).room.last_time
    house.settle(300)
    other.port.chat("Are you there?")
    house.settle()

    found = awaited(house, one)

    [line] = found.lines
    assert (line.room_id, line.names, line.since) == (room_id_of(one), ("Ada", "Ben"), since)
    assert found.mail is MailState.NONE


def test_a_table_that_a_client_of_the_same_key_shows_is_marked() -> None:
    """Nobody needs a notice of a table that they are looking at."""
    house = House()
    clients = start_all(house, ["Ada", "Ben"])
    one, _ = asked(house, clients)

    shown = awaited(house, one).lines
    one.disconnect()
    away = awaited(house, one).lines

    assert [line.is_shown for line in (*shown, *away)] == [True, False]


def test_asking_leaves_no_trace_at_the_table() -> None:
    house = House()
    clients = start_all(house, ["Ada", "Ben"])
    one, _ = asked(house, clients)
    room_id = room_id_of(one)
    before = house.log_of(room_id)

    other = house.client(one.session.account.name)
    heard = len(other.session.sent)
    other.send(messages.ListAwaited(99))
    house.settle()
    other.disconnect()

    assert house.log_of(room_id) == before
    assert {type(message) for message in other.session.sent[heard:]} == {messages.Awaited}
    assert not one.session.goodbye


def test_who_is_awaited_nowhere_is_told_so() -> None:
    house = House()
    start_all(house, ["Ada", "Ben"])
    stranger = house.client("Cleo")

    assert awaited(house, stranger).lines == ()


def test_a_sleeping_table_is_not_woken_by_the_question() -> None:
    """If it were woken, a client that asks every minute would keep all tables in memory."""
    house = House()
    clients = start_all(house, ["Ada", "Ben"])
    one, other = asked(house, clients)
    room_id = room_id_of(one)
    one.disconnect()
    other.disconnect()
    house.settle(120)
    assert room_id not in house.lobby.registry.hosts

    found = awaited(house, one)

    assert [line.room_id for line in found.lines] == [room_id]
    assert room_id not in house.lobby.registry.hosts
