"""
Slide puzzles: a picture in pieces that change places.

If there is room, the current picture is drawn beside the single pieces.
"""

from collections.abc import Iterator

from client.games.second_edition.panes.scene import SecondEditionScene
from client.text.printable import width_of
from client.widgets.canvas import Canvas, Pane
from client.widgets.outline import draw_outline
from protocol.games.second_edition.table import SlidePuzzle

_LIT = "class:map.lit"
_PADS = (1, 0)
"""Blank rows (and as many additional columns) around a piece, the most first."""
_BETWEEN = 4
"""Columns between the pieces and the picture."""


def slide_sheets(scene: SecondEditionScene, puzzle: SlidePuzzle) -> Iterator[Canvas]:
    """Yield drawings of a slide puzzle, the largest first; each piece is a mouse target."""
    apart = [_apart(scene, puzzle, pad) for pad in _PADS]
    joined = _joined(scene, puzzle)
    for sheet in apart:
        both = scene.sheet(max(sheet.rows, joined.rows), sheet.columns + _BETWEEN + joined.columns)
        both.pane().lay(sheet.pane())
        middle = (both.rows - joined.rows) // 2
        both.pane().inner(middle, sheet.columns + _BETWEEN).lay(joined.pane())
        yield both
    yield from apart


def _size(puzzle: SlidePuzzle) -> tuple[int, int]:
    """Return the numbers of rows and columns of a piece."""
    # All pieces have as many rows; their lines may be ragged at the right.
    return len(puzzle.pieces[0]), max(width_of(line) for piece in puzzle.pieces for line in piece)


def _apart(scene: SecondEditionScene, puzzle: SlidePuzzle, pad: int) -> Canvas:
    """Draw the pieces apart, with the number of its place above each piece."""
    high, wide = _size(puzzle)
    high, wide = high + 2 * pad, wide + 2 * pad
    rows, columns = len(puzzle.pieces) // puzzle.columns, puzzle.columns
    sheet = scene.sheet(rows * (high + 1) + 1, columns * (wide + 3) + 1)
    pane = sheet.pane()
    for place, piece in enumerate(puzzle.pieces):
        top, left = place // columns * (high + 1), place % columns * (wide + 3)
        is_lit = scene.is_lit("piece", str(place))
        frame = pane.inner(top, left, high + 2, wide + 4)
        draw_outline(frame, scene.charset, "++++")
        # Players choose places, not pieces: the number stays when pieces change places.
        number = f"[{place + 1}]" if is_lit else f" {place + 1} "
        frame.write(0, 1, number, _LIT if is_lit else "class:hint")
        _draw_piece(frame.inner(1 + pad, 2 + pad), piece, is_lit=is_lit)
        pane.spot("piece", str(place), row=top, column=left, rows=high + 1, columns=wide + 3)
    return sheet


def _joined(scene: SecondEditionScene, puzzle: SlidePuzzle) -> Canvas:
    """Draw the picture that the pieces form now, in a frame."""
    high, wide = _size(puzzle)
    rows, columns = len(puzzle.pieces) // puzzle.columns, puzzle.columns
    sheet = scene.sheet(rows * high + 2, columns * wide + 2)
    draw_outline(sheet.pane(), scene.charset)
    for place, piece in enumerate(puzzle.pieces):
        top, left = 1 + place // columns * high, 1 + place % columns * wide
        here = sheet.pane().inner(top, left, high, wide)
        _draw_piece(here, piece, is_lit=scene.is_lit("piece", str(place)))
        here.spot("piece", str(place))
    return sheet


def _draw_piece(pane: Pane, piece: tuple[str, ...], *, is_lit: bool) -> None:
    for row, line in enumerate(piece):
        pane.write(row, 0, line, _LIT if is_lit else "")


def spoken_slide(scene: SecondEditionScene, puzzle: SlidePuzzle) -> Iterator[str]:
    """Yield the pieces, each below the number of its place."""
    yield from _apart(scene, puzzle, 0).plain().split("\n")
