"""The map of a story: walls around its rooms, room limits, and checks of all tiles together."""

from collections.abc import Iterator, Mapping

from content.games.first_edition.schema.story import Story
from content.language.boards import doors_twice, is_drawn, overlaps, placed
from content.language.drawings import DOOR_CHARACTERS
from content.reading.mistakes import ContentError, Place
from protocol.boards.links import Link
from protocol.boards.maps import (
    Boundary,
    CornerTile,
    Edge,
    Map,
    PlacedTile,
    Side,
    compose,
    read_drawing,
)

_WALL = frozenset("+-|") | DOOR_CHARACTERS
"""Signs of walls, and of the doors in them."""
_BORDER = frozenset(":.!~")
_TOWARD = {Side.NORTH: (-1, 0), Side.EAST: (0, 1), Side.SOUTH: (1, 0), Side.WEST: (0, -1)}


def tiles_of(story: Story) -> tuple[PlacedTile, ...]:
    """Return the tiles of a story as placed on the board."""
    return tuple(placed(tile, CornerTile) for tile in story.tiles)


def links_of(story: Story) -> tuple[Link, ...]:
    """Return the links of a story's board. K-DECIDE-86."""
    return tuple(Link(link.kind.value, link.spaces) for link in story.links)


def map_of(story: Story) -> Map:
    """Return the map of a story. K-DECIDE-19."""
    return compose(tiles_of(story))


def walled_sides(story: Story, room: str) -> tuple[Side, ...]:
    """
    Return the sides of a room of which walls take more than half. W-OUT-2.

    The drawings of the room's own tiles count, not what neighbours draw on the same line (W-OUT-3).
    A door is a part of its wall. Lines inside of the room belong to no side.
    """
    cells: set[tuple[int, int]] = set()
    signs: dict[tuple[int, int], str] = {}
    for tile in tiles_of(story):
        rooms = dict(tile.rooms)
        own = {
            (row + tile.row, column + tile.column)
            for letter, area in read_drawing(tile.drawing, has_corners=True).items()
            for row, column in area
            if rooms[letter] == room
        }
        if own:
            cells |= own
            for row, line in enumerate(tile.drawing, tile.row):
                signs.update(((row, column), one) for column, one in enumerate(line, tile.column))
    walled = []
    for side, (down, right) in _TOWARD.items():
        beside = [
            signs.get((row + down, column + right), "")
            for row, column in cells
            if (row + 2 * down, column + 2 * right) not in cells
        ]
        walls = sum(sign in _WALL for sign in beside)
        if walls > sum(sign in _BORDER for sign in beside):
            walled.append(side)
    return tuple(walled)


def is_limit(board: Map, edge: Edge) -> bool:
    """Return whether a line of a board is the limit between two rooms of a tile. W-LIMIT-2."""
    tiles = {edge.one.rpartition("/")[0], edge.other.rpartition("/")[0]}
    is_crossed = edge.line in (Boundary.BORDER, Boundary.IMPASSABLE)
    return is_crossed and len(tiles) == 1 and board.rooms[edge.one] != board.rooms[edge.other]


def banks(board: Map, space: str) -> tuple[str, ...]:
    """Return the spaces beside one across a barrier. W-WATER-3."""
    edges = board.edges_of(space)
    return tuple(edge.across(space) for edge in edges if edge.line is Boundary.IMPASSABLE)


def check_board(story: Story, places: Mapping[str, Place]) -> Iterator[ContentError]:
    """
    Yield mistakes: tiles that overlap, doors that share a name, and doors with several names.

    Nothing is checked while a drawing cannot be read.
    """
    if is_drawn(story.tiles, CornerTile):
        yield from overlaps(story.tiles, places, CornerTile)
        yield from doors_twice([story.tiles], story.tiles, map_of(story), places, CornerTile)
