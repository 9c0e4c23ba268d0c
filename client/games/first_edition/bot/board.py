"""The board as bots see it: ways and distances, and who and what is where."""

from collections.abc import Collection, Mapping

import attrs

from protocol.boards import routes
from protocol.boards.links import linked
from protocol.boards.maps import Boundary
from protocol.games.first_edition.table import (
    FirstEditionTable,
    Investigator,
    Monster,
    RoomId,
    SpaceId,
)
from protocol.games.first_edition.words import FeatureKind, MonsterClass

ON_FOOT = ("ladder",)
"""Links that investigators use."""
BY_CLASS: Mapping[MonsterClass, tuple[str, ...]] = {
    MonsterClass.HUMANOID: ("ladder",),
    MonsterClass.BEAST: ("duct",),
    MonsterClass.ELDRITCH: (),
}
"""Links that monsters use."""


@attrs.define
class Board:
    """Distances on the board, each searched once."""

    game: FirstEditionTable
    shut: Collection[RoomId] = ()
    """Rooms that nobody can enter for now."""
    _ways: dict[tuple[SpaceId, tuple[str, ...]], Mapping[SpaceId, int]] = attrs.field(
        factory=dict, init=False
    )

    def ways(self, space: SpaceId, links: tuple[str, ...] = ON_FOOT) -> Mapping[SpaceId, int]:
        """Return the steps from a space to each space that can be reached."""
        key = space, links
        if key not in self._ways:
            self._ways[key] = routes.reach([space], lambda at: self._onward(at, links))
        return self._ways[key]

    def steps(self, one: SpaceId, other: SpaceId) -> int | None:
        """Return the steps of an investigator between two spaces; None if there is no way."""
        return self.ways(one).get(other)

    def monster_steps(self, monster: Monster, one: SpaceId, other: SpaceId) -> int:
        """Return the steps of a monster between two spaces; 99 if there is no way."""
        return self.ways(one, BY_CLASS[monster.class_]).get(other, 99)

    def steps_to_room(self, space: SpaceId, room: RoomId) -> int | None:
        """Return the steps from a space to the nearest space of a room."""
        ways = self.ways(space)
        there = [ways[at] for at in self.game.map.spaces_of(room) if at in ways]
        return min(there, default=None)

    def _onward(self, at: SpaceId, links: tuple[str, ...]) -> list[SpaceId]:
        board = self.game.map
        blocked = {
            frozenset((f.at, f.against))
            for f in self.game.features.values()
            if f.kind is FeatureKind.BARRICADE and f.against is not None
        }
        found = [
            edge.across(at)
            for edge in board.edges_of(at)
            if edge.line is Boundary.BORDER
            or (edge.line is Boundary.DOOR and frozenset((at, edge.across(at))) not in blocked)
        ]
        found += board.diagonals_of(at)
        found += linked(self.game.links, at, links)
        # Somebody inside a room that is locked can walk about in it.
        here = board.rooms[at]
        return [
            one for one in found if board.rooms[one] not in self.shut or board.rooms[one] == here
        ]


def weakness(who: Investigator) -> float:
    """Return how near somebody is to death or madness, from 0 to 2."""
    hurt = who.damage / max(1, who.health)
    return hurt + who.horror / max(1, who.sanity)
