"""
The layout of the first edition: places of map, sides, question and journal at every size.

The map is on the left, above the question; the sections of the viewer's role are beside the map,
above the journal. On a wide terminal the journal has its own column. On a narrow terminal
everything is in one column, and with few rows a key opens the map.
"""

from typing import ClassVar

import attrs

from client.boards.map import Outlook
from client.boards.map_with_legend import draw_board
from client.boards.steady import Steady
from client.boards.viewport import Scroll
from client.boards.whole_map import map_title
from client.games.first_edition.panes.board import outlook
from client.games.first_edition.panes.chosen import chosen_card
from client.games.first_edition.panes.inset import TestInset
from client.games.first_edition.panes.puzzle import draw_puzzle, open_puzzle, puzzle_rows
from client.games.first_edition.panes.scene import FirstEditionScene, scene_of
from client.games.first_edition.panes.sides import sections
from client.keymap.keys import Action
from client.widgets.canvas import Pane
from client.widgets.frame import (
    LENT_ROWS,
    SMALLEST,
    DrawnFrame,
    Frame,
    draw_asked,
    draw_small,
    draw_status,
    draw_told,
    in_columns,
    rows_asked,
)
from client.widgets.layout import Layout
from client.widgets.pages import draw_marks, draw_rule
from client.widgets.sections import draw_sections

_WIDE = 150
"""The minimum width of a terminal on which the journal has its own column."""
_TALL = 30
"""The minimum height of a terminal on which a single column has the map at its top."""
_LEAST_TOLD = 3
"""In one column, the minimum number of rows of the journal, including its title."""
_LEAST_SIDE = 3
"""In one column, the rows that a question leaves to the sections."""
_LEAST_QUESTION = 4
_GOOD_QUESTION = 11
"""Rows that a board leaves to the question, if the board can be drawn in the remaining rows."""
_LEAST_BELOW_MAP = 8
"""The number of rows that any board leaves to the question."""
_LONG_QUESTION = 26
"""The number of rows that the question must have before a board grows beyond its full size."""
_LEAST_BESIDE_PUZZLE = 6
"""Rows that an open puzzle leaves to the question; half as many in one low column."""
_LEAST_BELOW_PUZZLE = 2
"""Rows that an open puzzle and its question leave to the journal in one low column."""
_LEAST_UNKNOWN = 1
"""The minimum number of rows of the map before any of the board is known."""
_SHORT_LEGEND = 2
"""The number of rows that a board needs for its legend."""
_LEAST_JOURNAL = 5
_GOOD_JOURNAL = 8


@attrs.define(eq=False)
class MapLayout(Layout):
    """The screen of a game: map, question, sections and journal."""

    actions: ClassVar[frozenset[Action]] = frozenset(
        {Action.MAP_UP, Action.MAP_DOWN, Action.MAP_LEFT, Action.MAP_RIGHT, Action.MAP_SIZE}
    )
    _scroll: Scroll = attrs.field(factory=Scroll, init=False)
    _steady: Steady = attrs.field(factory=Steady, init=False)
    """The height of the map over the last rounds."""
    _steady_side: Steady = attrs.field(factory=Steady, init=False)
    """The height of the sections above the journal, over the last rounds."""

    def scroll(self, rows: int, columns: int) -> None:
        self._scroll = self._scroll.moved(rows, columns)

    def reset_scroll(self) -> None:
        self._scroll = self._scroll.reset()

    def draw(self, pane: Pane, frame: Frame) -> DrawnFrame:
        if pane.rows < SMALLEST[0] - LENT_ROWS or pane.columns < SMALLEST[1]:
            self._scroll = Scroll()
            return draw_small(pane, frame, SMALLEST)
        scene = scene_of(frame.scene)
        draw_status(pane.inner(0, 0, 1), frame)
        body = pane.inner(1, 0)
        if body.is_narrow:
            return self._draw_narrow(body, scene, frame)
        if body.columns >= _WIDE:
            left = body.columns * 52 // 100
            widths = [left, (body.columns - left) * 47 // 100]
        else:
            # The map gets at least 58 %, and up to 60 columns if the journal keeps 34.
            widths = [max(body.columns * 58 // 100, min(body.columns - 34, 60))]
        columns = in_columns(body, widths, scene.charset)
        self._draw_left(columns[0], scene, frame)
        side = columns[1]
        has_journal = len(columns) > 2
        good = 0 if has_journal else 1 + max(_GOOD_JOURNAL, side.rows * 2 // 5)
        least = 0 if has_journal else 1 + _LEAST_JOURNAL
        used = draw_sections(side, scene.charset, sections(scene, side.columns), good, least)
        game = scene.game
        if game is not None:
            # Like the map, so that the journal does not jump with each card that comes or goes.
            place = (side.rows, side.columns, scene.is_keeper)
            used = self._steady_side.height(place, game.round_number, used)
        # At the end of the column: what is above stays where it is while the cursor moves.
        chosen = chosen_card(scene, frame.answering, side.columns)
        rows = min(1 + len(chosen.forms[0]), side.rows) if chosen.forms else 0
        below = side.inner(side.rows - rows, 0)
        below.fill()
        draw_sections(below, scene.charset, [chosen], 0, 0)
        left = side.rows - used - rows
        told = side.inner(used, 0, left if left >= _LEAST_TOLD else 0)
        return DrawnFrame(draw_told(columns[2] if has_journal else told, frame))

    def _draw_narrow(self, pane: Pane, scene: FirstEditionScene, frame: Frame) -> DrawnFrame:
        """Draw everything in one column; with few rows, leave the map out."""
        is_tall = pane.rows >= _TALL
        shown = sections(scene, pane.columns)
        if open_puzzle(scene) is not None and not is_tall:
            # Nobody solves what they do not see whole.
            above = pane.rows - _LEAST_BELOW_PUZZLE
            self._draw_left(pane.inner(0, 0, above), scene, frame)
            below = pane.inner(above, 0)
            below.spot("side")
            return DrawnFrame(draw_told(below, frame))
        if is_tall:
            above = pane.rows - max(_LEAST_SIDE + _LEAST_TOLD, pane.rows // 3)
            self._draw_left(pane.inner(0, 0, above), scene, frame)
        else:
            need = 1 + rows_asked(frame, pane.columns - 1, TestInset(scene))
            most = pane.rows - _LEAST_SIDE - _LEAST_TOLD
            above = min(max(need, _LEAST_QUESTION), most)
            draw_asked(pane.inner(0, 0, above), frame, TestInset(scene))
        below = pane.inner(above, 0)
        below.spot("side")
        good = max(_LEAST_JOURNAL, below.rows * 2 // 5)
        used = draw_sections(below, scene.charset, shown, good, _LEAST_TOLD)
        if not is_tall:
            said = f" {map_title(scene, frame.map_size, 'v')} "
            below.inner(0, 0, 1, below.columns - 1).write_right(0, said, "class:hint")
        return DrawnFrame(draw_told(below.inner(used, 0), frame))

    def _draw_left(self, pane: Pane, scene: FirstEditionScene, frame: Frame) -> None:
        """Draw the map, or an open puzzle, above the question."""
        view, inset = outlook(scene, frame.map_size), TestInset(scene)
        height = self._map_height(pane, scene, frame, view)
        upper = pane.inner(0, 0, 1 + height)
        upper.spot("map")
        if open_puzzle(scene) is not None:
            draw_rule(upper, 0, scene.speaker.say("pane.puzzle"), scene.charset)
            marks, self._scroll = draw_puzzle(upper.inner(1, 1), scene, self._scroll)
        else:
            empty = scene.speaker.say("map.empty")
            drawn = draw_board(upper.inner(1, 0), scene, view, empty, self._scroll)
            marks, self._scroll = drawn.marks, drawn.scroll
            draw_rule(upper, 0, map_title(scene, frame.map_size, marks), scene.charset)
        draw_marks(upper, marks)
        draw_asked(pane.inner(1 + height, 0), frame, inset)

    def _map_height(
        self, pane: Pane, scene: FirstEditionScene, frame: Frame, view: Outlook | None
    ) -> int:
        """Return the number of rows for the map and its legend, or for an open puzzle."""
        inner, columns, game = pane.rows - 2, pane.columns, scene.game
        if puzzle := puzzle_rows(scene, columns - 1):
            is_low = pane.is_narrow and pane.rows < _TALL // 2
            most = inner - (_LEAST_BESIDE_PUZZLE // 2 if is_low else _LEAST_BESIDE_PUZZLE)
            # As large as leaves half to the question; else the smallest, with its texts or without.
            large = next((rows for rows in puzzle[:-1] if rows <= inner // 2), 0)
            return next((rows for rows in (large, *puzzle[-2:]) if 0 < rows <= most), most)
        if view is None or game is None:
            # No board is known yet: the question gets the rows that it needs.
            asked = rows_asked(frame, columns - 1, TestInset(scene))
            return min(inner // 2, max(_LEAST_UNKNOWN, inner - asked))
        # By board and pane alone, never by the question: a long question is scrolled, so that
        # the map does not jump from one question to the next.
        asked = max(_GOOD_QUESTION, inner // 3)
        least = min(view.least_rows(columns) + 1, inner - _LEAST_BELOW_MAP)
        wanted = max(view.rows_wanted(columns) + _SHORT_LEGEND, inner - _LONG_QUESTION)
        rows = min(wanted, max(inner - asked, least))
        board = (pane.rows, columns, frame.map_size, game.tiles)
        return self._steady.height(board, game.round_number, rows)
