"""Passes and objections at a whole table: time limits, plain mode, screen."""

import pytest

from protocol.common.table import RoomTable
from tests.games import every
from tests.games.every import Evening, start
from tests.games.toy.house import ToyHouse
from tests.kit.servers.house import Client
from tests.kit.tables.toy_table import MOTION_SECONDS, Content, ToyTable, a_deck

pytestmark = pytest.mark.issue(11)


def answer(evening: Evening, client: Client, *words: str) -> None:
    """Pick the first choice with these words, and wait a moment."""
    view = client.model.view
    assert view is not None and view.ask is not None  # noqa: PT018 (one thing)
    question = view.my_question()
    assert question is not None
    fitting = tuple(
        c.choice_id for c in question.choices if {*words} <= {c.text.subject, *c.text.params}
    )
    assert fitting, words
    client.port.answer(view.ask.ask_id, fitting[:1])
    evening.house.settle(0.1)


def turn_up(evening: Evening, client: Client) -> None:
    """Turn up a player's first card."""
    answer(evening, client, "toy/action", "peek")
    answer(evening, client, "toy/card")


def at_card(kind: str, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """Return an evening at which Ann has just turned up a card of this kind."""
    house = ToyHouse(on_shelf=Content(deck=a_deck(kind)))
    monkeypatch.setitem(every.GAMES, "toy", every.Game(lambda: house))
    evening = start("toy")
    answer(evening, evening.ann, "toy/go")
    turn_up(evening, evening.ann)
    return evening


def room(evening: Evening) -> RoomTable:
    assert evening.ann.model.view is not None
    return evening.ann.model.view.table.room


def weather(evening: Evening) -> str:
    assert evening.ann.model.view is not None
    game = evening.ann.model.view.table.game
    assert isinstance(game, ToyTable)
    return game.weather


def is_open(evening: Evening) -> bool:
    """True if somebody may still object."""
    ask = room(evening).ask
    return ask is not None and ask.rule == "TOY-11"


def test_it_stands_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The motion does not pass a second earlier. Other questions of the table have no limit."""
    evening = at_card("motion", monkeypatch)

    evening.house.settle(MOTION_SECONDS - 1)
    assert is_open(evening)
    evening.house.settle(1)

    assert not is_open(evening)
    assert weather(evening) == "sun"


def test_no_time_runs_while_somebody_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = at_card("motion", monkeypatch)
    evening.house.settle(MOTION_SECONDS - 5)
    evening.ben.port.leave_table()
    evening.house.settle(3 * MOTION_SECONDS)
    assert is_open(evening)

    evening.ben.port.enter(room(evening).room_id)
    evening.house.settle(0)
    evening.house.settle(4)
    assert is_open(evening)
    evening.house.settle(2)

    assert not is_open(evening)


def test_the_screen_says_what_passes_and_who_has(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = at_card("motion", monkeypatch)
    assert "It stands unless somebody objects" in evening.ui.draw(24, 80).plain()

    answer(evening, evening.ben, "toy/pass")

    assert "Passed already: Ben" in evening.ui.draw(24, 80).plain()


def test_the_lines_say_what_passes_and_who_has(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = at_card("ambush", monkeypatch)
    assert evening.ann.model.locale.say("plain.first_or_all_pass") in evening.printed

    answer(evening, evening.ann, "toy/pass")

    assert any("Ann passes." in line for line in evening.printed)


def test_a_standing_pass_is_said_and_taken_back_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The change applies from the next question of the kind on."""
    evening = at_card("ambush", monkeypatch)
    evening.plain.hear("always")
    evening.house.settle(0.1)
    assert any("Pass every time on: ambushes: from the" in line for line in evening.printed)
    for client in (evening.ann, evening.ben):
        answer(evening, client, "toy/pass")

    turn_up(evening, evening.ben)
    ask = room(evening).ask
    assert ask is not None
    assert ask.waiting_for == (0,)
    assert any("Pass every time on “ambushes”: Ben." in line for line in evening.printed)

    evening.plain.hear("always")
    assert "1. Pass every time on: ambushes" in evening.printed
    evening.plain.hear("always 1")
    evening.house.settle(0.1)
    assert any("Taken back, from the next time on" in line for line in evening.printed)
    assert evening.ben.model.view is not None
    assert evening.ben.model.view.standing == ()
