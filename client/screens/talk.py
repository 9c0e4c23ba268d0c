"""Shows chat while a box covers the journal, or while the journal waits for a page of story."""

import attrs

from client.screens.base.screen import Desk
from client.tellers.base import Tone, lines_since
from client.widgets.canvas import Styled
from client.widgets.pages import journal_lines

_LEAST_ROWS, _MOST_ROWS = 2, 4
_MANY_ROWS = 30
"""The minimum number of screen rows for the larger number of chat lines."""


@attrs.define(eq=False)
class Overheard:
    """The chat lines since the journal was covered by a box or held back by a page of story."""

    desk: Desk
    _read: int = attrs.field(default=-1, init=False)
    """The last event of the journal when no box covered the journal; -1 if the journal was
    empty."""

    def lines(self, rows: int, columns: int) -> list[Styled]:
        """
        Return the latest chat lines that the viewer could not read in the journal.

        Must be called once per frame, to track what the viewer could read.

        Args:
            rows: the rows of the whole screen.
            columns: the maximum width of a line.
        """
        lines = self.desk.journal.lines
        if not self.desk.boxes:
            shown = self.desk.shown.lines
            self._read = shown[-1].sequence if shown else -1
            # While a page waits, the journal stops before it, and chat is shown here.
            if not self.desk.shown.is_behind:
                return []
        said = [line for line in lines_since(lines, self._read + 1) if line.tone is Tone.CHAT]
        return journal_lines(said, columns, _MOST_ROWS if rows >= _MANY_ROWS else _LEAST_ROWS)
