"""
Naming: how pieces of the table are named in texts.

Ids of content are subjects with a `name`, so most pieces name themselves; a monster with an ID
token also shows its number, and a space of a room with several says which of them it is.
"""

from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.second_edition.table import (
    InvestigatorId,
    MonsterId,
    PossessionId,
    SecondEditionTable,
    SpaceId,
    TokenId,
)


def monster(table: SecondEditionTable, monster_id: MonsterId) -> str | Text:
    """Name a monster, with the number of its ID token if it has one. Rule MONSTER-7."""
    piece = table.monsters[monster_id]
    if not piece.number:
        return piece.kind
    return Text("name/numbered", (piece.kind, piece.number))


def space(table: SecondEditionTable, space_id: SpaceId) -> str | Text:
    """Name a space by its room (ROOM-2), and by its number where the room has several."""
    board = table.map
    room = board.rooms[space_id]
    siblings = board.spaces_of(room)
    if len(siblings) == 1:
        return room
    return Text("name/part", (room, siblings.index(space_id) + 1))


def at_space(space_id: SpaceId) -> Point:
    """Point at a space."""
    return Point("space", space_id)


def at_investigator(investigator: InvestigatorId) -> Point:
    """Point at an investigator."""
    return Point("investigator", investigator)


def at_monster(monster_id: MonsterId) -> Point:
    """Point at a monster."""
    return Point("monster", monster_id)


def at_token(token: TokenId) -> Point:
    """Point at a token."""
    return Point("token", token)


def at_possession(possession: PossessionId) -> Point:
    """Point at a possession."""
    return Point("possession", possession)
