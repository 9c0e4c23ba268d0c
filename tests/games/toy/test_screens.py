"""The toy on the full screen: what a game is drawn as that brings nothing to the client."""

import pytest

from client.screens.replay import ReplayModel
from client.screens.settings import SettingsBox
from client.screens.ui import Ui
from tests.games.every import an_evening, start

OF_ANOTHER_GAME = ("house", "monster", "investigator", "Party", "Map")
"""Words that only another game has; the toy's people are animals in the woods."""

pytestmark = pytest.mark.issue(11)


def a_screen() -> Ui:
    """Return the host's screen in the middle of a game, with a question on it."""
    evening = start("toy")
    while evening.people[0].question() is None or len(evening.shown) < 4:
        evening.play(1)
    return evening.ui


def foreign(text: str) -> list[str]:
    """Return the lines that have words of another game."""
    return [line for line in text.split("\n") if any(word in line for word in OF_ANOTHER_GAME)]


def test_no_pane_of_another_game_is_drawn() -> None:
    """The default is the question and the journal."""
    assert foreign(a_screen().draw(24, 80).plain()) == []


def test_no_key_opens_a_reading_of_another_game() -> None:
    """A key that means nothing here says so. The player's settings are those of any game."""
    ui = a_screen()
    found: list[str] = []

    for key in ui.desk.keys.keys:
        ui.press(key)
        box = ui.desk.boxes[-1] if ui.desk.boxes else None
        if box is not None and key not in {"f1", "?"} and not isinstance(box, SettingsBox):
            found += foreign(ui.draw(24, 80).plain())
        ui.desk.boxes.clear()
        ui.desk.entry = None

    assert found == []


def test_every_key_can_be_pressed() -> None:
    """And a frame of the right size follows, with or without a box."""
    ui = a_screen()

    for key in ui.desk.keys.keys:
        ui.press(key)
        assert len(ui.draw(24, 80).plain().split("\n")) == 24
        ui.desk.boxes.clear()
        ui.desk.entry = None


def test_the_journal_tells_what_every_game_has() -> None:
    """Who sat down, what was rolled, how it ended."""
    told = " ".join(line.text for line in an_evening("toy").ui.desk.journal.lines)

    assert "Ann sat down." in told
    assert "The game begins." in told
    assert "<" not in told


@pytest.mark.xfail(reason="rounds are looked for among the records of the second edition")
def test_a_replay_leaps_from_round_to_round() -> None:
    """The toy has three of them."""
    view = an_evening("toy").ann.model.view
    assert view is not None
    replay = ReplayModel(view.records)

    leaps = 0
    while replay.leap(1):
        leaps += 1

    assert leaps == 4
