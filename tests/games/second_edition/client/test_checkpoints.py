"""Checkpoints: the moments that a table can go back to."""

import pytest

from client.model.checkpoints import checkpoints
from protocol.common.events import CheckpointReached, Settled, TakenBack
from protocol.common.text import Text
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import Script, action_question, playing
from tests.games.second_edition.client.stage import view_of


def _offered(script: Script) -> list[tuple[int, bool]]:
    return [(point.sequence, point.is_now) for point in checkpoints(view_of(script, 0))]


def _asked() -> Script:
    script = playing()
    script.emit(se.CluesGained("investigator/ada", 1), CheckpointReached())
    script.ask({0: action_question()}, about=Text("ask/action"))
    return script


def test_the_moment_that_the_table_is_at_comes_last() -> None:
    """Going back to the present moment changes nothing."""
    first, latest = sorted(_asked().table.checkpoints)[-2:]

    assert _offered(_asked())[0] == (first, False)
    assert _offered(_asked())[-1] == (latest, True)


def test_once_something_was_answered_the_moment_before_it_comes_first() -> None:
    script = _asked()
    latest = max(script.table.checkpoints)
    script.emit(Settled(script.table.room.next_ask_id - 1))

    assert _offered(script)[0] == (latest, False)
    assert not any(is_now for _, is_now in _offered(script))


def test_a_moment_that_the_table_came_back_to_is_offered_once() -> None:
    script = _asked()
    before = sorted(script.table.checkpoints)
    script.emit(TakenBack(before[-2]))
    script.ask({0: action_question()}, about=Text("ask/action"))

    assert max(script.table.checkpoints) not in [checkpoint for checkpoint, _ in _offered(script)]
    assert _offered(script)[-1] == (before[-2], True)


@pytest.mark.issue(38)
def test_the_journal_names_the_moment_that_the_table_went_back_to() -> None:
    script = _asked()
    script.emit(TakenBack(sorted(script.table.checkpoints)[-2]))

    told = " ".join(Console(script).type("journal"))

    assert "The table went back to this moment: " in told
    assert "The moves since then do not count." in told
