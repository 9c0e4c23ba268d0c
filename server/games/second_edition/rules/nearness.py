"""
Nearness: who and what is within some spaces of something, or adjacent to it.

Rules ADJACENT-1 to ADJACENT-4, NEAREST-1, DECIDE-101 and DECIDE-104. Positions are public, so the
answers are, too.
"""

from protocol.games.second_edition.table import InvestigatorId, MonsterId, SpaceId
from server.games.second_edition.rules import adjacency, distance, figures
from server.games.second_edition.rules.play import Play


def within(
    play: Play,
    space: SpaceId | None,
    spaces: int,
    of: str,
    investigator: InvestigatorId | None = None,
    monster: MonsterId | None = None,
) -> bool:
    """
    Return True if a space is at most `spaces` spaces away from something.

    Rule NEAREST-1. Spaces are counted by the ways open to figures on foot (DECIDE-101). Something
    off the board is near to nothing.

    Args:
        play: the game.
        space: the space, if any.
        spaces: the most spaces.
        of: the thing from which spaces are counted, as `origins` reads it.
        investigator: the investigator concerned.
        monster: the monster concerned.
    """
    if space is None:
        return False
    far = [
        distance.distance(play.table, origin, space)
        for origin in origins(play, of, investigator, monster)
    ]
    return any(steps is not None and steps <= spaces for steps in far)


def adjacent(
    play: Play,
    space: SpaceId | None,
    of: str,
    investigator: InvestigatorId | None = None,
    monster: MonsterId | None = None,
) -> bool:
    """
    Return True if a space is adjacent to something. Rules ADJACENT-1 and ADJACENT-4.

    A room is adjacent to the spaces that share a line with one of its own (ADJACENT-2), a door to
    those beside it (ADJACENT-3). Walls and other obstacles do not matter. See `within` for the
    arguments.
    """
    table = play.table
    found = origins(play, of, investigator, monster)
    token = table.tokens.get(of)
    if table.map.doors.get(of if token is None else token.at) is not None:
        return space in found
    if space is None or space in found:
        return False
    return any(way.to == space for origin in found for way in adjacency.ways(table, origin))


def origins(
    play: Play, of: str, investigator: InvestigatorId | None, monster: MonsterId | None
) -> tuple[SpaceId, ...]:
    """
    Return the spaces of something on the board; several for a room and for a door.

    It may be a space, room, door, token, investigator, a named monster, `actor` or `monster`.
    """
    table = play.table
    board = table.map
    if (token := table.tokens.get(of)) is not None:
        of = token.at
    if of in board.rooms:
        return (of,)
    if (door := board.doors.get(of)) is not None:
        return tuple(door.sides)
    who = table.investigators.get((investigator or "") if of == "actor" else of)
    if who is not None:
        return () if who.space is None else (who.space,)
    name = monster if of == "monster" else None
    if of in play.content.scenario.monsters:
        name = figures.find(play, of)
    if (named := table.monsters.get(name or "")) is not None:
        return (named.space,)
    return board.spaces_of(of)
