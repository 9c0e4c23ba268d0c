"""The whole map: a board that fills the screen, with brackets around what choices point at."""

from collections.abc import Callable

import attrs

from client.boards.map import Outlook
from client.boards.map_with_legend import draw_board
from client.boards.viewport import Scroll
from client.settings.preferences import MapSize
from client.widgets.canvas import Pane
from client.widgets.pages import draw_marks, draw_rule
from client.widgets.scene import Scene


@attrs.define(eq=False)
class WholeMap:
    """The map on the whole screen; implements `client.widgets.layout.Board`."""

    _outlook: Callable[[Scene, MapSize], Outlook | None]
    """Returns the board; None if there is no board yet."""
    _empty: str
    """The catalog key of the words that replace a missing board."""
    _scroll: Scroll = attrs.field(factory=Scroll, init=False)

    def draw(self, pane: Pane, scene: Scene, size: MapSize) -> str:
        """Draw the board with its whole legend; return the sides on which the board continues."""
        view = self._outlook(scene, size)
        draw_rule(pane, 0, map_title(scene, size, ""), scene.charset, style="class:title.open")
        empty = scene.speaker.say(self._empty)
        drawn = draw_board(pane.inner(1, 0), scene, view, empty, self._scroll, is_whole=True)
        self._scroll = drawn.scroll
        draw_marks(pane, drawn.marks)
        return drawn.marks

    def scroll(self, rows: int, columns: int) -> None:
        """Scroll the map by some rows and columns."""
        self._scroll = self._scroll.moved(rows, columns)

    def reset_scroll(self) -> None:
        """Put the board back to its default position."""
        self._scroll = self._scroll.reset()


def map_title(scene: Scene, size: MapSize, marks: str) -> str:
    """Return the title of a map.

    The title names the size unless that is automatic. If `marks` names a side with more content,
    the title says that only a part of the map is in view.
    """
    title = scene.speaker.say("pane.map" if size is MapSize.AUTO else f"pane.map.{size.value}")
    return scene.speaker.say("pane.map.part", title) if marks else title
