"""Retention: which tables are removed, when, and everything that goes with them."""

from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from twisted.logger import globalLogPublisher

from protocol import messages
from protocol.common.table import Stage
from protocol.messages import LossCause
from server.identity import invitations
from server.lobby.rooms import snapshots, summary
from server.lobby.rooms.summary import Summary
from server.lobby.tables.retention import (
    DAY_MS,
    EVERY_SECONDS,
    MAX_QUIET_MS,
    Retaining,
    Retention,
    has_passed,
)
from server.storage import StoreFull
from tests.kit.servers.failing import FailingStore
from tests.kit.servers.house import House
from tests.kit.servers.tables import room_id_of, seat_all

PART = "lock-house/first-night"

pytestmark = pytest.mark.issue(15)


def table(stage: Stage = Stage.PLAYING, scenario: str = "core/harrow", days: int = 30) -> Summary:
    """Return a table whose last event was `days` before the tests' present."""
    return Summary("a", scenario, stage, (), (), (), due=0, when=(100 - days) * DAY_MS)


@pytest.mark.parametrize(
    ("one", "retention", "goes"),
    [
        (table(), Retention(), False),
        (table(), Retention(finished_days=1), False),
        (table(), Retention(abandoned_days=30), True),
        (table(), Retention(abandoned_days=31), False),
        (table(Stage.LOBBY), Retention(abandoned_days=30), True),
        (table(Stage.OVER), Retention(abandoned_days=1), False),
        (table(Stage.OVER), Retention(finished_days=30), True),
        (table(Stage.OVER), Retention(finished_days=31), False),
        (table(Stage.OVER, PART), Retention(finished_days=1), False),
        (table(Stage.OVER, PART), Retention(finished_days=1, campaigns=True), True),
        (table(Stage.PLAYING, PART), Retention(abandoned_days=1), True),
    ],
)
def test_tables_are_kept_as_long_as_said(one: Summary, retention: Retention, goes: bool) -> None:
    assert has_passed(one, 100 * DAY_MS, retention, {PART}) == goes


TWO_DAYS = Retention(abandoned_days=2)


@attrs.define(eq=False)
class KeepingHouse(House):
    """A server that removes abandoned tables after two days."""

    store: FailingStore = attrs.field(factory=FailingStore)
    retaining: Retaining = attrs.field(init=False)

    def keep(self, retention: Retention = TWO_DAYS) -> None:
        """Begin to remove old tables."""
        registry = self.lobby.registry
        self.retaining = Retaining(
            self.lobby.services, registry, retention, frozenset, self.lobby.lost
        )
        self.retaining.start()

    def days_go_by(self, count: int) -> None:
        """Advance the clock by days."""
        for _ in range(count):
            self.clock.advance(EVERY_SECONDS)
            self.settle()


@pytest.fixture
def house() -> KeepingHouse:
    """Return an empty server that keeps abandoned tables for two days."""
    return KeepingHouse()


def abandoned(house: KeepingHouse) -> str:
    """Open a table and leave it; return its id."""
    ada, ben = seat_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    for each in (ada, ben):
        each.disconnect()
    house.settle()
    assert room_id not in house.lobby.registry.hosts
    return room_id


def kept_of(house: KeepingHouse, room_id: str) -> dict[str, int]:
    """Return the number of stored values of a room, by kind."""
    values = house.store._values
    leading = [
        value
        for (kind, _), value in values.items()
        if kind == invitations.KIND
        and (target := invitations.target_of(value)) is not None
        and target.room_id == room_id
    ]
    return {
        "records": len(house.store._logs.get(room_id, [])),
        "summaries": (summary.KIND, room_id) in values,
        "snapshots": (snapshots.KIND, room_id) in values,
        "invitations": len(leading),
    }


def test_abandoned_table_goes_with_all_that_is_kept_of_it(house: KeepingHouse) -> None:
    room_id, other = abandoned(house), abandoned(house)
    assert kept_of(house, room_id)["invitations"]
    house.keep()

    house.days_go_by(1)
    assert all(kept_of(house, each)["records"] for each in (room_id, other))
    house.days_go_by(2)

    assert not any(kept_of(house, room_id).values())
    assert not house.lobby.registry.summaries
    ada = house.client("Ada")
    ada.port.enter(room_id)
    house.settle()
    assert ada.session.last(messages.Refusal).code == "table/no_such_table"


def test_what_the_settings_say_anew_holds_from_then_on(house: KeepingHouse) -> None:
    first = abandoned(house)
    house.keep(Retention())
    house.days_go_by(5)
    assert kept_of(house, first)["records"]

    house.retaining.apply_settings(Retention(abandoned_days=2))
    house.days_go_by(2)
    assert not kept_of(house, first)["records"]
    house.retaining.apply_settings(Retention())
    second = abandoned(house)
    house.days_go_by(5)

    assert kept_of(house, second)["records"]


def test_table_that_somebody_is_at_stays(house: KeepingHouse) -> None:
    (ada,) = seat_all(house, ["Ada"])
    house.keep()

    house.days_go_by(5)

    assert kept_of(house, room_id_of(ada))["records"]


def test_table_that_cannot_be_removed_goes_another_day(house: KeepingHouse) -> None:
    room_id = abandoned(house)
    house.keep()
    house.store.fail_with = StoreFull("no space is left")

    house.days_go_by(3)
    assert kept_of(house, room_id)["records"]
    house.store.fail_with = None
    house.days_go_by(1)

    assert not kept_of(house, room_id)["records"]


def test_nothing_is_removed_after_the_end(house: KeepingHouse) -> None:
    room_id = abandoned(house)
    house.keep()

    house.retaining.stop()
    house.days_go_by(5)

    assert kept_of(house, room_id)["records"]


def test_who_had_a_seat_at_a_table_that_went_is_told(house: KeepingHouse) -> None:
    ada, ben = seat_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    for one in (ada, ben):
        one.disconnect()
    house.keep()
    house.days_go_by(4)

    back = house.client("Ben")
    back.port.ask_for_lost_seats()
    house.settle()

    [lost] = back.session.last(messages.LostSeats).lines
    assert (lost.room_id, lost.cause) == (room_id, LossCause.EXPIRED)


@pytest.fixture
def warned() -> Iterator[list[str]]:
    """Collect the warnings about tables that are not removed."""
    found: list[str] = []

    def note(event: Any) -> None:
        if event.get("log_namespace", "").endswith("Retaining") and "days" in event:
            found.append(event["log_format"].format(**event))

    observer: Any = note
    globalLogPublisher.addObserver(observer)
    yield found
    globalLogPublisher.removeObserver(observer)


@pytest.mark.issue(37)
@pytest.mark.parametrize("days", [MAX_QUIET_MS // DAY_MS + 1, 3650])
def test_nothing_is_removed_after_a_start_on_a_clock_far_ahead(
    house: KeepingHouse, warned: list[str], days: int
) -> None:
    room_id = abandoned(house)
    house.restart_after(days * DAY_MS / 1000)
    house.keep()
    (cleo,) = seat_all(house, ["Cleo"])
    cleo.disconnect()

    house.days_go_by(5)

    assert kept_of(house, room_id)["records"]
    assert f"nothing was played in the {days} days before the start" in warned[0]


@pytest.mark.issue(38)
def test_a_record_of_the_future_makes_no_wrong_clock_plausible(
    house: KeepingHouse, warned: list[str]
) -> None:
    """The clock was wrong before, by ten years, and is wrong now, by five."""
    year = 365 * DAY_MS / 1000
    room_id = abandoned(house)
    house.restart_after(10 * year)
    (cleo,) = seat_all(house, ["Cleo"])
    cleo.disconnect()
    house.restart_after(-5 * year)
    house.keep()

    house.days_go_by(5)

    assert kept_of(house, room_id)["records"]
    assert any("nothing was played" in line for line in warned)


@pytest.mark.issue(37)
def test_old_tables_are_removed_after_a_start_within_the_usual_pause(
    house: KeepingHouse, warned: list[str]
) -> None:
    """A server may be quiet for weeks, such as in August."""
    room_id = abandoned(house)
    house.restart_after(MAX_QUIET_MS / 1000 - EVERY_SECONDS)
    house.keep()

    house.days_go_by(1)

    assert not kept_of(house, room_id)["records"]
    assert warned == []


@pytest.mark.issue(37)
def test_a_quiet_server_that_runs_on_removes_old_tables(house: KeepingHouse) -> None:
    """The clock was right at the start; later jumps are ignored."""
    room_id = abandoned(house)
    house.keep(Retention(abandoned_days=2 * MAX_QUIET_MS // DAY_MS))

    house.days_go_by(2 * MAX_QUIET_MS // DAY_MS + 1)

    assert not kept_of(house, room_id)["records"]
