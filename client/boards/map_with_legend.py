"""
A map with its legend below, in any number of rows.

If rows are scarce, the legend first explains signs that are in view and cannot be guessed. The
legend then states how many entries are left out, and which key shows all entries.
"""

from collections.abc import Sequence
from typing import Self

import attrs

from client.boards.legend import map_legend
from client.boards.map import Outlook, Seen, draw_map
from client.boards.viewport import BoardPart, Scroll
from client.text.printable import width_of
from client.widgets.canvas import Pane, Styled
from client.widgets.pages import draw_lines
from client.widgets.scene import Scene

# Rows of the legend, as the divisor of all rows.
_USUAL_LEGEND = 6
"""
A pane's rows divided by this number are the maximum of any legend, even if the board loses rows.
"""
_GOOD_LEGEND = 4
"""Divisor of a pane's rows for a legend of any entries while the whole board stays in view."""
_MOST_LEGEND = 3
"""Divisor of a pane's rows for a legend of entries that nobody can guess."""
_WHOLE_LEGEND = 2
"""Divisor of a pane's rows for a legend of all entries, on a map that fills the screen."""
_GAP = 2
"""Columns between two entries."""


@attrs.frozen
class DrawnBoard:
    """The result of drawing a board into a pane."""

    marks: str = ""
    """The sides on which the board continues beyond the pane, some of `^v<>`."""
    scroll: Scroll = attrs.field(factory=Scroll)
    """The shift of the map that was drawn; it never exceeds the end of the board."""


@attrs.frozen
class _BoardLayout:
    """One way to divide a pane between the board and the lines of its legend."""

    shown: Seen | None
    legend: list[Styled]
    fits: bool
    """Whether the pane shows all rows of the board."""
    is_told: bool
    """Whether the legend has every entry that nobody can guess."""
    is_complete: bool
    """Whether the legend has every entry."""


def draw_board(
    pane: Pane,
    scene: Scene,
    view: Outlook | None,
    empty: str,
    scroll: Scroll,
    *,
    is_whole: bool = False,
) -> DrawnBoard:
    """
    Draw the board with its legend.

    Args:
        pane: the pane for both board and legend.
        scene: the table.
        view: the board; None if there is no board yet.
        empty: the words shown in place of a board.
        scroll: the distance by which the player moved the map.
        is_whole: whether to show the whole legend, with the letters of single figures.
    """
    layout = _Shares(pane, scene, view, scroll, is_whole).laid_out()
    below = len(layout.legend)
    draw_lines(pane.inner(pane.rows - below, 0), layout.legend)
    board = pane.inner(0, 0, pane.rows - below)
    if layout.shown is None:
        board.write_clipped(board.rows // 2, 1, empty, "class:dim")
        return DrawnBoard()
    return DrawnBoard(*draw_map(board, scene, layout.shown, scroll))


@attrs.frozen(eq=False)
class _Shares:
    """The division of a pane's rows between the board and its legend."""

    pane: Pane
    scene: Scene
    view: Outlook | None
    scroll: Scroll
    is_whole: bool
    """Whether the legend shows all entries."""

    def laid_out(self) -> _BoardLayout:
        """
        Return the best division of the rows.

        A larger legend hides rows of the board, and the entries that it needs depend on the rows
        that remain visible. So the legend is laid out with 1 row, 2 rows and so on until it is
        complete or another row would cost more than it explains.
        """
        rows, view = self.pane.rows, self.view
        spare = rows if view is None else rows - view.rows_wanted(self.pane.columns)
        usual = max(1, rows // (_WHOLE_LEGEND if self.is_whole else _USUAL_LEGEND), spare)
        good = max(usual, rows // _GOOD_LEGEND)
        layout = self._with_legend(1)
        for count in range(2, max(good, rows // _MOST_LEGEND) + 1):
            if layout.is_complete or (count > good and layout.is_told):
                break
            larger = self._with_legend(count)
            if layout.fits and not larger.fits and not self.is_whole:
                # A whole board is worth more than a whole legend, which is a key away.
                break
            if count > usual and layout.is_told and not larger.fits:
                # Signs that players know by heart are not worth a part of the board.
                break
            layout = larger
        return layout

    def _with_legend(self, count: int) -> _BoardLayout:
        """Lay out the board above `count` rows of legend."""
        scene, size = self.scene, (max(0, self.pane.rows - count), self.pane.columns)
        shown = None if self.view is None else self.view.within(*size)
        part = BoardPart(0, 0, *size)
        if shown is not None:
            part = shown.part(scene, size, self.scroll)[0]
        fits = shown is None or shown.board.rows <= part.rows
        entries, needed = map_legend(scene, shown, part, with_figures=self.is_whole)
        flow = _Flow.arrange(entries, size[1])
        if flow.rows <= count:
            return _BoardLayout(shown, flow.lines(), fits, is_told=True, is_complete=True)
        lines, told = flow.cut(scene, count)
        return _BoardLayout(shown, lines, fits, is_told=told >= needed, is_complete=False)


@attrs.frozen(eq=False)
class _Flow:
    """The entries of a legend as running text, with as many entries on each line as fit."""

    entries: Sequence[Styled]
    columns: int
    ends: Sequence[tuple[int, int]]
    """The lines used and the columns used on the last line, by number of entries, from 0."""

    @classmethod
    def arrange(cls, entries: Sequence[Styled], columns: int) -> Self:
        """Arrange entries in lines of at most `columns` columns."""
        rows, used = 0, columns
        ends = [(rows, used)]
        for entry in entries:
            need = sum(width_of(text) for _, text in entry) + _GAP
            if used + need > columns + 1:
                rows, used = rows + 1, 1
            used += need
            ends.append((rows, used))
        return cls(entries, columns, ends)

    @property
    def rows(self) -> int:
        """The number of lines."""
        return self.ends[-1][0]

    def lines(self, most: int | None = None) -> list[Styled]:
        """Return the lines of the first `most` entries, or of all entries if `most` is None."""
        lines: list[Styled] = []
        for entry, (rows, _) in zip(self.entries[:most], self.ends[1:], strict=False):
            if rows > len(lines):
                lines.append([("", " ")])
            lines[-1] += [*entry, ("", " " * _GAP)]
        return lines

    def cut(self, scene: Scene, most: int) -> tuple[list[Styled], int]:
        """Return the first entries that fit in `most` lines, and the number of these entries.

        The last line ends with a mark that counts the entries left out. If not even the mark fits,
        return clipped lines and 0.
        """
        count = len(self.entries)
        for told in range(count - 1, -1, -1):
            rows, used = self.ends[told] if told else (1, 1)
            if rows > most:
                continue
            mark = scene.speaker.say("map.more", count - told)
            width = width_of(mark)
            gap = self.columns - used - width
            if rows < most and gap < 0:
                rows, gap = rows + 1, self.columns - width
            if gap >= 0:
                lines = self.lines(told) or [[("", " ")]]
                lines += [[] for _ in range(rows - len(lines))]
                lines[-1] = [*lines[-1], ("", " " * gap), ("class:hint", mark)]
                return lines, told
        # Not even the mark has room.
        return self.lines()[:most], 0
