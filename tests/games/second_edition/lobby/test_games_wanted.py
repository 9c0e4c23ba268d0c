"""Search for finished games by number of seats and by date, on the screen and in plain mode."""

import time
from collections.abc import Iterator

import pytest

from client.locale import load as locale_of
from client.screens.lobby.found_games import GamesBox
from tests.games.second_edition.lobby.test_campaigns import Saga
from tests.games.second_edition.lobby.test_sharing import shared
from tests.games.second_edition.lobby.test_sharing_on_screen import in_lines, pressed, screen_of
from tests.kit.servers.house import Client, House

pytestmark = pytest.mark.issue(17)

_DAY = 86_400.0


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set the time zone to UTC, as the server counts days."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC0")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def house() -> House:
    """Return a server: Ann and Ben finished a game on 14 November 2023, Cid one two days later."""
    house = Saga()
    shared(house, ["Ann", "Ben"])
    house.clock.advance(2 * _DAY)
    shared(house, ["Cid"])
    return house


def eve(house: House) -> Client:
    """Return a client who played none of the games."""
    return house.client("Eve")


def names_in(said: str) -> list[str]:
    """Return the players of the games listed in some text."""
    return [name for name in ("Ann, Ben", "Cid") if name in said]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("games", ["Ann, Ben", "Cid"]),
        ("games seats 2", ["Ann, Ben"]),
        ("games seats 1", ["Cid"]),
        ("games seats 3", []),
        ("games since 2023-11-15", ["Cid"]),
        ("games since 2023-11-16", ["Cid"]),
        ("games since 2023-11-17", []),
        ("games until 2023-11-14", ["Ann, Ben"]),
        ("games until 2023-11-13", []),
        ("games until 2023-11-16 since 2023-11-14", ["Ann, Ben", "Cid"]),
        ("games alone seats 2 until 2023-11-14", ["Ann, Ben"]),
        ("games alone seats 1 until 2023-11-14", []),
    ],
)
def test_games_are_narrowed_in_lines(house: House, line: str, names: list[str]) -> None:
    assert names_in(in_lines(house, eve(house))(line)) == names


def test_lines_say_when_a_game_ended(house: House) -> None:
    """A search by date needs the time."""
    assert in_lines(house, eve(house))("games").count("days ago") == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("games seats", "After “seats” comes how many seats the game had, from 1 to 8."),
        ("games seats 0", "After “seats” comes how many seats the game had, from 1 to 8."),
        ("games seats 9", "After “seats” comes how many seats the game had, from 1 to 8."),
        ("games seats 0000000081", "After “seats” comes how many seats"),
        (f"games seats {'8' * 1900}", "After “seats” comes how many seats"),
        ("games seats 2023-11-14", "After “seats” comes how many seats"),
        ("games since", "After “since” comes a day like 2026-10-31."),
        ("games since yesterday", "“yesterday” is no day. Type one like 2026-10-31"),
        ("games until 2023-02-30", "“2023-02-30” is no day."),
        ("games seats 2 alone", "“alone” says nothing about games here"),
        ("games since 2023-11-15 until 2023-11-14", "2023-11-15 is later than 2023-11-14."),
    ],
)
def test_what_is_typed_wrong_is_told(house: House, line: str, said: str) -> None:
    printed = in_lines(house, eve(house))(line)

    assert said in printed
    assert names_in(printed) == []


def test_the_next_page_is_of_the_same_games(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    shared(house, ["Dot"])
    monkeypatch.setattr("server.lobby.finished.sharing.MAX_LINES", 1)
    typed = in_lines(house, eve(house))

    assert "Dot" in typed("games seats 1")
    assert names_in(typed("games more")) == ["Cid"]
    assert "no more games" in typed("games more")


def test_french_has_words_of_its_own(house: House) -> None:
    client = eve(house)
    typed = in_lines(house, client)
    client.model.locale = locale_of("fr")

    said = typed("parties places 2 depuis 2023-11-01 jusque 2023-11-30")
    assert names_in(said) == ["Ann, Ben"]
    assert names_in(typed("games seats 1 since 2023-11-01")) == ["Cid"]
    assert "Après « depuis » vient un jour" in typed("parties depuis")


# On the screen -----------------------------------------------------------------------------


def test_a_key_chooses_which_games_are_listed(house: House) -> None:
    ui = screen_of(house, eve(house))
    pressed(house, ui, "f", "f", "down", "down", "enter", "down", "down", "enter")

    listed = pressed(house, ui, "up", "up", "enter")

    assert names_in(listed) == ["Ann, Ben"]
    assert "Other games than these (seats: 2)" in listed
    assert [type(box) for box in ui.desk.boxes] == [GamesBox]


def test_days_are_typed_on_the_screen(house: House) -> None:
    ui = screen_of(house, eve(house))
    pressed(house, ui, "f", "f", "up", "enter")
    ui.enter("2023-11-14")
    listed = pressed(house, ui, "down", "enter")
    assert names_in(listed) == ["Ann, Ben"]
    assert "(last day: 2023-11-14)" in listed

    pressed(house, ui, "f", "up", "enter")
    ui.enter("-")
    pressed(house, ui, "up", "enter")
    ui.enter("2023-11-15")
    listed = pressed(house, ui, "up", "up", "up", "enter")
    assert names_in(listed) == ["Cid"]
    assert "(first day: 2023-11-15)" in listed


def test_what_is_no_day_is_told_where_it_is_typed(house: House) -> None:
    client = eve(house)
    ui = screen_of(house, client)
    pressed(house, ui, "f", "f", "up", "enter")
    ui.enter("tomorrow")
    assert "“tomorrow” is no day." in client.model.bar.text
    assert ui.desk.entry is not None

    ui.enter("2023-11-14")
    pressed(house, ui, "up", "enter")
    ui.enter("2023-11-15")
    said = pressed(house, ui, "up", "up", "up", "enter")
    assert "2023-11-15 is later than 2023-11-14" in said
    assert "first day: 2023-11-15" in said


def test_the_list_stays_below_while_games_are_chosen(house: House) -> None:
    ui = screen_of(house, eve(house))
    pressed(house, ui, "f", "f")

    assert names_in(pressed(house, ui, "escape")) == ["Ann, Ben", "Cid"]


def test_a_scenario_is_chosen_in_the_same_box(house: House) -> None:
    ui = screen_of(house, eve(house))
    pressed(house, ui, "f", "up", "up", "enter", "down", "enter")

    listed = pressed(house, ui, "down", "enter", "up", "enter")

    assert "(scenario: " in listed


def test_any_size_has_room_for_the_boxes(house: House) -> None:
    client = eve(house)
    ui = screen_of(house, client)
    pressed(house, ui, "f", "f")
    for language in ("en", "fr"):
        client.model.locale = locale_of(language)
        for rows, columns in ((1, 1), (4, 30), (17, 51), (24, 80), (60, 200)):
            assert len(ui.draw(rows, columns).plain().split("\n")) == rows
