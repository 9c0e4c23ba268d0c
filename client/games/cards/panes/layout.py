"""
The layout of the card game: locations above the question, story and cards above the journal.

A graph that does not fit is left out: a key opens it on the whole screen.
"""

import attrs

from client.boards.graph import Drawing
from client.games.cards.panes.graph import draw_graph, drawing_of
from client.games.cards.panes.sections import sections, test_lines
from client.widgets.bits import draw_bits
from client.widgets.canvas import Pane
from client.widgets.frame import (
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
from client.widgets.pages import draw_rule
from client.widgets.question import Inset
from client.widgets.sections import draw_sections
from protocol.games.cards.table import CardsTable

LEAST_QUESTION = 8
"""Rows that the graph leaves to the question."""
JOURNAL = 6
"""Rows that the sections leave to the journal."""
NARROW = 72
MOST_GRAPH = 22


@attrs.define(eq=False)
class CardsLayout(Layout):
    """The screen of a game."""

    def draw(self, pane: Pane, frame: Frame) -> DrawnFrame:
        """Draw a game; return how far the journal is turned back."""
        game = frame.scene.table.game
        if not isinstance(game, CardsTable) or pane.columns < NARROW or not game.order:
            return super().draw(pane, frame)
        if pane.rows < SMALLEST[0] - 2:
            return draw_small(pane, frame, SMALLEST)
        draw_status(pane.inner(0, 0, 1), frame)
        body = pane.inner(1, 0)
        left, right = in_columns(body, [body.columns * 58 // 100], frame.scene.charset)
        self._draw_left(left, frame, game)
        used = draw_sections(
            right,
            frame.scene.charset,
            sections(frame.scene, game, right.columns),
            1 + max(JOURNAL, right.rows // 3),
            1 + JOURNAL,
        )
        return DrawnFrame(draw_told(right.inner(used, 0), frame))

    def _draw_left(self, pane: Pane, frame: Frame, game: CardsTable) -> None:
        scene, test = frame.scene, test_lines(frame.scene, game, pane.columns)
        wanted = 1 + rows_asked(frame, pane.columns - 1, Inset())
        room = pane.rows - max(LEAST_QUESTION, min(wanted, pane.rows // 2))
        at = 0
        drawing = _fitting(game, room - 1, pane.columns)
        if drawing is not None:
            rows = 1 + max(box.row + box.rows for box in drawing.boxes)
            draw_rule(pane, 0, scene.speaker.say("pane.map"), scene.charset)
            draw_graph(pane.inner(1, 0, rows, pane.columns), scene, game, drawing)
            at = 1 + rows
        if test:
            draw_bits(pane.inner(at, 0, len(test)), test)
            at += len(test)
        draw_asked(pane.inner(at, 0), frame, Inset())


def _fitting(game: CardsTable, rows: int, columns: int) -> Drawing | None:
    """Return the graph in the fewest rows in which it can be laid out, with some air."""
    for tried in range(min(rows, MOST_GRAPH), 5, -2):
        found = drawing_of(game, tried, columns)
        if found is not None:
            return found
    return None
