"""
Maps drawn as text: tiles as pictures, the board as their sum, and the graph read off it.

A drawing is lines of characters. Line characters separate areas, and each area holds one letter,
its space. `+ - |` are walls, `=` is a door (a digit in place of one `=` names it), `:` and `.`
are borders, `!` and `~` impassable borders (the first of each pair for upright lines, the second
for level ones). Tiles are placed so that their outlines lie on one another; where two lines meet
in one cell the more open one holds.

    +-------+-----+
    |       :     |
    |   a   :  b  1
    |       :     =
    +--==---+-----+
"""

import enum
import functools
from collections.abc import Iterator, Mapping, Sequence

import attrs

from protocol.boards.kept import KeptFacts
from protocol.errors import ImpossibleValue

Cell = tuple[int, int]
"""Row and column, from the top left."""

MAX_ROWS, MAX_COLUMNS = 60, 160
"""The largest drawing of one tile."""


class Boundary(enum.Enum):
    """What separates two spaces, from the most closed to the most open."""

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
_DOORS = frozenset(character for character, line in _LINES.items() if line is Boundary.DOOR)
_LINE_NAMES = {character: line.value for character, line in _LINES.items()}


class BadDrawing(ImpossibleValue):
    """A drawing that cannot be read; says the row and column, from 1."""

    def __init__(self, row: int, column: int, reason: str) -> None:
        """Say where (from 0) and why."""
        super().__init__(f"row {row + 1}, column {column + 1}: {reason}")
        self.row, self.column, self.reason = row, column, reason


class Side(enum.Enum):
    """The points of the compass: the first row of a board is its north. Rule COMPASS-1."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


_TOWARD = {Side.NORTH: (-1, 0), Side.EAST: (0, 1), Side.SOUTH: (1, 0), Side.WEST: (0, -1)}
"""Rows and columns to the next cell on a side."""


@attrs.frozen
class PlacedTile:
    """One tile on the board."""

    tile: str
    row: int
    column: int
    """Where its drawing's top left lies on the board."""
    drawing: tuple[str, ...]
    rooms: tuple[tuple[str, str], ...] = attrs.field()
    """The room of each space, by the space's letter."""

    @rooms.validator
    def _check_rooms(self, _: object, rooms: tuple[tuple[str, str], ...]) -> None:
        """Refuse a picture that cannot be read, or spaces without a room."""
        if {letter for letter, _ in rooms} != set(_read(self.drawing)):
            raise ImpossibleValue(f"the letters drawn on {self.tile} are not those that have rooms")


@attrs.frozen
class Covering:
    """A token on a line of the board that makes a wall of a door, or a door of a wall."""

    covering: str
    """Its id; of what makes a door also the door's name."""
    line: Boundary
    """What it makes: a wall or a door. Rules WALL-3 and DOOR-3."""
    cells: tuple[Cell, ...]
    """The cells of the board that it covers."""


@attrs.frozen
class Edge:
    """What two spaces share: one kind of line, once."""

    one: str
    other: str
    line: Boundary
    door: str | None = None
    """For a door, its id."""

    def across(self, space: str) -> str:
        """Return the space on the other side."""
        return self.other if space == self.one else self.one


@attrs.frozen
class Door:
    """A door as drawn; at the end of the known map it has one side only."""

    door: str
    cells: tuple[Cell, ...]
    sides: tuple[str, ...]


@attrs.frozen
class Map:
    """The board: what is drawn where, and how it hangs together."""

    characters: Mapping[Cell, str]
    rooms: Mapping[str, str]
    """Space -> room."""
    cells: Mapping[str, tuple[Cell, ...]]
    """Space -> its cells, row by row."""
    doors: Mapping[str, Door]
    edges: tuple[Edge, ...]
    """Sorted, each pair of spaces once for each kind of line (and each door)."""

    def edges_of(self, space: str) -> tuple[Edge, ...]:
        """Return all that this space shares with others. Rule ADJACENT-1."""
        return _edges_by_space(self.edges).get(space, ())

    def side(self, space: str, cells: Sequence[Cell]) -> "Side | None":
        """Return on which side of a space some cells lie; None where they do not touch it."""
        own = self.cells.get(space, ())
        for row, column in cells:
            for side, (down, right) in _TOWARD.items():
                if (row - down, column - right) in own:
                    return side
        return None

    def spaces_of(self, room: str) -> tuple[str, ...]:
        """Return the spaces of a room, sorted."""
        return tuple(space for space, of in self.rooms.items() if of == room)

    def beside(self, cells: Sequence[Cell]) -> tuple[str, ...]:
        """Return the spaces that touch any of these cells, sorted."""
        near = {at for cell in cells for at in _around(cell)}
        return tuple(space for space, own in self.cells.items() if not near.isdisjoint(own))


def read_drawing(drawing: Sequence[str]) -> Mapping[str, tuple[Cell, ...]]:
    """
    Return the areas of one drawing by letter, each with its cells.

    Raises:
        BadDrawing: an unknown character, an area without a letter or with two, a letter twice,
            an area that is open to the outside, or a drawing over the bounds.
    """
    return _read(tuple(drawing))


@functools.lru_cache(maxsize=256)
def _read(drawing: tuple[str, ...]) -> Mapping[str, tuple[Cell, ...]]:
    grid = _grid(drawing)
    areas: dict[str, tuple[Cell, ...]] = {}
    seen: set[Cell] = set()
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
        areas[letter] = area
    return areas


def _grid(drawing: Sequence[str]) -> dict[Cell, str]:
    if len(drawing) > MAX_ROWS:
        raise BadDrawing(MAX_ROWS, 0, f"more than {MAX_ROWS} rows")
    grid: dict[Cell, str] = {}
    for row, line in enumerate(drawing):
        if len(line) > MAX_COLUMNS:
            raise BadDrawing(row, MAX_COLUMNS, f"more than {MAX_COLUMNS} columns")
        for column, character in enumerate(line):
            is_letter = "a" <= character <= "z"
            if character not in _LINES and character != " " and not is_letter:
                raise BadDrawing(row, column, f"the character {character!r} means nothing here")
            grid[row, column] = character
    return grid


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
    """Whether an area touches the rim of the drawing, where no line can close it."""
    last = len(drawing) - 1
    return any(
        row in (0, last) or any(cell not in grid for cell in _around((row, column)))
        for row, column in area
    )


@functools.lru_cache(maxsize=256)
def compose(tiles: tuple[PlacedTile, ...], coverings: tuple[Covering, ...] = ()) -> Map:
    """Return the map of these tiles and coverings. Deterministic; the same at both ends."""
    characters: dict[Cell, str] = {}
    space_at: dict[Cell, str] = {}
    cells: dict[str, tuple[Cell, ...]] = {}
    rooms: dict[str, str] = {}
    names: dict[Cell, str] = {}
    for laid in map(_laid, tiles):
        where_others_lie = [cell for cell in laid.characters if cell in characters]
        characters |= laid.characters | {
            cell: _more_open(characters[cell], laid.characters[cell]) for cell in where_others_lie
        }
        names = {**laid.names, **names}
        cells |= laid.cells
        space_at |= laid.space_at
        rooms |= laid.rooms
    for covering in coverings:
        _cover(covering, characters, space_at, names)
    doors = _doors(characters, space_at, names)
    door_at = {cell: door.door for door in doors.values() for cell in door.cells}
    return Map(
        characters=characters,
        rooms=dict(sorted(rooms.items())),
        cells=dict(sorted(cells.items())),
        doors=doors,
        edges=tuple(_edges(characters, space_at, door_at)),
    )


@attrs.frozen
class _Laid:
    """One tile where it lies, its cells and spaces as those of the board."""

    characters: dict[Cell, str]
    names: dict[Cell, str]
    """The cells of its named doors."""
    cells: dict[str, tuple[Cell, ...]]
    space_at: dict[Cell, str]
    rooms: dict[str, str]


@functools.lru_cache(maxsize=256)
def _laid(tile: PlacedTile) -> _Laid:
    drawn = {
        (row + tile.row, column + tile.column): character
        for row, line in enumerate(tile.drawing)
        for column, character in enumerate(line)
    }
    by_letter = dict(tile.rooms)
    cells = {
        f"{tile.tile}/{letter}": tuple((r + tile.row, c + tile.column) for r, c in area)
        for letter, area in read_drawing(tile.drawing).items()
    }
    return _Laid(
        characters={at: " " if "a" <= drawn[at] <= "z" else drawn[at] for at in drawn},
        names={at: f"{tile.tile}/{drawn[at]}" for at in drawn if drawn[at].isdigit()},
        cells=cells,
        space_at={at: space for space, area in cells.items() for at in area},
        rooms={space: by_letter[space.removeprefix(f"{tile.tile}/")] for space in cells},
    )


def _more_open(one: str, other: str) -> str:
    if other not in _LINES:
        return one
    if one not in _LINES:
        return other
    return other if _OPENNESS[_LINES[other]] > _OPENNESS[_LINES[one]] else one


def _cover(
    covering: Covering,
    characters: dict[Cell, str],
    space_at: Mapping[Cell, str],
    names: dict[Cell, str],
) -> None:
    """Draw a covering over the lines that are there; where no line is it covers nothing."""
    for row, column in covering.cells:
        if characters.get((row, column), " ") not in _LINES:
            continue
        names.pop((row, column), None)
        if covering.line is Boundary.DOOR:
            characters[row, column] = "="
            names[row, column] = covering.covering
        else:
            is_level = (row - 1, column) in space_at or (row + 1, column) in space_at
            characters[row, column] = "-" if is_level else "|"


def _by_space(edges: tuple[Edge, ...]) -> Mapping[str, tuple[Edge, ...]]:
    found: dict[str, list[Edge]] = {}
    for edge in edges:
        # A line may have the same space on both sides.
        for space in dict.fromkeys((edge.one, edge.other)):
            found.setdefault(space, []).append(edge)
    return {space: tuple(own) for space, own in found.items()}


_edges_by_space = KeptFacts(_by_space)


def wall_between(board: Map, one: str, other: str) -> tuple[Cell, ...]:
    """
    Return where a door fits into the wall between two spaces: up to three cells in its middle.

    They touch no other door. Empty where there is no such wall.
    """
    space_at = {cell: space for space, cells in board.cells.items() for cell in cells}
    pair = (min(one, other), max(one, other))
    free = [
        cell
        for cell, character in sorted(board.characters.items())
        if _LINES.get(character) is Boundary.WALL and pair in _facing(cell, space_at)
        if not any(
            _LINES.get(board.characters.get(at, " ")) is Boundary.DOOR for at in _around(cell)
        )
    ]
    if not free:
        return ()
    middle = free[len(free) // 2]
    return tuple(cell for cell in free if cell == middle or cell in _around(middle))


def _facing(cell: Cell, space_at: Mapping[Cell, str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of spaces that face one another across a cell."""
    row, column = cell
    at = space_at.get
    for one, other in (
        (at((row - 1, column)), at((row + 1, column))),
        (at((row, column - 1)), at((row, column + 1))),
    ):
        if one is not None and other is not None and one != other:
            yield (one, other) if one < other else (other, one)


def _doors(
    characters: Mapping[Cell, str], space_at: Mapping[Cell, str], names: Mapping[Cell, str]
) -> dict[str, Door]:
    doors: dict[str, Door] = {}
    seen: set[Cell] = set()
    for start in sorted(cell for cell, character in characters.items() if character in _DOORS):
        if start in seen:
            continue
        run, todo = {start}, [start]
        while todo:
            for cell in _around(todo.pop()):
                if cell not in run and characters.get(cell, " ") in _DOORS:
                    run.add(cell)
                    todo.append(cell)
        seen |= run
        sides = sorted({space_at[a] for cell in run for a in _around(cell) if a in space_at})
        named = [names[cell] for cell in sorted(run) if cell in names]
        door = named[0] if named else "=".join(sides)
        doors[door] = Door(door, tuple(sorted(run)), tuple(sides))
        # A door where two tiles meet answers to both names.
        for alias in named[1:]:
            doors[alias] = doors[door]
    return doors


def _edges(
    characters: Mapping[Cell, str], space_at: Mapping[Cell, str], door_at: Mapping[Cell, str]
) -> list[Edge]:
    # Edges are compared with one another by text alone, of which most lines have the same.
    found = {
        (one, other, _LINE_NAMES[character], door_at.get(cell))
        for cell, character in characters.items()
        if character in _LINE_NAMES
        for one, other in _facing(cell, space_at)
    }
    in_order = sorted(found, key=lambda edge: (*edge[:3], edge[3] or ""))
    return [Edge(one, other, Boundary(line), door) for one, other, line, door in in_order]
