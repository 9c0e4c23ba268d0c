"""
Layouts: the places of the parts of a game on its screen, at every size.

`Layout` suits any game: the question, with the journal beside or below the question. A game's own
layout may draw more, such as a board. Each screen has its own layout object, because a layout
stores the scroll position.
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
"""Rows and columns that a question and a line of the journal need."""
_SIDE_BY_SIDE = 72
"""The minimum number of columns for question and journal side by side."""
_LEAST_TOLD = 2
"""The rows that a question leaves to the journal, including the journal's title."""


class Board(Protocol):
    """A board on the whole screen, which can be scrolled."""

    def draw(self, pane: Pane, scene: Scene, size: MapSize) -> str:
        """Draw the board below its title; return the sides where more is hidden: some of `^v<>`."""

    def scroll(self, rows: int, columns: int) -> None: ...

    def reset_scroll(self) -> None: ...


class Layout:
    """The question, and the journal beside or, on a narrow pane, below the question."""

    actions: ClassVar[frozenset[Action]] = frozenset()
    """Actions of only some games that have an effect in this layout."""

    def follow(
        self,
        records: Sequence[Record],  # noqa: ARG002 (for those that show what happens)
        first_live: int,  # noqa: ARG002
        instant: Instant,  # noqa: ARG002
        *,
        is_still: bool,  # noqa: ARG002
    ) -> float | None:
        """
        Process new records, before anything is drawn.

        Args:
            records: the records of the whole table.
            first_live: the number of the first record that arrived while the viewer watched.
            instant: the time of this frame.
            is_still: whether the viewer has switched animations off.

        Returns:
            Seconds until the next frame of an animation; None if nothing moves.
        """
        return None

    def is_over_dice(self, scene: Scene) -> bool:  # noqa: ARG002 (for those that have dice)
        """
        Return whether the question offers changes to rolled dice.

        If so, the cursor begins on the choice that changes and spends nothing.
        """
        return False

    def draw(self, pane: Pane, frame: Frame) -> DrawnFrame:
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
        Draw animations over the game, which is already drawn.

        Args:
            pane: the whole screen.
            scene: the table.
            instant: the time of this frame.
            is_asked: whether a question is shown.
        """

    def draw_above(self, pane: Pane, scene: Scene, instant: Instant) -> int:  # noqa: ARG002
        """Draw animations above a story that opens; return the number of rows used."""
        return 0

    def scroll(self, rows: int, columns: int) -> None: ...

    def reset_scroll(self) -> None:
        """Scroll back to the default position."""
