"""Which moments a table can go back to."""

from client.model.rest_points import rest_points
from protocol.common.events import Rested, Settled, TakenBack
from protocol.common.text import Text
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.scripted import Script, action_question, playing
from tests.games.second_edition.client.test_tables import view_of


def _offered(script: Script) -> list[tuple[int, bool]]:
    return [(point.rest, point.is_now) for point in rest_points(view_of(script, 0), 12)]


def _asked() -> Script:
    script = playing()
    script.emit(se.CluesGained("investigator/ada", 1), Rested())
    script.ask({0: action_question()}, about=Text("ask/action"))
    return script


def test_the_moment_that_the_table_is_at_comes_last() -> None:
    """To go there changes nothing that anybody sees."""
    first, latest = sorted(_asked().table.rests)[-2:]

    assert _offered(_asked())[0] == (first, False)
    assert _offered(_asked())[-1] == (latest, True)


def test_once_something_was_answered_the_moment_before_it_comes_first() -> None:
    """Whatever has come of it."""
    script = _asked()
    latest = max(script.table.rests)
    script.emit(Settled(script.table.room.next_ask_id - 1))

    assert _offered(script)[0] == (latest, False)
    assert not any(is_now for _, is_now in _offered(script))


def test_a_moment_that_the_table_came_back_to_is_offered_once() -> None:
    """As what it was, and not as what came back."""
    script = _asked()
    before = sorted(script.table.rests)
    script.emit(TakenBack(before[-2]))
    script.ask({0: action_question()}, about=Text("ask/action"))

    assert max(script.table.rests) not in [rest for rest, _ in _offered(script)]
    assert _offered(script)[-1] == (before[-2], True)
