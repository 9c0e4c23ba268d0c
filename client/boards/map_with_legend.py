"""
A map with its legend below it, in any number of rows.

Where rows are scarce, the legend explains first what is in view and cannot be guessed. It then says
how many entries it leaves out, and which key shows them all.
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
"""Divisor of a pane's rows: the legend's share for any entry, even if the board then lacks rows."""
_GOOD_LEGEND = 4
"""Divisor: the share for any entry, as long as the whole board stays in view."""
_MOST_LEGEND = 3
"""Divisor: the share for entries that nobody can guess."""
_WHOLE_LEGEND = 2
"""Divisor: the share for every entry, on a map that fills the screen."""
_GAP = 2
"""Columns between two entries."""


@attrs.frozen
class DrawnBoard:
    """The result of drawing a board into a pane."""

    marks: str = ""
    """The sides on which the board goes on, some of `^v<>`."""
    scroll: Scroll = attrs.field(factory=Scroll)
    """The distance by which the map is moved, never beyond the end of the board."""


@attrs.frozen
class _BoardLayout:
    """One way to divide a pane between the board and the lines of its legend."""

    shown: Seen | None
    legend: list[Styled]
    fits: bool
    """Whether all rows of the board are seen."""
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
    """The choice of how many rows of a pane the board gets, and how many its legend."""

    pane: Pane
    scene: Scene
    view: Outlook | None
    scroll: Scroll
    is_whole: bool
    """Whether the legend is shown whole."""

    def laid_out(self) -> _BoardLayout:
        """
        Return the best way to share the rows.

        The legend is tried with one more row at a time: each row that the board loses may change
        the part in view, and so the entries that are needed.
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
        """Lay out the board with `count` rows of legend below it."""
        scene, size = self.scene, (max(0, self.pane.rows - count), self.pane.columns)
        shown = None if self.view is None else self.view.within(*size)
        part = BoardPart(0, 0, *size)
        if shown is not None:
            part = shown.part(scene, size, self.scroll)[0]
        fits = shown is None or shown.board.rows <= part.rows
        entries, needed = map_legend(scene, shown, part, with_figures=self.is_whole)
        flow = _Flow.of(entries, size[1])
        if flow.rows <= count:
            return _BoardLayout(shown, flow.lines(), fits, is_told=True, is_complete=True)
        lines, told = flow.cut(scene, count)
        return _BoardLayout(shown, lines, fits, is_told=told >= needed, is_complete=False)


@attrs.frozen(eq=False)
class _Flow:
    """The entries of a legend set as running text: as many on each line as fit."""

    entries: Sequence[Styled]
    columns: int
    ends: Sequence[tuple[int, int]]
    """For each number of entries, from 0: their lines, and the columns used of the last one.

    Known at once for every number, so that cutting a legend does not set it again and again.
    """

    @classmethod
    def of(cls, entries: Sequence[Styled], columns: int) -> Self:
        """Set entries in lines of at most `columns` columns."""
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
        """Number of lines."""
        return self.ends[-1][0]

    def lines(self, most: int | None = None) -> list[Styled]:
        """Return the lines of the first `most` entries; None for all entries."""
        lines: list[Styled] = []
        for entry, (rows, _) in zip(self.entries[:most], self.ends[1:], strict=False):
            if rows > len(lines):
                lines.append([("", " ")])
            lines[-1] += [*entry, ("", " " * _GAP)]
        return lines

    def cut(self, scene: Scene, most: int) -> tuple[list[Styled], int]:
        """Return the lines of the entries that fit in `most` lines, and the number of these."""
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
