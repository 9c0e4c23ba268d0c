"""
The atlas: the map of a story as a picture, with a legend.

The picture has every tile in its place and the letter of each space. The legend lists spaces with
their rooms, barriers, links, features, monsters, allies and locks. None of it depends on the
keeper's answers.
"""

from collections.abc import Iterator
from typing import Any

from content.games.first_edition.maps import is_limit, map_of
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import Story
from content.language.boards import sketched
from protocol.boards.maps import Boundary, CornerTile, Edge


def picture_of(story: Story) -> tuple[str, ...]:
    """Return the picture of the map as its lines."""
    return sketched(story.tiles, CornerTile)


def legend(pack: Pack, story: Story, language: str = "en") -> Iterator[str]:
    """Yield the lines below the map."""
    yield "Tiles and their spaces:"
    for tile in story.tiles:
        yield f"  {tile.id} (row {tile.row}, column {tile.column})"
        for letter, room in sorted(tile.rooms.items()):
            marks = "".join(f" ({mark})" for mark in _marks(story, f"{tile.id}/{letter}", room))
            yield f"    {tile.id}/{letter:<3} {_name(pack, room, language)}{marks}"
    board = map_of(story)
    barriers = [edge for edge in board.edges if edge.line is Boundary.IMPASSABLE]
    if barriers:
        yield "Barriers:"
        yield from map(_line, barriers)
    # In a house the walls and doors show where a room ends.
    if story.outdoor and (limits := [edge for edge in board.edges if is_limit(board, edge)]):
        yield "Room limits:"
        yield from map(_line, limits)
    if story.links:
        yield "Links:"
        for link in story.links:
            yield f"  {link.kind.value:<12} {' — '.join(link.spaces)}"
    if story.features:
        yield "Features:"
        for feature in story.features:
            yield f"  {feature.kind.value:<12} {feature.at}"
    if story.monsters:
        yield "Monsters:"
        for monster in story.monsters:
            yield f"  {monster.at:<12} {_name(pack, monster.kind, language)}"
    if placed := [one for one in story.allies if one.at is not None]:
        yield "Allies:"
        for ally in placed:
            yield f"  {ally.at:<12} {_name(pack, ally.ally, language)}"
    if story.locks:
        yield "Locks:"
        for room in _locked(story):
            yield f"  {_name(pack, room, language)}"
    yield f"Investigators start in {story.start}."


def _name(pack: Pack, subject: str, language: str) -> str:
    return pack.catalogs.get(language, {}).get(subject, {}).get("name", subject)


def _marks(story: Story, space: str, room: str) -> Iterator[str]:
    """Yield what a space is besides. W-OUT-5, W-WATER-1."""
    if any(one.id == room and one.outdoor for one in story.rooms):
        yield "outdoors"
    if space in story.submerged:
        yield "under water"


def _line(edge: Edge) -> str:
    return f"  {edge.one} — {edge.other}"


def _locked(story: Story) -> list[str]:
    return sorted({row.room for row in story.locks})


def as_json(pack: Pack, story: Story, language: str = "en") -> dict[str, Any]:
    """Return the picture and the legend as one JSON value."""
    board = map_of(story)
    outdoor = {room.id for room in story.rooms if room.outdoor}
    return {
        "scenario": story.id,
        "pictures": [list(picture_of(story))],
        "start": story.start,
        "spaces": {
            space: {
                "room": room,
                "name": _name(pack, room, language),
                "outdoor": room in outdoor,
                "submerged": space in story.submerged,
            }
            for space, room in board.rooms.items()
        },
        "edges": [
            {
                "one": edge.one,
                "other": edge.other,
                "line": edge.line.value,
                "barrier": edge.line is Boundary.IMPASSABLE,
                "limit": is_limit(board, edge),
                "door": edge.door,
            }
            for edge in board.edges
        ],
        "diagonals": [list(pair) for pair in board.diagonals],
        "links": [{"kind": link.kind.value, "spaces": list(link.spaces)} for link in story.links],
        "features": [{"kind": f.kind.value, "at": f.at} for f in story.features],
        "monsters": [{"kind": m.kind, "at": m.at} for m in story.monsters],
        "allies": [{"ally": one.ally, "at": one.at} for one in story.allies],
        "locked": _locked(story),
    }
