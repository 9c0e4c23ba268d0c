r"""
Maps drawn as text: a board is drawn from the drawings of its tiles, and read as a graph of spaces.

A drawing is lines of characters. Line characters separate areas, and each area holds one letter,
its space. `+ - |` are walls, `=` is a door (a digit in place of one `=` names it), `:` and `.` are
borders, `!` and `~` impassable borders (the first of each pair for upright lines, the second for
level ones). Tiles are placed so that their outlines overlap; where two lines meet in one cell the
more open one wins.

    +-------+-----+
    |       :     |
    |   a   :  b  1
    |       :     =
    +--==---+-----+

A `CornerTile` also has corners that can be crossed: `/` joins the areas at the lower left and the
upper right of its cell, `\` the other two, and `X` both pairs. Here a is next to d, and b to c:

    +---+---+
    | a | b |
    +---X---+
    | c | d |
    +---+---+
"""

import enum
import functools
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import ClassVar

import attrs
from attrs.validators import ge, le

from protocol.errors import ImpossibleValue, are_laws_later
from protocol.memo import memo
from protocol.values import frozen

Cell = tuple[int, int]
"""Row and column, from the top left."""
Pair = tuple[str, str]
"""Two spaces, sorted."""

MAX_ROWS, MAX_COLUMNS = 60, 160
"""Maximum rows and columns of a tile's drawing."""
MAX_ROW, MAX_COLUMN = 500, 1000
"""Largest distance of a tile from the origin of its board. Clients fill the rectangle around all
tiles with cells, so tiles very far apart would make them hang."""
CELLS_SHARED = 2 * MAX_ROWS * MAX_COLUMNS
"""
Maximum number of cells in the shared pool `_CELLS`; a pool that would exceed it is emptied first.
"""


class Boundary(enum.Enum):
    """The kind of line between two spaces, from the most closed to the most open."""

    WALL = "wall"
    IMPASSABLE = "impassable"
    BORDER = "border"
    DOOR = "door"


_OPENNESS = {line: rank for rank, line in enumerate(Boundary)}
_LINES = {
    **dict.fromkeys("+-|", Boundary.WALL),
    **dict.fromkeys("!~", Boundary.IMPASSABLE),
    **dict.fromkeys(":.", Boundary.BORDER),
    **dict.fromkeys("=0123456789", Boundary.DOOR),
}

_CORNERS: dict[str, tuple[tuple[Cell, Cell], ...]] = {
    "/": (((1, -1), (-1, 1)),),
    "\\": (((-1, -1), (1, 1)),),
    "X": (((1, -1), (-1, 1)), ((-1, -1), (1, 1))),
}
"""Pairs of cells that each corner character joins, as steps in rows and columns from the corner."""
_LINES |= dict.fromkeys(_CORNERS, Boundary.WALL)

_VALUES = {character: line.value for character, line in _LINES.items()}
_DOORS = frozenset(character for character, line in _LINES.items() if line is Boundary.DOOR)


class BadDrawing(ImpossibleValue):
    """A drawing that cannot be read. Its message names row and column, counted from 1."""

    def __init__(self, row: int, column: int, reason: str) -> None:
        super().__init__(f"row {row + 1}, column {column + 1}: {reason}")
        self.row, self.column, self.reason = row, column, reason


class Side(enum.Enum):
    """The points of the compass: the first row of a board is its north."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


_TOWARD = {Side.NORTH: (-1, 0), Side.EAST: (0, 1), Side.SOUTH: (1, 0), Side.WEST: (0, -1)}
"""Step in rows and columns to the next cell on a side."""


@frozen
class PlacedTile:
    """One tile on the board."""

    has_corners: ClassVar[bool] = False
    """True if figures can cross the corners in the tile's drawing."""

    tile: str
    """Id of the tile. Its spaces have the ids `<tile>/<letter>`."""
    row: int = attrs.field(validator=[ge(-MAX_ROW), le(MAX_ROW)])
    """Board row of the drawing's first row."""
    column: int = attrs.field(validator=[ge(-MAX_COLUMN), le(MAX_COLUMN)])
    """Board column of the drawing's first column."""
    drawing: tuple[str, ...]
    """Lines of characters, from north to south."""
    rooms: tuple[tuple[str, str], ...] = attrs.field()
    """Pairs of a space's letter and the id of its map room, one pair for each space."""

    @rooms.validator
    def _check_rooms(self, _: object, _rooms: object) -> None:
        if not are_laws_later():
            self.check_drawing()

    def check_drawing(self) -> None:
        """Raise ImpossibleValue unless the letters in the drawing are exactly those in `rooms`."""
        if {letter for letter, _ in self.rooms} != set(_read(self.drawing, self.has_corners)):
            raise ImpossibleValue(f"the letters drawn on {self.tile} are not those that have rooms")


@frozen
class CornerTile(PlacedTile):
    """A tile whose drawing may have corners that can be crossed."""

    has_corners: ClassVar[bool] = True


@frozen
class Covering:
    """A token on a line of the board that turns a door into a wall, or a wall into a door."""

    covering: str
    """Id of the covering; if the covering makes a door, also the name of the door."""
    line: Boundary
    """The boundary that the covering makes: a wall or a door."""
    cells: tuple[Cell, ...]
    """Cells of the board under the covering."""


@frozen
class Edge:
    """The border of one kind between two spaces, however long; each door is a separate edge."""

    one: str
    other: str
    line: Boundary
    door: str | None = None
    """Id of the door; None for other boundaries."""

    def across(self, space: str) -> str:
        """Return the space on the other side of this edge."""
        return self.other if space == self.one else self.one


@frozen
class Door:
    """A door on the board; it has a single side if the map ends behind it."""

    door: str
    cells: tuple[Cell, ...]
    sides: tuple[str, ...]


@frozen
class Map:
    """The graph of a board; `drawn` returns its picture."""

    rooms: Mapping[str, str]
    """Id of the map room of each space."""
    cells: Mapping[str, tuple[Cell, ...]]
    """Cells by space, row by row."""
    doors: Mapping[str, Door]
    edges: tuple[Edge, ...]
    """Edges, sorted; each pair of spaces has one edge for each kind of line, and one for each
    door."""
    walls: Mapping[Pair, tuple[Cell, ...]]
    """Cells of the wall that two spaces share, row by row."""
    diagonals: tuple[Pair, ...] = ()
    """Pairs of spaces that touch at a crossable corner, sorted."""

    def edges_of(self, space: str) -> tuple[Edge, ...]:
        """Return all lines that this space shares with others."""
        return _edges_by_space(self.edges).get(space, ())

    def diagonals_of(self, space: str) -> tuple[str, ...]:
        """Return the spaces that lie across a corner which can be crossed, sorted."""
        return tuple(
            sorted(
                two if one == space else one for one, two in self.diagonals if space in (one, two)
            )
        )

    def side(self, space: str, cells: Sequence[Cell]) -> "Side | None":
        """
        Return the side of a space on which the first adjacent cell lies; None if none is adjacent.

        Args:
            space: the space.
            cells: the cells to try, in order.
        """
        own = self.cells.get(space, ())
        for row, column in cells:
            for side, (down, right) in _TOWARD.items():
                if (row - down, column - right) in own:
                    return side
        return None

    def spaces_of(self, room: str) -> tuple[str, ...]:
        """Return the spaces of a map room, sorted."""
        return tuple(space for space, of in self.rooms.items() if of == room)

    def beside(self, cells: Sequence[Cell]) -> tuple[str, ...]:
        """Return the spaces that touch any of these cells, sorted."""
        near = {at for cell in cells for at in _around(cell)}
        return tuple(space for space, own in self.cells.items() if not near.isdisjoint(own))


def read_drawing(
    drawing: Sequence[str], *, has_corners: bool = False
) -> Mapping[str, tuple[Cell, ...]]:
    """
    Return the areas of one drawing by letter, each with its cells.

    Args:
        drawing: its lines of characters.
        has_corners: true if corners that can be crossed are allowed.

    Raises:
        BadDrawing: an unknown character, an area without a letter or with two, a letter twice,
            an area that is open to the outside, or a drawing over the bounds.
    """
    return _read(tuple(drawing), has_corners)


@functools.lru_cache(maxsize=256)
def _read(drawing: tuple[str, ...], has_corners: bool) -> Mapping[str, tuple[Cell, ...]]:  # noqa: FBT001
    grid = _grid(drawing, _LINES if has_corners else _LINES.keys() - _CORNERS.keys())
    areas: dict[str, tuple[Cell, ...]] = {}
    seen: set[Cell] = set()
    # Row by row, so errors and the order of areas depend on the picture alone.
    for cell in sorted(grid):
        if cell in seen or grid[cell] in _LINES:
            continue
        area = _flood(grid, cell)
        seen.update(area)
        letters = [(grid[at], at) for at in area if grid[at] != " "]
        if not letters:
            if _is_outside(grid, area, drawing):
                continue
            raise BadDrawing(*cell, "an area without a letter")
        if len(letters) > 1:
            raise BadDrawing(*letters[1][1], "a second letter in one area")
        letter, at = letters[0]
        if letter in areas:
            raise BadDrawing(*at, f"the letter {letter} a second time")
        if _is_outside(grid, area, drawing):
            raise BadDrawing(*at, f"the area of {letter} is open to the outside")
        areas[letter] = _shared(area)
    return areas


def _grid(drawing: Sequence[str], signs: Container[str]) -> dict[Cell, str]:
    if len(drawing) > MAX_ROWS:
        raise BadDrawing(MAX_ROWS, 0, f"more than {MAX_ROWS} rows")
    grid: dict[Cell, str] = {}
    for row, line in enumerate(drawing):
        if len(line) > MAX_COLUMNS:
            raise BadDrawing(row, MAX_COLUMNS, f"more than {MAX_COLUMNS} columns")
        for column, character in enumerate(line):
            is_letter = "a" <= character <= "z"
            if character not in signs and character != " " and not is_letter:
                raise BadDrawing(row, column, f"the character {character!r} means nothing here")
            grid[row, column] = character
    return grid


def _shared(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Intern cells: all boards of a process share one object for each cell, to save memory."""
    wanted = tuple(cells)
    if len(_CELLS) + len(wanted) > CELLS_SHARED:
        _CELLS.clear()
    return tuple(map(_CELLS.setdefault, wanted, wanted))


_CELLS: dict[Cell, Cell] = {}


def _around(cell: Cell) -> tuple[Cell, ...]:
    row, column = cell
    return ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))


def _flood(grid: Mapping[Cell, str], start: Cell) -> tuple[Cell, ...]:
    found, todo = {start}, [start]
    while todo:
        for cell in _around(todo.pop()):
            if cell in grid and cell not in found and grid[cell] not in _LINES:
                found.add(cell)
                todo.append(cell)
    return tuple(sorted(found))


def _is_outside(grid: Mapping[Cell, str], area: Sequence[Cell], drawing: Sequence[str]) -> bool:
    """Return whether an area touches the rim of the drawing, where no line can close it."""
    last = len(drawing) - 1
    return any(
        # Lines may be shorter than others, so a cell without a neighbour is at the rim, too.
        row in (0, last) or any(cell not in grid for cell in _around((row, column)))
        for row, column in area
    )


@functools.lru_cache(maxsize=256)
def compose(tiles: tuple[PlacedTile, ...], coverings: tuple[Covering, ...] = ()) -> Map:
    """Return the map of these tiles and coverings. Deterministic; the same at both ends."""
    board = _draw(tiles, coverings)
    cells: dict[str, tuple[Cell, ...]] = {}
    rooms: dict[str, str] = {}
    for tile in tiles:
        laid, by_letter = _laid(tile), dict(tile.rooms)
        cells.update(laid.cells)
        rooms.update((space, by_letter[space.rpartition("/")[2]]) for space in laid.cells)
    doors = _doors(board)
    door_at = {cell: door.door for door in doors.values() for cell in door.cells}
    lines = tuple(_lines_between(board, door_at))
    # One edge for all cells that differ in their place alone. The order is published: it decides
    # in which order choices are offered.
    distinct = {line[:4] for line in lines}
    edges = sorted(distinct, key=lambda edge: (*edge[:3], edge[3] or ""))
    return Map(
        rooms=dict(sorted(rooms.items())),
        cells=dict(sorted(cells.items())),
        doors=doors,
        edges=tuple(_edge(*edge) for edge in edges),
        walls=_walls(lines),
        diagonals=_diagonals(board),
    )


_Line = tuple[str, str, str, str | None, Cell]
"""Two spaces, the kind of boundary between them, the id of its door or None, and the cell."""


@frozen
class _Drawn:
    """Drawing of a board, cell by cell. Not cached: it is many times as large as a `Map`."""

    lines: dict[Cell, str]
    """Line character of each cell that has one."""
    space_at: dict[Cell, str]
    names: dict[Cell, str]
    """Name of each cell of a named door."""


def drawn(
    tiles: tuple[PlacedTile, ...], coverings: tuple[Covering, ...] = ()
) -> Mapping[Cell, str]:
    """Return the character in each cell of a board; cells of spaces hold a blank."""
    board = _draw(tiles, coverings)
    return {**dict.fromkeys(board.space_at, " "), **board.lines}


def _draw(tiles: tuple[PlacedTile, ...], coverings: tuple[Covering, ...]) -> _Drawn:
    board = _Drawn({}, {}, {})
    lines = board.lines
    for tile in tiles:
        laid = _laid(tile)
        # The outlines of neighbouring tiles overlap.
        shared = [(cell, lines[cell]) for cell in laid.lines.keys() & lines.keys()]
        lines.update(laid.lines)
        for cell, character in shared:
            lines[cell] = _more_open(character, laid.lines[cell])
        for cell, name in laid.names.items():
            board.names.setdefault(cell, name)
        board.space_at.update(laid.space_at)
    for covering in coverings:
        for row, column in covering.cells:
            # Where no line is drawn a covering covers nothing.
            if (row, column) not in board.lines:
                continue
            board.names.pop((row, column), None)
            if covering.line is Boundary.DOOR:
                board.lines[row, column] = "="
                board.names[row, column] = covering.covering
            else:
                # A wall is drawn level where it parts a space above from one below.
                is_level = not board.space_at.keys().isdisjoint(
                    ((row - 1, column), (row + 1, column))
                )
                board.lines[row, column] = "-" if is_level else "|"
    return board


@frozen
class _Laid:
    """Lines and spaces of one tile, by their cells on the board."""

    lines: Mapping[Cell, str]
    """Characters of the lines, by cell."""
    names: Mapping[Cell, str]
    """Name of each cell of a named door."""
    cells: Mapping[str, tuple[Cell, ...]]
    """Cells of each space, row by row."""
    space_at: Mapping[Cell, str]


@functools.lru_cache(maxsize=256)
def _laid(tile: PlacedTile) -> _Laid:
    """Return the lines and spaces of a tile; the boards of all tables share the result."""
    lines: dict[Cell, str] = {}
    names: dict[Cell, str] = {}
    for row, line in enumerate(tile.drawing, tile.row):
        for column, character in enumerate(line, tile.column):
            if character in _LINES:
                lines[row, column] = character
            if character.isdigit():
                names[row, column] = f"{tile.tile}/{character}"
    cells = {
        f"{tile.tile}/{letter}": _shared((r + tile.row, c + tile.column) for r, c in area)
        for letter, area in read_drawing(tile.drawing, has_corners=tile.has_corners).items()
    }
    # The keys come from the shared pool, too: a cell is one object for all boards.
    lines = dict(zip(_shared(lines), lines.values(), strict=True))
    space_at = {cell: space for space, own in cells.items() for cell in own}
    return _Laid(lines, names, cells, space_at)


@functools.lru_cache(maxsize=256)
def shared_tile(tile: PlacedTile) -> PlacedTile:
    """Intern a tile: all tables of a process share one object for equal tiles."""
    return tile


def _more_open(one: str, other: str) -> str:
    if one in _CORNERS or other in _CORNERS:
        # Two tiles may open one diagonal each of the corner where they meet.
        corners = {one, other} & _CORNERS.keys()
        return corners.pop() if len(corners) == 1 else "X"
    return other if _OPENNESS[_LINES[other]] > _OPENNESS[_LINES[one]] else one


@memo()
def _edges_by_space(edges: tuple[Edge, ...]) -> Mapping[str, tuple[Edge, ...]]:
    found: dict[str, list[Edge]] = {}
    for edge in edges:
        # Once per space: a line may have the same space on both sides.
        for space in dict.fromkeys((edge.one, edge.other)):
            found.setdefault(space, []).append(edge)
    return {space: tuple(own) for space, own in found.items()}


def wall_between(board: Map, one: str, other: str) -> tuple[Cell, ...]:
    """
    Return the place for a door in the wall between two spaces: up to three cells in its middle.

    The cells touch no other door. Empty if there is no such wall.
    """
    doors = {cell for door in board.doors.values() for cell in door.cells}
    wall = board.walls.get((min(one, other), max(one, other)), ())
    # A door beside another one would be one door with it.
    free = [cell for cell in wall if doors.isdisjoint(_around(cell))]
    if not free:
        return ()
    middle = free[len(free) // 2]
    return tuple(cell for cell in free if cell == middle or cell in _around(middle))


def _doors(board: _Drawn) -> dict[str, Door]:
    doors: dict[str, Door] = {}
    space_at, names = board.space_at, board.names
    left = {cell for cell, character in board.lines.items() if character in _DOORS}
    # Sorted, since a set has another order in each process.
    for start in sorted(left):
        if start not in left:
            continue
        run = _joined(start, left)
        left -= run
        sides = sorted({space_at[a] for cell in run for a in _around(cell) if a in space_at})
        # Without a name of its own a door is called after its spaces, the same at both ends.
        named = [names[cell] for cell in sorted(run) if cell in names]
        door = named[0] if named else "=".join(sides)
        doors[door] = _door(door, _shared(sorted(run)), tuple(sides))
        # A door where two tiles meet can be looked up by both names.
        for alias in named[1:]:
            doors[alias] = doors[door]
    return doors


# Interned: most parts of a board are unchanged after a change, and stay the same objects.
_door = functools.lru_cache(maxsize=1024)(Door)


@functools.lru_cache(maxsize=4096)
def _edge(one: str, other: str, line: str, door: str | None) -> Edge:
    return Edge(one, other, Boundary(line), door)


@functools.lru_cache(maxsize=4096)
def _wall(*cells: Cell) -> tuple[Cell, ...]:
    return cells


def _joined(start: Cell, among: AbstractSet[Cell]) -> AbstractSet[Cell]:
    """Return the connected component of a cell within some cells."""
    found, todo = {start}, [start]
    while todo:
        near = [cell for cell in _around(todo.pop()) if cell in among and cell not in found]
        found.update(near)
        todo += near
    return found


def _lines_between(board: _Drawn, door_at: Mapping[Cell, str]) -> Iterator[_Line]:
    """Yield each cell of a line with the two different spaces on its opposite sides."""
    # A board has hundreds of such cells: calls of our own functions would show.
    space_at = board.space_at.get
    for cell, character in board.lines.items():
        line = _VALUES[character]
        row, column = cell
        # A line that ends inside a space has the same space on both sides, and joins nothing.
        one, other = space_at((row - 1, column)), space_at((row + 1, column))
        if one is not None and other is not None and one != other:
            yield *_in_order(one, other), line, door_at.get(cell), cell
        one, other = space_at((row, column - 1)), space_at((row, column + 1))
        if one is not None and other is not None and one != other:
            yield *_in_order(one, other), line, door_at.get(cell), cell


@functools.lru_cache(maxsize=4096)
def _in_order(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def _diagonals(board: _Drawn) -> tuple[Pair, ...]:
    found = set[Pair]()
    for (row, column), character in board.lines.items():
        for one_step, other_step in _CORNERS.get(character, ()):
            one = board.space_at.get((row + one_step[0], column + one_step[1]))
            other = board.space_at.get((row + other_step[0], column + other_step[1]))
            if one is not None and other is not None and one != other:
                found.add(_in_order(one, other))
    return tuple(sorted(found))


def _walls(lines: Iterable[_Line]) -> Mapping[Pair, tuple[Cell, ...]]:
    found: dict[Pair, list[Cell]] = {}
    for one, other, line, _, cell in lines:
        if line == Boundary.WALL.value:
            found.setdefault((one, other), []).append(cell)
    return {pair: _wall(*sorted(cells)) for pair, cells in found.items()}
