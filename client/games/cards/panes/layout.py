"""
The layout of the card game: locations above the question, story and cards above the journal.

In place of a graph that does not fit, the own location is described; a key opens the graph on the
whole screen.
"""

from collections.abc import Iterator

import attrs

from client.boards.graph import BOX_ROWS, Drawing
from client.games.cards.panes.graph import draw_graph, drawing_of
from client.games.cards.panes.sections import chosen_card, sections, test_lines
from client.games.cards.plain import words
from client.games.cards.speaker import in_game
from client.widgets.bits import Line, draw_bits, wrapped
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
from client.widgets.scene import Scene
from client.widgets.sections import draw_sections
from protocol.games.cards.table import CardsTable
from protocol.games.cards.words import Zone

LEAST_QUESTION = 8
"""Rows that the graph leaves to the question."""
JOURNAL = 4
"""Rows that the sections leave to the journal."""
LEAST_JOURNAL = 3
"""Rows that the text of a card leaves to the journal, its title included."""
MOST_PLACE = 3
"""Rows of a location that is described in place of the graph, beside a long question."""
NARROW = 72
ABOUT_TEST = "about/test"
MOST_GRAPH = 22


class ToldAbout(Inset):
    """The inset of a question whose subject stands above it."""

    @property
    def tells_about(self) -> bool:
        return True


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
            1 + max(JOURNAL, right.rows // 4),
            1 + JOURNAL,
        )
        room = right.inner(used, 0)
        # Above the journal: what is higher up stays where it is while the cursor moves.
        chosen = chosen_card(frame.scene, game, frame.answering, right.columns)
        told = draw_sections(room, frame.scene.charset, [chosen], LEAST_JOURNAL, LEAST_JOURNAL)
        return DrawnFrame(draw_told(room.inner(told, 0), frame))

    def _draw_left(self, pane: Pane, frame: Frame, game: CardsTable) -> None:
        scene, test = frame.scene, test_lines(frame.scene, game, pane.columns)
        ask = scene.table.room.ask
        # The test is told above its question.
        is_told = bool(test) and ask is not None and ask.about.subject == ABOUT_TEST
        inset = ToldAbout() if is_told else Inset()
        wanted = 1 + rows_asked(frame, pane.columns - 1, inset)
        room = pane.rows - max(LEAST_QUESTION, min(wanted, pane.rows // 2))
        at = 0
        drawing = _fitting(game, room - 1, pane.columns)
        if drawing is not None:
            rows = 1 + max(box.row + box.rows for box in drawing.boxes)
            draw_rule(pane, 0, scene.speaker.say("pane.map"), scene.charset)
            draw_graph(pane.inner(1, 0, rows, pane.columns), scene, game, drawing)
            at = 1 + rows
        elif game.lying(Zone.MAP):
            lines = list(_here(scene, game, pane.columns))
            lines = lines[: max(MOST_PLACE, room - 1)] if wanted < pane.rows else lines[:MOST_PLACE]
            draw_rule(pane, 0, scene.speaker.say("pane.map.small"), scene.charset)
            draw_bits(pane.inner(1, 0, len(lines)), lines)
            at = 1 + len(lines)
        if test:
            draw_bits(pane.inner(at, 0, len(test)), test)
            at += len(test)
        draw_asked(pane.inner(at, 0), frame, inset)


def _here(scene: Scene, game: CardsTable, columns: int) -> Iterator[Line]:
    """Yield the locations of the viewer's investigators, in place of the graph."""
    places = [game.investigators[who].location for who in words.own_people(game, scene.seat)]
    for line in words.map_lines(in_game(scene.speaker, scene.table.game), game, places):
        yield from wrapped(line, columns)


def _fitting(game: CardsTable, rows: int, columns: int) -> Drawing | None:
    """Return the graph in the fewest rows in which its boxes are whole, else in all rows."""
    most = min(rows, MOST_GRAPH)
    for tried in (*range(BOX_ROWS, most, 2), most):
        found = drawing_of(game, tried, columns)
        if found is not None and (tried == most or found.boxes[0].rows >= BOX_ROWS):
            return found
    return None
