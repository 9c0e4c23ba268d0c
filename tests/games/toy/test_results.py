"""The toy is co-operative: all win with a point, and nobody without one."""

import pytest

from client.locale.results import ending_lines
from protocol.common.table import GameEnd, Score
from tests.games.every import an_evening
from tests.kit.tables.toy_table import PLAYER, Person, ToyTable

pytestmark = pytest.mark.issue(39)


@pytest.mark.parametrize(("points", "winners"), [(2, (PLAYER,)), (0, ())])
def test_nobody_wins_without_a_point(points: int, winners: tuple[str, ...]) -> None:
    table = ToyTable(people={"owl": Person("owl", 0, points=points)}, round_number=3)
    assert table.came_out() is None

    end = ToyTable(people=table.people, result="owl", round_number=3).came_out()

    assert end == GameEnd(winners, 3, (Score("score/points", PLAYER, points),))


def test_a_face_without_an_ending_says_how_it_came_out() -> None:
    """A game with one side names no side, and its scores have none."""
    evening = an_evening("toy")
    view = evening.ben.model.view
    assert view is not None
    assert view.table.game is not None
    end = view.table.game.came_out()
    assert end is not None
    speaker = evening.ben.model.speaker
    own, common = "You have won.", "The game is won."
    if not end.winners:
        own, common = "You have lost.", "The game is lost."
    score = f"Points: {end.scores[0].value}."

    assert ending_lines(speaker, view.table, view.seat) == (own, score)
    assert ending_lines(speaker, view.table, None) == (common, score)
