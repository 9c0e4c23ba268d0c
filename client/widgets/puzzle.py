"""
Puzzles: what somebody is working on, drawn where the map lies as long as the attempt goes on.

Everybody at the table sees the same drawing. What a choice points at is lit, and in brackets, so
that nothing is told by colour alone.
"""

from collections.abc import Iterator

from client.tellers import PIECES
from client.widgets.canvas import Canvas, Pane, Styled
from client.widgets.map import Scroll
from client.widgets.pages import draw_text
from client.widgets.printable import wrap
from client.widgets.scene import Scene
from protocol.second_edition.table import (
    Attempt,
    CodePuzzle,
    LockPiece,
    LockPuzzle,
    Puzzle,
    SlidePuzzle,
)

_LIT = "class:map.lit"
_HEIGHTS, _WIDE = (2, 1), 4
"""Rows and columns of a cell of a lock: less high where there is no room."""


def open_puzzle(scene: Scene) -> tuple[Attempt, Puzzle] | None:
    """Return the attempt that is going on, with its puzzle."""
    game = scene.game
    if game is None or game.attempt is None:
        return None
    return game.attempt, game.puzzles[game.attempt.puzzle]


def draw_puzzle(pane: Pane, scene: Scene, attempt: Attempt, puzzle: Puzzle, scroll: Scroll) -> None:
    """Draw a puzzle into a pane, with what is left to do it; what does not fit can be scrolled."""
    ways = [puzzle_lines(scene, attempt, puzzle, pane.columns, high) for high in _HEIGHTS]
    fitting = [lines for lines in ways if len(lines) <= pane.rows]
    draw_text(pane, [*fitting, ways[-1]][0], scroll.rows)


def puzzle_rows(scene: Scene, width: int) -> int:
    """Return how many rows the drawing of the open puzzle takes; 0 where there is none."""
    found = open_puzzle(scene)
    return len(puzzle_lines(scene, *found, width, _HEIGHTS[0])) if found else 0


def puzzle_lines(
    scene: Scene, attempt: Attempt, puzzle: Puzzle, width: int, high: int
) -> list[Styled]:
    """Return the drawing of a puzzle, below it what it is and how many steps are left."""
    name = scene.speaker.name("investigator", attempt.investigator)
    texts = [
        *wrap(scene.speaker.say("puzzle.steps", name, attempt.left), width),
        *wrap(scene.speaker.say(f"puzzle.{_kind(puzzle)}"), width),
    ]
    return [*_drawing(scene, puzzle, high), *([("class:hint", line)] for line in texts)]


def _kind(puzzle: Puzzle) -> str:
    kinds = {CodePuzzle: "code", SlidePuzzle: "slide", LockPuzzle: "lock"}
    return kinds[type(puzzle)]


def _drawing(scene: Scene, puzzle: Puzzle, high: int = 1) -> list[Styled]:
    if isinstance(puzzle, CodePuzzle):
        return guesses(scene, puzzle)
    if isinstance(puzzle, SlidePuzzle):
        return _slide(scene, puzzle)
    return _lock(scene, puzzle, high)


# Codes -------------------------------------------------------------------------------------


def guesses(scene: Scene, puzzle: CodePuzzle) -> list[Styled]:
    """Return what was guessed at a code, and how each guess was answered."""
    speaker = scene.speaker
    return [
        [
            (
                "class:dim",
                speaker.say(
                    "question.guess",
                    " ".join(speaker.text(piece) for piece in guess.pieces),
                    guess.successes,
                    guess.investigations,
                ),
            )
        ]
        for guess in puzzle.guesses
    ]


# Slides ------------------------------------------------------------------------------------


def _slide(scene: Scene, puzzle: SlidePuzzle) -> list[Styled]:
    """Return the pieces as they lie, with the number of each place above it."""
    high, wide = len(puzzle.pieces[0]), len(puzzle.pieces[0][0])
    rows, columns = len(puzzle.pieces) // puzzle.columns, puzzle.columns
    sheet = Canvas(rows * (high + 1) + 1, columns * (wide + 3) + 1)
    pane = sheet.pane()
    for place, piece in enumerate(puzzle.pieces):
        top, left = place // columns * (high + 1), place % columns * (wide + 3)
        is_lit = scene.is_lit("piece", str(place))
        _draw_frame(pane.inner(top, left, high + 2, wide + 4), scene, "++++")
        number = f"[{place + 1}]" if is_lit else f" {place + 1} "
        pane.write(top, left + 1, number, _LIT if is_lit else "class:hint")
        for row, line in enumerate(piece):
            pane.write(top + 1 + row, left + 2, line, _LIT if is_lit else "")
    return [sheet.line(row) for row in range(sheet.rows)]


# Locks -------------------------------------------------------------------------------------


def _lock(scene: Scene, puzzle: LockPuzzle, high: int) -> list[Styled]:
    """Return the grid with its pieces; the frame is open where the special one gets out."""
    sheet = Canvas(puzzle.rows * high + 2, puzzle.columns * _WIDE + 3)
    pane = sheet.pane()
    _draw_frame(pane, scene, scene.charset.corners())
    special = puzzle.pieces[0]
    for row in range(high):
        pane.write(1 + special.row * high + row, sheet.columns - 1, ">", "class:turn")
    grid = pane.inner(1, 1)
    for row in range(puzzle.rows):
        for column in range(puzzle.columns):
            grid.write(row * high, column * _WIDE + 1, ".", "class:dim")
    for at, piece in enumerate(puzzle.pieces):
        _draw_piece(grid, scene, at, piece, high)
    return [sheet.line(row) for row in range(sheet.rows)]


def _draw_piece(grid: Pane, scene: Scene, at: int, piece: LockPiece, high: int) -> None:
    """Draw one piece as a solid bar; its letter stands in each of its cells."""
    is_lit = scene.is_lit("piece", str(at))
    style = _LIT if is_lit else "class:monster" if at == 0 else "class:token"
    wide = _WIDE * (1 if piece.is_upright else piece.length)
    fill = "=" if at == 0 else " "
    bar = "[" + fill * (wide - 2) + "]"
    for row in range(high * (piece.length if piece.is_upright else 1)):
        grid.write(piece.row * high + row, piece.column * _WIDE, bar, style)
    for row, column in piece.cells():
        grid.write(row * high, column * _WIDE + 1, PIECES[at], style)


def _draw_frame(pane: Pane, scene: Scene, corners: str) -> None:
    """Draw a box around a pane."""
    level, upright = scene.charset.rule(), scene.charset.upright()
    last, end = pane.rows - 1, pane.columns - 1
    for row, ends in ((0, corners[:2]), (last, corners[2:])):
        pane.write(row, 0, ends[0] + level * (end - 1) + ends[1], "class:rule")
    for row in range(1, last):
        pane.write(row, 0, upright, "class:rule")
        pane.write(row, end, upright, "class:rule")


# In lines ----------------------------------------------------------------------------------


def spoken(scene: Scene, attempt: Attempt, puzzle: Puzzle) -> Iterator[str]:
    """Yield a puzzle in lines that can be read one after the other, without frames."""
    yield from _spoken_drawing(scene, puzzle)
    name = scene.speaker.name("investigator", attempt.investigator)
    yield scene.speaker.say("puzzle.steps", name, attempt.left)
    yield scene.speaker.say(f"puzzle.{_kind(puzzle)}")


def _spoken_drawing(scene: Scene, puzzle: Puzzle) -> Iterator[str]:
    """Yield a lock row by row with a letter for each cell, the rest as it is drawn."""
    if isinstance(puzzle, LockPuzzle):
        names = {cell: PIECES[at] for at, p in enumerate(puzzle.pieces) for cell in p.cells()}
        for row in range(puzzle.rows):
            cells = (names.get((row, column), ".") for column in range(puzzle.columns))
            way_out = " >" if row == puzzle.pieces[0].row else ""
            yield " ".join(cells) + way_out
    else:
        for line in _drawing(scene, puzzle):
            yield "".join(text for _, text in line)
