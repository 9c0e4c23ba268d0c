"""
Graphs: places that are joined by ways and lie nowhere in particular, drawn into any size.

Each node is a box; ways run around the boxes along rows and columns, and a way in one direction has
an arrow at its end. The layout depends on the nodes, their ways and the size alone, so that a
screen that is drawn again looks the same.
"""

import heapq
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

import attrs

from protocol.memo import memo

Cell = tuple[int, int]
"""Row and column."""

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
STEPS: Mapping[int, Cell] = {NORTH: (-1, 0), EAST: (0, 1), SOUTH: (1, 0), WEST: (0, -1)}
OPPOSITE = {NORTH: SOUTH, EAST: WEST, SOUTH: NORTH, WEST: EAST}
LINES = {
    NORTH | SOUTH: "│",
    EAST | WEST: "─",
    NORTH | EAST: "└",
    NORTH | WEST: "┘",
    SOUTH | EAST: "┌",
    SOUTH | WEST: "┐",
    NORTH | SOUTH | EAST | WEST: "┼",
}
ARROWS = {NORTH: "▲", EAST: "►", SOUTH: "▼", WEST: "◄"}
"""The arrow at the end of a way, by the direction in which the way goes there."""

BOX_ROWS = 4
"""Rows of a box with its frame; fewer where there are not so many."""
LEAST_ROWS = 3
LEAST_COLUMNS = 12
GAP_ROWS = 1
GAP_COLUMNS = 4
GRID_GAP = 2
"""Columns between the boxes of a grid, where most ways are short and straight."""
_TURN, _CROSSING = 3, 6
"""What a turn of a way, and a crossing of two ways, count beside its cells."""


@attrs.frozen
class Box:
    """Where a node is drawn, with its frame."""

    node: str
    row: int
    column: int
    rows: int
    columns: int

    def holds(self, cell: Cell) -> bool:
        """Return whether a cell lies in the box."""
        row, column = cell
        return (
            self.row <= row < self.row + self.rows
            and self.column <= column < self.column + self.columns
        )


@attrs.frozen
class Drawing:
    """A graph that has been laid out: its boxes, and the characters of its ways."""

    boxes: tuple[Box, ...]
    ways: Mapping[Cell, str]
    """Characters by cell."""


Places = tuple[tuple[str, Cell], ...]
"""The rows and columns of nodes that lie on a grid."""
Links = tuple[tuple[str, tuple[str, ...]], ...]
"""For each node, in order, the nodes to which a way leads."""


@memo(most=16)
def lay_out(links: Links, rows: int, columns: int, places: Places) -> Drawing | None:
    """
    Lay a graph out; None if it does not fit.

    Args:
        links: the nodes in order, the first one at the left, each with its ways.
        rows: rows of the space.
        columns: columns of the space.
        places: where the nodes lie on a grid; they are laid out by it if it has all of them.
    """
    if not links:
        return None
    on_grid = dict(places)
    if all(node in on_grid for node, _ in links):
        boxes = _on_grid([(node, on_grid[node]) for node, _ in links], rows, columns)
    else:
        boxes = _in_layers(_layers(links), rows, columns)
    if not boxes:
        return None
    by_node = {box.node: box for box in boxes}
    ways: dict[Cell, int] = {}
    arrows: dict[Cell, str] = {}
    ends = dict(links)
    pairs = [
        (node, to)
        for at, (node, tos) in enumerate(links)
        for to in tos
        if to in by_node and not (node in ends[to] and _place(links, to) < at)
    ]
    # The short ones first, so that long ones go around them.
    pairs.sort(key=lambda pair: _span(by_node[pair[0]], by_node[pair[1]]))
    for start, end in pairs:
        path = _route(by_node[start], by_node[end], boxes, ways, rows, columns)
        if path is None:
            return None
        for cell, directions, last in path:
            ways[cell] = ways.get(cell, 0) | directions
            if last and start not in ends[end]:
                arrows[cell] = ARROWS[last]
    drawn = {cell: LINES.get(directions, "┼") for cell, directions in ways.items()}
    return Drawing(boxes, {**drawn, **arrows})


def _place(links: Links, node: str) -> int:
    return next(at for at, (one, _) in enumerate(links) if one == node)


def _layers(links: Links) -> list[list[str]]:
    """Return the nodes by their distance from the first one, each layer from the top."""
    beside: dict[str, list[str]] = {node: [] for node, _ in links}
    for node, tos in links:
        for to in tos:
            if to in beside and to not in beside[node]:
                beside[node].append(to)
                beside[to].append(node)
    away: dict[str, int] = {}
    for first, _ in links:
        if first in away:
            continue
        away[first] = 0
        waiting = deque([first])
        while waiting:
            node = waiting.popleft()
            for to in beside[node]:
                if to not in away:
                    away[to] = away[node] + 1
                    waiting.append(to)
    layers: list[list[str]] = [[] for _ in range(max(away.values(), default=-1) + 1)]
    for node, steps in away.items():
        layers[steps].append(node)
    for at in range(1, len(layers)):
        before = {node: place for place, node in enumerate(layers[at - 1])}

        def middle(node: str, before: Mapping[str, int] = before) -> float:
            near = [before[one] for one in beside[node] if one in before]
            return sum(near) / len(near) if near else 0.0

        layers[at].sort(key=middle)
    return layers


def _in_layers(layers: Sequence[Sequence[str]], rows: int, columns: int) -> tuple[Box, ...]:
    """Return the boxes of layers, each layer a column; none if they do not fit."""
    deepest = max(map(len, layers))
    high = min(BOX_ROWS, (rows - GAP_ROWS * (deepest - 1)) // deepest)
    wide = (columns - GAP_COLUMNS * (len(layers) - 1)) // len(layers)
    if high < LEAST_ROWS or wide < LEAST_COLUMNS:
        return ()
    boxes = []
    for at, layer in enumerate(layers):
        pitch = rows // len(layer)
        for place, node in enumerate(layer):
            row = place * pitch + (pitch - high) // 2
            boxes.append(Box(node, row, at * (wide + GAP_COLUMNS), high, wide))
    return tuple(boxes)


def _on_grid(places: Sequence[tuple[str, Cell]], rows: int, columns: int) -> tuple[Box, ...]:
    """Return the boxes of a grid as it lies; none if they do not fit."""
    top = min(row for _, (row, _) in places)
    left = min(column for _, (_, column) in places)
    down = max(row for _, (row, _) in places) - top + 1
    across = max(column for _, (_, column) in places) - left + 1
    high = min(BOX_ROWS, (rows - GAP_ROWS * (down - 1)) // down)
    wide = (columns - GRID_GAP * (across - 1)) // across
    if high < LEAST_ROWS or wide < LEAST_COLUMNS:
        return ()
    return tuple(
        Box(
            *(node, (row - top) * (high + GAP_ROWS), (column - left) * (wide + GRID_GAP)),
            *(high, wide),
        )
        for node, (row, column) in places
    )


def _span(start: Box, end: Box) -> int:
    return abs(start.row - end.row) + abs(start.column - end.column)


def _ports(box: Box, rows: int, columns: int) -> Iterator[tuple[Cell, int]]:
    """Yield the free cells around a box at which a way can leave it, with the direction."""
    middle = box.row + box.rows // 2
    centre = box.column + box.columns // 2
    sides = [
        *(((row, box.column + box.columns), EAST) for row in _from(middle, box.row, box.rows)),
        *(((row, box.column - 1), WEST) for row in _from(middle, box.row, box.rows)),
        *(((box.row - 1, column), NORTH) for column in (centre, centre - 2, centre + 2)),
        *(((box.row + box.rows, column), SOUTH) for column in (centre, centre - 2, centre + 2)),
    ]
    for (row, column), direction in sides:
        if 0 <= row < rows and 0 <= column < columns:
            yield (row, column), direction


def _from(middle: int, first: int, count: int) -> list[int]:
    return sorted(range(first, first + count), key=lambda row: abs(row - middle))


def _route(
    start: Box,
    end: Box,
    boxes: Sequence[Box],
    ways: Mapping[Cell, int],
    rows: int,
    columns: int,
) -> list[tuple[Cell, int, int]] | None:
    """
    Return the cells of a way between two boxes; None if there is none.

    Each has the directions in which it is open, and at the last one the direction of going.
    """
    walls = {
        (row, column)
        for box in boxes
        for row in range(box.row, box.row + box.rows)
        for column in range(box.column, box.column + box.columns)
    }
    goals: dict[Cell, set[int]] = {}
    for cell, direction in _ports(end, rows, columns):
        goals.setdefault(cell, set()).add(OPPOSITE[direction])
    waiting: list[tuple[int, int, Cell, int]] = []
    best: dict[tuple[Cell, int], int] = {}
    came: dict[tuple[Cell, int], tuple[Cell, int] | None] = {}
    number = 0
    for cell, direction in _ports(start, rows, columns):
        if cell not in walls and _is_free(ways.get(cell, 0), direction):
            number += 1
            heapq.heappush(waiting, (number // 4, number, cell, direction))
            best.setdefault((cell, direction), number // 4)
            came.setdefault((cell, direction), None)
    while waiting:
        worth, _, cell, going = heapq.heappop(waiting)
        if worth > best[cell, going]:
            continue
        lies = ways.get(cell, 0)
        for last in goals.get(cell, ()):
            # A way that crosses another one goes straight on.
            if not lies or last == going:
                return _path(came, (cell, going), last)
        for direction, (down, right) in STEPS.items():
            if direction == OPPOSITE[going] or (lies and direction != going):
                continue
            to = (cell[0] + down, cell[1] + right)
            if not (0 <= to[0] < rows and 0 <= to[1] < columns) or to in walls:
                continue
            there = ways.get(to, 0)
            if not _is_free(there, direction):
                continue
            more = worth + 1 + (_TURN if direction != going else 0) + (_CROSSING if there else 0)
            if more < best.get((to, direction), 1 << 30):
                best[to, direction] = more
                came[to, direction] = (cell, going)
                number += 1
                heapq.heappush(waiting, (more, number, to, direction))
    return None


def _is_free(lies: int, going: int) -> bool:
    """Return whether a way can go through a cell: an empty one, or straight across another way."""
    return lies == 0 or lies == (EAST | WEST if going in (NORTH, SOUTH) else NORTH | SOUTH)


def _path(
    came: Mapping[tuple[Cell, int], tuple[Cell, int] | None], at: tuple[Cell, int], last: int
) -> list[tuple[Cell, int, int]]:
    cells: list[tuple[Cell, int, int]] = []
    leaves = last
    state: tuple[Cell, int] | None = at
    while state is not None:
        cell, going = state
        cells.append((cell, OPPOSITE[going] | leaves, last if len(cells) == 0 else 0))
        leaves = going
        state = came[state]
    return cells[::-1]
