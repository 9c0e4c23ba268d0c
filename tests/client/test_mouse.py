"""The mouse: whatever can be chosen can be clicked, and what is long can be turned."""

from collections.abc import Callable, Coroutine
from typing import Any

from client.model import ClientModel
from client.preferences import Preferences
from tests.client.scripted import asked, coding, lobby
from tests.client.stage import OnStage, model_of, play

NO_MOUSE = Preferences(mouse=False)
Doing = Callable[[OnStage], Coroutine[Any, Any, None]]


def _said(model: ClientModel, doing: Doing) -> list[tuple[object, ...]]:
    return play(model, doing).port.said


def test_a_click_goes_to_a_choice_and_a_second_one_takes_it() -> None:
    """So that no slip of the hand answers."""

    async def click(stage: OnStage) -> None:
        await stage.click("Search the coats")
        assert stage.port.said == []
        await stage.click("Search the coats")

    assert _said(model_of(asked()), click) == [("answer", 0, ("1.4",))]


def test_a_row_is_filled_by_clicks() -> None:
    """A second click on the same piece takes it into the row."""

    async def click(stage: OnStage) -> None:
        await stage.click(" 2 ")
        await stage.click(" 2 ")
        assert "Your row: " in stage.text

    assert _said(model_of(coding()), click) == []


def test_a_click_on_a_key_presses_it() -> None:
    """The line at the bottom is a row of buttons."""

    async def click(stage: OnStage) -> None:
        await stage.click("o goal")
        assert "Objective" in stage.text
        # Beside the box: it closes.
        await stage.click("Round 2")
        assert "Objective" not in stage.text

    play(model_of(asked()), click)


def test_a_table_is_entered_by_a_second_click() -> None:
    """As in any list."""

    async def click(stage: OnStage) -> None:
        await stage.click("waiting for players")
        await stage.click("waiting for players")

    assert _said(model_of(None, is_lobby=True), click) == [("enter", "room-2")]


def test_an_investigator_is_chosen_by_a_second_click() -> None:
    """In the waiting room."""

    async def click(stage: OnStage) -> None:
        await stage.click("[ ] Amos")
        await stage.click("[ ] Amos")

    assert _said(model_of(lobby()), click) == [("claim", ("investigator/amos",))]


def test_the_wheel_turns_what_lies_under_it() -> None:
    """The journal in its pane, the choices in theirs."""

    async def turn(stage: OnStage) -> None:
        before = stage.text
        await stage.wheel("Journal", -1)
        assert stage.text != before
        await stage.wheel("Search the coats", 1)
        assert "> 2" in stage.text or ">2" in stage.text

    play(model_of(asked()), turn)


def test_without_the_mouse_the_terminal_keeps_it() -> None:
    """Whoever wants to mark text with it can."""

    async def look(stage: OnStage) -> None:
        assert "\x1b[?1000h" in stage.raw
        stage.terminal.ui.desk.prefs = NO_MOUSE
        await stage.press("down")
        assert "\x1b[?1000l" in stage.raw

    play(model_of(asked()), look)
