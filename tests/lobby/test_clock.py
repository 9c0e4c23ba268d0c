"""The clock of a room: what counts against a time limit, and what stops it."""

import hashlib

import pytest

from protocol import messages
from protocol.common import events
from protocol.common.table import Settings, Stage
from server.kernel.rule_runner import RuleRunner
from server.lobby.rooms.room_clock import START_SECONDS
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import (
    come_back,
    get_ready,
    happened,
    records_of,
    room_id_of,
    room_of,
    seat_all,
    start_all,
    start_at_vote,
)

LIMIT = Settings(time_limit_seconds=60)


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def left_in(house: House, room_id: str) -> float:
    """Return the seconds until a room's next deadline."""
    left = house.lobby.registry.hosts[room_id].clock.seconds_left()
    assert left is not None
    return left


def test_a_limit_counts_from_the_question(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], LIMIT)
    room_id = room_id_of(ada)
    house.settle(15)
    ada.port.chat("hurry")
    house.settle(15)
    ben.disconnect()
    house.settle(15)
    come_back(house, "Ben", room_id)
    ask = room_of(house, ada).ask
    assert ask is not None
    ada.port.vote(ask.ask_id, ask.questions[0].value.default)

    house.settle(15)

    records = records_of(house, room_id)
    at = next(r.time for r in records if isinstance(r.event, events.Asked))
    out = next(r.time for r in records if isinstance(r.event, events.TimedOut))
    assert 60_000 <= out - at < 60_200


def test_the_next_question_has_its_whole_time(house: House) -> None:
    ada, ben = start_at_vote(house, ["Ada", "Ben"], LIMIT)
    house.settle(30)
    ask = room_of(house, ada).ask
    assert ask is not None
    for client in (ada, ben):
        client.port.vote(ask.ask_id, (ask.questions[0].value.choices[0].choice_id,))
    house.settle()

    after = room_of(house, ada).ask
    assert after is not None
    assert after.ask_id != ask.ask_id
    assert left_in(house, room_id_of(ada)) > 58


def test_a_table_without_a_limit_waits_for_ever(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])

    house.settle(1000)

    assert not happened(house, room_id_of(ada), events.TimedOut)
    assert house.host_of(ada).clock.seconds_left() is None


def test_what_was_waited_before_the_server_went_down_counts(house: House) -> None:
    """The log tells how long people waited, up to the last stored record."""
    ada, _ = start_all(house, ["Ada", "Ben"], LIMIT)
    room_id = room_id_of(ada)
    house.settle(30)
    ada.port.chat("half of it is over")
    house.settle()

    house.restart_after(1000)
    come_back(house, "Ada", room_id)

    assert 25 < left_in(house, room_id) < 31


def test_going_down_twice_costs_no_time_either(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], LIMIT)
    room_id = room_id_of(ada)
    house.settle(10)
    house.restart_after(1000)
    come_back(house, "Ada", room_id)
    house.settle(10)

    house.restart_after(1000)
    come_back(house, "Ben", room_id)

    assert left_in(house, room_id) > 30


def test_going_down_while_nobody_is_there_costs_no_time(house: House) -> None:
    """When an operator stops a server, all players seem to leave, and nothing marks its return."""
    ada, ben = start_all(house, ["Ada", "Ben"], LIMIT)
    room_id = room_id_of(ada)
    house.settle(10)
    ada.disconnect()
    ben.disconnect()
    house.restart_after(1000)
    come_back(house, "Ada", room_id)
    house.settle(10)

    house.restart_after(1000)
    come_back(house, "Ben", room_id)

    assert left_in(house, room_id) > 30


def test_a_limit_that_was_over_already_rings_at_once(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], LIMIT)
    room_id = room_id_of(ada)
    house.settle(57)
    ada.port.chat("nearly over")
    house.settle()
    house.restart_after(1000)
    come_back(house, "Ada", room_id)
    before = len(happened(house, room_id, events.TimedOut))

    house.settle(10)

    assert (before, len(happened(house, room_id, events.TimedOut))) == (0, 1)


def test_time_stands_still_while_only_bots_are_here(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], LIMIT)
    room_id = room_id_of(ada)
    house.settle(10)
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=True)
    house.settle(10)
    ada.disconnect()

    house.settle(1000)
    again = come_back(house, "Ada", room_id)

    assert not happened(house, room_id, events.TimedOut)
    assert room_of(house, again).seats[1].is_bot
    assert 45 < left_in(house, room_id) < 51


def test_one_person_who_stays_keeps_the_limit_running(house: House) -> None:
    """A player who leaves must not hold the table up."""
    _, ben = start_all(house, ["Ada", "Ben"], LIMIT)
    room_id = room_id_of(ben)
    ben.disconnect()

    house.settle(61)

    assert len(happened(house, room_id, events.TimedOut)) == 1


CALENDAR = Settings(time_limit_seconds=600, by_calendar=True)


def test_by_the_calendar_all_time_counts_once_the_server_is_back(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], CALENDAR)
    room_id = room_id_of(ada)
    house.settle(60)
    for client in (ada, ben):
        client.disconnect()
    house.settle()

    house.restart_after(300)
    before = (room_id in house.lobby.registry.hosts, happened(house, room_id, events.TimedOut))
    house.settle(220)
    early = happened(house, room_id, events.TimedOut)
    house.settle(30)

    assert before == (False, [])
    assert early == []
    assert len(happened(house, room_id, events.TimedOut)) == 1


def test_by_the_calendar_a_limit_that_ended_meanwhile_rings_at_the_start(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], CALENDAR)
    room_id = room_id_of(ada)
    house.settle(60)

    house.restart_after(3600)
    house.settle()

    assert len(happened(house, room_id, events.TimedOut)) == 1


def test_by_the_calendar_talk_gives_nobody_more_time(house: House) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], CALENDAR)
    room_id = room_id_of(ada)
    due = house.lobby.registry.summaries[room_id].due
    house.settle(60)

    ada.port.chat("still here")
    house.settle()

    assert due > 0
    assert house.lobby.registry.summaries[room_id].due == due


# Starts


def commit(client: Client) -> None:
    """Commit to a share for a client that does nothing."""
    digest = hashlib.sha256(b"b" * 32).digest()
    client.send(messages.CommitShare(client.next_serial(), room_id_of(client), digest))


def start_with_silent(house: House, silent: set[int]) -> list[Client]:
    """Return three clients in a start; those of the silent seats do nothing."""
    clients = seat_all(house, ["Ada", "Ben", "Cleo"])
    get_ready(house, clients)
    for seat in silent:
        clients[seat].session.hear = None
    clients[0].port.start()
    house.settle()
    assert room_of(house, clients[0]).stage is Stage.STARTING
    return clients


def test_a_start_names_those_who_did_not_commit(house: House) -> None:
    clients = start_with_silent(house, {1, 2})

    house.settle(START_SECONDS)

    ada = clients[0]
    assert happened(house, room_id_of(ada), events.StartFailed) == [events.StartFailed((1, 2))]
    seats = room_of(house, ada).seats.values()
    assert [seat.is_ready for seat in seats] == [True, False, False]


def test_once_all_have_committed_a_start_names_those_who_did_not_open(house: House) -> None:
    """A seat that vanishes after committing could have chosen between two games."""
    clients = start_with_silent(house, {1})
    commit(clients[1])

    house.settle(START_SECONDS)

    assert happened(house, room_id_of(clients[0]), events.StartFailed) == [events.StartFailed((1,))]


def test_a_share_in_time_gives_the_others_no_more(house: House) -> None:
    """The whole start has half a minute; no share extends this time."""
    clients = start_with_silent(house, {1})
    house.settle(START_SECONDS - 5)
    commit(clients[1])

    house.settle(6)

    assert room_of(house, clients[0]).stage is Stage.LOBBY


def test_a_start_that_failed_can_be_tried_again(house: House) -> None:
    clients = start_with_silent(house, {1})
    house.settle(START_SECONDS)
    ada, ben, cleo = clients
    again = come_back(house, "Ben", room_id_of(ada))
    again.port.set_ready(True)
    house.settle()

    ada.port.start()
    house.settle()

    assert room_of(house, ada).stage is Stage.PLAYING
    assert len(happened(house, room_id_of(cleo), events.SeedsCommitted)) == 2
    assert ben.session is not again.session


# Pauses


@pytest.fixture
def paused(house: House, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return a client at a table that is paused because a rule failed at a time-out."""
    ada, _ = start_all(house, ["Ada", "Ben"], LIMIT)
    with monkeypatch.context() as broken:
        broken.setattr(RuleRunner, "_time_out", lambda *_: 1 / 0)
        house.settle(61)
    return ada


def test_a_time_out_that_fails_pauses_the_game(house: House, paused: Client) -> None:
    """The clock tries once; then people have to look at it."""
    assert room_of(house, paused).is_paused
    assert not happened(house, room_id_of(paused), events.TimedOut)


def test_while_a_game_is_paused_no_time_runs(house: House, paused: Client) -> None:
    room_id = room_id_of(paused)
    before = house.host_of(paused).clock.seconds_left()
    house.settle(1000)
    house.restart_after(1000)
    come_back(house, "Ada", room_id)
    after = house.lobby.registry.hosts[room_id].clock.seconds_left()
    house.settle(1000)

    assert before is None
    assert after is None
    assert not happened(house, room_id, events.TimedOut)


def test_a_game_that_goes_on_asks_anew_with_its_whole_time(house: House, paused: Client) -> None:
    house.settle(1000)

    paused.port.resume()
    house.settle()

    assert not room_of(house, paused).is_paused
    assert left_in(house, room_id_of(paused)) > 58
    house.settle(60)
    assert len(happened(house, room_id_of(paused), events.TimedOut)) == 1
