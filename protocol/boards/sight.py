"""
Sight: straight lines between the centres of spaces.

Boards are drawn in characters, which are higher than wide. That changes no result: stretching a
drawing keeps straight lines straight. All arithmetic is on integers, so both ends agree, and a line
is the same in both directions.
"""

from collections.abc import Container, Iterable, Iterator, Mapping

from protocol.boards.maps import Cell, Map


def centre(cells: Iterable[Cell]) -> Cell:
    """
    Return the cell of a space that is nearest to its centre of mass; the first of several.

    The centre of mass of an angled space may lie outside of the space; this cell never does.

    Args:
        cells: at least one, row by row.
    """
    own = tuple(cells)
    rows, columns = sum(row for row, _ in own), sum(column for _, column in own)
    count = len(own)

    def distance(cell: Cell) -> int:
        # Times the number of cells, which keeps the mean an integer.
        return (cell[0] * count - rows) ** 2 + (cell[1] * count - columns) ** 2

    return min(own, key=distance)


def is_clear(start: Cell, goal: Cell, opaque: Container[Cell]) -> bool:
    """
    Return True if no opaque cell blocks the straight line between the middles of two cells.

    A wall runs through the middle of its cells. So an opaque cell blocks a line that crosses its
    middle row or its middle column inside the cell, and not every line through its square: sight
    may pass beside the end of a wall, or through a corner without a wall. The two end cells never
    block.
    """
    return not any(cell in opaque for cell in _crossed(start, goal)) and not any(
        (row, column) in opaque for column, row in _crossed(start[::-1], goal[::-1])
    )


def _crossed(start: Cell, goal: Cell) -> Iterator[Cell]:
    """Yield the cells in which the line crosses the middle of a row; both ends are left out."""
    (row, column), (last_row, last_column) = sorted((start, goal))
    down, right = last_row - row, last_column - column
    for step in range(1, down):
        # Where the line crosses the row is column + step * right / down; halves belong to both.
        nearest, rest = divmod(2 * (column * down + step * right) + down, 2 * down)
        yield row + step, nearest
        if not rest:
            yield row + step, nearest - 1


def sight_table(board: Map, opaque: Container[Cell]) -> Mapping[str, tuple[str, ...]]:
    """
    Return for each space the other spaces that can be seen from its centre, sorted.

    Args:
        board: its spaces and their cells.
        opaque: cells that block sight, such as those of walls and doors; may include whole spaces.
    """
    centres = {space: centre(cells) for space, cells in board.cells.items()}
    return {
        space: tuple(
            other
            for other, there in centres.items()
            if other != space and is_clear(here, there, opaque)
        )
        for space, here in centres.items()
    }
