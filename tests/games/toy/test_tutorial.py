"""A tutorial of a game that has no lessons: it says so, and tells nothing of another game."""

import pytest

from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.teaching.coach import Coach
from tests.games.every import Evening, start

LESSONS_KEY = "f3"
OF_ANOTHER_GAME = ("investigator", "monster", "phase")

pytestmark = pytest.mark.issue(11)


def taught(evening: Evening) -> Ui:
    """Return the host's screen with a coach beside it."""
    desk = Desk(evening.ann.model, evening.ann.port, evening.ui.desk.journal, coach=Coach())
    return Ui(desk)


def test_a_frame_with_a_coach_fits_its_terminal() -> None:
    """From the lobby's end to the end of the game."""
    evening = start("toy")
    ui = taught(evening)

    for _ in range(20):
        evening.play(1)
        assert len(ui.draw(24, 80).plain().split("\n")) == 24


def test_the_coach_has_nothing_to_say() -> None:
    """Not even to somebody who asks for the next lesson."""
    evening = start("toy")
    ui = taught(evening)
    evening.play(1)

    assert "Coach" not in ui.draw(24, 80).plain()
    ui.press(LESSONS_KEY)
    assert ui.desk.model.bar.text == "The coach has nothing to say just now."
