"""The board as bots see it: ways and distances, and who and what is where."""

from collections.abc import Collection, Mapping

import attrs

from protocol.boards import routes
from protocol.boards.links import linked
from protocol.boards.maps import Boundary
from protocol.games.first_edition.table import (
    Character,
    FirstEditionTable,
    Monster,
    RoomId,
    SpaceId,
)
from protocol.games.first_edition.words import INVESTIGATOR_LINKS, UNDER, FeatureKind

PIT = 6
"""Steps that a monster which does not fly goes round rather than enter a pit."""


@attrs.define
class Board:
    """Distances on the board, each searched once."""

    game: FirstEditionTable
    shut: Collection[RoomId] = ()
    """Rooms that nobody can enter for now."""
    _blocked: Collection[frozenset[SpaceId]] = attrs.field(init=False)
    """Pairs of spaces between which a barricade stands."""
    _pits: Collection[SpaceId] = attrs.field(init=False)
    _ways: dict[tuple[SpaceId, tuple[str, ...], bool], Mapping[SpaceId, int]] = attrs.field(
        factory=dict, init=False
    )

    def __attrs_post_init__(self) -> None:
        self._pits = {one.at for one in self.game.features.values() if one.kind is FeatureKind.PIT}
        self._blocked = {
            frozenset((one.at, one.against))
            for one in self.game.features.values()
            if one.kind is FeatureKind.BARRICADE and one.against is not None
        }

    def ways(
        self,
        space: SpaceId,
        links: tuple[str, ...] = INVESTIGATOR_LINKS,
        *,
        is_past_pits: bool = False,
    ) -> Mapping[SpaceId, int]:
        """
        Return the steps from a space to each space that can be reached.

        Args:
            space: where the ways begin.
            links: kinds of link that can be used.
            is_past_pits: True for the ways on which no pit is entered.
        """
        key = space, links, is_past_pits
        if key not in self._ways:
            pits = self._pits if is_past_pits else ()
            self._ways[key] = routes.reach(
                [space], lambda at: [one for one in self._onward(at, links) if one not in pits]
            )
        return self._ways[key]

    def steps(self, one: SpaceId, other: SpaceId) -> int | None:
        """Return the steps of an investigator between two spaces; None if there is no way."""
        return self.ways(one).get(other)

    def monster_steps(self, monster: Monster, one: SpaceId, other: SpaceId | RoomId) -> int:
        """
        Return the steps of a monster to a space or a room; 99 if there is no way.

        What does not fly goes through a pit only where the way past it is far longer.
        """
        spaces = [other] if other in self.game.map.rooms else self.game.map.spaces_of(other)

        def fewest(*, is_past_pits: bool) -> int:
            ways = self.ways(one, monster.links, is_past_pits=is_past_pits)
            return min((ways[at] for at in spaces if at in ways), default=99)

        if monster.is_flying or not self._pits:
            return fewest(is_past_pits=False)
        return min(99, fewest(is_past_pits=True), fewest(is_past_pits=False) + PIT)

    def steps_to_room(self, space: SpaceId, room: RoomId) -> int | None:
        """Return the steps from a space to the nearest space of a room."""
        ways = self.ways(space)
        there = [ways[at] for at in self.game.map.spaces_of(room) if at in ways]
        return min(there, default=None)

    def _onward(self, at: SpaceId, links: tuple[str, ...]) -> list[SpaceId]:
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
        # Somebody inside a room that is locked can walk about in it.
        here = board.rooms[at]
        return [
            one for one in found if board.rooms[one] not in self.shut or board.rooms[one] == here
        ]


def weakness(who: Character) -> float:
    """Return how near somebody is to death or madness, from 0 to 2."""
    hurt = who.damage / max(1, who.health)
    return hurt + who.horror / max(1, who.sanity)
