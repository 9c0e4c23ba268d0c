"""
Distance: spaces within range, and steps that lead nearer or farther.

Rules RANGE-1 to RANGE-7 and NEAREST-1 to NEAREST-4. All functions only read the table. `passing`
names the obstacles that do not stop a figure; it is empty for figures on foot (DECIDE-101).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from content.games.second_edition.schema.cards import Through
from protocol.boards import routes
from protocol.boards.maps import Boundary
from protocol.games.second_edition.table import SecondEditionTable, SpaceId
from server.games.second_edition.rules.adjacency import Passing, facts_of, steps, unique

T = TypeVar("T")
Table = SecondEditionTable

RANGE = 3
"""Maximum number of steps to a space within range. Rule RANGE-1."""


# Range ---------------------------------------------------------------------------------------


Seen = tuple[Boundary, ...]
"""Lines that range crosses because an effect allows it. Rules RANGE-2 and RANGE-3."""


def _sights(table: Table, space: SpaceId, seen: Seen) -> tuple[SpaceId, ...]:
    """
    Return the spaces to which range extends in one step from a space. Rule DECIDE-100.

    Range crosses borders, impassable borders and the lines in `seen`.
    """
    open_lines = (Boundary.BORDER, Boundary.IMPASSABLE, *seen)
    edges = table.map.edges_of(space)
    return unique(edge.across(space) for edge in edges if edge.line in open_lines)


def within_range(table: Table, space: SpaceId, seen: Seen = ()) -> tuple[SpaceId, ...]:
    """
    Return the spaces within range of a space, itself included, nearest first.

    Rules RANGE-1 to RANGE-6: at most three spaces away, not through walls, doors or Secret
    Passages, but across borders and impassable borders.

    Args:
        table: the table.
        space: the space from which range is counted.
        seen: boundaries that range crosses here, besides borders.
    """
    known = facts_of(table).within_range
    if (space, seen) not in known:
        known[space, seen] = routes.reach([space], lambda at: _sights(table, at, seen), RANGE)
    return tuple(known[space, seen])


def nearest_within_range(
    table: Table, origin: SpaceId, things: Mapping[T, SpaceId], seen: Seen = ()
) -> tuple[T, ...]:
    """
    Return the things within range that are closest to a space, in their given order.

    Rules NEAREST-1 and RANGE-4. Distance is measured like range: it crosses an impassable border
    like any border.
    """
    # This fills the cache that is read below.
    within_range(table, origin, seen)
    return routes.nearest(facts_of(table).within_range[origin, seen], things)


_SEEN = {Through.WALLS: Boundary.WALL, Through.DOORS: Boundary.DOOR}


def seen_through(through: Iterable[Through]) -> Seen:
    """Return the boundaries that range crosses, given the content's words for them."""
    return tuple(_SEEN[one] for one in through)


# Near and far --------------------------------------------------------------------------------


def distances(table: Table, origin: SpaceId, passing: Passing = ()) -> Mapping[SpaceId, int]:
    """Return the fewest legal steps from a space to every space that can be reached. DECIDE-101."""
    known = facts_of(table).distances
    if (origin, passing) not in known:
        known[origin, passing] = routes.reach([origin], lambda at: steps(table, at, passing))
    return known[origin, passing]


def distance(table: Table, origin: SpaceId, goal: SpaceId, passing: Passing = ()) -> int | None:
    """Return the fewest legal steps between two spaces; None if there is no route (DECIDE-104)."""
    return distances(table, origin, passing).get(goal)


def nearest(
    table: Table, origin: SpaceId, things: Mapping[T, SpaceId], passing: Passing = ()
) -> tuple[T, ...]:
    """
    Return the things closest to a space, in their given order; none if none can be reached.

    Rules NEAREST-1 and DECIDE-102: pieces in the space itself are at distance zero.
    """
    return routes.nearest(distances(table, origin, passing), things)


def farthest(
    table: Table, origin: SpaceId, things: Mapping[T, SpaceId], passing: Passing = ()
) -> tuple[T, ...]:
    """
    Return the reachable things that are farthest from a space.

    Rules NEAREST-2 and DECIDE-104.
    """
    return routes.farthest(distances(table, origin, passing), things)


def steps_toward(
    table: Table, space: SpaceId, goal: SpaceId, passing: Passing = ()
) -> tuple[SpaceId, ...]:
    """Return the spaces one step away that are nearer to a goal. Rule NEAREST-3."""
    return _steps_by(table, space, (goal,), passing, lambda there, here: there < here)


def steps_away(
    table: Table, space: SpaceId, source: SpaceId, passing: Passing = ()
) -> tuple[SpaceId, ...]:
    """Return the spaces one step away that are farther from a source. Rule NEAREST-4."""
    return steps_away_from_all(table, space, (source,), passing)


def steps_away_from_all(
    table: Table, space: SpaceId, sources: Sequence[SpaceId], passing: Passing = ()
) -> tuple[SpaceId, ...]:
    """Return the spaces one step away that are farther from the nearest of several. NEAREST-4."""
    return _steps_by(table, space, sources, passing, lambda there, here: there > here)


def _steps_by(
    table: Table,
    space: SpaceId,
    goals: Sequence[SpaceId],
    passing: Passing,
    fits: Callable[[int, int], bool],
) -> tuple[SpaceId, ...]:
    def far_from(at: SpaceId) -> int | None:
        away = (distance(table, at, goal, passing) for goal in goals)
        return min((steps for steps in away if steps is not None), default=None)

    here = far_from(space)
    # Without a way to the goal, no step is nearer to it or farther from it.
    if here is None:
        return ()
    far = {at: far_from(at) for at in steps(table, space, passing)}
    return tuple(at for at, there in far.items() if there is not None and fits(there, here))
