"""The board as bots see it: ways and distances, and who and what is where."""

import heapq
from collections.abc import Collection, Mapping
from typing import Any

import attrs

from protocol.boards.links import Link, linked
from protocol.boards.maps import Boundary, Map
from protocol.games.first_edition.table import (
    Character,
    Feature,
    FirstEditionTable,
    Monster,
    RoomId,
    SpaceId,
)
from protocol.games.first_edition.words import INVESTIGATOR_LINKS, UNDER, FeatureKind
from protocol.memo import memo

PIT = 3
"""Steps more that a step into a pit counts: it ends the movement of the turn, and does harm."""


@attrs.define
class Board:
    """Distances on the board, each searched once until what lies on the board changes."""

    game: FirstEditionTable
    shut: frozenset[RoomId] = frozenset()
    """Rooms that nobody can enter for now."""
    _blocked: Collection[frozenset[SpaceId]] = attrs.field(init=False)
    """Pairs of spaces between which a barricade stands."""
    _pits: Collection[SpaceId] = attrs.field(init=False)
    _boat: SpaceId = attrs.field(init=False)
    """Space of the boat; empty without one."""
    _known: dict[tuple[Any, ...], Any] = attrs.field(init=False)
    """Distances and neighbours, by all that they depend on beside the board."""

    def __attrs_post_init__(self) -> None:
        game = self.game
        self._known = _known_of(game.map, game.features, game.links, game.submerged)
        marks = self.game.features.values()
        self._blocked = {
            frozenset((one.at, one.against))
            for one in marks
            if one.kind is FeatureKind.BARRICADE and one.against is not None
        }
        self._pits = {one.at for one in marks if one.kind is FeatureKind.PIT}
        self._boat = next((one.at for one in marks if one.kind is FeatureKind.BOAT), "")

    def ways(
        self,
        space: SpaceId,
        links: tuple[str, ...] = INVESTIGATOR_LINKS,
        rowing: int = 0,
        boat: SpaceId = "",
    ) -> Mapping[SpaceId, int]:
        """
        Return the steps from a space to each space that can be reached.

        A pit on the way counts as more than one. Nobody goes through two spaces under water, in one
        of which the turn would end.

        Args:
            space: where somebody stands.
            links: kinds of link that can be used.
            rowing: steps that a way across a barrier counts, by boat; 0 for nobody who can row.
            boat: where the boat is then; empty for where it is now.
        """
        key = space, links, rowing, boat or self._boat
        found: Mapping[SpaceId, int] | None = self._known.get((*key, self.shut))
        if found is None:
            found = self._known[*key, self.shut] = self._search(*key)
        return found

    def _search(
        self, space: SpaceId, links: tuple[str, ...], rowing: int, boat: SpaceId
    ) -> Mapping[SpaceId, int]:
        away: dict[SpaceId, int] = {}
        # Rowing moves the boat, which changes the ways that are open.
        seen: set[tuple[SpaceId, SpaceId]] = set()
        todo = [(0, space, boat)]
        while todo:
            steps, at, boat = heapq.heappop(todo)
            if (at, boat) in seen:
                continue
            seen.add((at, boat))
            away.setdefault(at, steps)
            onward = [(1, one, boat) for one in self._onward(at, links, boat)]
            if rowing and at == boat:
                onward += [(rowing, one, one) for one in self._across(at)]
            for count, one, brought in onward:
                is_pit = one in self._pits and UNDER not in links
                heapq.heappush(todo, (steps + count + PIT * is_pit, one, brought))
        return away

    def steps(self, one: SpaceId, other: SpaceId) -> int | None:
        """Return the steps of an investigator between two spaces; None if there is no way."""
        return self.ways(one).get(other)

    def monster_steps(self, monster: Monster, one: SpaceId, other: SpaceId | RoomId) -> int:
        """Return the steps of a monster to a space or a room; 99 if there is no way."""
        ways = self.ways(one, monster.links)
        spaces = [other] if other in self.game.map.rooms else self.game.map.spaces_of(other)
        return min((ways[at] for at in spaces if at in ways), default=99)

    def steps_to_room(self, space: SpaceId, room: RoomId, rowing: int = 0) -> int | None:
        """Return the steps from a space to the nearest space of a room."""
        ways = self.ways(space, rowing=rowing)
        there = [ways[at] for at in self.game.map.spaces_of(room) if at in ways]
        return min(there, default=None)

    def is_pit(self, space: SpaceId) -> bool:
        return space in self._pits

    def is_deep(self, space: SpaceId, boat: SpaceId = "") -> bool:
        """Return whether a turn that ends in a space, with the boat there, ends in the water."""
        return space in self.game.submerged and space != (boat or self._boat)

    def _onward(self, at: SpaceId, links: tuple[str, ...], boat: SpaceId) -> list[SpaceId]:
        key = at, links, boat, self.shut
        if key not in self._known:
            self._known[key] = self._neighbours(at, links, boat)
        found: list[SpaceId] = self._known[key]
        return found

    def _neighbours(self, at: SpaceId, links: tuple[str, ...], boat: SpaceId) -> list[SpaceId]:
        board = self.game.map
        found = [
            edge.across(at)
            for edge in board.edges_of(at)
            if edge.line is Boundary.BORDER
            # What passes under a bridge crosses barriers, too. W-FLY-3.
            or (edge.line is Boundary.IMPASSABLE and UNDER in links)
            or (
                edge.line is Boundary.DOOR and frozenset((at, edge.across(at))) not in self._blocked
            )
        ]
        found += board.diagonals_of(at)
        found += linked(self.game.links, at, links)
        deep = () if UNDER in links else {*self.game.submerged} - {boat}
        # Somebody inside a room that is locked can walk about in it.
        here = board.rooms[at]
        return [
            one
            for one in found
            if (board.rooms[one] not in self.shut or board.rooms[one] == here)
            and not (at in deep and one in deep)
        ]

    def _across(self, at: SpaceId) -> list[SpaceId]:
        """Return the spaces to which a boat goes: across barriers, and under a bridge."""
        edges = self.game.map.edges_of(at)
        found = [edge.across(at) for edge in edges if edge.line is Boundary.IMPASSABLE]
        found += linked(self.game.links, at, (UNDER,))
        return [one for one in found if self.game.map.rooms[one] not in self.shut]


@memo()
def _known_of(
    _map: Map,
    _features: Mapping[Any, Feature],
    _links: tuple[Link, ...],
    _submerged: tuple[SpaceId, ...],
) -> dict[tuple[Any, ...], Any]:
    """Return what is known of one state of the board; it begins empty."""
    return {}


def weakness(who: Character) -> float:
    """Return how near somebody is to death or madness, from 0 to 2."""
    hurt = who.damage / max(1, who.health)
    return hurt + who.horror / max(1, who.sanity)
