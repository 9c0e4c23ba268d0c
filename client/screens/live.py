"""
Live: what is seen to happen at the moment it does: dice that fall, and story that opens.

Neither delays anybody. What happened before somebody looked, or while they were away, is neither
seen to fall nor opened by itself.
"""

from collections.abc import Callable, Sequence

import attrs

from client.games.second_edition.panes.scene import Scene
from client.games.second_edition.panes.tray import draw_tray
from client.games.second_edition.rolls import Roll, Rolls
from client.model.tables import TableView
from client.screens.screen import Desk
from client.screens.story import Storyteller
from client.widgets.canvas import Pane
from protocol.games.second_edition.table import Face

_BELOW_TITLE = 1
"""Rows of the map's own title, which the tray leaves free."""
_STORY_ROWS = 16
"""Rows that a story keeps below the dice, its frame included."""
_LEAST_TRAY = 6
"""Rows of a tray with one roll in small dice, what is rolled for taking two lines."""


@attrs.define(eq=False)
class Live:
    """What happens at one table."""

    desk: Desk
    scene: Callable[[], Scene]
    _rolls: Rolls = attrs.field(factory=Rolls, init=False)
    _story: Storyteller = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Let dice fall above the story that they lead to."""
        self._story = Storyteller(self.desk, self._draw_above)

    def look(self, view: TableView) -> None:
        """While drawing, before anything else is drawn: take over what happened since."""
        desk, first = self.desk, self.desk.model.next_sequence
        is_still = not desk.prefs.dice
        self._rolls.take(view.records, first, desk.now(), desk.touched, is_still=is_still)
        due = self._rolls.next_look(desk.now(), desk.touched)
        if due is not None:
            desk.draw_again_in(due)
        self._story.look()

    def dice(self) -> tuple[tuple[Face, ...], frozenset[int]]:
        """Return the dice of the test as they are seen now, and which of them still fall."""
        test, now = self._rolls.test, self.desk.now()
        if test is None:
            return (), frozenset()
        falling = test.falling(now, self.desk.touched)
        return test.seen(falling, now), falling

    def draw_over(self, pane: Pane, *, is_asked: bool) -> None:
        """
        Draw the tray over the map, unless the question shows the same dice.

        Args:
            pane: the whole screen, drawn already.
            is_asked: whether a question is shown.
        """
        if self.desk.boxes:
            return
        shown = [roll for roll in self._rolls.shown if not is_asked or roll is not self._rolls.test]
        found = (part for part, spot in pane.canvas.spots_in(pane) if spot.kind == "map")
        board = next(found, pane)
        self._draw(board.inner(_BELOW_TITLE, 0), shown)

    def _draw_above(self, pane: Pane) -> int:
        # Where the rows are few the dice lie small and the latest alone: the story is to be read.
        rows = min(pane.rows // 2, max(_LEAST_TRAY, pane.rows - _STORY_ROWS))
        return self._draw(pane.inner(0, 0, rows), self._rolls.shown)

    def _draw(self, pane: Pane, rolls: Sequence[Roll]) -> int:
        return draw_tray(pane, self.scene(), rolls, self.desk.now(), self.desk.touched)
