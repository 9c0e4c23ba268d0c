"""The state of one game of the first edition."""

from collections.abc import Mapping
from typing import Any

import attrs

from protocol.boards.links import Link
from protocol.boards.maps import CornerTile, Map, compose
from protocol.common.table import GameEnd, GameTable, Handle, RoomTable, Settings, register_game
from protocol.event import Sealed
from protocol.games.first_edition.puzzles import Puzzle, PuzzleAttempt
from protocol.games.first_edition.table.board import Feature, Monster
from protocol.games.first_edition.table.cards import (
    CounterLine,
    Item,
    KeeperAction,
    LaidCard,
    Lock,
    StoryCard,
    ToldTale,
)
from protocol.games.first_edition.table.characters import Ally, Investigator
from protocol.games.first_edition.table.course import (
    Ending,
    KeeperStep,
    OpenTest,
    Phase,
    TraumaTrigger,
    Waiting,
)
from protocol.games.first_edition.table.ids import (
    AllyId,
    CardId,
    CharacterId,
    FeatureId,
    InvestigatorId,
    MonsterId,
    RoomId,
    SpaceId,
)
from protocol.games.first_edition.words import KEEPER, RULESET, FeatureKind, Variant
from protocol.memo import memo
from protocol.values import evolve, frozen

_map_of = memo(most=64)(compose)


@frozen
class FirstEditionTable(GameTable):
    """State of one game of the first edition."""

    usual_settings = Settings(takebacks=False, window_seconds=6)
    """K-DECIDE-17, K-DECIDE-100."""
    has_settings = ("takebacks", "window_seconds", "least_seconds", "laid_ready")
    """Without `stops`: all windows here are the keeper's, and one that opens or ends as he says
    would tell whether he looks, waits or passes. K-SECRET-20."""

    observer_delay_seconds = 900
    """K-DECIDE-97."""
    awaited_role = KEEPER
    """His chances must not pass while he cannot take them. K-DECIDE-98."""

    phase: Phase = Phase.SETUP
    step: KeeperStep | None = None
    round_number: int = 0
    variants: tuple[Variant, ...] = ()
    tiles: tuple[CornerTile, ...] = ()
    links: tuple[Link, ...] = ()
    outdoor: tuple[RoomId, ...] = ()
    """W-OUT-4."""
    submerged: tuple[SpaceId, ...] = ()
    """W-WATER-1."""
    trapped: tuple[str, ...] = ()
    """Figures that fell into a pit in this turn, and do not move again in it. W-PIT-4."""
    start: SpaceId = ""
    """Where investigators enter the board. K-SETUP-10."""
    entered: tuple[RoomId, ...] = ()
    """Rooms that investigators have moved into, in the order of the first time."""

    investigators: Mapping[InvestigatorId, Investigator] = attrs.field(factory=dict)
    """Investigators on the board, in the order of joining."""
    used_investigators: tuple[InvestigatorId, ...] = ()
    """Everybody who has taken part, the dead included. K-NEW-2."""
    waiting: tuple[Waiting, ...] = ()
    """Seats that choose a new investigator in their next turn. K-DEATH-6."""
    eliminated: tuple[int, ...] = ()
    """Seats of investigators whom nobody follows, once for each of them. K-ELIM-2."""
    deaths: int = 0

    active: InvestigatorId | None = None
    """The investigator whose turn it is."""
    steps_left: int = 0
    is_slowed: bool = False
    """True if stun has taken a step of this turn. K-STUN-2, K-DECIDE-88."""
    has_action: bool = False
    action_types: tuple[str, ...] = ()
    """Types of the action that is left, if a spell gave it; any if empty. W-SPELL-2."""
    actions_taken: tuple[str, ...] = ()
    """Types of the actions of this turn, in order. W-SPELL-2."""
    is_committed: bool = False
    """True if the turn can no longer be withdrawn. K-DECIDE-12."""
    is_struck: bool = False
    """True if the keeper has played a mythos card in this turn. K-MYTHOS-3."""
    evaded: tuple[MonsterId, ...] = ()
    """Monsters against which the active investigator took an evade test in this turn."""

    allies: Mapping[AllyId, Ally] = attrs.field(factory=dict)
    """Allies on the board, in the order in which they came. W-ALLY-3."""
    tales: Mapping[AllyId, tuple[Sealed[CardId], ...]] = attrs.field(factory=dict)
    """Story cards of each ally that has come, next first; none once it is gone. W-SECRET-9."""
    heard: Mapping[AllyId, tuple[ToldTale, ...]] = attrs.field(factory=dict)
    """Story cards of allies that were turned up, in order. W-DECIDE-32."""
    told: tuple[CardId, ...] = ()
    """Story cards of allies, and cards of the story, that were turned up, in order. W-DECIDE-32."""
    story_cards: Mapping[int, StoryCard] = attrs.field(factory=dict)
    """Cards of the story in play, by their number. W-DECIDE-50."""
    next_story_card: int = 1

    monsters: Mapping[MonsterId, Monster] = attrs.field(factory=dict)
    next_monster: int = 1
    killed: Mapping[CardId, int] = attrs.field(factory=dict)
    """Number of killed monsters by kind."""
    features: Mapping[FeatureId, Feature] = attrs.field(factory=dict)
    next_feature: int = 1
    corpses_left: int = 0
    """Corpse markers in the supply. K-SUPPLY-2."""
    laid: Mapping[RoomId, tuple[LaidCard, ...]] = attrs.field(factory=dict)
    """Exploration cards in each room, top first."""
    next_laid: int = 1
    lying: Mapping[RoomId, tuple[Item, ...]] = attrs.field(factory=dict)
    """Items face up in each room. K-DECIDE-39."""
    next_piece: int = 1
    locks: Mapping[RoomId, Lock] = attrs.field(factory=dict)

    answers: Sealed[Mapping[str, str]] | None = None
    """The keeper's answers, by question. K-SECRET-5."""
    objective: Sealed[CardId] | None = None
    """K-SECRET-6."""
    revealed: CardId | None = None
    """The objective, once it is revealed. K-GOAL-4."""
    vote: Sealed[Mapping[str, str]] | None = None
    """Secret choices of the investigators, by question. W-DECIDE-47, W-SECRET-6."""
    clues: tuple[CardId, ...] = ()
    """Clues of the team, in the order in which they were found. K-GOAL-2."""
    clues_left: int = 0

    threat: int = 0
    keeper_skill_points: int = 0
    may_spare: bool = True
    """False if the keeper has passed on sparing for good. K-DECIDE-31."""
    actions: tuple[KeeperAction, ...] = ()
    hidden_actions: tuple[Sealed[KeeperAction], ...] = ()
    """Keeper actions that were not used yet, in outdoor stories. W-KACTION-1, W-SECRET-3."""
    insanities: tuple[InvestigatorId, ...] = ()
    """Investigators on whom an insanity was played as a keeper action in this turn.
    K-INSANE-6."""
    counters: Mapping[str, CounterLine] = attrs.field(factory=dict)
    ready: Sealed[tuple[tuple[str, str, str], ...]] | None = None
    """Cards laid ready: investigator, card or nothing, and moment. K-DECIDE-107, K-SECRET-24."""
    moments: tuple[tuple[InvestigatorId, str], ...] = ()
    """Moments of this round that came to an investigator, and at which no card laid ready was
    looked for yet. K-DECIDE-107."""

    events: tuple[Sealed[CardId], ...] = ()
    """Event cards that are left, next first. K-SECRET-19."""
    event_time: int = 0
    """The number on the next event card. K-EVENT-2."""
    time: int = 0
    """Time tokens on the event deck. K-EVENT-1."""
    resolved: tuple[CardId, ...] = ()
    """Events that were resolved, in order."""

    discards: Mapping[str, tuple[CardId, ...]] = attrs.field(factory=dict)
    """Discard piles, by the name of the deck. K-SECRET-23."""
    spent_items: tuple[CardId, ...] = ()
    """Items that left the game."""
    done: tuple[str, ...] = ()
    """Monsters that attacked in the present step of the keeper, and `time` once its token is put;
    for the whole game, `game:ID` of deeds and abilities that can be used once."""
    triggers: tuple[TraumaTrigger, ...] = ()
    """What the keeper may play a trauma card on, and was not asked about. K-DECIDE-72."""
    puzzles: Mapping[CardId, Puzzle] = attrs.field(factory=dict)
    """Puzzles that were tried and are not solved, by id. K-PUZZLE-3."""
    attempt: PuzzleAttempt | None = None
    solved: tuple[CardId, ...] = ()
    """Puzzles that were solved."""
    test: OpenTest | None = None
    ending: Ending | None = None

    def seats_of(self, room: RoomTable, knower: str) -> tuple[int, ...]:
        """Return the seats that know the secrets of an investigator or a role."""
        who = self.investigators.get(knower)
        return room.seats_of(knower) if who is None else (who.seat,)

    def came_out(self) -> GameEnd | None:
        """Return the winning side, and the round."""
        if self.ending is None:
            return None
        return GameEnd(tuple(side.value for side in self.ending.winners), self.round_number)

    @property
    def map(self) -> Map:
        """The board's map."""
        return _map_of(self.tiles)

    def room_of(self, space: SpaceId) -> RoomId:
        """Return the room of a space."""
        return self.map.rooms[space]

    def with_investigator(self, who: InvestigatorId, **changes: Any) -> "FirstEditionTable":
        """Return the table with fields of one investigator changed."""
        changed = evolve(self.investigators[who], **changes)
        return evolve(self, investigators={**self.investigators, who: changed})

    def character(self, who: CharacterId) -> Investigator | Ally:
        """Return an investigator or an ally on the board. KeyError if there is none."""
        found = self.investigators.get(who)
        return self.allies[who] if found is None else found

    def is_here(self, who: CharacterId | None) -> bool:
        """Return whether somebody is an investigator or an ally on the board."""
        return who in self.investigators or who in self.allies

    def characters_in(self, room: RoomId) -> tuple[Investigator | Ally, ...]:
        """Return the investigators in a room by seat, then the allies there."""
        rooms = self.map.rooms
        return tuple(one for one in self.characters() if rooms[one.space] == room)

    def characters(self) -> tuple[Investigator | Ally, ...]:
        """Return the investigators by seat, then the allies."""
        return (*self.in_seat_order(), *self.allies.values())

    def with_character(self, who: CharacterId, **changes: Any) -> "FirstEditionTable":
        """Return the table with fields of an investigator or an ally changed."""
        if who in self.investigators:
            return self.with_investigator(who, **changes)
        changed = evolve(self.allies[who], **changes)
        return evolve(self, allies={**self.allies, who: changed})

    def with_monster(self, monster: MonsterId, **changes: Any) -> "FirstEditionTable":
        """Return the table with fields of one monster changed."""
        changed = evolve(self.monsters[monster], **changes)
        return evolve(self, monsters={**self.monsters, monster: changed})

    def with_discard(self, deck: str, card: CardId) -> "FirstEditionTable":
        """Return the table with a card on the discard pile of a deck."""
        pile = (*self.discards.get(deck, ()), card)
        return evolve(self, discards={**self.discards, deck: pile})

    def in_seat_order(self) -> tuple[Investigator, ...]:
        """Return the investigators on the board, by seat."""
        return tuple(sorted(self.investigators.values(), key=lambda one: one.seat))

    def to_act(self) -> tuple[Investigator | Waiting, ...]:
        """Return who has a turn left in this round: by seat, investigators first. K-ELIM-2."""
        left: list[Investigator | Waiting] = [*self.investigators.values(), *self.waiting]
        return tuple(sorted((o for o in left if not o.has_acted), key=lambda one: one.seat))

    def in_room(self, room: RoomId) -> tuple[Investigator, ...]:
        """Return the investigators in a room, by seat."""
        rooms = self.map.rooms
        return tuple(one for one in self.in_seat_order() if rooms[one.space] == room)

    def monsters_in(self, room: RoomId) -> tuple[Monster, ...]:
        """Return the monsters in a room."""
        rooms = self.map.rooms
        return tuple(m for m in self.monsters.values() if rooms[m.space] == room)

    def monsters_at(self, space: SpaceId) -> tuple[Monster, ...]:
        """Return the monsters in a space."""
        return tuple(m for m in self.monsters.values() if m.space == space)

    def features_at(self, at: str, kind: FeatureKind) -> tuple[Feature, ...]:
        """Return the features of a kind in a space, or the markers of a room."""
        return tuple(f for f in self.features.values() if f.kind is kind and f.at == at)

    def is_burning(self, room: RoomId) -> bool:
        """Return whether a room is on fire."""
        return bool(self.features_at(room, FeatureKind.FIRE))

    def is_dark(self, room: RoomId) -> bool:
        """Return whether a room has a darkness token."""
        return bool(self.features_at(room, FeatureKind.DARKNESS))

    def with_moment(self, who: InvestigatorId, moment: str) -> "FirstEditionTable":
        """Return the table with a moment that came to an investigator. K-DECIDE-107."""
        if (who, moment) in self.moments:
            return self
        return evolve(self, moments=(*self.moments, (who, moment)))

    def hand(self, pile: str) -> tuple[Handle, ...]:
        """Return the handles of a hand of the keeper; its size is public."""
        return self.piles.get(pile, ())


register_game(RULESET, FirstEditionTable)
