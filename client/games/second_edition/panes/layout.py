"""
The layout of the second edition: places of map, party, question and journal at every size.

The map is on the left, above the question. The party is beside the map, above the journal; the
objective and the monsters are between party and journal if they fit. On a wide terminal the journal
has its own column. The width is divided among columns first; each column then divides its height
among its parts.

On a narrow terminal everything is in one column: question, party and journal. With enough rows, the
map is above them; with fewer rows, a key opens the map.
"""

from collections.abc import Sequence
from typing import ClassVar

import attrs

from client.boards.map import Outlook
from client.boards.map_with_legend import draw_board
from client.boards.steady import Steady
from client.boards.viewport import Scroll
from client.boards.whole_map import map_title
from client.games.second_edition.panes.board import outlook
from client.games.second_edition.panes.inset import DiceInset
from client.games.second_edition.panes.puzzle import draw_puzzle, open_puzzle, puzzle_rows
from client.games.second_edition.panes.scene import SecondEditionScene, scene_of
from client.games.second_edition.panes.sides import draw_side
from client.games.second_edition.panes.tray import draw_tray
from client.games.second_edition.rolls import Rolls
from client.keymap.keys import Action
from client.widgets import scene as any_game
from client.widgets.canvas import Pane
from client.widgets.frame import (
    LENT_ROWS,
    SMALLEST,
    DrawnFrame,
    Frame,
    Instant,
    draw_asked,
    draw_small,
    draw_status,
    draw_told,
    in_columns,
    rows_asked,
)
from client.widgets.layout import Layout
from client.widgets.pages import draw_marks, draw_rule
from protocol.event import Record

_WIDE = 150
"""The minimum width of a terminal on which the journal has its own column."""
_TALL = 30
"""The minimum height of a terminal on which a single column has the map at its top."""
_LEAST_TOLD = 3
"""In one column, the minimum number of rows of the journal while a question is open, including the
journal's title."""
_MOST_PARTY = 3
"""In one column, the maximum number of rows of the party while a question is open. If the
investigators do not fit, the pane shows the number of those left out."""
_LEAST_QUESTION = 4
_GOOD_QUESTION = 11
"""Rows that a board leaves to the question, if the board can be drawn in the remaining rows."""
_LEAST_BELOW_MAP = 8
"""The number of rows that any board leaves to the question."""
_LONG_QUESTION = 26
"""The number of rows that the question must have before a board grows beyond its full size."""
_LEAST_BESIDE_PUZZLE = 6
_LEAST_MAP = 7
"""The minimum rows of an open puzzle above a long question; in a low pane, a third of its rows."""
_LEAST_UNKNOWN = 1
"""The minimum number of rows of the map before any of the board is known."""
_SHORT_LEGEND = 2
"""The number of rows that a board needs for its legend."""
_LEAST_JOURNAL = 6
_GOOD_JOURNAL = 12
_BELOW_TITLE = 1
"""Rows of the map's title, which falling dice do not cover."""
_STORY_ROWS = 16
"""The number of rows that a story keeps below the dice, including the story's frame."""
_LEAST_TRAY = 6
"""Rows of a tray with one roll of small dice and a heading of two lines."""


@attrs.define(eq=False)
class MapLayout(Layout):
    """The screen of a game: map, question, party and journal, with falling dice drawn over them."""

    actions: ClassVar[frozenset[Action]] = frozenset(
        {
            *(Action.MAP_UP, Action.MAP_DOWN, Action.MAP_LEFT, Action.MAP_RIGHT),
            *(Action.MAP_SIZE, Action.DIE_BACK, Action.DIE_ON),
        }
    )
    _scroll: Scroll = attrs.field(factory=Scroll, init=False)
    _steady: Steady = attrs.field(factory=Steady, init=False)
    """The height of the map over the last rounds."""
    _rolls: Rolls = attrs.field(factory=Rolls, init=False)

    def follow(
        self, records: Sequence[Record], first_live: int, instant: Instant, *, is_still: bool
    ) -> float | None:
        """Add the rolls of new records; return the seconds until the dice look different.

        Return None if the dice will not change by themselves.
        """
        now, touched = instant.now, instant.touched
        self._rolls.update(records, first_live, now, touched, is_still=is_still)
        return self._rolls.next_look(now, touched)

    def is_over_dice(self, scene: any_game.Scene) -> bool:
        game = scene_of(scene).game
        return game is not None and game.test is not None and bool(game.test.faces)

    def scroll(self, rows: int, columns: int) -> None:
        self._scroll = self._scroll.moved(rows, columns)

    def reset_scroll(self) -> None:
        self._scroll = self._scroll.reset()

    def draw(self, pane: Pane, frame: Frame) -> DrawnFrame:
        if pane.rows < SMALLEST[0] - LENT_ROWS or pane.columns < SMALLEST[1]:
            self._scroll = Scroll()
            return draw_small(pane, frame, SMALLEST)
        scene = self._scene(frame.scene, frame.instant)
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
        if len(columns) > 2:
            draw_side(side, scene, 0, 0)
            return DrawnFrame(draw_told(columns[2], frame))
        good = max(_GOOD_JOURNAL, side.rows * 2 // 5)
        used = draw_side(side, scene, 1 + _LEAST_JOURNAL, 1 + good)
        return DrawnFrame(draw_told(side.inner(used, 0), frame))

    def _draw_narrow(self, pane: Pane, scene: SecondEditionScene, frame: Frame) -> DrawnFrame:
        """Draw everything in one column.

        If rows are few and no puzzle is open, leave the map out.
        """
        members = 0 if scene.game is None else len(scene.game.investigators)
        party = 1 + min(members, _MOST_PARTY)
        is_tall, has_puzzle = pane.rows >= _TALL, open_puzzle(scene) is not None
        if has_puzzle or is_tall:
            least = max(party + _LEAST_TOLD, pane.rows // 3) if is_tall else _LEAST_TOLD
            above = pane.rows - least
            self._draw_left(pane.inner(0, 0, above), scene, frame)
        else:
            need = 1 + rows_asked(frame, pane.columns - 1, DiceInset(scene))
            above = min(max(need, _LEAST_QUESTION), pane.rows - party - _LEAST_TOLD)
            draw_asked(pane.inner(0, 0, above), frame, DiceInset(scene))
        below, used = pane.inner(above, 0), 0
        below.spot("side")
        if below.rows > _LEAST_TOLD:
            good = max(_LEAST_JOURNAL, below.rows * 2 // 5)
            used = draw_side(below, scene, _LEAST_TOLD, good)
            # Members without a row of their own are counted beside the title.
            hidden = max(0, members - max(0, below.rows - 1 - _LEAST_TOLD))
            said = f" +{hidden} " if hidden else ""
            if not (is_tall or has_puzzle):
                said = f" {map_title(scene, frame.map_size, 'v')}{said or ' '}"
            below.inner(0, 0, 1, below.columns - 1).write_right(0, said, "class:hint")
        return DrawnFrame(draw_told(below.inner(used, 0), frame))

    def _scene(self, scene: any_game.Scene, instant: Instant) -> SecondEditionScene:
        """Return this game's scene, with the faces that the dice of an open test show now."""
        test = self._rolls.test
        if test is None:
            return scene_of(scene)
        falling = test.falling(instant.now, instant.touched)
        return scene_of(scene, test.faces_at(falling, instant.now), falling)

    def _draw_left(self, pane: Pane, scene: SecondEditionScene, frame: Frame) -> None:
        """Draw the map, or an open puzzle, above the question."""
        view, inset = outlook(scene, frame.map_size), DiceInset(scene)
        height = self._map_height(pane, scene, frame, view)
        upper = pane.inner(0, 0, 1 + height)
        upper.spot("map")
        if open_puzzle(scene) is not None:
            draw_rule(upper, 0, scene.speaker.say("pane.puzzle"), scene.charset)
            inner = upper.inner(1, 1)
            marks, self._scroll = draw_puzzle(inner, scene, frame.answering, self._scroll)
        else:
            empty = scene.speaker.say("map.empty")
            drawn = draw_board(upper.inner(1, 0), scene, view, empty, self._scroll)
            marks, self._scroll = drawn.marks, drawn.scroll
            draw_rule(upper, 0, map_title(scene, frame.map_size, marks), scene.charset)
        draw_marks(upper, marks)
        draw_asked(pane.inner(1 + height, 0), frame, inset)

    def _map_height(
        self, pane: Pane, scene: SecondEditionScene, frame: Frame, view: Outlook | None
    ) -> int:
        """Return the number of rows for the map and its legend, or for an open puzzle."""
        inner, columns = pane.rows - 2, pane.columns - 1
        whole, wanted = puzzle_rows(scene, frame.answering, columns)
        if not wanted and view is not None:
            # By board and pane alone, never by the question: a long question is scrolled, so that
            # the map does not jump from one question to the next.
            columns, game = pane.columns, scene.game
            assert game is not None
            asked = max(_GOOD_QUESTION, inner // 3)
            least = min(view.least_rows(columns) + 1, inner - _LEAST_BELOW_MAP)
            wanted = max(view.rows_wanted(columns) + _SHORT_LEGEND, inner - _LONG_QUESTION)
            rows = min(wanted, max(inner - asked, least))
            board = (pane.rows, columns, frame.map_size, game.tiles, game.coverings)
            return self._steady.height(board, game.round_number, rows)
        if not wanted:
            # No board is known yet: the question gets the rows that it needs.
            asked = rows_asked(frame, columns, DiceInset(scene))
            return min(inner // 2, max(_LEAST_UNKNOWN, inner - asked))
        # A puzzle is seen whole where that leaves some of the question; else each has its half.
        below = max(_LEAST_QUESTION, rows_asked(frame, columns, DiceInset(scene)))
        whole = min(whole, inner - _LEAST_BESIDE_PUZZLE)
        half = inner // 2
        if below > inner - half:
            return max(min(wanted, _LEAST_MAP, inner // 3), inner - below, whole)
        return max(half, min(wanted, inner - below), whole)

    def draw_over(
        self, pane: Pane, scene: any_game.Scene, instant: Instant, *, is_asked: bool
    ) -> None:
        """Draw falling dice over the map, without the dice that an open question shows."""
        shown = [roll for roll in self._rolls.shown if not is_asked or roll is not self._rolls.test]
        found = {spot.kind: part for part, spot in pane.canvas.spots_in(pane)}
        board = found.get("map", found.get("side", pane)).inner(_BELOW_TITLE, 0)
        draw_tray(board, self._scene(scene, instant), shown, instant.now, instant.touched)

    def draw_above(self, pane: Pane, scene: any_game.Scene, instant: Instant) -> int:
        """Draw falling dice above a story; return the number of rows that they take."""
        # With few rows only the latest dice are shown, small: the story has to be read.
        rows = min(pane.rows // 2, max(_LEAST_TRAY, pane.rows - _STORY_ROWS))
        above, here = pane.inner(0, 0, rows), self._scene(scene, instant)
        return draw_tray(above, here, self._rolls.shown, instant.now, instant.touched)
