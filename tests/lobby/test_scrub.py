"""The scrub: unread logs are compared with their heads, and damaged ones are refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from twisted.logger import capturedLogs

from protocol import messages
from server.lobby.rooms.scrub import FIRST_SECONDS, LONGEST_PAUSE_SECONDS, ROUND_SECONDS, Scrub
from server.storage.sqlite import SqliteStore
from server.storage.worker import InlineWorker
from server.upkeep.opened import call
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, seat_all, start_all

pytestmark = pytest.mark.issue(15)


@attrs.define(eq=False)
class StoringHouse(House):
    """A server on a database file."""

    store: Any = None
    scrub: Scrub = attrs.field(init=False)

    def begin(self) -> None:
        """Begin to compare unread logs with their heads."""
        self.scrub = Scrub(self.lobby.services, self.lobby.registry)
        self.scrub.start()

    def damage(self, room_id: str, sequence: int) -> None:
        """Change a record in the database, as a bad disk would."""
        statement = "UPDATE record SET public = x'00' WHERE room = ? AND sequence = ?"
        connection = self.store._database._connection
        connection.execute(statement, (room_id, sequence))

    def hours_go_by(self, count: float) -> None:
        """Advance the clock by hours."""
        for _ in range(int(count * 3600 / LONGEST_PAUSE_SECONDS)):
            self.clock.advance(LONGEST_PAUSE_SECONDS)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[StoringHouse]:
    """Return an empty server on a database file."""
    store = SqliteStore.open(tmp_path / "rooms.sqlite", call, start_worker=lambda _: InlineWorker())
    house = StoringHouse(store=store)
    house.begin()
    yield house
    house.scrub.stop()
    house.lobby.close()
    _ = store.close()


def codes(client: Client, kind: type[messages.Notice] | type[messages.Refusal]) -> list[str]:
    """Return the codes that a client was sent, oldest first."""
    return [message.code for message in client.session.all(kind)]


def left(house: StoringHouse) -> str:
    """Open a table and leave it; return its id."""
    (ada,) = seat_all(house, ["Ada"])
    room_id = room_id_of(ada)
    ada.disconnect()
    house.settle()
    assert room_id not in house.lobby.registry.hosts
    return room_id


def test_sound_logs_are_read_once_a_day(house: StoringHouse) -> None:
    left(house)

    house.clock.advance(FIRST_SECONDS)
    house.hours_go_by(1)
    assert house.scrub.rounds == 1
    house.hours_go_by(22.9)
    assert house.scrub.rounds == 1
    house.hours_go_by(1)

    assert house.scrub.rounds == 2
    assert not house.lobby.registry.damaged


def test_damage_that_nobody_reads_is_found(house: StoringHouse) -> None:
    first, second, third = sorted(left(house) for _ in range(3))
    house.damage(second, 1)

    with capturedLogs() as told:
        house.clock.advance(FIRST_SECONDS)
        house.hours_go_by(0.1)

    assert house.scrub.rounds == 1
    assert list(house.lobby.registry.damaged) == [second]
    errors = [each for each in told if each["log_level"].name == "error"]
    assert [each["room"] for each in errors] == [second]
    assert "event" in errors[0]["why"]
    house.damage(third, 1)
    house.hours_go_by(ROUND_SECONDS / 3600)
    assert list(house.lobby.registry.damaged) == [second, third]
    assert first not in house.lobby.registry.damaged


def test_damaged_room_is_refused(house: StoringHouse) -> None:
    room_id = left(house)
    house.damage(room_id, 1)
    house.clock.advance(FIRST_SECONDS)
    house.hours_go_by(0.1)
    ada = house.client("Ada")

    ada.port.enter(room_id)
    house.settle()

    assert codes(ada, messages.Refusal) == ["table/unreadable"]


def test_those_who_are_there_are_told_and_nothing_more_is_stored(house: StoringHouse) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    house.damage(room_id, 1)
    end = house.store.end(room_id).result

    house.clock.advance(FIRST_SECONDS)
    house.hours_go_by(0.1)
    ada.port.chat("is this on?")
    house.settle(30)

    assert codes(ben, messages.Notice) == ["table/unreadable"]
    assert codes(ada, messages.Refusal) == ["table/unreadable"]
    assert ben.model.is_stopped
    assert ben.model.bar is not None
    assert house.store.end(room_id).result == end


def test_nothing_is_read_after_the_end(house: StoringHouse) -> None:
    left(house)

    house.scrub.stop()
    house.clock.advance(FIRST_SECONDS)
    house.hours_go_by(1)

    assert house.scrub.rounds == 0
