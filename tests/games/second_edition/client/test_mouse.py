"""Mouse: every choice can be clicked, and every long text scrolled."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from client.model.model import ClientModel
from client.screens.table.room import RoomScreen
from client.screens.ui import Ui
from client.settings.preferences import MapSize, Preferences
from protocol.common.asks import Choice, Point, Question
from protocol.common.text import Text
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Feature, FeatureKind, Possession
from tests.games.second_edition.client.scripted import (
    Script,
    asked,
    coding,
    lobby,
    picturing,
    playing,
    unlocking,
)
from tests.games.second_edition.client.stage import OnStage, RecordingPort, model_of, play, ui_of

NO_MOUSE = Preferences(mouse=False)
Doing = Callable[[OnStage], Coroutine[Any, Any, None]]


def _said(model: ClientModel, doing: Doing) -> list[tuple[object, ...]]:
    return play(model, doing).port.said


def test_a_click_goes_to_a_choice_and_a_second_one_takes_it() -> None:
    """A slip of the hand answers nothing."""

    async def click(stage: OnStage) -> None:
        await stage.click("Search the coats")
        assert stage.port.said == []
        await stage.click("Search the coats")

    assert _said(model_of(asked()), click) == [("answer", 0, ("1.4",))]


def test_a_row_is_filled_by_clicks() -> None:

    async def click(stage: OnStage) -> None:
        await stage.click(" 2 ")
        await stage.click(" 2 ")
        assert "Your row: " in stage.text

    assert _said(model_of(coding()), click) == []


def test_a_click_on_a_key_presses_it() -> None:

    async def click(stage: OnStage) -> None:
        await stage.click("o goal")
        assert "Objective" in stage.text
        # Beside the box: it closes.
        await stage.click("Round 2")
        assert "Objective" not in stage.text

    play(model_of(asked()), click)


def test_a_table_is_entered_by_a_second_click() -> None:

    async def click(stage: OnStage) -> None:
        await stage.click("waiting for players")
        await stage.click("waiting for players")

    assert _said(model_of(None, is_lobby=True), click) == [("enter", "room-2")]


def test_an_investigator_is_chosen_by_a_second_click() -> None:

    async def click(stage: OnStage) -> None:
        await stage.click("[ ] Amos")
        await stage.click("[ ] Amos")

    assert _said(model_of(lobby()), click) == [("claim_pieces", ("investigator/amos",))]


def test_the_wheel_turns_what_lies_under_it() -> None:

    async def turn(stage: OnStage) -> None:
        before = stage.text
        await stage.wheel("Journal", -1)
        assert stage.text != before
        await stage.wheel("Search the coats", 1)
        assert "> 2" in stage.text or ">2" in stage.text

    play(model_of(asked()), turn)


def test_without_the_mouse_the_terminal_keeps_it() -> None:

    async def look(stage: OnStage) -> None:
        assert "\x1b[?1000h" in stage.raw
        stage.terminal.ui.desk.prefs = NO_MOUSE
        await stage.press("down")
        assert "\x1b[?1000l" in stage.raw

    play(model_of(asked()), look)


# What can be clicked on --------------------------------------------------------------------


PIECES = (
    ("space", "study/b"),
    ("door", "hall/a=hall/c"),
    ("investigator", "investigator/vera"),
    ("monster", "m2"),
    ("token", "token/maid"),
    ("token", "token/cellar"),
    ("feature", "fire/hall"),
    ("possession", "p9"),
    ("possession", "p1"),
    ("card", "d0"),
)
"""Pieces on the table at which the choices point, each with its kind."""


def _pointing() -> Script:
    """Return a game where the first choice points at nothing and each other at one piece."""
    script = playing()
    vera = "investigator/vera"
    script.emit(
        se.FeaturePlaced(Feature("fire/hall", FeatureKind.FIRE, "hall/c")),
        se.PossessionGained(vera, Possession("p9", "item/lantern")),
        se.PossessionDropped(vera, "p9", "hall/b"),
    )
    choices = (
        Choice("1.0", Text("digit", (0,))),
        *(
            Choice(f"1.{at}", Text("digit", (at,)), (Point(kind, piece),))
            for at, (kind, piece) in enumerate(PIECES, 1)
        ),
    )
    about = Text("ask/action", ("investigator/ada", 2))
    script.ask({0: Question(about, choices)}, about=about)
    return script


def _click_on(ui: Ui, text: str, at: int, size: tuple[int, int] = (40, 120)) -> int:
    """Click letter `at` of the first occurrence of a text; return the choice that it leads to."""
    lines = ui.draw(*size).plain().split("\n")
    row = next(row for row, line in enumerate(lines) if text in line)
    ui.click(row, lines[row].index(text) + at)
    screen = ui.base()
    assert isinstance(screen, RoomScreen)
    assert screen.answering is not None
    return screen.answering.cursor


@pytest.mark.parametrize("map_size", MapSize)
@pytest.mark.parametrize(
    ("piece", "text", "at"),
    [
        (("space", "study/b"), "Study (2)", 1),
        (("door", "hall/a=hall/c"), "══", 1),
        (("investigator", "investigator/vera"), "V * %", 0),
        (("monster", "m2"), "t1 !", 1),
        (("token", "token/maid"), "@ ^", 0),
        (("token", "token/cellar"), "═?", 1),
        (("feature", "fire/hall"), "@ ^", 2),
        (("possession", "p9"), "V * %", 4),
    ],
)
def test_what_stands_on_the_map_can_be_clicked(
    piece: tuple[str, str], text: str, at: int, map_size: MapSize
) -> None:
    ui = ui_of(_pointing())
    ui.desk.prefs = Preferences(map=map_size)
    if piece[0] == "space" and map_size is MapSize.COMPACT:
        text, at = "Stu2", 0

    assert _click_on(ui, text, at) == 1 + PIECES.index(piece)


BESIDE = (
    (("investigator", "investigator/vera"), "Vera Sand (Bob)", 3),
    (("possession", "p1"), "Lantern", 2),
    (("card", "d0"), "Sprain", 0),
)
LISTED = ((("monster", "m2"), "Tallyman 1, Study", 2),)


@pytest.mark.parametrize(
    ("size", "piece", "text", "at"),
    [
        *(((24, 80), *one) for one in BESIDE),
        *(((40, 120), *one) for one in (*BESIDE, *LISTED)),
        *(((60, 200), *one) for one in (*BESIDE, *LISTED)),
    ],
)
def test_what_stands_beside_the_map_can_be_clicked(
    size: tuple[int, int], piece: tuple[str, str], text: str, at: int
) -> None:
    assert _click_on(ui_of(_pointing()), text, at, size) == 1 + PIECES.index(piece)


def test_a_figure_comes_before_the_space_it_stands_in() -> None:
    script = playing()
    choices = (
        Choice("1.0", Text("digit", (0,))),
        Choice("1.1", Text("digit", (1,)), (Point("space", "hall/b"),)),
        Choice("1.2", Text("digit", (2,)), (Point("investigator", "investigator/vera"),)),
    )
    about = Text("ask/action", ("investigator/ada", 2))
    script.ask({0: Question(about, choices)}, about=about)
    ui = ui_of(script)

    assert _click_on(ui, "V *", 0, (24, 80)) == 2
    assert _click_on(ui, "V] *", -3, (24, 80)) == 1


def test_a_figure_is_clicked_on_at_its_brackets_too() -> None:
    """Brackets on a smaller map move the figure; the second click must still hit the figure."""
    script = playing()
    choices = tuple(
        Choice(f"1.{at}", Text("digit", (at,)), (Point("investigator", f"investigator/{who}"),))
        for at, who in enumerate(("ada", "vera"))
    )
    script.ask({0: Question(Text("ask/action"), choices)}, about=Text("ask/action"))
    ui = ui_of(script)

    assert _click_on(ui, "V *", 0, (24, 80)) == 1
    _click_on(ui, "V] *", 1, (24, 80))

    assert isinstance(ui.desk.port, RecordingPort)
    assert ui.desk.port.said == [("answer", 0, ("1.1",))]


@pytest.mark.parametrize(
    ("size", "text", "at"),
    [((24, 80), "[c", 1), ((40, 120), "  c  ", 2), ((60, 200), "  c  ", 2)],
)
def test_a_piece_of_a_lock_can_be_clicked(size: tuple[int, int], text: str, at: int) -> None:
    assert _click_on(ui_of(unlocking()), text, at, size) == 2


@pytest.mark.parametrize("size", [(24, 80), (40, 120), (60, 200)])
def test_a_piece_of_a_picture_can_be_clicked(size: tuple[int, int]) -> None:
    assert _click_on(ui_of(picturing()), " 6 ", 1, size) == 5


@pytest.mark.parametrize("size", [(24, 80), (40, 120), (60, 200)])
def test_a_row_is_set_by_clicking_its_pieces(size: tuple[int, int]) -> None:
    script = coding()
    script.emit(se.AttemptBegan("investigator/ada", "chain", 3))
    ui = ui_of(script)

    assert _click_on(ui, "4", 0, size) == 3
    _click_on(ui, "[4]", 1, size)

    screen = ui.base()
    assert isinstance(screen, RoomScreen)
    assert screen.answering is not None
    assert screen.answering.picks == ["7.3"]


@pytest.mark.parametrize(
    "code",
    [
        "\x1b[M~!!",
        "\x1b[<;;M",
        "\x1b[<1;2M",
        "\x1b[;;;;m",
        "\x1b[<" + "9" * 5000 + ";1;1M",
        "\x1b[<0;99999;99999M",
        "\x1b[<0;0;0m",
    ],
)
def test_what_only_looks_like_a_mouse_does_nothing(code: str) -> None:
    """Noise on the line may look like a mouse; so may a paste that the terminal does not mark."""

    async def look(stage: OnStage) -> None:
        before = stage.text
        await stage.press_raw(code)
        assert stage.text == before

    play(model_of(asked()), look)
