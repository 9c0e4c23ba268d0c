"""Practice games on the full screen and in plain mode, alone and in a review."""

import pytest

from client.locale import load as locale_of
from client.model.lobby import FinishedGames
from tests.games.second_edition.lobby.test_practising import given_up
from tests.games.second_edition.lobby.test_reviews_in_lines import Typist
from tests.games.second_edition.lobby.test_reviews_on_screen import Screened
from tests.kit.servers.house import House

pytestmark = pytest.mark.issue(17)


@pytest.fixture
def house() -> House:
    return House()


def said(language: str, key: str, *params: str | int) -> str:
    """Return words of the client in one line, as the screen helpers return text."""
    return " ".join(locale_of(language).say(key, *params).split())


def screens(house: House, language: str = "en") -> tuple[Screened, Screened]:
    """Return two people in the review of their game; the first one leads."""
    ann, ben = given_up(house)
    first, second = Screened(house, ann), Screened(house, ben, language)
    first.press("v", "R", "enter")
    second.press("R")
    return first, second


def typists(house: House) -> tuple[Typist, Typist]:
    """Return two people in the review of their game in plain mode; the first one leads."""
    ann, ben = given_up(house)
    first, second = Typist(house, ann), Typist(house, ben)
    first.type("review 1", "together join")
    second.type("together", "1")
    first.read()
    return first, second


# On the screen -----------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_game_is_played_on_from_the_replay_and_left_with_one_key(
    house: House, language: str
) -> None:
    ann, _ = given_up(house)
    one = Screened(house, ann, language)
    one.press("v", "end")
    event = one.event

    asked = one.press("h")
    assert said(language, "practice.begin", event)[:40] in asked
    shown = one.press("y")
    assert said(language, "practice.role", "") in shown
    assert said(language, "hint.to_replay") in shown

    one.press("q")
    assert one.event == event
    assert one.client.model.view is None


def test_the_player_chooses_for_which_seat_they_speak(house: House) -> None:
    ann, _ = given_up(house)
    one = Screened(house, ann)
    one.press("v", "end", "h", "y")
    listed = one.press("s")

    assert "For whom do you speak?" in listed
    assert "(is asked)" in listed
    view = one.client.model.view
    assert view is not None
    before = view.seat
    other = 1 - (before or 0)
    shown = one.press(*(["down"] if other else []), "enter")
    assert view.seat == other
    assert f"PRACTICE for {view.table.room.seats[other].name} │" in shown


def test_all_watch_what_the_leader_plays_on_and_come_back(house: House) -> None:
    ann, ben = screens(house, "fr")
    ann.press("end")
    asked = ann.press("h")
    assert "everybody in the review watches" in asked
    ann.press("y")

    watching = said("fr", "practice.role_watching")
    assert watching in ben.drawn()
    alone = ben.press("q")
    assert said("fr", "review.plays_on", "Ann") in alone
    assert watching in ben.press("b")

    ann.press("q")
    assert watching not in ben.drawn()
    assert ben.event == ann.event


def test_a_file_or_a_game_not_all_of_which_is_open_is_not_played_on(house: House) -> None:
    ann, _ = given_up(house)
    one = Screened(house, ann)
    one.press("v")
    one.client.model.finished = FinishedGames()

    assert "Only a finished game whose log is open" in one.press("h")


def test_a_practice_game_is_removed_by_a_key(house: House) -> None:
    ann, _ = given_up(house)
    one = Screened(house, ann)
    one.press("v", "end", "h", "y")
    room_id = one.client.model.finished.practice

    assert "Remove this practice game?" in one.press("D")
    one.press("y")
    assert room_id not in house.lobby.registry.summaries
    assert one.replay is not None


def test_a_practice_game_is_marked_in_the_list(house: House) -> None:
    """A practice game must not be taken for a real game."""
    ann, _ = given_up(house)
    one = Screened(house, ann)
    one.press("v", "end", "h", "y", "q")
    listed = one.press("q")

    assert "practice, " in listed


# In lines ----------------------------------------------------------------------------------


def test_a_game_is_played_on_and_left_in_lines(house: House) -> None:
    ann, _ = given_up(house)
    one = Typist(house, ann)
    one.type("review 1", "moments")
    last = len(house.log_of(one.plain._talk.replay._room_id)) - 1  # type: ignore[union-attr]
    one.type(str(last))
    said = one.type("practise")

    assert "Here the game that was played ends." in said
    assert "Practice game: you speak for" in said
    assert "1. " in one.type("speak")
    assert f"event {last} of" in one.type("leave")
    assert one.event == last


def test_who_speaks_for_whom_is_chosen_by_name(house: House) -> None:
    ann, _ = given_up(house)
    one = Typist(house, ann)
    one.type("review 1", "99999999")
    one.type("question", "practise")
    view = one.client.model.view
    assert view is not None
    one.type("speak 2")
    assert view.seat == 1
    one.type(f"speak {one.client.model.speaker.seat(view.table, 0).split()[0]}")
    assert view.seat == 0


def test_in_a_review_in_lines_all_are_taken_along(house: House) -> None:
    ann, ben = typists(house)
    ann.type("question")
    ann.type("question")
    ann.type("practise")
    assert "Practice game: you look on." in ben.read() or ben.client.model.is_practising

    assert "Ann plays the game on" in ben.type("leave")
    ben.type("together follow")
    there = ben.client.model.view
    assert there is not None
    ann.type("leave")
    ben.read()
    assert ben.client.model.view is not there
