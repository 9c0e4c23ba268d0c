"""Pace: how much one person may say, and what becomes of those who say more."""

import pytest

from protocol import messages as say
from protocol.common import events as on
from server.lobby.visitor import (
    EXPORTS_AT_ONCE,
    MAX_BUCKETS,
    MAX_INBOX,
    STORED_AT_ONCE,
    STORED_PER_SECOND,
    Pace,
)
from tests.lobby.house import Client, House
from tests.lobby.slow import SlowHouse
from tests.lobby.tables import assert_same, happened, room_id_of, room_of, seat_all, start_all


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def talk(house: House, client: Client, lines: int) -> list[str]:
    """Say many lines at once; return the codes of the refusals."""
    before = len(client.session.all(say.Refusal))
    for line in range(lines):
        client.port.chat(f"line {line}")
    house.clock.advance(0)
    house.clock.advance(0)
    return [refused.code for refused in client.session.all(say.Refusal)[before:]]


def test_too_much_talk_is_refused_line_by_line(house: House) -> None:
    """What was said before is on the log, and every line has its reply."""
    ada, ben = start_all(house, ["Ada", "Ben"])
    house.settle(60)

    refused = talk(house, ada, 100)

    assert refused == ["table/too_busy"] * (100 - int(STORED_AT_ONCE))
    assert len(happened(house, room_id_of(ada), on.Chatted)) == STORED_AT_ONCE
    house.settle()
    assert not ada.model.sent
    assert_same(house, [ada, ben])


def test_one_who_talks_too_much_silences_nobody_else(house: House) -> None:
    """Each key has a pace of its own."""
    ada, ben = start_all(house, ["Ada", "Ben"])
    talk(house, ada, 200)

    assert not talk(house, ben, 5)


def test_one_who_talks_too_much_can_still_play(house: House) -> None:
    """Answers move the game and are asked for; they are never too many."""
    ada, _ = start_all(house, ["Ada", "Ben"])
    talk(house, ada, 200)
    ask = room_of(house, ada).ask
    assert ask is not None
    seen = len(ada.session.all(say.Refusal))

    ada.port.vote(ask.ask_id, ask.questions[0].value.default)
    house.settle()

    assert happened(house, room_id_of(ada), on.Voted)
    assert len(ada.session.all(say.Refusal)) == seen


def test_whoever_waits_may_talk_again(house: House) -> None:
    """So many lines a second, in the long run."""
    ada, _ = start_all(house, ["Ada", "Ben"])
    talk(house, ada, 200)
    house.settle(5)

    refused = talk(house, ada, 20)

    assert len(refused) == 20 - int(5 * STORED_PER_SECOND)


def test_two_sessions_of_one_key_share_its_pace(house: House) -> None:
    """A second terminal is not a second voice."""
    ada, _ = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    other = house.client("Ada")
    other.port.enter(room_id)
    house.settle()
    talk(house, ada, 200)

    assert talk(house, other, 1) == ["table/too_busy"]


def test_coming_and_going_has_a_pace_too(house: House) -> None:
    """Each time is a record that stays for ever."""
    ada, _ = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    before = len(house.host_of(ada).room.log)

    for serial in range(1000, 1400, 2):
        house.desk.received(ada.session, say.LeaveTable(serial, room_id))
        house.desk.received(ada.session, say.EnterTable(serial + 1, room_id, -1))

    assert ada.session.last(say.Refusal).code == "table/too_busy"
    host = house.desk.registry.hosts[room_id]
    assert len(host.room.log) - before <= 2 * STORED_AT_ONCE + 1


def test_files_are_made_at_a_pace(house: House) -> None:
    """A whole log is written for each; a patient player gets as many as they like."""
    (ada,) = seat_all(house, ["Ada"])

    def ask_for(count: int) -> int:
        done = len(ada.session.all(say.ExportPart))
        for _ in range(count):
            serial = ada.next_serial()
            house.desk.received(ada.session, say.ExportTable(serial, room_id_of(ada)))
        return len(ada.session.all(say.ExportPart)) - done

    assert ask_for(20) == EXPORTS_AT_ONCE
    assert ada.session.last(say.Refusal).code == "table/too_busy"
    house.settle(4.5)
    assert ask_for(20) == 2


def test_what_waits_for_one_session_is_bounded() -> None:
    """More is refused at once; what waits is dealt with, each once."""
    house = SlowHouse()
    (ada,) = seat_all(house, ["Ada"])
    house.settle(5)
    serials = range(1000, 1000 + MAX_INBOX + 51)
    house.desk.received(ada.session, say.Chat(serials[0], room_id_of(ada), "slow"))
    for serial in serials[1:]:
        house.desk.received(ada.session, say.ListTables(serial))

    refused = [(r.serial, r.code) for r in ada.session.all(say.Refusal)]
    assert refused == [(serial, "table/too_busy") for serial in serials[-50:]]
    house.settle(5)
    assert [m.serial for m in ada.session.all(say.Tables)][-MAX_INBOX:] == list(serials[1:-50])


def test_only_so_many_keys_are_remembered() -> None:
    """Those who spoke last; a crowd of fresh keys fills no memory."""
    pace = Pace()
    line = say.Chat(1, "room", "hello")

    for number in range(MAX_BUCKETS + 100):
        assert pace.allows(number.to_bytes(32, "big"), line, 0.0)

    assert len(pace._buckets) == MAX_BUCKETS
    assert (bytes(32), "stored") not in pace._buckets
