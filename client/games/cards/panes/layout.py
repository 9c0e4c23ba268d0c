"""
The layout of the card game: locations above the question, story and cards above the journal.

The question takes what it needs, up to half the rows; where the graph does not fit above it, the
own location stands there with its ways. With the map in full the graph comes first, and the choices
scroll. A key opens the graph on the whole screen.
"""

from typing import ClassVar

import attrs

from client.boards.graph import BOX_ROWS, Drawing
from client.games.cards.panes.graph import draw_graph, drawing_of, near_lines
from client.games.cards.panes.sections import chosen_card, sections, test_lines
from client.games.cards.plain import words
from client.keymap.keys import Action
from client.settings.preferences import MapSize
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
from protocol.games.cards.table import CardsTable, PieceId
from protocol.games.cards.words import Zone

LEAST_QUESTION = 7
"""Rows that the graph leaves to the question, its title included."""
JOURNAL = 4
"""Rows that the sections leave to the journal."""
LEAST_JOURNAL = 3
"""Rows that the text of a card leaves to the journal, its title included."""
MOST_PLACE = 3
"""Rows that are shown in place of the graph, however long the question is."""
NARROW = 72
ABOUT_TEST = "about/test"
MOST_GRAPH = 22


class ToldAbout(Inset):
    """The inset of a question whose subject stands above it."""

    @property
    def tells_about(self) -> bool:
        return True


@attrs.define(eq=False)
class MomentInset(Inset):
    """The inset of a player window, whose question begins with what the window is at."""

    about: str

    @property
    def tells_about(self) -> bool:
        return True

    def worded(self, prompt: str) -> str:
        return f"{self.about} {prompt}"


@attrs.define(eq=False)
class CardsLayout(Layout):
    """The screen of a game."""

    actions: ClassVar[frozenset[Action]] = frozenset({Action.MAP_SIZE})

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
        scene, ask = frame.scene, frame.scene.table.room.ask
        test = test_lines(scene, game, pane.columns, is_short=False)
        # The test is told above its question.
        is_told = bool(test) and ask is not None and ask.about.subject == ABOUT_TEST
        inset = ToldAbout() if is_told else Inset()
        if ask is not None and ask.about.subject.startswith("window/"):
            inset = MomentInset(scene.speaker.text(ask.about))
        wanted = 1 + rows_asked(frame, pane.columns - 1, inset)
        least = LEAST_QUESTION
        if frame.map_size is MapSize.AUTO:
            least = max(least, min(wanted, pane.rows // 2))
        if len(test) + 1 + MOST_PLACE + min(wanted, pane.rows // 2) > pane.rows:
            # What the card says was read when it was drawn; the choices have to be read now.
            test = test_lines(scene, game, pane.columns, is_short=True)
        room = pane.rows - len(test) - least
        at = 0
        drawing = None
        if frame.map_size is not MapSize.COMPACT:
            drawing = _fitting(game, room - 1, pane.columns)
        if drawing is not None:
            at = 1 + max(box.row + box.rows for box in drawing.boxes)
            draw_rule(pane, 0, scene.speaker.say("pane.map"), scene.charset)
            draw_graph(pane.inner(1, 0, at, pane.columns), scene, game, drawing)
        elif game.lying(Zone.MAP):
            lines = list(near_lines(scene, game, _own_places(game, scene.seat), pane.columns))
            most = max(MOST_PLACE, pane.rows - len(test) - wanted - 1)
            draw_rule(pane, 0, scene.speaker.say("pane.map.small"), scene.charset)
            at = 1 + min(most, len(lines))
            draw_bits(pane.inner(1, 0, at - 1), lines)
        if test:
            draw_bits(pane.inner(at, 0, len(test)), test)
            at += len(test)
        draw_asked(pane.inner(at, 0), frame, inset)


def _own_places(game: CardsTable, seat: int | None) -> tuple[PieceId, ...]:
    """Return the locations of the viewer's investigators, that of the active one first."""
    people = sorted(words.own_people(game, seat), key=lambda who: who != game.active)
    places = (game.investigators[who].location for who in people)
    return tuple(dict.fromkeys(place for place in places if place))


def _fitting(game: CardsTable, rows: int, columns: int) -> Drawing | None:
    """Return the graph in the fewest rows in which its boxes are whole, else in all rows."""
    most = min(rows, MOST_GRAPH)
    for tried in (*range(BOX_ROWS, most, 2), most):
        found = drawing_of(game, tried, columns)
        if found is not None and (tried == most or found.boxes[0].rows >= BOX_ROWS):
            return found
    return None
