"""
Naming: how texts refer to pieces on the table.

The id of most pieces is also the catalog subject of their name. A monster's name has the number of
its ID token, and a space's name has its number if its room has several spaces.
"""

from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.second_edition.table import (
    DoorId,
    FeatureId,
    InvestigatorId,
    MonsterId,
    PossessionId,
    SecondEditionTable,
    SpaceId,
    TokenId,
)
from server.games.second_edition.rules.adjacency import WayOut


def monster(table: SecondEditionTable, monster_id: MonsterId) -> str | Text:
    """Name a monster, with the number of its ID token if it has one. Rule MONSTER-7."""
    piece = table.monsters[monster_id]
    if not piece.number:
        return piece.kind
    return Text("name/numbered", (piece.kind, piece.number))


def space(table: SecondEditionTable, space_id: SpaceId) -> str | Text:
    """Name a space by its room (ROOM-2), and by its number if the room has several spaces."""
    board = table.map
    room = board.rooms[space_id]
    siblings = board.spaces_of(room)
    if len(siblings) == 1:
        return room
    return Text("name/part", (room, siblings.index(space_id) + 1))


def door(table: SecondEditionTable, space_id: SpaceId, door_id: DoorId) -> Text:
    """
    Name a door seen from a space: its side, and the room behind it if already revealed.

    Rule COMPASS-1: north is up on the map (DECIDE-108).
    """
    found = table.map.doors[door_id]
    side = table.map.side(space_id, found.cells)
    assert side is not None, "a door is named from a space that it belongs to"
    subject = f"compass/{side.value}"
    beyond = [other for other in found.sides if other != space_id]
    if not beyond:
        return Text("name/door_unknown", (subject,))
    return Text("name/door", (subject, space(table, beyond[0])))


def blocked(table: SecondEditionTable, space_id: SpaceId, against: str) -> Text:
    """Name the door or Secret Passage that a Barricade blocks, as seen from a space."""
    if against in table.map.doors:
        return door(table, space_id, against)
    return Text("name/passage")


def way(table: SecondEditionTable, space_id: SpaceId, taken: WayOut) -> Text:
    """Name a way out of a space that can be blocked: a door or a Secret Passage."""
    if taken.edge is not None and taken.edge.door is not None:
        return door(table, space_id, taken.edge.door)
    return Text("name/passage_to", (space(table, taken.to),))


def at_feature(feature: FeatureId) -> Point:
    return Point("feature", feature)


def at_door(door_id: DoorId) -> Point:
    return Point("door", door_id)


def at_space(space_id: SpaceId) -> Point:
    return Point("space", space_id)


def at_investigator(investigator: InvestigatorId) -> Point:
    return Point("investigator", investigator)


def at_monster(monster_id: MonsterId) -> Point:
    return Point("monster", monster_id)


def at_token(token: TokenId) -> Point:
    return Point("token", token)


def at_possession(possession: PossessionId) -> Point:
    return Point("possession", possession)
