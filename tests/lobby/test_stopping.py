"""Rooms that stop because the store fails: how they rest, and how they go on."""

import itertools
import random
from collections.abc import Callable

import pytest

from protocol import messages
from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.table import Settings, Stage
from server.lobby.rooms.host import PROBE, RETRY_SECONDS
from server.storage import StoreBroken, StoreFull
from tests.kit.servers.failing import FailingHouse, Fault
from tests.kit.servers.house import Client
from tests.kit.servers.tables import (
    assert_same,
    get_ready,
    happened,
    room_id_of,
    room_of,
    seat_all,
    start_all,
)

KEPT_OR_NOT = pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "lost"])


@pytest.fixture
def house() -> FailingHouse:
    """Return an empty server whose store fails when the test says so."""
    return FailingHouse()


def codes(client: Client, kind: type[messages.Notice] | type[messages.Refusal]) -> list[str]:
    """Return the codes that a client was told, oldest first."""
    return [message.code for message in client.session.all(kind)]


def answer_first(client: Client) -> None:
    """Answer a client's question with its default."""
    view = client.model.view
    assert view is not None
    question, ask = view.my_question(), view.ask
    assert question is not None
    assert ask is not None
    if ask.settle is Settle.AGREE:
        client.port.vote(ask.ask_id, question.default)
    else:
        client.port.answer(ask.ask_id, question.default)


def asked(clients: list[Client]) -> Client:
    """Return a client whose answer is awaited."""
    return next(c for c in clients if c.model.view is not None and c.model.view.my_question())


@KEPT_OR_NOT
def test_a_room_goes_on_from_what_the_store_really_holds(
    house: FailingHouse, is_kept: bool
) -> None:
    """Only reading the log again tells whether the store has the last batch."""
    ada, ben = start_all(house, ["Ada", "Ben"])
    house.store.faults.append(Fault(is_kept=is_kept))
    ada.port.chat("is this on?")
    house.settle()
    assert codes(ada, messages.Refusal)[-1] == "table/stopped"
    assert ada.model.view is not None
    assert not any(isinstance(one.event, events.Chatted) for one in ada.model.view.records)

    house.settle(RETRY_SECONDS)
    ben.port.chat("now it is")
    house.settle()

    assert len(happened(house, room_id_of(ada), events.Chatted)) == 1 + is_kept
    assert_same(house, [ada, ben])
    assert not ada.model.fault


@KEPT_OR_NOT
def test_an_answer_whose_fate_is_unknown_counts_if_it_was_kept(
    house: FailingHouse, is_kept: bool
) -> None:
    clients = start_all(house, ["Ada", "Ben"])
    one = asked(clients)
    before = room_of(house, one).ask
    house.store.faults.append(Fault(is_kept=is_kept))
    answer_first(one)
    house.settle()

    house.settle(RETRY_SECONDS)

    assert (room_of(house, one).ask != before) == is_kept
    assert_same(house, clients)
    answer_first(asked(clients))
    house.settle()
    assert_same(house, clients)


def test_all_who_follow_are_told_that_it_stopped_and_that_it_goes_on(house: FailingHouse) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    house.store.faults.append(Fault())

    ada.port.chat("is this on?")
    house.settle()

    assert codes(ada, messages.Notice) == codes(ben, messages.Notice) == ["table/stopped"]
    assert ben.model.is_stopped
    house.settle(RETRY_SECONDS)
    assert (
        codes(ada, messages.Notice)
        == codes(ben, messages.Notice)
        == ["table/stopped", "table/goes_on"]
    )
    assert not ben.model.is_stopped


def test_while_a_room_rests_nothing_is_stored(house: FailingHouse) -> None:
    """A disk that refuses one write may tear the next."""
    ada, ben = start_all(house, ["Ada", "Ben"])
    house.store.faults.append(Fault())
    ada.port.chat("is this on?")
    house.settle()
    before = house.store.appends

    ben.port.chat("no")
    house.settle()

    assert house.store.appends == before
    assert codes(ben, messages.Refusal) == ["table/stopped"]


def test_whoever_comes_to_a_room_that_rests_is_told(house: FailingHouse) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    ben.disconnect()
    house.store.faults.append(Fault())
    ada.port.chat("is this on?")
    house.settle()

    again = house.client("Ben")
    again.port.enter(room_id)
    house.settle()

    assert codes(again, messages.Notice) == ["table/stopped"]
    assert_same(house, [again])
    house.settle(RETRY_SECONDS)
    assert room_of(house, ada).seats[1].is_present


def test_a_room_that_cannot_be_read_yet_is_read_later(house: FailingHouse) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    house.store.faults.append(Fault())
    house.store.read_faults.extend([StoreBroken("no"), RuntimeError("a bug"), StoreBroken("no")])
    ada.port.chat("is this on?")

    house.settle(3 * RETRY_SECONDS)
    assert codes(ben, messages.Notice) == ["table/stopped"]
    house.settle(2 * RETRY_SECONDS)

    assert codes(ben, messages.Notice)[-1] == "table/goes_on"
    ben.port.chat("now it is")
    house.settle()
    assert_same(house, [ada, ben])


@pytest.mark.parametrize("is_raised", [True, False])
def test_a_mistake_of_the_store_stops_the_room_too(house: FailingHouse, is_raised: bool) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    house.store.faults.append(Fault(error=ZeroDivisionError("a bug"), is_raised=is_raised))

    ada.port.chat("is this on?")
    house.settle()

    assert codes(ada, messages.Refusal) == ["table/stopped"]
    assert codes(ben, messages.Notice) == ["table/stopped"]
    house.settle(RETRY_SECONDS)
    ada.port.chat("now it is")
    house.settle()
    assert not ada.model.sent
    assert_same(house, [ada, ben])


def test_a_mistake_while_a_room_is_read_is_answered(house: FailingHouse) -> None:
    (ada,) = seat_all(house, ["Ada"])
    room_id = room_id_of(ada)
    ada.disconnect()
    house.store.read_faults.append(ZeroDivisionError("a bug"))
    again = house.client("Ada")

    again.port.enter(room_id)
    house.settle()

    assert codes(again, messages.Refusal) == ["server/error"]
    again.port.enter(room_id)
    house.settle()
    assert_same(house, [again])


def test_a_room_that_was_never_stored_is_forgotten(house: FailingHouse) -> None:
    ada = house.client("Ada")
    house.store.faults.append(Fault())
    ada.port.open_table(house.scenario_id(), Settings())
    house.settle()

    assert codes(ada, messages.Refusal) == ["table/stopped"]
    assert not house.lobby.registry.hosts
    house.open_table(ada)
    assert_same(house, [ada])


def test_one_rooms_trouble_is_not_anothers(house: FailingHouse) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    cleo, dan = start_all(house, ["Cleo", "Dan"])
    house.store.faults.append(Fault())
    ada.port.chat("is this on?")
    house.settle()

    cleo.port.chat("all is well")
    house.settle()

    assert len(happened(house, room_id_of(cleo), events.Chatted)) == 1
    assert not dan.session.all(messages.Notice)


def test_a_stop_takes_no_time_from_a_question(house: FailingHouse) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"], Settings(time_limit_seconds=60))
    house.settle(30)
    ada.port.chat("half of it is over")
    house.settle()
    house.store.faults.append(Fault())
    ada.port.chat("is this on?")
    house.settle()

    house.settle(RETRY_SECONDS)

    left = house.host_of(ada).clock.seconds_left()
    assert left is not None
    assert 25 < left < 31


@KEPT_OR_NOT
def test_a_start_survives_a_stop_in_the_middle_of_it(house: FailingHouse, is_kept: bool) -> None:
    ada, ben = seat_all(house, ["Ada", "Ben"])
    get_ready(house, [ada, ben])
    house.store.plan = stops_at({2, 4}, is_kept=is_kept)
    ada.port.start()
    house.settle()
    house.settle(3 * RETRY_SECONDS)

    assert room_of(house, ada).stage is Stage.PLAYING
    assert_same(house, [ada, ben])


def stops_at(numbers: set[int], *, is_kept: bool) -> Callable[[], Fault | None]:
    """Return a plan that fails the appends of these numbers, counted from 1."""
    counted = itertools.count(1)
    return lambda: Fault(is_kept=is_kept) if next(counted) in numbers else None


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
def test_a_game_on_a_failing_store_is_played_to_its_end(house: FailingHouse, seed: int) -> None:
    """One append in ten fails, kept or not.

    `make test` plays one game, and `make test-long` two more.
    """
    ada, ben = start_all(house, ["Ada", "Ben"])
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=True)
    house.settle()
    house.bot(ada, seed)
    rng = random.Random(seed)
    house.store.plan = lambda: Fault(rng.random() < 0.5) if rng.random() < 0.1 else None
    for _ in range(6000):
        if room_of(house, ada).stage is Stage.OVER:
            break
        house.settle(2)
    house.store.plan = lambda: None
    house.settle(2 * RETRY_SECONDS)

    assert room_of(house, ada).stage is Stage.OVER
    assert codes(ada, messages.Notice).count("table/goes_on") > 2
    assert_same(house, [ada])
    ada.send(messages.ExportTable(9999, room_id_of(ada)))
    house.settle()
    report = audit(load(b"".join(part.data for part in ada.session.all(messages.ExportPart))))
    assert report.is_finished


@pytest.mark.issue(15)
def test_a_room_does_not_go_on_while_the_disk_stays_full(house: FailingHouse) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    house.store.fail_with = StoreFull("no space is left")
    ada.port.chat("is this on?")

    house.settle(5 * RETRY_SECONDS)
    assert codes(ben, messages.Notice) == ["table/stopped"]
    house.store.fail_with = None
    house.settle(RETRY_SECONDS)

    assert codes(ben, messages.Notice) == ["table/stopped", "table/goes_on"]
    ada.port.chat("now it is")
    house.settle()
    assert codes(ben, messages.Notice) == ["table/stopped", "table/goes_on"]
    assert_same(house, [ada, ben])


@pytest.mark.issue(15)
def test_a_room_goes_on_only_where_a_batch_like_the_last_would_fit(house: FailingHouse) -> None:
    """A full disk may still take small writes."""
    ada, ben = start_all(house, ["Ada", "Ben"])
    house.store.room_for = 1000
    house.store.faults.append(Fault(error=StoreFull("no space is left")))
    ada.port.chat("is this on?")

    house.settle(2 * RETRY_SECONDS)
    assert codes(ben, messages.Notice) == ["table/stopped"]
    house.store.room_for = None
    house.settle(RETRY_SECONDS)

    assert codes(ben, messages.Notice) == ["table/stopped", "table/goes_on"]
    assert house.store.scan(PROBE).result == []
