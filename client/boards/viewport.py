"""
The viewport: the part of a drawn board that a pane shows.

The viewport moves only when the focus leaves the middle of the view, so that readers keep their
place.
"""

import attrs

from protocol.boards.maps import Cell

_MARGIN = 5
"""
A cell is not well in view if it is nearer to an edge than the pane's size divided by this number.
"""


@attrs.frozen
class BoardPosition:
    """The default position of a board: its first row and column in view, and its size."""

    top: int
    left: int
    rows: int
    columns: int


@attrs.frozen
class Scroll:
    """The distance by which the player moved the map from its default position."""

    rows: int = 0
    columns: int = 0
    position: BoardPosition | None = None
    """The default position at the last drawing of the map."""

    def moved(self, rows: int, columns: int) -> "Scroll":
        """Return the scroll after the player moved the map by some more rows and columns."""
        return attrs.evolve(self, rows=self.rows + rows, columns=self.columns + columns)

    def reset(self) -> "Scroll":
        """Return the scroll of a map that is back in its default position."""
        return Scroll(position=self.position)


@attrs.frozen
class BoardPart:
    """The part of a drawn board that is in view: its first row and column, and its size."""

    top: int
    left: int
    rows: int
    columns: int

    def holds(self, cell: Cell) -> bool:
        """Return whether the part contains a cell."""
        row, column = cell[0] - self.top, cell[1] - self.left
        return 0 <= row < self.rows and 0 <= column < self.columns


def part_in_view(
    board: tuple[int, int], size: tuple[int, int], focus: Cell, scroll: Scroll
) -> tuple[BoardPart, Scroll]:
    """
    Return the part of a board that a pane shows.

    Args:
        board: rows and columns of the board.
        size: rows and columns of the pane.
        focus: the cell to keep in view.
        scroll: the distance by which the player wants to move the map.

    Returns:
        The part, and the actual shift of the map, which is smaller than `scroll` where the board
        ends.
    """
    last = scroll.position
    # The position in a board of another size says nothing about this one.
    is_same = last is not None and (last.rows, last.columns) == board
    known = (last.top, last.left) if last is not None and is_same else (None, None)
    position = BoardPosition(
        _first(size[0], board[0], focus[0], known[0]),
        _first(size[1], board[1], focus[1], known[1]),
        *board,
    )
    # Moved from the position, not from the last part: letting go brings the player back there.
    top = _clamped(position.top + scroll.rows, size[0], board[0])
    left = _clamped(position.left + scroll.columns, size[1], board[1])
    return BoardPart(top, left, *size), Scroll(top - position.top, left - position.left, position)


def _first(size: int, whole: int, focus: int, last: int | None) -> int:
    """
    Return the first row (or column) to show in the default position.

    The previous position, `last`, stays if the focus is well in view; else the focus is centred.
    """
    margin = size // _MARGIN
    if last is not None and last + margin <= focus < last + size - margin:
        return _clamped(last, size, whole)
    return _clamped(focus - size // 2, size, whole)


def _clamped(first: int, size: int, whole: int) -> int:
    """Return the nearest first row (or column) at which the pane shows only the board."""
    return max(0, min(first, whole - size))
