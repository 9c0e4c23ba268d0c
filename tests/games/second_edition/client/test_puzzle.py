"""Puzzles: drawn as large as space permits, and described in plain mode."""

from collections.abc import Callable

import pytest

from client.boards.viewport import Scroll
from client.games.second_edition.panes.puzzle import draw_puzzle, open_puzzle, puzzle_rows, spoken
from client.games.second_edition.panes.scene import SecondEditionScene
from client.locale import load
from client.locale.speaker import Speaker
from client.settings.preferences import Charset
from client.widgets.answering import Answering
from client.widgets.canvas import Canvas
from protocol.common.asks import Point
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Guess
from tests.games.second_edition.client.scripted import (
    Script,
    asked,
    guessing,
    picturing,
    unlocking,
    words,
)
from tests.games.second_edition.client.stage import OnStage, model_of, play

SPEAKER = Speaker(load("en"), words())


def _scene(script: Script, *pieces: int, charset: Charset = Charset.BOXES) -> SecondEditionScene:
    lit = frozenset(Point("piece", str(piece)) for piece in pieces)
    return SecondEditionScene(script.table, 0, SPEAKER, charset, lit)


def _answering(script: Script) -> Answering:
    ask = script.table.room.ask
    assert ask is not None
    return Answering(ask.ask_id, ask.questions[0].value)


def _drawn(
    scene: SecondEditionScene,
    rows: int,
    columns: int,
    answering: Answering | None = None,
    scroll: Scroll | None = None,
) -> list[str]:
    canvas = Canvas(rows, columns)
    draw_puzzle(canvas.pane(), scene, answering, scroll or Scroll())
    return canvas.plain().split("\n")


@pytest.mark.parametrize(
    ("rows", "columns", "cell"), [(40, 100, 4), (24, 60, 3), (18, 60, 2), (12, 40, 1), (9, 40, 1)]
)
def test_a_lock_is_drawn_as_large_as_it_fits(rows: int, columns: int, cell: int) -> None:
    lines = _drawn(_scene(unlocking()), rows, columns)

    exits = [line for line in lines if line.rstrip().endswith(">")]
    assert len(exits) == cell


def test_a_large_piece_has_a_frame_and_a_lit_one_is_filled() -> None:
    lines = [line.strip() for line in _drawn(_scene(unlocking(), 2), 24, 60)]

    at = next(row for row, line in enumerate(lines) if line.count("b") == 3)
    assert lines[at - 1].startswith("│┌────────────────┐")
    assert lines[at].startswith("││##b#####b#####b#│")


@pytest.mark.parametrize("scene_of", [unlocking, picturing, guessing])
def test_what_does_not_fit_can_be_moved(scene_of: Callable[[], Script]) -> None:
    scene = _scene(scene_of())
    canvas = Canvas(4, 40)

    assert draw_puzzle(canvas.pane(), scene, None, Scroll())[0] == "v"
    assert draw_puzzle(canvas.pane(), scene, None, Scroll(1))[0] == "^v"
    marks, scroll = draw_puzzle(canvas.pane(), scene, None, Scroll(99))
    assert marks == "^"
    assert scroll.rows < 20


def test_a_picture_is_seen_in_one_piece_where_there_is_room() -> None:
    lines = "\n".join(_drawn(_scene(picturing()), 30, 80))

    assert "│..----(o) | │" in lines
    assert "│..----(o) | │" not in "\n".join(_drawn(_scene(picturing()), 30, 34))


def test_guesses_stand_in_columns_over_the_row_that_is_set() -> None:
    script = guessing()
    answering = _answering(script)
    answering.picks += ["7.3", "7.0"]
    answering.go_to(1)

    lines = [line.strip() for line in _drawn(_scene(script), 24, 80, answering)]

    assert "1     1     2    [*] [?] [ ]  1 right, 1 elsewhere" in lines
    assert "1     2     4    [*] [*] [ ]  2 right, 0 elsewhere" in lines
    assert "│ 4 │ │ 1 │ │ _ │" in lines
    assert "│ 1 │ │[2]│ │ 3 │ │ 4 │" in lines


def test_many_guesses_take_little_room_where_there_is_little() -> None:
    script = guessing()
    for _ in range(4):
        script.emit(se.CodeGuessed("chain", Guess(("4", "4", "4"), 0, 0), is_solved=False))

    lines = _drawn(_scene(script), 11, 40, _answering(script))

    assert sum("[ ] [ ] [ ]" in line for line in lines) == 4
    assert any(line.split() == ["_", "_", "_"] for line in lines)
    assert any(line.split() == ["[1]", "2", "3", "4"] for line in lines)


def test_who_only_watches_sees_the_pieces_and_no_row() -> None:
    """One player sets the row, which stays hidden until it is a guess."""
    lines = [line.strip() for line in _drawn(_scene(guessing()), 24, 80)]

    assert "│ _ │ │ _ │ │ _ │" in lines
    assert "│ 1 │ │ 2 │ │ 3 │ │ 4 │" in lines


def test_the_rows_wanted_are_those_of_the_largest_drawing() -> None:
    """Without a puzzle no rows are wanted."""
    assert puzzle_rows(_scene(unlocking()), None, 80) == (6 + 2, 6 * 4 + 2 + 2)
    assert puzzle_rows(_scene(unlocking()), None, 45) == (6 + 2, 6 * 3 + 2 + 3)
    assert puzzle_rows(_scene(asked()), None, 80) == (0, 0)


@pytest.mark.parametrize("make", [unlocking, picturing, guessing])
def test_a_puzzle_is_told_in_ascii_lines(make: Callable[[], Script]) -> None:
    scene = _scene(make(), charset=Charset.ASCII)
    found = open_puzzle(scene)
    assert found is not None

    lines = list(spoken(scene, *found))

    assert all(line.isascii() for line in lines)
    assert lines[-2].startswith("Ada Lorne has ")


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("language", "piece", "sign"), [("en", "piece", "sign"), ("fr", "pièce", "signe")]
)
def test_a_code_is_a_row_of_signs_and_says_how_to_set_one(
    language: str, piece: str, sign: str
) -> None:
    """A row is set by a sign's number, or with arrow keys and Space.

    The screen never calls a sign a piece.
    """
    model = model_of(guessing(), language=language)

    async def set_row(stage: OnStage) -> None:
        assert sign in stage.text
        assert piece not in stage.text
        hint = stage.text.split("\n")[-1]
        assert model.locale.say("hint.sign") in hint
        assert model.locale.say("hint.add") in hint
        assert model.locale.say("question.row", "_ _ _").split("  ")[-1].split(",")[0] in stage.text
        await stage.press("right", " ", "3", "left", "left", " ", "enter")

    said = play(model, set_row, rows=40, columns=120).port.said
    assert said == [("answer", 0, ("7.1", "7.2", "7.0"))]
