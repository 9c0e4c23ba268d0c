"""The map of a story, and the checks of all its tiles together."""

from collections.abc import Iterator, Mapping

from content.games.first_edition.schema.story import Story
from content.language.boards import doors_twice, is_drawn, overlaps, placed
from content.reading.mistakes import ContentError, Place
from protocol.boards.links import Link
from protocol.boards.maps import CornerTile, Map, PlacedTile, compose


def tiles_of(story: Story) -> tuple[PlacedTile, ...]:
    """Return the tiles of a story as placed on the board."""
    return tuple(placed(tile, CornerTile) for tile in story.tiles)


def links_of(story: Story) -> tuple[Link, ...]:
    """Return the links of a story's board. K-DECIDE-86."""
    return tuple(Link(link.kind.value, link.spaces) for link in story.links)


def map_of(story: Story) -> Map:
    """Return the map of a story. K-DECIDE-19."""
    return compose(tiles_of(story))


def check_board(story: Story, places: Mapping[str, Place]) -> Iterator[ContentError]:
    """
    Yield mistakes: tiles that overlap, doors that share a name, and doors with several names.

    Nothing is checked while a drawing cannot be read.
    """
    if is_drawn(story.tiles, CornerTile):
        yield from overlaps(story.tiles, places, CornerTile)
        yield from doors_twice([story.tiles], story.tiles, map_of(story), places, CornerTile)
