"""Adjacency: where figures can move, and how far and how clear it is between spaces."""

from collections.abc import Collection, Mapping

from protocol.boards.links import linked
from protocol.boards.maps import Boundary, CornerTile, Map, drawn
from protocol.boards.routes import reach
from protocol.boards.sight import sight_table
from protocol.games.first_edition.table import FeatureId, FirstEditionTable, SpaceId
from protocol.games.first_edition.words import UNDER, FeatureKind
from protocol.memo import memo

RANGE_LINES = (Boundary.BORDER, Boundary.IMPASSABLE)
"""Lines across which range is counted, besides diagonals: barriers, too. K-DECIDE-53."""
OPAQUE = "+-|=0123456789"
"""Signs of walls and doors in drawings. K-COMBAT-9."""


def beside(table: FirstEditionTable, space: SpaceId, links: Collection[str]) -> tuple[SpaceId, ...]:
    """
    Return the spaces one step away, barricaded doors included. K-MAP-3 to K-MAP-6, K-DECIDE-19.

    Ladders and ducts join spaces for those figures only that can use them: K-LADDER-1, K-LADDER-2,
    K-DUCT-1, K-DUCT-2. A barrier stops all figures but those that pass under a bridge: W-BARRIER-2,
    W-BARRIER-3, W-FLY-3.

    Args:
        table: the table.
        space: where the figure stands.
        links: kinds of link that the figure can use. K-DECIDE-86.
    """
    edges = table.map.edges_of(space)
    ways = (*_open_lines(links), Boundary.DOOR)
    found = [edge.across(space) for edge in edges if edge.line in ways]
    found += table.map.diagonals_of(space)
    found += linked(table.links, space, links)
    return tuple(dict.fromkeys(found))


def _open_lines(links: Collection[str]) -> tuple[Boundary, ...]:
    """Return the lines that stop nobody; whatever flies or floats crosses barriers. W-FLY-3."""
    return (Boundary.BORDER, Boundary.IMPASSABLE) if UNDER in links else (Boundary.BORDER,)


def across_barriers(table: FirstEditionTable, space: SpaceId) -> tuple[SpaceId, ...]:
    """Return the spaces beside one across a barrier. W-BARRIER-1, W-WATER-3, W-DECIDE-14."""
    edges = table.map.edges_of(space)
    found = [edge.across(space) for edge in edges if edge.line is Boundary.IMPASSABLE]
    return tuple(dict.fromkeys(found))


def barricade_between(
    table: FirstEditionTable, one: SpaceId, other: SpaceId, links: Collection[str]
) -> FeatureId | None:
    """
    Return the barricade that blocks the only way between two spaces; None if none does. K-BARR-3.

    It stands before their door. A link that the figure can use, or a line without a door, leads
    past it.
    """
    doors = [edge for edge in table.map.edges_of(one) if edge.across(one) == other]
    is_open = any(edge.line in _open_lines(links) for edge in doors)
    if is_open or other in table.map.diagonals_of(one) or other in linked(table.links, one, links):
        return None
    for feature in table.features.values():
        is_barricade = feature.kind is FeatureKind.BARRICADE
        if is_barricade and {feature.at, feature.against} == {one, other}:
            return feature.feature_id
    return None


def steps(table: FirstEditionTable, space: SpaceId, links: Collection[str]) -> tuple[SpaceId, ...]:
    """Return the spaces one step away to which no barricade blocks the way."""
    near = beside(table, space, links)
    return tuple(other for other in near if barricade_between(table, space, other, links) is None)


def distance(table: FirstEditionTable, one: SpaceId, other: SpaceId) -> int | None:
    """Return the range between two spaces; None if no open way joins them. K-DECIDE-53."""

    def onward(space: SpaceId) -> tuple[SpaceId, ...]:
        edges = table.map.edges_of(space)
        lines = [edge.across(space) for edge in edges if edge.line in RANGE_LINES]
        return (*lines, *table.map.diagonals_of(space))

    return reach([one], onward).get(other)


@memo(most=64)
def _sight(tiles: tuple[CornerTile, ...], board: Map) -> Mapping[SpaceId, tuple[SpaceId, ...]]:
    """Return the spaces that can be seen from each space, worked out once. K-DECIDE-54."""
    opaque = frozenset(cell for cell, sign in drawn(tiles).items() if sign in OPAQUE)
    return sight_table(board, opaque)


def sees(table: FirstEditionTable, one: SpaceId, other: SpaceId) -> bool:
    """
    Return whether no wall and no door is between two spaces. K-COMBAT-8, K-COMBAT-9.

    The line joins the centres of the spaces; figures do not block it (K-DECIDE-54).
    """
    return one == other or other in _sight(table.tiles, table.map)[one]
