"""Server started with a clock far behind its logs: nobody waits longer."""

from itertools import pairwise

import pytest

from protocol.common import events
from protocol.common.table import Settings
from tests.games.toy.test_act_or_pass import at_card
from tests.games.toy.test_windows import SECONDS, opened
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import come_back, happened, records_of, room_id_of, room_of, start_all
from tests.kit.tables.toy_table import MOTION_SECONDS
from tests.lobby.test_clock import CALENDAR, LIMIT
from tests.lobby.test_delay import DELAY, LATE, code_of, seen, watcher

pytestmark = pytest.mark.issue(37)

TEN_YEARS_MS = 10 * 365 * 24 * 3600 * 1000


def restart_in_the_past(house: House) -> None:
    """Kill the server, and start it a minute later with a clock ten years behind."""
    house.wall_began -= TEN_YEARS_MS
    house.restart_after(60)


def come_back_all(house: House, room_id: str) -> list[Client]:
    """Have both players enter their table again."""
    return [come_back(house, name, room_id) for name in ("Ann", "Ben")]


def start_two(house: House, settings: Settings) -> str:
    """Start a game of two; return its room."""
    return room_id_of(start_all(house, ["Ann", "Ben"], settings)[0])


def test_a_time_limit_ends(house: House) -> None:
    """The limit ends in time, and so does that of the next question."""
    room_id = start_two(house, LIMIT)

    restart_in_the_past(house)
    come_back_all(house, room_id)
    house.settle(125)

    first, second = (
        one.time for one in records_of(house, room_id) if isinstance(one.event, events.TimedOut)
    )
    assert 60_000 <= second - first < 60_200


def test_a_window_closes() -> None:
    """The window closes after the usual time, although the clock was set back."""
    table, _ = opened()
    room_id = room_id_of(table.ann)
    table.house.settle(1)

    restart_in_the_past(table.house)
    come_back_all(table.house, room_id)
    table.house.settle(SECONDS - 5)
    early = happened(table.house, room_id, events.AnsweredTogether)
    table.house.settle(10)

    assert early == []
    assert len(happened(table.house, room_id, events.AnsweredTogether)) == 1


def test_silence_is_consent_at_last() -> None:
    table = at_card("motion")
    room_id = room_id_of(table.ann)
    assert (asked := room_of(table.house, table.ann).ask) is not None

    restart_in_the_past(table.house)
    ann, _ = come_back_all(table.house, room_id)
    table.house.settle(MOTION_SECONDS + 5)

    assert (ask := room_of(table.house, ann).ask) is not None
    assert ask.ask_id != asked.ask_id


def test_by_the_calendar_a_limit_ends_though_nobody_is_there(house: House) -> None:
    """The room may be unloaded and loaded meanwhile without restarting the limit."""
    room_id = start_two(house, CALENDAR)
    house.settle(60)

    restart_in_the_past(house)
    house.settle(300)
    come_back(house, "Ann", room_id).disconnect()
    house.settle(150)
    unloaded = room_id not in house.lobby.registry.hosts
    early = happened(house, room_id, events.TimedOut)
    house.settle(200)

    assert unloaded
    assert early == []
    assert len(happened(house, room_id, events.TimedOut)) == 1


def test_the_delay_of_spectators_ends(house: House) -> None:
    """Nothing is shown early, and everything in the end."""
    ada, _ = start_all(house, ["Ada", "Ben"], LATE)
    code, room_id = code_of(ada), room_id_of(ada)

    restart_in_the_past(house)
    wat = watcher(house, code)
    early = seen(wat)
    house.settle(DELAY + 1)

    assert early == 0
    assert seen(wat) == len(house.log_of(room_id)) > 0


def test_times_on_the_log_go_on(house: House) -> None:
    """Times continue from the end of the log at the speed of the clock."""
    room_id = start_two(house, Settings())
    before = records_of(house, room_id)[-1].time

    restart_in_the_past(house)
    ann, _ = come_back_all(house, room_id)
    for _ in range(3):
        ann.port.chat("still here")
        house.settle(10)

    said = [one.time for one in records_of(house, room_id) if isinstance(one.event, events.Chatted)]
    assert before <= said[0] < before + 10_000
    assert {second - first for first, second in pairwise(said)} == {10_000}


@pytest.fixture
def house() -> House:
    return House()
