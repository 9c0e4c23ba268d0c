"""
Code puzzles: the guesses, the row that is being set, and the pieces to choose from.

Each guess has its marks. As on dice, `*` stands for a piece in its place, and `?` for a piece that
belongs in another place.
"""

from collections.abc import Iterator, Sequence

import attrs

from client.games.second_edition.panes.scene import SecondEditionScene
from client.text.printable import clip, width_of
from client.widgets.answering import Answering
from client.widgets.canvas import Canvas, Pane, Styled
from client.widgets.outline import draw_outline
from protocol.games.second_edition.table import CodePuzzle

_LIT = "class:map.lit"
_EMPTY = "_"
_GAP = 2
_SIDES = 4
"""Columns of a piece's outline, including the blanks beside the name."""
_MOST = 18
"""The maximum number of columns for the name of a piece."""


@attrs.frozen(eq=False)
class _Desk:
    """A code puzzle, with everything that is needed to draw it."""

    scene: SecondEditionScene
    puzzle: CodePuzzle
    answering: Answering | None
    """The row that the viewer is setting; None if the viewer is not asked for a row."""
    is_large: bool

    def name(self, piece: str) -> str:
        return clip(self.scene.speaker.text(piece), _MOST)

    @property
    def pieces(self) -> Sequence[str]:
        """The names of the pieces; in the order of the choices while a question is open."""
        if self.answering is None:
            return [self.name(piece) for piece in self.puzzle.pieces]
        texts = (self.scene.speaker.text(choice.text) for choice in self.answering.choices)
        return [clip(text, _MOST) for text in texts]

    @property
    def row(self) -> Sequence[str]:
        """The row that is being set, with empty slots for the pieces that are still missing."""
        picks = self.answering.picks if self.answering is not None else ()
        at = [self.answering.number_of(pick) - 1 for pick in picks] if self.answering else []
        names = [self.pieces[number] for number in at]
        return [*names, *[_EMPTY] * (self.puzzle.length - len(names))]

    @property
    def width(self) -> int:
        """The number of columns of a piece, the same for all pieces."""
        names = [self.name(piece) for piece in self.puzzle.pieces]
        return max(map(width_of, [*names, *self.pieces])) + (_SIDES if self.is_large else _GAP)

    @property
    def rows(self) -> int:
        return 3 if self.is_large else 1


def code_sheets(
    scene: SecondEditionScene, puzzle: CodePuzzle, answering: Answering | None, width: int
) -> Iterator[Canvas]:
    """
    Yield drawings of a code, the largest first.

    While the viewer sets a row, each available piece is the mouse target of its choice.
    """
    # Other questions may be open during an attempt, such as one about a card.
    is_setting = answering is not None and answering.is_row
    for is_large in (True, False):
        desk = _Desk(scene, puzzle, answering if is_setting else None, is_large)
        guesses = desk.puzzle.guesses
        in_a_row = max(1, (width + 1) // (desk.width + 1))
        tray = -(-len(desk.pieces) // in_a_row)
        gap = 1 if desk.is_large else 0
        heights = [len(guesses) * (1 + gap), desk.rows + gap, tray * desk.rows]
        # Slots, marks beside them, and 40 columns for the words of the marks.
        columns = max(desk.puzzle.length * (desk.width + 1) + 40, in_a_row * (desk.width + 1))
        sheet = desk.scene.sheet(sum(heights), min(width, columns))
        pane, top = sheet.pane(), 0
        for guess in guesses:
            line = pane.inner(top, 0, 1)
            for at, piece in enumerate(guess.pieces):
                name = desk.name(piece)
                line.write(0, at * (desk.width + 1) + (desk.width - width_of(name)) // 2, name)
            # A mark for each place, so that answers are in columns.
            blank = len(guess.pieces) - guess.successes - guess.investigations
            marks = "*" * guess.successes + "?" * guess.investigations + " " * blank
            answer = "".join(f" [{mark}]" for mark in marks)
            column = len(guess.pieces) * (desk.width + 1)
            column = line.write(0, column, answer, "class:journal.dice")
            words = scene.speaker.say("puzzle.marks", guess.successes, guess.investigations)
            if column + _GAP + width_of(words) <= line.columns:
                line.write(0, column + _GAP, words, "class:dim")
            top += 1 + gap
        for at, name in enumerate(desk.row):
            _draw_piece(_cell(pane, desk, top, at), desk, name, is_lit=False)
        top += desk.rows + gap
        for at, name in enumerate(desk.pieces):
            down, across = divmod(at, in_a_row)
            cell = _cell(pane, desk, top + down * desk.rows, across)
            is_here = desk.answering is not None and desk.answering.cursor == at
            _draw_piece(cell, desk, name, is_lit=is_here, is_slot=False)
            if desk.answering is not None:
                cell.spot("choice", str(at))
        yield sheet


def _cell(pane: Pane, desk: _Desk, row: int, at: int) -> Pane:
    return pane.inner(row, at * (desk.width + 1), desk.rows, desk.width)


def _draw_piece(pane: Pane, desk: _Desk, name: str, *, is_lit: bool, is_slot: bool = True) -> None:
    """Draw a piece, or a slot with its content, in the middle of a cell."""
    style = _LIT if is_lit else "class:prompt" if is_slot else "class:token"
    shown = f"[{name}]" if is_lit else name
    if desk.is_large:
        draw_outline(pane, desk.scene.charset, style=_LIT if is_lit else "class:rule")
    at = (desk.width - width_of(shown)) // 2
    pane.write(desk.rows // 2, at, shown, style)


def guesses(scene: SecondEditionScene, puzzle: CodePuzzle) -> list[Styled]:
    """Return each guess at a code with its answer, in words."""
    return [[("class:dim", line)] for line in spoken_code(scene, puzzle)]


def spoken_code(scene: SecondEditionScene, puzzle: CodePuzzle) -> Iterator[str]:
    """Yield the guesses in lines that make sense when they are read aloud in order."""
    for guess in puzzle.guesses:
        pieces = " ".join(scene.speaker.text(piece) for piece in guess.pieces)
        yield scene.speaker.say("question.guess", pieces, guess.successes, guess.investigations)
