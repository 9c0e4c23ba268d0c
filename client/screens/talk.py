"""Chat shown while a box covers the journal."""

import attrs

from client.screens.base.screen import Desk
from client.screens.reading.story import lines_since
from client.tellers.base import Tone
from client.widgets.canvas import Styled
from client.widgets.pages import journal_lines

_LEAST_ROWS, _MOST_ROWS = 2, 4
_MANY_ROWS = 30
"""Rows of a screen from which on chat gets the greater number."""


@attrs.define(eq=False)
class Overheard:
    """Chat since a box was opened, its last lines; the journal below the box has the rest."""

    desk: Desk
    _read: int = attrs.field(default=-1, init=False)
    """Last event that the viewer could read in the journal."""

    def lines(self, rows: int, columns: int) -> list[Styled]:
        """
        Return the lines to draw. Called once a frame: it notes what could be read.

        Args:
            rows: of the screen and its boxes, which give up the rows of these lines.
            columns: how wide a line is at most.
        """
        lines = self.desk.journal.lines
        if not self.desk.boxes:
            self._read = lines[-1].sequence if lines else -1
            return []
        said = [line for line in lines_since(lines, self._read + 1) if line.tone is Tone.CHAT]
        return journal_lines(said, columns, _MOST_ROWS if rows >= _MANY_ROWS else _LEAST_ROWS)
