"""Areas: the part of each space of a sketched board that can be written on."""

import functools
from collections.abc import Mapping

import attrs

from client.boards.sketch import Sketch, runs_of

BRACKETS = 2
"""Columns that the brackets around a chosen place take up."""


@attrs.frozen(eq=False)
class Area:
    """The cells of a space in which its name and signs are drawn: the widest run of each row."""

    runs: tuple[tuple[int, int, int], ...]
    """The row, first column and width of each run of cells, without the columns at both ends, which
    are reserved for brackets."""
    blocks: tuple[tuple[int, int, int, int], ...]
    """All cells of the space as rectangles: row, column, number of rows, number of columns."""

    @property
    def width(self) -> int:
        """The number of cells in the widest run."""
        return max((width for _, _, width in self.runs), default=0)


@functools.lru_cache(maxsize=32)
def areas(board: Sketch) -> Mapping[str, Area]:
    """Return the area of each space of a board."""
    found: dict[str, Area] = {}
    for space, cells in board.board.cells.items():
        # Spaces need not be rectangles: of two runs in one row, names and signs use the wider.
        widest: dict[int, range] = {}
        blocks: list[tuple[int, int, int, int]] = []
        for row, run in runs_of(cells):
            if row not in widest or len(run) > len(widest[row]):
                widest[row] = run
            top, left, rows, columns = blocks[-1] if blocks else (-1, -1, 0, 0)
            if (top + rows, left, columns) == (row, run.start, len(run)):
                blocks[-1] = top, left, rows + 1, columns
            else:
                blocks.append((row, run.start, 1, len(run)))
        # The outer columns stay free for brackets.
        runs = (
            (row, run.start + 1, len(run) - BRACKETS)
            for row, run in widest.items()
            if len(run) > BRACKETS
        )
        found[space] = Area(tuple(runs), tuple(blocks))
    return found
