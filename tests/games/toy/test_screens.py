"""Toy on the full screen: the default display of a game."""

import pytest

from client.journal.replay_model import ReplayModel
from client.screens.ui import Ui
from tests.games.every import an_evening, start

OF_ANOTHER_GAME = ("house", "monster", "investigator", "Party", "Map")
"""Words that only another game has; the toy's people are animals in the woods."""

OF_THE_CLIENT = {"f1", "?", "e"}
"""Keys that open the help and the player's settings, which are the same at every table."""

pytestmark = pytest.mark.issue(11)


def a_screen() -> Ui:
    """Return the host's screen in the middle of a game with an open question."""
    evening = start("toy")
    while evening.people[0].question() is None or len(evening.shown) < 4:
        evening.play(1)
    return evening.ui


def foreign(text: str) -> list[str]:
    """Return the lines with words of another game."""
    return [line for line in text.split("\n") if any(word in line for word in OF_ANOTHER_GAME)]


def test_no_pane_of_another_game_is_drawn() -> None:
    """The default display has the question and the journal."""
    assert foreign(a_screen().draw(24, 80).plain()) == []


def test_question_and_journal_stand_beside_one_another() -> None:
    lines = a_screen().draw(24, 80).plain().split("\n")

    head = next(line for line in lines if "Your choice" in line)
    assert head.index("Your choice") < head.index("Journal")
    assert any("What now?" in line and "│" in line for line in lines)


def test_the_journal_stands_below_the_question_where_it_is_narrow() -> None:
    lines = a_screen().draw(10, 40).plain().split("\n")

    asked, told = (
        next(at for at, line in enumerate(lines) if title in line)
        for title in ("Your choice", "Journal")
    )
    assert "What now?" in lines[asked + 1]
    assert lines[asked + 2].startswith(" >1 ")
    assert asked < told < len(lines) - 3
    assert "The game begins." in "".join(lines[told:])


def test_a_terminal_without_room_for_either_says_so() -> None:
    """The message names the size that a question and a line of the journal need."""
    text = " ".join(a_screen().draw(7, 40).plain().split())

    assert "This terminal is too small." in text
    assert "24 columns and 8 rows" in text


def test_the_status_line_says_how_far_the_game_is() -> None:
    assert "Day 1" in a_screen().draw(24, 80).plain().split("\n")[0]


def test_no_key_opens_a_reading_of_another_game() -> None:
    ui = a_screen()
    found: list[str] = []

    for key in ui.desk.keys.keys:
        ui.press(key)
        if ui.desk.boxes and key not in OF_THE_CLIENT:
            found += foreign(ui.draw(24, 80).plain())
        ui.desk.boxes.clear()
        ui.desk.entry = None

    assert found == []


def test_the_help_lists_no_key_of_another_game() -> None:
    """The help mentions no board either, since the toy has none."""
    ui = a_screen()
    ui.press("?")
    text = ui.draw(60, 80).plain()

    assert "the whole journal" in text
    assert [word for word in ("map", "monsters", "objective", " die") if word in text] == []


def test_a_key_of_another_game_does_nothing() -> None:
    ui = a_screen()

    ui.press("z")

    assert ui.desk.model.bar.text == "z does nothing here; ? helps"


def test_every_key_can_be_pressed() -> None:
    """A frame of the right size follows, with or without a box."""
    ui = a_screen()

    for key in ui.desk.keys.keys:
        ui.press(key)
        assert len(ui.draw(24, 80).plain().split("\n")) == 24
        ui.desk.boxes.clear()
        ui.desk.entry = None


def test_the_head_says_which_day_it_is() -> None:
    assert a_screen().draw(24, 80).plain().startswith(" Day 1")


def test_what_is_asked_stands_on_a_small_screen() -> None:
    """The toy has no map, so a small screen has room for the question."""
    small = [one for one in an_evening("toy").shown if one.columns == 40]

    assert small
    assert [one.text for one in small if one.choice not in one.text] == []


def test_the_journal_tells_what_every_game_has() -> None:
    told = " ".join(line.text for line in an_evening("toy").ui.desk.journal.lines)

    assert "Ann sat down." in told
    assert "The game begins." in told
    assert "<" not in told


def test_a_replay_leaps_from_day_to_day() -> None:
    """The stops are the first day, the morning after each of the three, and the end."""
    view = an_evening("toy").ann.model.view
    assert view is not None
    replay = ReplayModel(view.records)

    leaps = 0
    while replay.leap(1):
        leaps += 1

    assert leaps == 5
