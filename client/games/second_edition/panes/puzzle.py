"""
Puzzles, drawn in place of the map during an attempt.

Everybody at the table sees the same drawing, in the largest size that fits each terminal. A piece
that a choice points at is highlighted, and also bracketed or filled, so that no meaning depends on
colour.
"""

from collections.abc import Iterator

import attrs

from client.boards.viewport import Scroll
from client.games.second_edition.panes.codes import code_sheets, guesses, spoken_code
from client.games.second_edition.panes.locks import lock_sheets, spoken_lock
from client.games.second_edition.panes.scene import SecondEditionScene
from client.games.second_edition.panes.slides import slide_sheets, spoken_slide
from client.text.printable import wrap
from client.widgets.answering import Answering
from client.widgets.canvas import Canvas, Pane
from protocol.games.second_edition.table import (
    CodePuzzle,
    LockPuzzle,
    Puzzle,
    PuzzleAttempt,
    SlidePuzzle,
)

__all__ = ["draw_puzzle", "guesses", "open_puzzle", "puzzle_rows", "spoken"]


def open_puzzle(scene: SecondEditionScene) -> tuple[PuzzleAttempt, Puzzle] | None:
    """Return the current attempt and its puzzle; None if no attempt is open."""
    game = scene.game
    if game is None or game.attempt is None:
        return None
    return game.attempt, game.puzzles[game.attempt.puzzle]


def draw_puzzle(
    pane: Pane, scene: SecondEditionScene, answering: Answering | None, scroll: Scroll
) -> tuple[str, Scroll]:
    """
    Draw the open puzzle into a pane, with the remaining steps.

    Returns:
        The sides on which the drawing continues, some of `^v`; and the distance by which the
        drawing is scrolled.
    """
    found = open_puzzle(scene)
    if found is None:
        return "", scroll
    texts = _texts(scene, *found, pane.columns)
    sheets = [*_sheets(scene, found[1], answering, pane.columns)]
    # Sheets come largest first; the smallest is scrolled if not even that fits.
    fitting = (
        sheet
        for sheet in sheets
        if sheet.rows + len(texts) <= pane.rows and sheet.columns <= pane.columns
    )
    sheet = next(fitting, sheets[-1])
    # Drawing and texts on one page, which is scrolled as a whole.
    page = scene.sheet(sheet.rows + len(texts), pane.columns)
    across = max(0, (pane.columns - sheet.columns) // 2)
    page.pane().inner(0, across).lay(sheet.pane())
    for row, text in enumerate(texts, sheet.rows):
        page.pane().write(row, 0, text, "class:hint")
    top = max(0, min(scroll.rows, page.rows - pane.rows))
    pane.inner(max(0, pane.rows - page.rows) // 2, 0).lay(page.pane().inner(top, 0))
    marks = ("^" if top else "") + ("v" if top + pane.rows < page.rows else "")
    return marks, attrs.evolve(scroll, rows=top, columns=0)


def puzzle_rows(
    scene: SecondEditionScene, answering: Answering | None, width: int
) -> tuple[int, int]:
    """
    Return two numbers of rows for the open puzzle; both are 0 if none is open.

    Returns:
        The rows of the smallest drawing alone, and the rows of the largest drawing that fits, with
        its texts.
    """
    found = open_puzzle(scene)
    if found is None:
        return 0, 0
    sheets = [*_sheets(scene, found[1], answering, width)]
    largest = next((sheet for sheet in sheets if sheet.columns <= width), sheets[-1])
    return sheets[-1].rows, largest.rows + len(_texts(scene, *found, width))


def _sheets(
    scene: SecondEditionScene, puzzle: Puzzle, answering: Answering | None, width: int
) -> Iterator[Canvas]:
    if isinstance(puzzle, CodePuzzle):
        return code_sheets(scene, puzzle, answering, width)
    if isinstance(puzzle, SlidePuzzle):
        return slide_sheets(scene, puzzle)
    return lock_sheets(scene, puzzle)


def _texts(
    scene: SecondEditionScene, attempt: PuzzleAttempt, puzzle: Puzzle, width: int
) -> list[str]:
    """Return the number of steps left and the instructions for the puzzle, wrapped to `width`."""
    return [line for text in _told(scene, attempt, puzzle) for line in wrap(text, width)]


def _told(scene: SecondEditionScene, attempt: PuzzleAttempt, puzzle: Puzzle) -> Iterator[str]:
    name = scene.speaker.name("investigator", attempt.investigator)
    yield scene.speaker.say("puzzle.steps", name, attempt.left)
    kinds = {CodePuzzle: "code", SlidePuzzle: "slide", LockPuzzle: "lock"}
    yield scene.speaker.say(f"puzzle.{kinds[type(puzzle)]}")


def spoken(scene: SecondEditionScene, attempt: PuzzleAttempt, puzzle: Puzzle) -> Iterator[str]:
    """Yield a puzzle as lines that make sense when read aloud in order, and the steps left."""
    if isinstance(puzzle, CodePuzzle):
        yield from spoken_code(scene, puzzle)
    elif isinstance(puzzle, SlidePuzzle):
        yield from spoken_slide(scene, puzzle)
    else:
        yield from spoken_lock(puzzle)
    yield from _told(scene, attempt, puzzle)
