"""List of tables: one key opens the last one, and each table shows its last activity."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from client.locale import load
from client.model.lobby import Pending
from client.model.tables import TableView
from client.widgets.moments import moment
from protocol.common.table import Settings
from protocol.messages import OpenTable, TableLine
from tests.games.second_edition.client.scripted import ROOM, lobby
from tests.games.second_edition.client.stage import (
    EVENING,
    TABLES,
    OnStage,
    model_of,
    play,
    same_screen,
)
from tests.kit.servers.house import House
from tests.kit.servers.tables import room_id_of, start_all

EN, FR = load("en"), load("fr")


def test_one_key_goes_to_the_table_of_last_time() -> None:

    async def press(stage: OnStage) -> None:
        await stage.press("down", "down", "l")

    assert play(model_of(None, is_lobby=True), press).port.said == [("enter", "room-1")]


def test_where_no_last_table_is_known_that_is_said() -> None:
    model = model_of(None, is_lobby=True)
    model.update_lobby(last_room="")

    async def press(stage: OnStage) -> None:
        assert "*" not in stage.text
        assert "last table" not in stage.text
        await stage.press("l")
        assert "You have not played at any table here yet." in stage.text

    assert play(model, press).port.said == []


def test_the_table_that_was_left_just_now_is_the_last() -> None:
    house = House()
    ada, _ = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    ada.port.leave_table()
    ada.port.list_tables()
    house.settle()

    async def press(stage: OnStage) -> None:
        assert "> * " in stage.text
        await stage.press("l")
        house.settle()

    play(ada.model, press, port=ada.port)

    assert room_id_of(ada) == room_id


def test_looking_on_makes_no_table_the_last() -> None:
    """A player who returns as a spectator would need the invitation again."""
    house = House()
    ada, _ = start_all(house, ["Ada", "Ben"], Settings(spectators=True))
    wat = house.client("Wat")
    wat.port.watch(next(iter(ada.model.codes.values()))[-2])
    house.settle()

    assert room_id_of(wat)
    assert wat.model.lobby.last_room == ""


def test_a_table_with_many_names_keeps_its_turn_and_its_time() -> None:
    model = model_of(None, is_lobby=True)
    names = tuple(f"Somebody Longnamed {at}" for at in range(5))
    model.update_lobby(
        tables=tuple(
            TableLine(t.room_id, t.scenario, t.stage, names, t.is_my_turn, t.when) for t in TABLES
        )
    )

    async def look(stage: OnStage) -> None:
        [line] = [line for line in stage.text.split("\n") if ">" in line and "*" in line]
        assert "<< your turn" in line
        assert line.endswith("~  yesterday 18:30")

    play(model, look)


@pytest.mark.parametrize(
    ("ago", "english", "french"),
    [
        (timedelta(), "today 20:30", "aujourd’hui à 20 h 30"),
        (timedelta(hours=20, minutes=29), "today 0:01", "aujourd’hui à 0 h 01"),
        (timedelta(hours=20, minutes=31), "yesterday 23:59", "hier à 23 h 59"),
        (timedelta(days=2), "2 days ago", "il y a 2 jours"),
        (timedelta(days=400), "400 days ago", "il y a 400 jours"),
        (timedelta(days=-1), "today 20:30", "aujourd’hui à 20 h 30"),
        (timedelta(days=-(10**8)), "today 20:30", "aujourd’hui à 20 h 30"),
    ],
)
def test_moments_are_said_as_people_say_them(ago: timedelta, english: str, french: str) -> None:
    """The server's clock may be ahead, or nonsense."""
    when = int((EVENING.timestamp() - ago.total_seconds()) * 1000)

    assert moment(EN, when, EVENING) == english
    assert moment(FR, when, EVENING).replace("\u00a0", " ") == french


def test_a_moment_is_told_in_the_readers_own_zone() -> None:
    """Yesterday for the server may be today for the reader."""
    when = int(datetime(2026, 11, 20, 23, 30, tzinfo=UTC).timestamp() * 1000)
    there = EVENING.astimezone(timezone(timedelta(hours=2)))

    assert moment(EN, when, EVENING) == "yesterday 23:30"
    assert moment(EN, when, there) == "today 1:30"


# Around a table -----------------------------------------------------------------------------


def test_the_waiting_room_says_what_was_settled() -> None:
    settings = Settings(
        spectators=True,
        spectators_delay_seconds=300,
        time_limit_seconds=3600,
        secrets_go_along=False,
        publish=False,
        takebacks=False,
    )

    async def look(stage: OnStage) -> None:
        same_screen("waiting_settings-80x24-en", stage.text)

    play(model_of(lobby(settings=settings)), look)


def test_whoever_looks_on_later_is_told_why_there_is_nothing_yet() -> None:
    house = House()
    settings = Settings(spectators=True, spectators_delay_seconds=60)
    ada, _ = start_all(house, ["Ada", "Ben"], settings)
    wat = house.client("Wat")
    wat.port.watch(next(iter(ada.model.codes.values()))[-2])
    house.settle()

    async def look(stage: OnStage) -> None:
        assert "nothing is due yet" in stage.text
        assert "Table: " not in stage.text
        while wat.model.view is not None and not wat.model.view.records:
            house.settle(0.1)
        await stage.settle()
        assert "You are watching, 1 minute later than the seats." in stage.text
        assert "nothing is due yet" not in stage.text

    play(wat.model, look, port=wat.port)


@pytest.mark.issue(38)
@pytest.mark.parametrize("seat", [None, 0])
def test_while_a_table_is_loaded_its_screen_says_so(seat: int | None) -> None:
    """Neither before the first record nor after some does the screen say anything else."""
    script = lobby()
    model = model_of(script, seat=seat)
    due = model.next_sequence
    model.follow(TableView(ROOM, seat))
    model.update_table(next_sequence=due)

    async def look(stage: OnStage) -> None:
        view = model.view
        assert view is not None
        for cut in script.cuts(seat):
            assert "Still catching up with what happened" in stage.text
            assert "nothing is due yet" not in stage.text
            model.pass_steps(view.receive((cut,)))
            await stage.look()
        assert "Still catching up" not in stage.text
        assert "nothing is due yet" not in stage.text

    play(model, look)


@pytest.mark.issue(15)
def test_the_password_is_typed_once_the_server_asks_for_it() -> None:
    model = model_of(None, is_lobby=True)
    settings = Settings(takebacks=False)

    async def press(stage: OnStage) -> None:
        model.pending = Pending(OpenTable(1, settings, "core/sluice"))
        model.changed()
        await stage.press("down")
        assert "Password of this server:" in stage.text
        await stage.press(*"correct horse", "enter")
        assert "Password of this server:" not in stage.text

    asked = ("open_table", settings, "core/sluice", "correct horse")
    assert play(model, press).port.said == [asked]
