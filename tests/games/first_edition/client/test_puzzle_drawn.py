"""Puzzles as they are drawn."""

from typing import Any

import pytest

from client.games.first_edition.panes.puzzle import puzzle_sheets, spoken
from client.locale import load
from client.locale.speaker import Speaker
from client.settings.preferences import Charset
from client.widgets.scene import Scene
from protocol.common.asks import Point
from protocol.common.table import Table
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.puzzles import Piece, Puzzle
from tests.games.first_edition.client.kit import ADA, puzzling, words
from tests.games.first_edition.layouts import CONNECT, LAYOUTS, MATCH, ORDER

NOBODY: Any = None
"""In place of a speaker: drawings have no words."""
LINES = CONNECT[0].dealt(tuple(Piece("xx..", turns) for turns in (1, 1, 3, 0, 2, 2)))


def scene(charset: Charset = Charset.BOXES, *cells: int) -> Scene:
    """Return a scene in which a choice points at some cells."""
    lit = frozenset(Point("piece", str(cell)) for cell in cells)
    return Scene(Table(), None, NOBODY, charset, lit)


def smallest(puzzle: Puzzle, charset: Charset = Charset.BOXES, *cells: int) -> str:
    """Return the smallest drawing of a puzzle."""
    return [*puzzle_sheets(scene(charset, *cells), puzzle)][-1].plain()


def test_lines_are_drawn_from_source_to_goal() -> None:
    """Cells have numbers, and the ends of the line have arrows."""
    assert (
        smallest(LINES)
        == """\
   +1────+2────+3────+
   │     │     │  │  │
-->│  ┌──│  ┌──│──┘  │
   │  │  │  │  │     │
   +4────+5────+6────+
   │  │  │     │     │
   │  └──│──┐  │──┐  │-->
   │     │  │  │  │  │
   +─────+─────+─────+"""
    )


def test_a_straight_line_is_no_crossing() -> None:
    """Not even with plain characters."""
    faces = ("x.x.", ".x.x", "xxxx", "x...", "....", ".x..")
    puzzle = CONNECT[1].dealt(tuple(map(Piece, faces)))
    assert (
        smallest(puzzle, Charset.ASCII)
        == """\
   +1----+2----+3----+
   |  |  |     |  |  |
-->|  |  |-----|--+--|-->
   |  |  |     |  |  |
   +4----+5----+6----+
   |  |  |     |     |
   |  +  |     |  +--|
   |     |     |     |
   +-----+-----+-----+"""
    )


def test_letters_stand_at_the_sides_they_belong_to() -> None:
    """A piece that a choice points at has its number in brackets."""
    puzzle = MATCH[0].dealt((Piece("abcd"), Piece("abcd", 1), Piece("bbbb"), Piece("aaaa")))
    assert (
        smallest(puzzle, Charset.ASCII, 1)
        == """\
   +1----+[2]--+
   |  A  |  D  |
   |D   B|C   A|
   |  C  |  B  |
   +3----+4----+
   |  B  |  A  |
   |B   B|A   A|
   |  B  |  A  |
   +-----+-----+"""
    )


def test_an_order_is_a_row_of_letters() -> None:
    puzzle = ORDER[0].dealt(tuple(map(Piece, "badce")))
    assert (
        smallest(puzzle, Charset.ASCII)
        == """\
   +1--+2--+3--+4--+5--+
   | B | A | D | C | E |
   +---+---+---+---+---+"""
    )


@pytest.mark.parametrize("layout", LAYOUTS, ids=[layout.id for layout in LAYOUTS])
def test_each_piece_is_a_target_of_the_mouse(layout: Any) -> None:
    """Every layout of the box is drawn within a narrow terminal's columns."""
    puzzle = layout.dealt(tuple(map(Piece, layout.pieces)))
    for sheet in puzzle_sheets(scene(), puzzle):
        spots = {
            spot.value
            for row in range(sheet.rows)
            for column in range(sheet.columns)
            for spot in sheet.spots_at(row, column)
            if spot.kind == "piece"
        }
        assert spots == {str(cell) for cell in range(len(puzzle.pieces))}
    assert sheet.columns <= 46
    assert sheet.rows <= 13


def spoken_lines(puzzle: Puzzle, actions: int | None, language: str = "en") -> list[str]:
    """Return the lines of an attempt at a puzzle as plain mode prints them."""
    night = puzzling(puzzle)
    night.emit(fe.PuzzleAttemptBegan(ADA, puzzle.puzzle_id, actions))
    speaker = Speaker(load(language, game="first_edition"), words(language))
    return [*spoken(Scene(night.table, None, speaker, Charset.ASCII))]


def test_pieces_are_told_in_order() -> None:
    """Lines by their directions, letters by their sides, an order row by row."""
    assert spoken_lines(LINES, 4) == [
        "Pieces in 2 rows of 3:",
        "1: right, down",
        "2: right, down",
        "3: up, left",
        "4: up, right",
        "5: down, left",
        "6: down, left",
        "The line comes in at the left of 1, and goes out at the right of 6.",
        "Ada Lorne has 4 puzzle actions left.",
        "Join the marks at both edges by one line.",
    ]
    tiles = MATCH[0].dealt((Piece("abcd"), Piece("abcd", 1), Piece("bbbb"), Piece("aaaa")))
    assert spoken_lines(tiles, 1)[1:3] == [
        "1: up A, right B, down C, left D",
        "2: up D, right A, down B, left C",
    ]
    drawers = ORDER[2].dealt(tuple(map(Piece, "badcef")))
    assert spoken_lines(drawers, 1)[1:3] == ["1 B, 2 A, 3 D", "4 C, 5 E, 6 F"]


def test_a_piece_without_lines_says_so_in_both_languages() -> None:
    """And a timed attempt has no number of actions."""
    blank = CONNECT[1].dealt((*LINES.pieces[:5], Piece("....")))
    assert "6: no line" in spoken_lines(blank, 4)
    french = spoken_lines(blank, None, "fr")
    assert "6: aucune ligne" in french
    assert "Ada Lorne a une minute, et autant d’actions qu’elle en contient." in french
