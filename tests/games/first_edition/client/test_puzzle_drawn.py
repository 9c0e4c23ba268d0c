"""Puzzles as they are drawn."""

from typing import Any

import pytest

from client.games.first_edition.panes.puzzle import puzzle_sheets
from client.settings.preferences import Charset
from client.widgets.scene import Scene
from protocol.common.asks import Point
from protocol.common.table import Table
from protocol.games.first_edition.puzzles import Piece, Puzzle
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
