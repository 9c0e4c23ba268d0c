"""
Distance: what is adjacent, what is within range, and which way is nearer or farther.

Rules ADJACENT-1 to ADJACENT-4, RANGE-1 to RANGE-7, NEAREST-1 to NEAREST-4, MOVE-5 to MOVE-9. Pure
questions to the table; nothing here happens.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from protocol.common.maps import Door, Edge, Line, Map
from protocol.second_edition.table import (
    DoorId,
    SecondEditionTable,
    SpaceId,
    TokenKind,
)

T = TypeVar("T")
Table = SecondEditionTable

RANGE = 3
"""How many spaces away is still within range. Rule RANGE-1."""


# Adjacent ------------------------------------------------------------------------------------


def adjacent(board: Map, space: SpaceId) -> tuple[SpaceId, ...]:
    """Return the spaces that share any kind of line with this one. Rule ADJACENT-1."""
    return _unique(edge.across(space) for edge in board.edges_of(space))


def adjacent_rooms(board: Map, room: str) -> tuple[str, ...]:
    """Return the rooms that share any kind of line with this one. Rule ADJACENT-2."""
    across = (board.rooms[s] for space in board.spaces_of(room) for s in adjacent(board, space))
    return _unique(other for other in across if other != room)


def reached(board: Map, space: SpaceId) -> tuple[SpaceId, ...]:
    """Return the adjacent spaces that an effect on adjacent spaces can reach. Rule WALL-2."""
    edges = board.edges_of(space)
    return _unique(edge.across(space) for edge in edges if edge.line is not Line.WALL)


def doors_of(board: Map, space: SpaceId) -> tuple[Door, ...]:
    """Return the doors that lie on an edge of this space. Rule ADJACENT-3."""
    seen = {door.door: door for door in board.doors.values() if space in door.sides}
    return tuple(seen.values())


def door_at(board: Map, door: DoorId) -> Door | None:
    """Return a door by any of its names; None where it is not on the board."""
    return board.doors.get(door)


# One step ------------------------------------------------------------------------------------


def is_unexplored(table: Table, door: DoorId) -> bool:
    """Return whether an Explore token lies on a door. Rules MOVE-9 and DOOR-2."""
    board = table.map
    return any(
        token.kind is TokenKind.EXPLORE
        and token.at in board.doors
        and board.doors[token.at].door == board.doors[door].door
        for token in table.tokens.values()
    )


def can_pass(table: Table, edge: Edge) -> bool:
    """
    Return whether figures can move across a line.

    Rules MOVE-5 to MOVE-9: borders and doors can be crossed, walls and impassable borders
    cannot, and a door with an Explore token on it cannot either.
    """
    if edge.line is Line.BORDER:
        return True
    return edge.line is Line.DOOR and edge.door is not None and not is_unexplored(table, edge.door)


def steps(table: Table, space: SpaceId) -> tuple[SpaceId, ...]:
    """Return the spaces that a figure can move to from here in one step. Rule MOVE-2."""
    edges = table.map.edges_of(space)
    return _unique(edge.across(space) for edge in edges if can_pass(table, edge))


# Range ---------------------------------------------------------------------------------------


def _sights(table: Table, space: SpaceId) -> tuple[SpaceId, ...]:
    """Return where range goes on to: across borders, also impassable ones. DECIDE-100."""
    open_lines = (Line.BORDER, Line.IMPASSABLE)
    edges = table.map.edges_of(space)
    return _unique(edge.across(space) for edge in edges if edge.line in open_lines)


def within_range(table: Table, space: SpaceId) -> tuple[SpaceId, ...]:
    """
    Return the spaces within range of this one, itself included, nearest first.

    Rules RANGE-1 to RANGE-6: at most three spaces away, not through walls, doors or Secret
    Passages, but across borders and impassable borders.
    """
    counted = _flood(space, lambda at: _sights(table, at))
    return tuple(at for at, steps_away in counted.items() if steps_away <= RANGE)


# Near and far --------------------------------------------------------------------------------


def distances(table: Table, origin: SpaceId) -> Mapping[SpaceId, int]:
    """Return the fewest legal steps from a space to every space that can be reached. DECIDE-101."""
    return _flood(origin, lambda at: steps(table, at))


def distance(table: Table, origin: SpaceId, goal: SpaceId) -> int | None:
    """Return the fewest legal steps; None where there is no way (DECIDE-104)."""
    return distances(table, origin).get(goal)


def nearest(table: Table, origin: SpaceId, things: Mapping[T, SpaceId]) -> tuple[T, ...]:
    """
    Return those things that are closest to a space, in the order they came.

    Rules NEAREST-1 and DECIDE-102: what lies in the space itself is at distance zero.
    """
    return _extreme(table, origin, things, min)


def farthest(table: Table, origin: SpaceId, things: Mapping[T, SpaceId]) -> tuple[T, ...]:
    """Return those things that are farthest from a space. Rules NEAREST-2 and DECIDE-104."""
    return _extreme(table, origin, things, max)


def _extreme(
    table: Table,
    origin: SpaceId,
    things: Mapping[T, SpaceId],
    best: Callable[[Iterable[int]], int],
) -> tuple[T, ...]:
    away = distances(table, origin)
    reachable = {thing: away[at] for thing, at in things.items() if at in away}
    if not reachable:
        return ()
    found = best(reachable.values())
    return tuple(thing for thing, steps_away in reachable.items() if steps_away == found)


def steps_toward(table: Table, space: SpaceId, goal: SpaceId) -> tuple[SpaceId, ...]:
    """Return the steps that bring a figure nearer to a space. Rule NEAREST-3."""
    here = distance(table, space, goal)
    if here is None:
        return ()
    return tuple(at for at in steps(table, space) if _is(table, at, goal, lambda d: d < here))


def steps_away(table: Table, space: SpaceId, source: SpaceId) -> tuple[SpaceId, ...]:
    """Return the steps that bring a figure farther from a space. Rule NEAREST-4."""
    here = distance(table, space, source)
    if here is None:
        return ()
    return tuple(at for at in steps(table, space) if _is(table, at, source, lambda d: d > here))


def _is(table: Table, at: SpaceId, goal: SpaceId, fits: Callable[[int], bool]) -> bool:
    found = distance(table, at, goal)
    return found is not None and fits(found)


def _flood(origin: SpaceId, onward: Callable[[SpaceId], Sequence[SpaceId]]) -> dict[SpaceId, int]:
    """Return spaces in the order of their distance from the origin, which counts zero."""
    found = {origin: 0}
    todo = [origin]
    while todo:
        space = todo.pop(0)
        for other in onward(space):
            if other not in found:
                found[other] = found[space] + 1
                todo.append(other)
    return found


def _unique(things: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(things))
