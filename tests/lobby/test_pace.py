"""Pace: how much one person may send, and what happens beyond that."""

from collections.abc import Callable, Sequence

import attrs
import pytest
from twisted.internet.defer import Deferred

from protocol import messages as say
from protocol.common import events
from protocol.common.table import Settings
from server.lobby.requests.handlers import HANDLERS
from server.lobby.requests.pace import BUDGETS, MAX_BUCKETS, Pace, Paces, Payer
from server.lobby.requests.visitor import MAX_INBOX
from server.net.handler import Account
from server.net.scheduling import FairScheduler, Party
from tests.kit.servers.house import Client, FakeSession, House
from tests.kit.servers.slow import SlowHouse
from tests.kit.servers.tables import (
    assert_same,
    happened,
    room_id_of,
    room_of,
    seat_all,
    start_all,
    start_at_vote,
)

STORED, MADE, *_ = (budget for budget in BUDGETS if budget.payer is Payer.KEY)
STORED_AT_ONCE, STORED_PER_SECOND = STORED.at_once, STORED.per_second
EXPORTS_AT_ONCE = MADE.at_once


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def talk(house: House, client: Client, lines: int) -> list[str]:
    """Send lines of chat at once; return the codes of the refusals."""
    before = len(client.session.all(say.Refusal))
    for line in range(lines):
        client.port.chat(f"line {line}")
    house.clock.advance(0)
    house.clock.advance(0)
    return [refused.code for refused in client.session.all(say.Refusal)[before:]]


def test_too_much_talk_is_refused_line_by_line(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    house.settle(60)

    refused = talk(house, ada, 100)

    assert refused == ["table/too_busy"] * (100 - int(STORED_AT_ONCE))
    assert len(happened(house, room_id_of(ada), events.Chatted)) == STORED_AT_ONCE
    house.settle()
    assert not ada.model.sent
    assert_same(house, [ada, ben])


def test_one_who_talks_too_much_silences_nobody_else(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    talk(house, ada, 200)

    assert not talk(house, ben, 5)


def test_one_who_talks_too_much_can_still_play(house: House) -> None:
    """The game asks for each answer, so there are never too many."""
    ada, _ = start_at_vote(house, ["Ada", "Ben"])
    talk(house, ada, 200)
    ask = room_of(house, ada).ask
    assert ask is not None
    seen = len(ada.session.all(say.Refusal))

    ada.port.vote(ask.ask_id, ask.questions[0].value.default)
    house.settle()

    assert happened(house, room_id_of(ada), events.Voted)
    assert len(ada.session.all(say.Refusal)) == seen


def test_whoever_waits_may_talk_again(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    talk(house, ada, 200)
    house.settle(5)

    refused = talk(house, ada, 20)

    assert len(refused) == 20 - int(5 * STORED_PER_SECOND)


def test_two_sessions_of_one_key_share_its_pace(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    other = house.client("Ada")
    other.port.enter(room_id)
    house.settle()
    talk(house, ada, 200)

    assert talk(house, other, 1) == ["table/too_busy"]


def test_coming_and_going_has_a_pace_too(house: House) -> None:
    """Each arrival and departure is a record that stays for ever."""
    ada, _ = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    before = len(house.host_of(ada).room.log)

    for serial in range(1000, 1400, 2):
        house.lobby.sessions.received(ada.session, say.LeaveTable(serial, room_id))
        house.lobby.sessions.received(ada.session, say.EnterTable(serial + 1, room_id, -1))

    assert ada.session.last(say.Refusal).code == "table/too_busy"
    host = house.lobby.registry.hosts[room_id]
    assert len(host.room.log) - before <= 2 * STORED_AT_ONCE + 1


def test_files_are_made_at_a_pace(house: House) -> None:
    """The server renders a whole log for each file."""
    (ada,) = seat_all(house, ["Ada"])

    def ask_for(count: int) -> int:
        done = len(ada.session.all(say.ExportPart))
        for _ in range(count):
            serial = ada.next_serial()
            house.lobby.sessions.received(ada.session, say.ExportTable(serial, room_id_of(ada)))
        return len(ada.session.all(say.ExportPart)) - done

    assert ask_for(20) == EXPORTS_AT_ONCE
    assert ada.session.last(say.Refusal).code == "table/too_busy"
    house.settle(4.5)
    assert ask_for(20) == 2


def test_what_waits_for_one_session_is_bounded() -> None:
    house = SlowHouse()
    (ada,) = seat_all(house, ["Ada"])
    house.settle(5)
    serials = range(1000, 1000 + MAX_INBOX + 51)
    house.lobby.sessions.received(ada.session, say.Chat(serials[0], room_id_of(ada), "slow"))
    for serial in serials[1:]:
        house.lobby.sessions.received(ada.session, say.ListTables(serial))

    refused = [(r.serial, r.code) for r in ada.session.all(say.Refusal)]
    assert refused == [(serial, "table/too_busy") for serial in serials[-50:]]
    house.settle(5)
    assert [m.serial for m in ada.session.all(say.Tables)][-MAX_INBOX:] == list(serials[1:-50])


@pytest.mark.issue(13)
def test_what_waited_for_the_store_is_dealt_with_a_message_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = SlowHouse()
    (ada,) = seat_all(house, ["Ada"])
    house.settle(5)
    turns: list[Party] = []
    honest = FairScheduler.turn_of

    def turn_of(scheduler: FairScheduler, party: Party) -> Deferred[None]:
        turns.append(party)
        return honest(scheduler, party)

    monkeypatch.setattr(FairScheduler, "turn_of", turn_of)
    house.lobby.sessions.received(ada.session, say.Chat(1000, room_id_of(ada), "slow"))
    for serial in range(1001, 1051):
        house.lobby.sessions.received(ada.session, say.ListTables(serial))
    house.settle(5)

    assert len(turns) == 50
    assert {party.who for party in turns} == {ada.session}
    assert [m.serial for m in ada.session.all(say.Tables)][-50:] == list(range(1001, 1051))


def test_only_so_many_keys_are_remembered() -> None:
    """A crowd of new keys must not fill the memory."""
    pace = Pace()
    line = say.Chat(1, "room", "hello")

    for number in range(MAX_BUCKETS + 100):
        assert allows(pace, session(number, network=""), line)

    assert len(pace._buckets) == MAX_BUCKETS
    assert not any(payer == bytes(32) for _, payer in pace._buckets)


def session(number: int, network: str = "192.0.2.1") -> FakeSession:
    """Return a session with a key of its own."""
    return FakeSession(Account(number.to_bytes(32, "big"), "Ann", "en"), network=network)


def allows(pace: Pace, who: FakeSession, message: say.ClientMessage, now: float = 0.0) -> bool:
    """Charge a message of a client without a seat; return whether it is allowed."""
    return pace.allows(who, message, HANDLERS[type(message)].cost, now)


def allowed(messages: Sequence[say.ClientMessage], networks: int = 1) -> int:
    """Return how many of these messages are allowed, each from a new key."""
    pace = Pace()
    return sum(
        allows(pace, session(number, f"192.0.2.{number % networks}"), message)
        for number, message in enumerate(messages)
    )


OPEN = say.OpenTable(1, Settings(), "core/one")


@pytest.mark.issue(13)
@pytest.mark.parametrize(
    ("message", "at_once"),
    [
        (OPEN, 120),
        (say.ExportTable(1, "room"), 120),
        (say.ChooseLanguage(1, "fr"), 240),
        (say.Chat(1, "room", "hello"), 1200),
    ],
)
def test_fresh_keys_of_one_address_share_its_budget(
    message: say.ClientMessage, at_once: int
) -> None:
    """Keys cost nothing, so the budget of an address does not grow with their number."""
    assert allowed([message] * 2000) == at_once


@pytest.mark.issue(13)
def test_one_room_has_a_budget_whoever_asks() -> None:
    """Many addresses must not have one long log read over and over."""
    enters = [say.EnterTable(1, "long", -1)] * 500

    assert allowed(enters, networks=250) == 120
    assert allowed([say.EnterTable(1, f"room-{n}", -1) for n in range(300)], networks=250) == 300


@pytest.mark.issue(35)
def test_a_message_that_one_budget_refuses_costs_no_other() -> None:
    pace, ann = Pace(), session(0)
    for number in range(1, 251):
        allows(pace, session(number, f"192.0.2.{number}"), say.EnterTable(1, "long", -1))

    for _ in range(100):
        assert not allows(pace, ann, say.EnterTable(1, "long", -1))

    lines = [allows(pace, ann, say.Chat(1, "room", "hello")) for _ in range(100)]
    assert sum(lines) == STORED_AT_ONCE


@pytest.mark.issue(13)
def test_who_has_a_seat_is_kept_out_by_nobody_who_looks_on(house: House) -> None:
    ada, ben = seat_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    strangers = [session(number) for number in range(200)]
    for stranger in strangers:
        house.lobby.sessions.connected(stranger)
        house.lobby.sessions.received(stranger, say.EnterTable(1, room_id, -1))

    # At once, before the budget of the table has anything again.
    house.lobby.sessions.received(ben.session, say.EnterTable(5000, room_id, -1))
    house.settle()

    assert strangers[-1].last(say.Refusal).code == "table/too_busy"
    assert [one.serial for one in ben.session.all(say.Entered)][-1] == 5000


@pytest.mark.issue(13)
def test_tables_of_all_addresses_together_have_a_budget() -> None:
    """Nobody with many addresses may fill the disk at once."""
    assert allowed([OPEN] * 3000, networks=250) == 1200


@pytest.mark.issue(13)
def test_a_club_of_sixty_behind_one_address_plays() -> None:
    pace = Pace()
    evening: list[Callable[[str], say.ClientMessage]] = [
        lambda _: OPEN,
        lambda _: say.JoinTable(1, "code"),
        lambda room: say.EnterTable(1, room, -1),
        lambda room: say.ClaimCharacters(1, room, ("ann",)),
        lambda room: say.SetReady(1, room, True),
        lambda room: say.StartGame(1, room),
        *[lambda room: say.Chat(1, room, "hello")] * 10,
        lambda room: say.ExportTable(1, room),
    ]

    assert all(
        allows(pace, session(who), one(f"room-{who // 5}"), second)
        for second, one in enumerate(evening)
        for who in range(60)
    )


@pytest.mark.issue(13)
def test_what_is_in_this_process_has_no_address() -> None:
    """Bots of the server have no address, so they use up nobody's budget."""
    pace = Pace()

    assert all(allows(pace, session(n, network=""), say.Chat(1, "r", "x")) for n in range(2000))


@pytest.mark.issue(15)
def test_an_operator_says_how_much_an_address_may(house: House) -> None:
    paces = Paces(tables_at_once=2, tables_per_second=0.001)
    ada = house.client("Ada")
    ada.session.network = "192.0.2.7"
    house.lobby.pace.replace(paces)

    def told() -> str:
        ada.port.open_table(house.scenario_id(), Settings(), "")
        house.settle()
        last = ada.session.sent[-1]
        return last.code if isinstance(last, say.Refusal) else ""

    assert [told() for _ in range(3)] == ["", "", "table/too_busy"]
    house.lobby.pace.replace(attrs.evolve(paces))
    assert told() == "table/too_busy"
    house.lobby.pace.replace(Paces())
    assert told() == ""
