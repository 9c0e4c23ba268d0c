"""Tutorial of a game without lessons: it says so and uses none of another game."""

import pytest

from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.teaching.coach import Coach
from tests.games.every import Evening, start

LESSONS_KEY = "f3"
OF_ANOTHER_GAME = ("investigator", "monster", "phase")

pytestmark = pytest.mark.issue(11)


def taught(evening: Evening) -> Ui:
    """Return the host's screen with a coach."""
    desk = Desk(evening.ann.model, evening.ann.port, evening.ui.desk.journal, coach=Coach())
    return Ui(desk)


def test_a_frame_with_a_coach_fits_its_terminal() -> None:
    evening = start("toy")
    ui = taught(evening)

    for _ in range(20):
        evening.play(1)
        assert len(ui.draw(24, 80).plain().split("\n")) == 24


def test_the_coach_has_nothing_to_say() -> None:
    evening = start("toy")
    ui = taught(evening)
    evening.play(1)

    assert "Coach" not in ui.draw(24, 80).plain()
    ui.press(LESSONS_KEY)
    assert ui.desk.model.bar.text == "The coach has nothing to say just now."
