"""Order: many people send messages at once, and the store is slow."""

import itertools
import random
from collections.abc import Sequence

import pytest

from protocol import messages
from protocol.common import events
from protocol.common.table import Settings, Stage
from tests.kit.servers.house import Client, FakeSession
from tests.kit.servers.slow import SlowHouse
from tests.kit.servers.tables import (
    assert_same,
    get_ready,
    happened,
    room_id_of,
    room_of,
    seat_all,
    start_all,
)


@pytest.fixture
def house() -> SlowHouse:
    """Return an empty server on a slow store."""
    return SlowHouse()


def code_of(client: Client) -> str:
    """Return the code of the invitation that came with a table."""
    return client.session.last(messages.TableOpened).code


def replies_of(client: Client, serials: range) -> list[int]:
    """Return the serials of the replies, in their order."""
    told = [getattr(message, "serial", -1) for message in client.session.sent]
    return [serial for serial in told if serial in serials]


def test_what_one_session_says_is_answered_in_its_order(house: SlowHouse) -> None:
    """A list needs no store and chat does, but neither reply overtakes the other."""
    (ada,) = seat_all(house, ["Ada"])
    room_id = room_id_of(ada)
    serials = range(1000, 1020)

    for serial in serials:
        is_talk = serial % 2 == 0
        talk = messages.Chat(serial, room_id, f"line {serial}")
        ada.send(talk if is_talk else messages.ListTables(serial))
    house.settle(5)

    assert replies_of(ada, serials) == list(serials)
    lines = [e.words.value for e in happened(house, room_id, events.Chatted)]
    assert lines == [f"line {serial}".encode() for serial in serials if serial % 2 == 0]


def test_one_slow_session_holds_up_no_other(house: SlowHouse) -> None:
    ada, ben = seat_all(house, ["Ada", "Ben"])
    for serial in range(1000, 1020):
        ada.send(messages.Chat(serial, room_id_of(ada), "on and on"))
    house.settle(0.1)

    ben.send(messages.ListTables(2000))
    house.settle(0.1)

    assert replies_of(ben, range(2000, 2001)) == [2000]
    assert len(replies_of(ada, range(1000, 1020))) < 20


@pytest.mark.parametrize("number", [2, 4])
def test_people_who_join_in_the_same_moment_get_different_seats(
    house: SlowHouse, number: int
) -> None:
    (ada,) = seat_all(house, ["Ada"])
    others = [house.client(f"Friend {n}") for n in range(number)]

    for other in others:
        other.port.join(code_of(ada))
    house.settle(5)

    assert not any(other.session.all(messages.Refusal) for other in others)
    seats = {other.session.last(messages.Joined).seat for other in others}
    assert seats == set(range(1, number + 1))
    assert all(seat.is_present for seat in room_of(house, ada).seats.values())


def test_one_who_joins_from_two_places_at_once_has_one_seat(house: SlowHouse) -> None:
    (ada,) = seat_all(house, ["Ada"])
    here, there = house.client("Ben"), house.client("Ben")

    here.port.join(code_of(ada))
    there.port.join(code_of(ada))
    house.settle(5)

    assert here.session.last(messages.Joined).seat == there.session.last(messages.Joined).seat == 1
    assert len(room_of(house, ada).seats) == 2


def test_the_last_chair_goes_to_one_and_the_other_is_told(house: SlowHouse) -> None:
    names = ["Ada", "Ben", "Cleo", "Dan"]
    ada = seat_all(house, names)[0]
    late = [house.client("Eve"), house.client("Finn")]

    for other in late:
        other.port.join(code_of(ada))
    house.settle(5)

    assert len(room_of(house, ada).seats) == 5
    refused = [other.session.all(messages.Refusal) for other in late]
    assert sorted(len(codes) for codes in refused) == [0, 1]
    assert max(refused, key=len)[0].code == "table/full"


@pytest.mark.parametrize("seed", range(6))
def test_presence_ends_as_what_is_true(house: SlowHouse, seed: int) -> None:
    ada, *others = seat_all(house, ["Ada", "Ben", "Cleo"])
    room_id, rng = room_id_of(ada), random.Random(seed)
    here = {other.model.name: other.session for other in others}
    for _ in range(40):
        account = rng.choice(others).session.account
        session = here.pop(account.name, None)
        if session is not None:
            house.lobby.sessions.disconnected(session)
        else:
            session = here[account.name] = FakeSession(account)
            house.lobby.sessions.connected(session)
            house.lobby.sessions.received(session, messages.EnterTable(1, room_id, -1))
        house.clock.advance(rng.choice([0.0, 0.0, 0.05, 0.3]))
    house.settle(10)

    seats = room_of(house, ada).seats.values()
    assert {seat.name for seat in seats if seat.is_present} == {"Ada", *here}
    for seat in seats:
        noted = [e for e in happened(house, room_id, events.PresenceChanged) if e.seat == seat.seat]
        assert all(one != other for one, other in itertools.pairwise(noted))


def test_a_seat_that_is_left_does_not_hide_who_else_goes(house: SlowHouse) -> None:
    ada, ben, cleo = seat_all(house, ["Ada", "Ben", "Cleo"])
    house.lobby.sessions.received(ben.session, messages.LeaveSeat(1000, room_id_of(ada)))
    house.lobby.sessions.disconnected(ben.session)

    house.lobby.sessions.disconnected(cleo.session)
    house.settle(5)

    assert [(s.name, s.is_present) for s in room_of(house, ada).seats.values()] == [
        ("Ada", True),
        ("Cleo", False),
    ]


def test_one_who_goes_while_they_are_answered_harms_nobody(house: SlowHouse) -> None:
    (ada,) = seat_all(house, ["Ada"])
    ben = house.client("Ben")
    for message in (
        messages.JoinTable(1000, code_of(ada)),
        messages.EnterTable(1001, room_id_of(ada), -1),
        messages.Chat(1002, room_id_of(ada), "is anybody"),
    ):
        house.lobby.sessions.received(ben.session, message)
    house.clock.advance(0)

    house.lobby.sessions.disconnected(ben.session)
    house.settle(5)
    ada.port.chat("so be it")
    house.settle()

    room = room_of(house, ada)
    assert [(s.name, s.is_present) for s in room.seats.values()] == [("Ada", True), ("Ben", False)]
    assert len(happened(house, room.room_id, events.Chatted)) == 2
    assert ben.session not in house.host_of(ada).followers.by_session


def test_what_is_said_after_the_end_is_heard_by_nobody(house: SlowHouse) -> None:
    (ada,) = seat_all(house, ["Ada"])
    ada.disconnect()
    house.settle(5)

    house.lobby.sessions.received(ada.session, messages.Chat(1000, room_id_of(ada), "hello?"))
    house.settle(5)

    assert not replies_of(ada, range(1000, 1001))


def unloaded(house: SlowHouse, clients: Sequence[Client]) -> str:
    """Disconnect all clients; return the room, which is unloaded by then."""
    room_id = room_id_of(clients[0])
    for client in clients:
        client.disconnect()
    house.settle(5)
    assert room_id not in house.lobby.registry.hosts
    return room_id


def test_a_room_that_is_loaded_for_two_at_once_is_read_once(house: SlowHouse) -> None:
    clients = seat_all(house, ["Ada", "Ben"])
    room_id = unloaded(house, clients)
    ada, ben = house.client("Ada"), house.client("Ben")
    before = house.store.reads

    ada.port.enter(room_id)
    ben.port.enter(room_id)
    house.settle(5)

    assert house.store.reads == before + 1
    assert set(house.lobby.registry.hosts[room_id].followers.by_session) == {
        ada.session,
        ben.session,
    }
    ada.port.chat("good morning")
    house.settle()
    assert_same(house, [ada, ben])


def test_one_who_goes_while_the_room_is_read_is_not_waited_for(house: SlowHouse) -> None:
    room_id = unloaded(house, seat_all(house, ["Ada"]))
    ada = house.client("Ada")
    house.lobby.sessions.received(ada.session, messages.EnterTable(1000, room_id, -1))
    house.clock.advance(0.01)

    house.lobby.sessions.disconnected(ada.session)
    house.settle(5)

    assert room_id not in house.lobby.registry.hosts
    assert not ada.session.all(messages.Records)


def test_a_room_that_nobody_follows_is_unloaded_and_comes_back_the_same(house: SlowHouse) -> None:
    clients = start_all(house, ["Ada", "Ben"])
    room = house.host_of(clients[0]).room
    question = room.table.room.ask
    room_id = unloaded(house, clients)
    head, log = room.head, house.log_of(room_id)

    ada = house.client("Ada")
    ada.port.enter(room_id)
    house.settle(5)

    loaded = house.host_of(ada).room
    assert loaded is not room
    assert house.log_of(room_id)[: len(log)] == log
    assert (room.head, loaded.halted) == (head, None)
    assert loaded.table.room.ask == question
    assert_same(house, [ada])


def test_a_start_that_everybody_leaves_waits_for_somebody_to_come_back(house: SlowHouse) -> None:
    ada, ben = seat_all(house, ["Ada", "Ben"])
    get_ready(house, [ada, ben])
    ben.disconnect()
    ada.port.start()
    house.settle()
    room_id = unloaded(house, [ada])
    house.settle(100)
    assert room_id not in house.lobby.registry.hosts

    again = house.client("Ada")
    again.port.enter(room_id)
    house.settle(5)

    assert room_of(house, again).stage is Stage.STARTING
    house.settle(31)
    assert happened(house, room_id, events.StartFailed) == [events.StartFailed((1,))]
    assert room_of(house, again).stage is Stage.LOBBY


def test_a_limit_by_the_calendar_runs_on_alone(house: SlowHouse) -> None:
    settings = Settings(time_limit_seconds=300, by_calendar=True)
    clients = start_all(house, ["Ada", "Ben"], settings)
    room_id = unloaded(house, clients)
    asked = happened(house, room_id, events.Asked)

    house.settle(290)
    before = (room_id in house.lobby.registry.hosts, happened(house, room_id, events.TimedOut))
    house.settle(320)

    assert before == (False, [])
    assert len(happened(house, room_id, events.TimedOut)) == 2
    assert len(happened(house, room_id, events.Asked)) > len(asked)
    assert room_id not in house.lobby.registry.hosts


def test_a_room_with_a_limit_is_unloaded_and_nothing_runs_out(house: SlowHouse) -> None:
    """A table must not play itself to defeat while nobody is there."""
    clients = start_all(house, ["Ada", "Ben"], Settings(time_limit_seconds=60))
    room_id = unloaded(house, clients)

    house.settle(1000)

    assert room_id not in house.lobby.registry.hosts
    assert not happened(house, room_id, events.TimedOut)


def test_a_room_with_a_bot_is_unloaded_once_people_are_asked(house: SlowHouse) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=True)
    house.settle(2)
    ada.disconnect()
    house.settle(20)
    noted = happened(house, room_id, events.PresenceChanged)
    bots = dict(house.lobby.bots._running)
    is_loaded = room_id in house.lobby.registry.hosts

    again = house.client("Ada")
    again.port.enter(room_id)
    house.settle(5)

    assert (is_loaded, bots) == (False, {})
    assert len(house.lobby.bots._running) == 1
    news = happened(house, room_id, events.PresenceChanged)[len(noted) :]
    assert news == [events.PresenceChanged(0, is_present=True)]


def test_a_room_with_bots_plays_on_alone_and_is_unloaded_in_the_end(house: SlowHouse) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    host = house.host_of(ada)
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=True)
    house.settle(2)
    ada.port.propose_give_seat(0, to_bot=True)
    house.settle(2)
    ada.disconnect()

    for _ in range(4000):
        if host.room.table.room.stage is Stage.OVER:
            break
        house.settle(1)
    house.settle(5)

    assert host.room.table.room.stage is Stage.OVER
    assert host.room.room_id not in house.lobby.registry.hosts
