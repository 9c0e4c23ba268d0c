"""Lock puzzles: a grid with pieces that slide."""

from collections.abc import Iterator

from client.games.second_edition.panes.scene import SecondEditionScene
from client.games.second_edition.tellers.puzzles import PIECES
from client.widgets.canvas import Canvas, Pane
from client.widgets.outline import draw_outline
from protocol.games.second_edition.table import LockPiece, LockPuzzle

_LIT = "class:map.lit"
_SCALES = ((4, 8), (3, 6), (2, 4), (1, 4))
"""Rows and columns of one cell, the largest first."""
_FRAMED = 3
"""The minimum number of rows of a cell at which a piece has a frame."""


def lock_sheets(scene: SecondEditionScene, puzzle: LockPuzzle) -> Iterator[Canvas]:
    """Yield drawings of a lock puzzle, the largest first; each piece is a mouse target.

    Arrows at the right edge mark the exit, in the row of the piece that has to leave.
    """
    for high, wide in _SCALES:
        sheet = scene.sheet(puzzle.rows * high + 2, puzzle.columns * wide + 3)
        pane = sheet.pane()
        draw_outline(pane, scene.charset)
        special = puzzle.pieces[0]
        # The way out is at the right of the special piece's row.
        for row in range(high):
            pane.write(1 + special.row * high + row, sheet.columns - 1, ">", "class:turn")
        grid = pane.inner(1, 1)
        down, right = _middle(high, wide)
        for row in range(puzzle.rows):
            for column in range(puzzle.columns):
                grid.write(row * high + down, column * wide + right, ".", "class:dim")
        for at, piece in enumerate(puzzle.pieces):
            _draw_piece(grid, scene, at, piece, (high, wide))
        yield sheet


def _middle(high: int, wide: int) -> tuple[int, int]:
    """Return the row and column at which a sign is drawn in a cell of this size."""
    return (high // 2, wide // 2) if high >= _FRAMED else (0, 1)


def _draw_piece(
    grid: Pane, scene: SecondEditionScene, at: int, piece: LockPiece, scale: tuple[int, int]
) -> None:
    """Draw a piece, with its letter in each of its cells."""
    high, wide = scale
    is_lit = scene.is_lit("piece", str(at))
    style = _LIT if is_lit else "class:monster" if at == 0 else "class:token"
    # The filling shows a piece that a choice points at without colours, too.
    fill = "#" if is_lit else "=" if at == 0 else " "
    rows = high * (piece.length if piece.is_upright else 1)
    columns = wide * (1 if piece.is_upright else piece.length)
    pane = grid.inner(piece.row * high, piece.column * wide, rows, columns)
    pane.spot("piece", str(at))
    if high >= _FRAMED:
        pane.fill(style, fill)
        draw_outline(pane, scene.charset, style=style)
    else:
        for row in range(rows):
            pane.write(row, 0, "[" + fill * (columns - 2) + "]", style)
    down, right = _middle(high, wide)
    for row, column in piece.cells():
        grid.write(row * high + down, column * wide + right, PIECES[at], style)


def spoken_lock(puzzle: LockPuzzle) -> Iterator[str]:
    """Yield the rows of a lock, with a letter for each cell."""
    names = {cell: PIECES[at] for at, p in enumerate(puzzle.pieces) for cell in p.cells()}
    for row in range(puzzle.rows):
        cells = (names.get((row, column), ".") for column in range(puzzle.columns))
        way_out = " >" if row == puzzle.pieces[0].row else ""
        yield " ".join(cells) + way_out
