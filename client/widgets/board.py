"""
The board: a map with the legend that it needs below it, in whatever room there is.

Where the room is scarce the legend tells first what can be seen and nobody can guess, and says how
many entries it leaves out and which key shows them all.
"""

from collections.abc import Sequence

import attrs

from client.widgets.canvas import Pane, Styled
from client.widgets.legend import map_legend
from client.widgets.map import Outlook, Part, Scroll, Seen, draw_map, part_seen
from client.widgets.pages import draw_lines
from client.widgets.printable import width_of
from client.widgets.scene import Scene

_USUAL_LEGEND = 6
"""What part of the rows, if the board needs them itself, the legend takes for anything."""
_MOST_LEGEND = 3
"""What part of them for what nobody can guess."""
_WHOLE_LEGEND = 2
"""What part of them where the legend is to be whole."""
_GAP = 2
"""Columns between two entries."""


@attrs.frozen
class Drawn:
    """What became of a board in its pane."""

    marks: str = ""
    """Of the sides on which it goes on, some of `^v<>`."""
    scroll: Scroll = attrs.field(factory=Scroll)
    """How far it is moved, no further than it goes."""


@attrs.frozen
class _Layout:
    """The board in so many rows and columns, and the legend in lines."""

    shown: Seen | None
    legend: list[Styled]


def draw_board(
    pane: Pane, scene: Scene, view: Outlook | None, scroll: Scroll, *, is_whole: bool = False
) -> Drawn:
    """
    Draw the board with its legend.

    Args:
        pane: where.
        scene: the table.
        view: what there is to see; None before there is a house.
        scroll: how far somebody moved the map.
        is_whole: whether the legend is, and says whose letters are whose as well.
    """
    layout = _laid_out(pane, scene, view, scroll, is_whole=is_whole)
    below = len(layout.legend)
    draw_lines(pane.inner(pane.rows - below, 0), layout.legend)
    board = pane.inner(0, 0, pane.rows - below)
    if layout.shown is None:
        board.write_clipped(board.rows // 2, 1, scene.speaker.say("map.empty"), "class:dim")
        return Drawn()
    return Drawn(*draw_map(board, scene, layout.shown, scroll))


def rows_wanted(view: Outlook, columns: int) -> int:
    """Return how many rows show a board and its legend, if they have all that they want."""
    rows = view.rows_wanted(columns)
    everything = Part(0, 0, rows, columns)
    entries, _ = map_legend(view.scene, view.within(rows, columns), everything)
    return rows + len(_flow(entries, columns))


def _laid_out(
    pane: Pane, scene: Scene, view: Outlook | None, scroll: Scroll, *, is_whole: bool
) -> _Layout:
    """Share the rows between board and legend."""
    rows, columns = pane.rows, pane.columns
    spare = rows if view is None else rows - view.rows_wanted(columns)
    usual = max(1, rows // (_WHOLE_LEGEND if is_whole else _USUAL_LEGEND), spare)
    most = max(usual, rows // _MOST_LEGEND)
    count = 0
    while True:
        count += 1
        left = max(0, rows - count), columns
        shown = None if view is None else view.within(*left)
        part = Part(0, 0, *left) if shown is None else part_seen(shown, scene, left, scroll)[0]
        entries, needed = map_legend(scene, shown, part, with_figures=is_whole)
        lines = _flow(entries, columns)
        if len(lines) <= count:
            return _Layout(shown, lines)
        lines, told = _cut(scene, entries, columns, count)
        if count >= most or (count >= usual and told >= needed):
            return _Layout(shown, lines)


def _cut(
    scene: Scene, entries: Sequence[Styled], columns: int, rows: int
) -> tuple[list[Styled], int]:
    """Return as many entries as fit in so many lines with a mark at the end; and how many."""
    for told in range(len(entries) - 1, -1, -1):
        mark = scene.speaker.say("map.more", len(entries) - told)
        lines = _flow(entries[:told], columns) or [[("", " ")]]
        gap = columns - sum(width_of(text) for _, text in lines[-1]) - width_of(mark)
        if len(lines) < rows and gap < 0:
            lines.append([])
            gap = columns - width_of(mark)
        if len(lines) <= rows and gap >= 0:
            lines[-1] = [*lines[-1], ("", " " * gap), ("class:hint", mark)]
            return lines, told
    # Not even the mark has room.
    return _flow(entries, columns)[:rows], 0


def _flow(entries: Sequence[Styled], width: int) -> list[Styled]:
    """Set short entries one after another in lines."""
    lines: list[Styled] = []
    used = width
    for entry in entries:
        need = sum(width_of(text) for _, text in entry) + _GAP
        if used + need > width + 1:
            lines.append([("", " ")])
            used = 1
        lines[-1] += [*entry, ("", " " * _GAP)]
        used += need
    return lines
