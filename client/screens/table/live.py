"""
Live events: falling dice, and story text that opens.

Neither delays a person; bots wait until a story is read. Events from before the screen opened, or
while the player was away, are neither animated nor opened.
"""

from collections.abc import Callable

import attrs

from client.model.tables import TableView
from client.screens.base.screen import Desk
from client.screens.reading.story import StoryBox, Storyteller
from client.widgets.canvas import Pane
from client.widgets.frame import Instant
from client.widgets.layout import Layout
from client.widgets.scene import Scene


@attrs.define(eq=False)
class Live:
    """The live events of one table."""

    desk: Desk
    scene: Callable[[], Scene]
    layout: Callable[[], Layout]
    """Returns the layout, which draws the animations."""
    _story: Storyteller = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Create the storyteller, which draws falling dice above its box."""
        self._story = Storyteller(
            self.desk, lambda pane: self.layout().draw_above(pane, self.scene(), self.instant())
        )

    def instant(self) -> Instant:
        """Return the time of this frame, and of the last key."""
        return Instant(self.desk.now(), self.desk.touched)

    def follow(self, view: TableView) -> None:
        """Process the records since the last frame. Must be called before anything is drawn."""
        desk, first = self.desk, self.desk.model.next_sequence
        is_still = not desk.prefs.dice
        due = self.layout().follow(view.records, first, self.instant(), is_still=is_still)
        if due is not None:
            desk.draw_again_in(due)
        box = desk.boxes[-1] if desk.boxes else None
        if isinstance(box, StoryBox):
            box.go_on_when_read()
        self._story.open_new_story()
        if not desk.model.is_catching_up:
            self._story.report_read()

    def draw_over(self, pane: Pane, *, is_asked: bool) -> None:
        """
        Draw animations over the game, if no box covers the game.

        Args:
            pane: the whole screen, which is already drawn.
            is_asked: whether a question is shown.
        """
        if not self.desk.boxes:
            self.layout().draw_over(pane, self.scene(), self.instant(), is_asked=is_asked)
