"""
Layouts: where the parts of a game lie on its screen, at every size.

This one suits any game: the question, and the journal beside it or below it. A game's own may draw
more, such as a board, and keeps how far that was moved; so there is one for each screen.
"""

from collections.abc import Sequence
from typing import ClassVar, Protocol

from client.keymap.keys import Action
from client.settings.preferences import MapSize
from client.widgets.canvas import Pane
from client.widgets.frame import (
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
from client.widgets.question import Inset
from client.widgets.scene import Scene
from protocol.event import Record

LEAST = (6, 24)
"""Rows and columns below which there is no room for a question and a line of the journal."""
_SIDE_BY_SIDE = 72
"""Columns from which question and journal are side by side."""
_LEAST_TOLD = 2
"""Rows of the journal, with its title, that a question leaves it."""


class Board(Protocol):
    """A board on the whole screen, which can be scrolled."""

    def draw(self, pane: Pane, scene: Scene, size: MapSize) -> str:
        """Draw it, with its title in the first row; return which of `^v<>` lead to more of it."""

    def scroll(self, rows: int, columns: int) -> None:
        """Move it."""

    def let_go(self) -> None:
        """Go back to the default position."""


class Layout:
    """The question, and the journal beside it, or below it where the pane is narrow."""

    actions: ClassVar[frozenset[Action]] = frozenset()
    """Actions of some games that mean something here."""

    def look(
        self,
        records: Sequence[Record],  # noqa: ARG002 (for those that show what happens)
        first_live: int,  # noqa: ARG002
        instant: Instant,  # noqa: ARG002
        *,
        is_still: bool,  # noqa: ARG002
    ) -> float | None:
        """
        Before anything is drawn: take over what happened.

        Args:
            records: of the whole table.
            first_live: the first that came while somebody watched.
            instant: when that is.
            is_still: whether nothing is to be seen moving.

        Returns:
            In how many seconds something looks otherwise by itself; None for never.
        """
        return None

    def is_over_dice(self, scene: Scene) -> bool:  # noqa: ARG002 (for those that have dice)
        """
        Return whether the question is what to change about rolled dice.

        Then the cursor begins on no change, so that Enter alone pays for none.
        """
        return False

    def draw(self, pane: Pane, frame: Frame) -> DrawnFrame:
        """Draw a game; return how far the journal is turned back now."""
        if pane.rows < LEAST[0] or pane.columns < LEAST[1]:
            return draw_small(pane, frame, LEAST)
        draw_status(pane.inner(0, 0, 1), frame)
        body = pane.inner(1, 0)
        if body.columns >= _SIDE_BY_SIDE:
            columns = in_columns(body, [body.columns * 58 // 100], frame.scene.charset)
            draw_asked(columns[0], frame, Inset())
            return DrawnFrame(draw_told(columns[1], frame))
        # The question has what it needs, at least half, and leaves the journal a line.
        need = 1 + rows_asked(frame, body.columns - 1, Inset())
        asked = max(min(need, body.rows - _LEAST_TOLD), body.rows // 2)
        draw_asked(body.inner(0, 0, asked), frame, Inset())
        return DrawnFrame(draw_told(body.inner(asked, 0), frame))

    def draw_over(
        self,
        pane: Pane,
        scene: Scene,
        instant: Instant,
        *,
        is_asked: bool,
    ) -> None:
        """
        Draw what is seen to happen over what is drawn already.

        Args:
            pane: the whole screen.
            scene: the table.
            instant: when it is looked at.
            is_asked: whether a question is shown.
        """

    def draw_above(self, pane: Pane, scene: Scene, instant: Instant) -> int:  # noqa: ARG002
        """Draw the same above a story that opens; return how many rows it takes."""
        return 0

    def scroll(self, rows: int, columns: int) -> None:
        """Move what can be moved."""

    def let_go(self) -> None:
        """Put what was moved back to its default position."""
