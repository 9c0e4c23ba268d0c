"""
Walks: the rooms that investigators can enter, and the cards that they can find there.

A walk takes everything that it can take, and tries every lock and obstacle again with it. Tests
and puzzles can be passed; starting items are left out, since nobody has to choose them. A barrier
stops a walk, and a boat carries it across: W-BARRIER-2, W-DECIDE-14.
"""

from collections.abc import Mapping

import attrs

from content.games.first_edition.answers import Answers
from content.games.first_edition.maps import banks, links_of, map_of
from content.games.first_edition.prospects import effects_of, steps_in
from content.games.first_edition.schema import effects
from content.games.first_edition.schema.cards import Opening
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import LinkKind, Story
from protocol.boards import routes
from protocol.boards.links import linked
from protocol.boards.maps import Boundary, Map
from protocol.games.first_edition.words import FeatureKind

_WALKED = (Boundary.BORDER, Boundary.DOOR)
"""Boundaries that figures can walk across."""


@attrs.frozen(eq=False)
class Board:
    """The board of a story, as investigators walk on it."""

    map: Map
    ways: Mapping[str, tuple[str, ...]]
    """The spaces that are one step away from each space. K-DECIDE-19, K-LADDER-1."""
    waters: Mapping[str, tuple[str, ...]]
    """The spaces to which a boat goes from each space. W-DECIDE-14, W-DECIDE-16."""

    @classmethod
    def of(cls, story: Story) -> "Board":
        """Return the board of a story."""
        drawn, links = map_of(story), links_of(story)
        ways = {
            space: (
                *(e.across(space) for e in drawn.edges_of(space) if e.line in _WALKED),
                *drawn.diagonals_of(space),
                *linked(links, space, [LinkKind.LADDER.value]),
            )
            for space in drawn.rooms
        }
        waters = {
            space: (*banks(drawn, space), *linked(links, space, [LinkKind.UNDER.value]))
            for space in drawn.rooms
        }
        return cls(drawn, ways, waters)


@attrs.define
class Walk:
    """A walk through a story for one full set of answers."""

    pack: Pack
    story: Story
    answers: Answers
    board: Board
    spaces: set[str] = attrs.field(factory=set)
    """The spaces that can be entered."""
    found: list[str] = attrs.field(factory=list)
    """The cards that can be found, in the order of the walk."""
    opened: set[str] = attrs.field(factory=set)
    """The rooms whose lock is opened."""
    _boats: set[str] = attrs.field(factory=set)
    """The spaces in which there can be a boat at first."""
    _left: dict[str, list[str]] = attrs.field(factory=dict)
    """The cards that are left in each room, top first."""

    @property
    def rooms(self) -> set[str]:
        """The rooms that can be entered."""
        return {self.board.map.rooms[space] for space in self.spaces}

    @classmethod
    def through(cls, pack: Pack, story: Story, answers: Answers, board: Board) -> "Walk":
        """Walk through a story until nothing more can be found."""
        walk = cls(pack, story, answers, board)
        walk._boats = {one.at for one in story.features if one.kind is FeatureKind.BOAT}
        walk._left = {room.id: list(story.cards_under(room.id, answers)) for room in story.rooms}
        for event in story.events:
            walk._resolve(event)
        while True:
            grows = (walk.spaces, walk.found, walk.opened, walk._boats)
            before = [*map(len, grows)]
            walk._go_on()
            if before == [*map(len, grows)]:
                return walk

    def _go_on(self) -> None:
        locked = {
            room.id: lock
            for room in self.story.rooms
            if room.id not in self.opened
            and (lock := self.story.lock_of(room.id, self.answers)) is not None
        }
        rooms = self.board.map.rooms

        def onward(space: str) -> list[str]:
            return [other for other in self.board.ways[space] if rooms[other] not in locked]

        def afloat(space: str) -> list[str]:
            return [other for other in self.board.waters[space] if rooms[other] not in locked]

        self.spaces |= set(routes.reach([self.story.start, *self.spaces], onward))
        if self.story.boat_key in (None, *self.found):
            self.spaces |= set(routes.reach(sorted(self._boats & self.spaces), afloat))
        for space in sorted(self.spaces):
            for other in self.board.ways[space]:
                lock = locked.get(rooms[other])
                if lock is not None and self.opens(self.pack.locks[lock].opening):
                    self.opened.add(rooms[other])
                    self._resolve(self.pack.locks[lock])
        for deed in self.story.deeds:
            if deed.room is None or deed.room in self.rooms:
                self._resolve(deed)
        for ally in self.story.allies:
            if ally.at is None or rooms[ally.at] in self.rooms:
                for tale in ally.tales:
                    self._resolve(tale)
        for room in sorted(self.rooms):
            self._explore(self._left[room])

    def _explore(self, pile: list[str]) -> None:
        """Turn up the cards of a room, down to an obstacle that cannot be passed."""
        clues = {clue.id: clue for clue in self.story.clues}
        while pile:
            card = pile[0]
            if card in self.pack.obstacles:
                if not self.opens(self.pack.obstacles[card].opening):
                    return
                self._resolve(self.pack.obstacles[card])
            elif card in clues:
                self._resolve(clues[card])
            self.found.append(pile.pop(0))

    def _resolve(self, part: object) -> None:
        """Take what an effect gives, with boats, and open the locks that it opens."""
        for effect, _ in effects_of(part):
            for step in steps_in(effect, self.answers):
                match step:
                    case effects.Gain(item=str() as item) if item not in self.found:
                        self.found.append(item)
                    case effects.Unlock(room):
                        self.opened.add(room)
                    case effects.PlaceFeature(kind=FeatureKind.BOAT, at=at):
                        # A word or a room can mean any space of the water's edge.
                        waters = self.board.waters
                        self._boats |= {at} if at in waters else {o for o in waters if waters[o]}

    def opens(self, opening: Opening) -> bool:
        """Return whether the walk has what opens a lock, or passes an obstacle."""
        is_by_item = opening.item is not None or opening.keyword is not None
        return not is_by_item or bool(self.fitting(opening))

    def fitting(self, opening: Opening) -> set[str]:
        """Return the items found so far that open a lock, or pass an obstacle."""
        items = (self.pack.items[card] for card in self.found if card in self.pack.items)
        return {
            item.id
            for item in items
            if item.id == opening.item or (opening.keyword and opening.keyword in item.keywords)
        }
