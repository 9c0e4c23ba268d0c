"""
The board: a map with the legend that it needs below it, in whatever room there is.

Where the room is scarce the legend tells first what can be seen and nobody can guess, and says how
many entries it leaves out and which key shows them all.
"""

from collections.abc import Sequence

import attrs

from client.games.second_edition.panes.legend import map_legend
from client.games.second_edition.panes.map import (
    BoardPart,
    Outlook,
    Scroll,
    Seen,
    draw_map,
    part_seen,
)
from client.games.second_edition.panes.scene import SecondEditionScene
from client.text.printable import width_of
from client.widgets.canvas import Pane, Styled
from client.widgets.pages import draw_lines

_USUAL_LEGEND = 6
"""What part of the rows, if the board needs them itself, the legend takes for anything."""
_GOOD_LEGEND = 4
"""What part of them for anything, as long as the board is whole."""
_MOST_LEGEND = 3
"""What part of them for what nobody can guess."""
_WHOLE_LEGEND = 2
"""What part of them where the legend is to be whole."""
_GAP = 2
"""Columns between two entries."""


@attrs.frozen
class DrawnBoard:
    """What became of a board in its pane."""

    marks: str = ""
    """Of the sides on which it goes on, some of `^v<>`."""
    scroll: Scroll = attrs.field(factory=Scroll)
    """How far it is moved, no further than it goes."""


@attrs.frozen
class _BoardLayout:
    """The board in so many rows and columns, and the legend in lines."""

    shown: Seen | None
    legend: list[Styled]
    fits: bool
    """Whether no row of the board is missing."""
    is_told: bool
    """Whether the legend tells all that nobody can guess."""
    is_complete: bool
    """Whether it tells everything."""


def draw_board(
    pane: Pane,
    scene: SecondEditionScene,
    view: Outlook | None,
    scroll: Scroll,
    *,
    is_whole: bool = False,
) -> DrawnBoard:
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
        return DrawnBoard()
    return DrawnBoard(*draw_map(board, scene, layout.shown, scroll))


def rows_wanted(view: Outlook, columns: int) -> int:
    """Return how many rows show a board and its legend, if they have all that they want."""
    rows = view.rows_wanted(columns)
    everything = BoardPart(0, 0, rows, columns)
    entries, _ = map_legend(view.scene, view.within(rows, columns), everything)
    return rows + len(_flow(entries, columns))


def _laid_out(
    pane: Pane, scene: SecondEditionScene, view: Outlook | None, scroll: Scroll, *, is_whole: bool
) -> _BoardLayout:
    """Share the rows between board and legend."""
    rows = pane.rows
    spare = rows if view is None else rows - view.rows_wanted(pane.columns)
    usual = max(1, rows // (_WHOLE_LEGEND if is_whole else _USUAL_LEGEND), spare)
    good = max(usual, rows // _GOOD_LEGEND)
    layout = _with_legend(pane, scene, view, scroll, 1, is_whole=is_whole)
    for count in range(2, max(good, rows // _MOST_LEGEND) + 1):
        if layout.is_complete or (count > good and layout.is_told):
            break
        larger = _with_legend(pane, scene, view, scroll, count, is_whole=is_whole)
        if layout.fits and not larger.fits and not is_whole:
            # All of the board is worth more than all of the legend, which is a key away.
            break
        if count > usual and layout.is_told and not larger.fits:
            # Signs that are known by heart are not worth a part of the board.
            break
        layout = larger
    return layout


def _with_legend(
    pane: Pane,
    scene: SecondEditionScene,
    view: Outlook | None,
    scroll: Scroll,
    count: int,
    *,
    is_whole: bool,
) -> _BoardLayout:
    """Lay out the board with so many rows of a legend below it."""
    size = max(0, pane.rows - count), pane.columns
    shown = None if view is None else view.within(*size)
    part = BoardPart(0, 0, *size) if shown is None else part_seen(shown, scene, size, scroll)[0]
    fits = shown is None or shown.board.rows <= part.rows
    entries, needed = map_legend(scene, shown, part, with_figures=is_whole)
    lines = _flow(entries, pane.columns)
    if len(lines) <= count:
        return _BoardLayout(shown, lines, fits, is_told=True, is_complete=True)
    lines, told = _cut(scene, entries, pane.columns, count)
    return _BoardLayout(shown, lines, fits, is_told=told >= needed, is_complete=False)


def _cut(
    scene: SecondEditionScene, entries: Sequence[Styled], columns: int, rows: int
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
