"""
Puzzles, drawn in place of the map during an attempt.

Everybody sees the same drawing, in the largest size that fits the terminal. Cells have numbers, by
which choices name them. A piece at which a choice points has its number in brackets, so that no
meaning depends on colour.
"""

from collections.abc import Iterator

import attrs

from client.boards.viewport import Scroll
from client.settings.preferences import Charset
from client.text.printable import wrap
from client.widgets.canvas import Canvas, Pane
from client.widgets.outline import draw_outline
from client.widgets.scene import Scene
from protocol.games.first_edition.puzzles import (
    EAST,
    LINE,
    NORTH,
    SOUTH,
    WEST,
    Family,
    Piece,
    Puzzle,
    PuzzleAttempt,
)
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import KEEPER

_LIT = "class:map.lit"
_LINE = "class:turn"
_PADS = (1, 0)
"""Blank rows (and twice as many columns) around what a piece carries, the most first."""
_MARGIN = 3
"""Columns at each side of the grid, for the marks of source and goal."""
_CROSSINGS = {
    (False, False, False, False): " ",
    (True, False, True, False): "│",
    (False, True, False, True): "─",
    (True, True, False, False): "└",
    (False, True, True, False): "┌",
    (False, False, True, True): "┐",
    (True, False, False, True): "┘",
    (True, True, True, False): "├",
    (False, True, True, True): "┬",
    (True, False, True, True): "┤",
    (True, True, False, True): "┴",
    (True, True, True, True): "┼",
    (True, False, False, False): "╵",
    (False, True, False, False): "╶",
    (False, False, True, False): "╷",
    (False, False, False, True): "╴",
}
"""The middle of a piece with lines, by the sides that have one, from the upper one clockwise."""


def open_puzzle(scene: Scene) -> tuple[PuzzleAttempt, Puzzle] | None:
    """Return the attempt under way and its puzzle; None if there is none."""
    game = scene.table.game
    if not isinstance(game, FirstEditionTable) or game.attempt is None:
        return None
    puzzle = game.puzzles.get(game.attempt.puzzle)
    return None if puzzle is None else (game.attempt, puzzle)


def draw_puzzle(pane: Pane, scene: Scene, scroll: Scroll) -> tuple[str, Scroll]:
    """
    Draw the open puzzle into a pane, with the actions left.

    Returns:
        The sides on which the drawing continues, some of `^v`; and the distance by which the
        drawing is scrolled.
    """
    found = open_puzzle(scene)
    if found is None:
        return "", scroll
    texts = _texts(scene, *found, pane.columns)
    sheets = [*puzzle_sheets(scene, found[1])]
    # Sheets come largest first; the smallest is scrolled if not even that fits.
    fitting = (
        sheet
        for sheet in sheets
        if sheet.rows + len(texts) <= pane.rows and sheet.columns <= pane.columns
    )
    sheet = next(fitting, sheets[-1])
    # Drawing and texts on one page, which is scrolled as a whole.
    page = scene.sheet(sheet.rows + len(texts), pane.columns)
    page.pane().inner(0, max(0, (pane.columns - sheet.columns) // 2)).lay(sheet.pane())
    for row, text in enumerate(texts, sheet.rows):
        page.pane().write(row, 0, text, "class:hint")
    top = max(0, min(scroll.rows, page.rows - pane.rows))
    pane.inner(max(0, pane.rows - page.rows) // 2, 0).lay(page.pane().inner(top, 0))
    marks = ("^" if top else "") + ("v" if top + pane.rows < page.rows else "")
    return marks, attrs.evolve(scroll, rows=top, columns=0)


def puzzle_rows(scene: Scene, columns: int) -> tuple[int, ...]:
    """
    Return the rows that drawings of the open puzzle need, the most first; empty if none is open.

    They are the rows of each drawing that fits into the columns, with its texts, and at last those
    of the smallest drawing alone.
    """
    found = open_puzzle(scene)
    if found is None:
        return ()
    texts = len(_texts(scene, *found, columns))
    sheets = [*puzzle_sheets(scene, found[1])]
    fitting = [sheet for sheet in sheets if sheet.columns <= columns] or sheets[-1:]
    return (*(sheet.rows + texts for sheet in fitting), sheets[-1].rows)


def puzzle_sheets(scene: Scene, puzzle: Puzzle) -> Iterator[Canvas]:
    """Yield drawings of a puzzle, the largest first; each piece is a mouse target."""
    # A letter alone needs one row, sides need three.
    inside = (1, 3) if puzzle.family is Family.ORDER else (3, 5)
    for pad in _PADS:
        high, wide = inside[0] + 2 * pad, inside[1] + 4 * pad
        rows, columns = puzzle.rows * (high + 1) + 1, puzzle.columns * (wide + 1) + 1
        sheet = scene.sheet(rows, columns + 2 * _MARGIN)
        grid = sheet.pane().inner(0, _MARGIN, rows, columns)
        for cell, piece in enumerate(puzzle.pieces):
            row, column = divmod(cell, puzzle.columns)
            top, left = row * (high + 1), column * (wide + 1)
            is_lit = scene.is_lit("piece", str(cell))
            frame = grid.inner(top, left, high + 2, wide + 2)
            draw_outline(frame, scene.charset, "++++")
            # Players choose cells: the number stays when pieces change places.
            number = f"[{cell + 1}]" if is_lit else f"{cell + 1}"
            frame.write(0, 1, number, _LIT if is_lit else "class:hint")
            style = _LIT if is_lit else _LINE
            if puzzle.family is Family.CONNECT:
                _draw_lines(frame.inner(1, 1, high, wide), scene.charset, piece, style)
            else:
                middle = frame.inner(1 + pad, 1 + 2 * pad, *inside)
                _draw_letters(middle, puzzle.family, piece, style)
            grid.spot("piece", str(cell), row=top, column=left, rows=high + 1, columns=wide + 1)
        if puzzle.family is Family.CONNECT:
            for end, at in ((puzzle.source, 0), (puzzle.goal, _MARGIN + columns)):
                sheet.pane().write(end * (high + 1) + 1 + high // 2, at, "-->", "class:hint")
        yield sheet


def _draw_letters(pane: Pane, family: Family, piece: Piece, style: str) -> None:
    """Draw the letters at the sides of a piece, or the one in its middle."""
    sides, (down, right) = piece.sides, (pane.rows // 2, pane.columns // 2)
    if family is Family.ORDER:
        pane.write(down, right, sides[NORTH].upper(), style)
        return
    places = {
        NORTH: (0, right),
        EAST: (down, pane.columns - 1),
        SOUTH: (pane.rows - 1, right),
        WEST: (down, 0),
    }
    for side, place in places.items():
        pane.write(*place, sides[side].upper(), style)


def _draw_lines(pane: Pane, charset: Charset, piece: Piece, style: str) -> None:
    """Draw the lines of a piece from its middle to its sides."""
    lines = tuple(letter == LINE for letter in piece.sides)
    down, right = pane.rows // 2, pane.columns // 2
    for first, side in ((0, NORTH), (down + 1, SOUTH)):
        for row in range(first, first + down) if lines[side] else ():
            pane.write(row, right, charset.upright(), style)
    if lines[WEST]:
        pane.write(down, 0, charset.rule() * right, style)
    if lines[EAST]:
        pane.write(down, right + 1, charset.rule() * right, style)
    if any(lines):
        middle = _CROSSINGS[lines[0], lines[1], lines[2], lines[3]]
        if charset is Charset.ASCII:
            # A straight line must not look like a crossing.
            middle = {"│": "|", "─": "-"}.get(middle, "+")
        pane.write(down, right, middle, style)


def _texts(scene: Scene, attempt: PuzzleAttempt, puzzle: Puzzle, columns: int) -> list[str]:
    """Return the actions left and what solves the puzzle, wrapped."""
    return [line for text in _told(scene, attempt, puzzle) for line in wrap(text, columns)]


def _told(scene: Scene, attempt: PuzzleAttempt, puzzle: Puzzle) -> Iterator[str]:
    name = scene.speaker.name("investigator", attempt.investigator)
    if attempt.left is None:
        yield scene.speaker.say("puzzle.timed", name)
    elif attempt.investigator == KEEPER:
        yield scene.speaker.say("puzzle.keeper_actions_left", attempt.left)
    else:
        yield scene.speaker.say("puzzle.actions_left", name, attempt.left)
    yield scene.speaker.say(f"puzzle.{puzzle.family.value}")


def spoken(scene: Scene) -> Iterator[str]:
    """Yield the open puzzle as lines that make sense when read aloud, and the actions left."""
    found = open_puzzle(scene)
    if found is None:
        return
    attempt, puzzle = found
    yield scene.speaker.say("puzzle.grid", puzzle.rows, puzzle.columns)
    if puzzle.family is Family.ORDER:
        for first in range(0, len(puzzle.pieces), puzzle.columns):
            row = puzzle.pieces[first : first + puzzle.columns]
            yield ", ".join(
                f"{cell} {piece.face.upper()}" for cell, piece in enumerate(row, first + 1)
            )
    else:
        for cell, piece in enumerate(puzzle.pieces, 1):
            yield f"{cell}: {_spoken_piece(scene, puzzle.family, piece)}"
    if puzzle.family is Family.CONNECT:
        ends = (puzzle.source * puzzle.columns + 1, (puzzle.goal + 1) * puzzle.columns)
        yield scene.speaker.say("puzzle.ends", *ends)
    yield from _told(scene, attempt, puzzle)


def _spoken_piece(scene: Scene, family: Family, piece: Piece) -> str:
    names = [scene.speaker.say(f"puzzle.{side}") for side in ("up", "right", "down", "left")]
    if family is Family.MATCH:
        pairs = zip(names, piece.sides, strict=True)
        return ", ".join(f"{name} {letter.upper()}" for name, letter in pairs)
    lines = [name for name, letter in zip(names, piece.sides, strict=True) if letter == LINE]
    return ", ".join(lines) or scene.speaker.say("puzzle.no_line")
