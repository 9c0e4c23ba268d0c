"""
Adjacency: neighbouring spaces, and the obstacles between them.

Rules ADJACENT-1 to ADJACENT-4, MOVE-5 to MOVE-9, WALL-2, DOOR-2, PASSAGE-1 to PASSAGE-3,
BARRICADE-1, BARRICADE-5, DECIDE-11, DECIDE-92, DECIDE-94. All functions only read the table. Routes
of several steps are in `distance`.
"""

import enum
from collections.abc import Iterable, Mapping
from typing import TypeVar

import attrs

from protocol.boards.maps import Boundary, Door, Edge, Map
from protocol.games.second_edition.table import (
    DoorId,
    Feature,
    FeatureId,
    FeatureKind,
    SecondEditionTable,
    SpaceId,
    TokenKind,
)
from protocol.memo import memo
from protocol.values import frozen

T = TypeVar("T")
Table = SecondEditionTable


class Obstacle(enum.Enum):
    """Obstacles on the way from a space to an adjacent one."""

    WALL = "wall"
    """A wall stops the figure. Rule MOVE-6."""
    IMPASSABLE = "impassable"
    """An impassable border stops the figure. Rule MOVE-7."""
    UNEXPLORED = "unexplored"
    """A door with an Explore token on it. Rule MOVE-9."""
    BARRICADE = "barricade"
    """A Barricade stops the figure. Rules MOVE-8 and BARRICADE-5."""


Passing = tuple[Obstacle, ...]
"""Obstacles that a figure ignores by its abilities or cards; usually none."""


@frozen
class WayOut:
    """A way out of a space, open or blocked: across a line, or through the Secret Passages."""

    to: SpaceId
    edge: Edge | None = None
    """The boundary that the way crosses; None for Secret Passages."""


# Known facts ---------------------------------------------------------------------------------


@attrs.define(eq=False)
class Facts:
    """
    Cache of values that adjacency and distance compute from a board.

    The results depend on tiles, coverings, tokens and features alone. A table replaces each of
    these objects when it changes, so the four identities are the key of a cache. Its values are
    computed on demand.
    """

    ways: dict[SpaceId, tuple[tuple[WayOut, Obstacle | None], ...]] = attrs.field(factory=dict)
    open_ways: dict[tuple[SpaceId, Passing], tuple[WayOut, ...]] = attrs.field(factory=dict)
    steps: dict[tuple[SpaceId, Passing], tuple[SpaceId, ...]] = attrs.field(factory=dict)
    distances: dict[tuple[SpaceId, Passing], Mapping[SpaceId, int]] = attrs.field(factory=dict)
    within_range: dict[tuple[SpaceId, tuple[Boundary, ...]], Mapping[SpaceId, int]] = attrs.field(
        factory=dict
    )


def facts_of(table: SecondEditionTable) -> Facts:
    """Return the cache for the present state of a table's board."""
    return _facts_of(table.tiles, table.coverings, table.tokens, table.features)


@memo()
def _facts_of(_tiles: object, _coverings: object, _tokens: object, _features: object) -> Facts:
    return Facts()


# Adjacent ------------------------------------------------------------------------------------


def ways(table: Table, space: SpaceId) -> tuple[WayOut, ...]:
    """
    Return every way to an adjacent space, blocked or not.

    Rules ADJACENT-1 and PASSAGE-1: a way crosses each shared line, and leads from a Secret Passage
    to every other Secret Passage.
    """
    known = _lines_of(table.map)
    if space not in known:
        edges = table.map.edges_of(space)
        known[space] = tuple([WayOut(edge.across(space), edge) for edge in edges])
    return known[space] + tuple(WayOut(other) for other in passages_from(table, space))


@memo()
def _lines_of(_map: object) -> dict[SpaceId, tuple[WayOut, ...]]:
    """Return the cache of the ways across lines, by space of a map."""
    # Lines depend on the tiles alone, so that tokens and features need not be part of the key.
    return {}


def passages_from(table: Table, space: SpaceId) -> tuple[SpaceId, ...]:
    """Return the spaces to which the Secret Passage of a space leads. Rule PASSAGE-1."""
    if not table.has_feature(FeatureKind.SECRET_PASSAGE, space):
        return ()
    others = table.spaces_with(FeatureKind.SECRET_PASSAGE)
    return tuple(other for other in others if other != space)


def reached(table: Table, space: SpaceId) -> tuple[SpaceId, ...]:
    """
    Return the adjacent spaces that an effect can spread to: all but those behind a wall.

    Rules WALL-2, FIRE-10, DECIDE-76 and DECIDE-106.
    """
    found = ways(table, space)
    return unique(way.to for way in found if way.edge is None or way.edge.line is not Boundary.WALL)


# Doors ---------------------------------------------------------------------------------------


def doors_of(board: Map, space: SpaceId) -> tuple[Door, ...]:
    """Return the doors that lie on an edge of this space. Rule ADJACENT-3."""
    seen = {door.door: door for door in board.doors.values() if space in door.sides}
    return tuple(seen.values())


def door_at(board: Map, door: DoorId) -> Door | None:
    return board.doors.get(door)


def is_unexplored(table: Table, door: DoorId) -> bool:
    """Return True if an Explore token lies on a door. Rules MOVE-9 and DOOR-2."""
    board = table.map
    return any(
        token.kind is TokenKind.EXPLORE
        and token.at in board.doors
        and board.doors[token.at].door == board.doors[door].door
        for token in table.tokens.values()
    )


# Barricades ----------------------------------------------------------------------------------


def blocked_door(table: Table, barricade: Feature) -> Door | None:
    """Return the door that a Barricade blocks; None if it blocks none. Rule BARRICADE-1."""
    return table.map.doors.get(barricade.against or "")


def passage_in(table: Table, space: SpaceId) -> FeatureId | None:
    passages = (f for f in table.features.values() if f.kind is FeatureKind.SECRET_PASSAGE)
    return next((f.feature_id for f in passages if f.space == space), None)


def blockable(table: Table, space: SpaceId) -> tuple[str, ...]:
    """
    Return the doors and the Secret Passage that a Barricade in a space can block.

    Rules BARRICADE-1, DECIDE-11 and DECIDE-97. A door whose id is that of a space is left out: the
    room behind the door is not revealed yet, and the id of the door will change.
    """
    doors = (d.door for d in doors_of(table.map, space) if d.door not in table.map.rooms)
    passage = passage_in(table, space)
    return (*doors, *(() if passage is None else (passage,)))


def blocks_passage(table: Table, barricade: Feature) -> bool:
    """Return True if a Barricade blocks the Secret Passage of its space. DECIDE-11."""
    return barricade.against in table.features


def blockers(table: Table, space: SpaceId, way: WayOut) -> tuple[Feature, ...]:
    """
    Return the Barricades that block a way out of a space.

    Rules BARRICADE-1 and BARRICADE-5. A Barricade on either side blocks a door; both must go
    (DECIDE-92). A Barricade against a Secret Passage cuts that passage off from all others
    (DECIDE-94).
    """
    barricades = [f for f in table.features.values() if f.kind is FeatureKind.BARRICADE]
    if way.edge is None:
        ends = (space, way.to)
        return tuple(b for b in barricades if b.space in ends and blocks_passage(table, b))
    if way.edge.door is None:
        return ()
    name = table.map.doors[way.edge.door].door
    doors = [(b, blocked_door(table, b)) for b in barricades]
    return tuple(b for b, door in doors if door is not None and door.door == name)


# One step ------------------------------------------------------------------------------------


def obstacle(table: Table, space: SpaceId, way: WayOut) -> Obstacle | None:
    """
    Return the obstacle that stops a figure on a way out of a space; None if the way is open.

    Rules MOVE-5 to MOVE-9, BORDER-1, BORDER-2 and PASSAGE-2: borders, doors and Secret Passages can
    be passed.
    """
    edge = way.edge
    if edge is not None and edge.line is Boundary.WALL:
        return Obstacle.WALL
    if edge is not None and edge.line is Boundary.IMPASSABLE:
        return Obstacle.IMPASSABLE
    if edge is not None and edge.door is not None and is_unexplored(table, edge.door):
        return Obstacle.UNEXPLORED
    return Obstacle.BARRICADE if blockers(table, space, way) else None


def ways_and_obstacles(table: Table, space: SpaceId) -> tuple[tuple[WayOut, Obstacle | None], ...]:
    """Return every way to an adjacent space, with the obstacle on it; None for an open way."""
    known = facts_of(table).ways
    if space not in known:
        known[space] = tuple((way, obstacle(table, space, way)) for way in ways(table, space))
    return known[space]


def open_ways(table: Table, space: SpaceId, passing: Passing = ()) -> tuple[WayOut, ...]:
    """
    Return the ways that a figure can go, given the obstacles that it passes. GOLDEN-3, MOVE-9.

    A Barricade may also block a door with an Explore token; then the figure must pass both
    obstacles.
    """
    known = facts_of(table).open_ways
    if (space, passing) not in known:
        free = (None, *passing)
        found = ways_and_obstacles(table, space)
        known[space, passing] = tuple(
            way
            for way, stops in found
            if stops in free
            and (
                stops is not Obstacle.UNEXPLORED
                # A door with an Explore token may have a Barricade as well.
                or (Obstacle.BARRICADE if blockers(table, space, way) else None) in free
            )
        )
    return known[space, passing]


def steps(table: Table, space: SpaceId, passing: Passing = ()) -> tuple[SpaceId, ...]:
    """
    Return the spaces that a figure in a space can move to in one step.

    Rules MOVE-2, PASSAGE-3.
    """
    known = facts_of(table).steps
    if (space, passing) not in known:
        known[space, passing] = unique(way.to for way in open_ways(table, space, passing))
    return known[space, passing]


def unique(things: Iterable[T]) -> tuple[T, ...]:
    """Return things without repeats, in order of first appearance."""
    return tuple(dict.fromkeys(things))
