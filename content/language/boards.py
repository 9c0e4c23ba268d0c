"""Boards of scenarios: drawn tiles in their places, and checks of all of them."""

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from content.language.drawings import DOOR_CHARACTERS, DrawnTile
from content.reading.mistakes import ContentError, Place
from protocol.boards.maps import Cell, Map, PlacedTile, drawn, read_drawing


class BoardTile(DrawnTile, Protocol):
    """A drawn tile with its place on the board."""

    @property
    def row(self) -> int:
        """Board row of the drawing's first row."""

    @property
    def column(self) -> int:
        """Board column of the drawing's first column."""


def placed(tile: BoardTile, made: type[PlacedTile] = PlacedTile) -> PlacedTile:
    """Return a tile of a scenario as placed on the board."""
    lines = tuple(tile.drawing.split("\n"))
    return made(tile.id, tile.row, tile.column, lines, tuple(sorted(tile.rooms.items())))


def is_drawn(tiles: Sequence[BoardTile], made: type[PlacedTile] = PlacedTile) -> bool:
    """Return whether every tile is drawn and readable, so that a board can be composed."""
    return all(
        read_drawing(tile.drawing.split("\n"), has_corners=made.has_corners).keys()
        == tile.rooms.keys()
        for tile in tiles
    )


def sketched(tiles: Sequence[BoardTile], made: type[PlacedTile] = PlacedTile) -> tuple[str, ...]:
    """Return the lines of a picture of some tiles, with the letter of each space."""
    cells = dict(drawn(tuple(placed(tile, made) for tile in tiles)))
    # `drawn` leaves spaces blank; here they get the letters by which authors name them.
    for tile in tiles:
        for row, line in enumerate(tile.drawing.split("\n")):
            for column, character in enumerate(line):
                if character.islower():
                    cells[row + tile.row, column + tile.column] = character
    rows = range(min(row for row, _ in cells), max(row for row, _ in cells) + 1)
    left = min(column for _, column in cells)
    right = max(column for _, column in cells)
    lines = [
        "".join(cells.get((row, column), " ") for column in range(left, right + 1)).rstrip()
        for row in rows
    ]
    # Chapters of a story may lie far apart: of several empty lines, one is kept.
    above = ["", *lines]
    return tuple(line for before, line in zip(above, lines, strict=False) if before or line)


def doors_twice(
    layouts: Sequence[Sequence[BoardTile]],
    tiles: Sequence[BoardTile],
    board: Map,
    places: Mapping[str, Place],
    made: type[PlacedTile] = PlacedTile,
) -> Iterator[ContentError]:
    """
    Yield mistakes: doors that share a name, and doors with several names.

    Args:
        layouts: tiles that are on the board together.
        tiles: all tiles.
        board: the map of all layouts.
        places: the place of each tile in the pack.
        made: the class of the tiles on the board.
    """
    door_at = {cell: door.door for door in board.doors.values() for cell in door.cells}
    # Where tiles lie by turns, the first layout counts.
    boards = [drawn(tuple(placed(tile, made) for tile in together)) for together in layouts]
    characters = dict(ChainMap(*map(dict, boards)))
    named: dict[str, dict[str, BoardTile]] = {}
    for tile in tiles:
        for row, line in enumerate(tile.drawing.split("\n"), tile.row):
            for column, digit in enumerate(line, tile.column):
                if digit.isdigit() and (row, column) in door_at:
                    named.setdefault(door_at[row, column], {})[f"{tile.id}/{digit}"] = tile
        for cell in sorted(_cells(tile, made)[1]):
            if characters[cell] in DOOR_CHARACTERS and cell not in door_at:
                reason = (
                    f"the door in row {cell[0] - tile.row + 1}, column "
                    f"{cell[1] - tile.column + 1} has the name or the sides of another door; "
                    "give each its own digit"
                )
                yield ContentError.at(places[tile.id], reason)
                break
    for names in named.values():
        if len(names) > 1:
            tile = list(names.values())[-1]
            reason = f"one door is named {' and '.join(sorted(names))}; leave one name"
            yield ContentError.at(places[tile.id], reason)


def overlaps(
    tiles: Sequence[BoardTile],
    places: Mapping[str, Place],
    made: type[PlacedTile] = PlacedTile,
    steads: Mapping[str, str] | None = None,
    else_write: str = "",
) -> Iterator[ContentError]:
    """
    Yield a mistake for each tile that lies on another one; outlines may lie on outlines.

    Args:
        tiles: all tiles.
        places: the place of each tile in the pack.
        made: the class of the tiles on the board.
        steads: by tile the place that it shares with others, which take turns there.
        else_write: the key that makes a tile take turns with another one; empty for none.
    """
    areas: dict[Cell, str] = {}
    lines: dict[Cell, str] = {}
    shared = steads or {tile.id: tile.id for tile in tiles}
    told = set()
    for tile in tiles:
        own_areas, own_lines = _cells(tile, made)
        for cell in sorted(own_areas | own_lines):
            other = areas.get(cell) or (lines.get(cell) if cell in own_areas else None)
            if other is None or shared[other] == shared[tile.id]:
                continue
            if (other, tile.id) not in told:
                told.add((other, tile.id))
                row, column = cell[0] - tile.row + 1, cell[1] - tile.column + 1
                turns = f", or, if they lie there by turns, write '{else_write}: {other}'"
                reason = (
                    f"lies on the tile {other!r} from row {row}, column {column} of its drawing; "
                    "only outlines may lie on one another, so change row or column"
                )
                yield ContentError.at(places[tile.id], reason + (turns if else_write else ""))
        areas.update(dict.fromkeys(own_areas, tile.id))
        lines.update(dict.fromkeys(own_lines, tile.id))


def _cells(tile: BoardTile, made: type[PlacedTile]) -> tuple[set[Cell], set[Cell]]:
    """Return the cells that a tile's areas take on the board, and the cells of its lines."""
    drawing = tile.drawing.split("\n")
    areas = {
        (row + tile.row, column + tile.column)
        for area in read_drawing(drawing, has_corners=made.has_corners).values()
        for row, column in area
    }
    lines = {
        (row + tile.row, column + tile.column)
        for row, line in enumerate(drawing)
        for column, character in enumerate(line)
        if character != " " and not character.islower()
    }
    return areas, lines
