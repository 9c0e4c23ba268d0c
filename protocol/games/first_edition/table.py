"""
The table of the first edition: board, investigators, monsters, and what the keeper holds.

Everything here is public except `Sealed` values and the cards in piles. What cards do is content
and stays on the server: the table has what a player would see on a real table.
"""

import enum
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

import attrs

from protocol.boards.links import Link
from protocol.boards.maps import CornerTile, Map, compose
from protocol.common.table import GameEnd, GameTable, Handle, RoomTable, Settings, register_game
from protocol.common.text import Text
from protocol.event import Sealed
from protocol.games.first_edition.puzzles import Puzzle, PuzzleAttempt
from protocol.games.first_edition.words import (
    KEEPER,
    MONSTER_LINKS,
    RULESET,
    UNDER,
    AttackKind,
    Attribute,
    FeatureKind,
    Keyword,
    MonsterClass,
    Side,
    StoryDeck,
    TestKind,
    TraumaKind,
    Variant,
)
from protocol.memo import memo
from protocol.values import evolve, frozen

InvestigatorId = str
MonsterId = str
"""Id of a monster on the board, such as `m3`."""
SpaceId = str
RoomId = str
FeatureId = str
PieceId = str
"""Id of an item in play, such as `i7`."""
CardId = str
AllyId = str
"""Id of the card of an ally, such as `ally/ferryman`."""
CharacterId = str
"""Id of an investigator or of an ally."""

MYTHOS_DECK = "deck/mythos"
TRAUMA_DECK = "deck/trauma"
MYTHOS_HAND = "hand/mythos"
TRAUMA_HAND = "hand/trauma"
PIT_SUPPLY = "supply/pits"
"""Pile of the pits that are not on the board; nobody knows their faces. W-PIT-1, W-SECRET-2."""
STEPS = 2
"""Movement steps of an investigator's turn. K-TURN-1."""
TURN_STARTED, TEST_FAILED = "turn", "test"
"""Moments for cards laid ready, besides the ids of rooms that are entered. K-DECIDE-107."""


def combat_deck(class_: MonsterClass) -> str:
    """Return the pile of a class's combat cards. K-COMBAT-3."""
    return f"deck/combat-{class_.value}"


def spell_deck(spell: CardId) -> str:
    """Return the pile of a spell's copies, whose backs nobody knows. K-DECIDE-58."""
    return f"deck/{spell}"


def story_deck(kind: StoryDeck) -> str:
    """Return the pile of the cards of one kind that belong to the story. W-DECIDE-50."""
    return f"deck/{kind.value}"


class Phase(enum.Enum):
    """Who acts now. K-ROUND-1."""

    SETUP = "setup"
    INVESTIGATORS = "investigators"
    KEEPER = "keeper"
    OVER = "over"


class KeeperStep(enum.Enum):
    """The steps of the keeper's turn. K-KEEPER-1."""

    TRADE = "trade"
    ALLIES = "allies"
    """The ally phase; only while allies are in play. W-ALLY-8, W-DECIDE-19."""
    STUN = "stun"
    THREAT = "threat"
    ACTIONS = "actions"
    ATTACKS = "attacks"
    EVENT = "event"
    END = "end"
    """Fire burns (K-DECIDE-80), and cards are laid ready (K-DECIDE-107)."""


@frozen
class WeaponFacts:
    """What a weapon can do, as printed."""

    kind: AttackKind
    range: int
    damage: int
    uses: int
    """Attacks left before the weapon is used up; 0 for no limit."""


@frozen
class Item:
    """An item in play, of an investigator or face up in a room."""

    piece: PieceId
    card: CardId
    keywords: tuple[Keyword, ...] = ()
    weapon: WeaponFacts | None = None


@frozen
class Spell:
    """A spell of an investigator; nobody knows its back. K-SPELL-1."""

    card: CardId
    handle: Handle
    attribute: Attribute
    modifier: int
    is_attack: bool


@frozen
class FaceDown:
    """A mythos card that lies face down before an investigator. K-MYTHOS-4."""

    card: Sealed[CardId]


@frozen
class FixedTest:
    """An attribute test to come that no die decides. K-DECIDE-33."""

    is_passed: bool
    kinds: tuple[TestKind, ...] = ()
    """Kinds of test that count; any if empty."""

    def fits(self, kinds: Collection[TestKind | None]) -> bool:
        return not self.kinds or any(kind in kinds for kind in self.kinds)


class Character:
    """What investigators and allies have in common: health, sanity, a place and items."""

    __slots__ = ()

    health: int
    sanity: int
    damage: int
    horror: int
    items: tuple[Item, ...]

    @property
    def health_left(self) -> int:
        """Present health. K-DAMAGE-1."""
        return self.health - self.damage

    @property
    def sanity_left(self) -> int:
        """Present sanity, at least 0. K-DAMAGE-2, K-DAMAGE-5."""
        return max(0, self.sanity - self.horror)

    @property
    def is_insane(self) -> bool:
        """True while sanity is 0. K-INSANE-1."""
        return self.sanity_left == 0

    @property
    def has_lantern(self) -> bool:
        """True if one of the items is a lantern. K-DARK-4."""
        return any(Keyword.LANTERN in item.keywords for item in self.items)


@frozen
class Ally(Character):
    """An ally: a character without a seat. W-ALLY-1 to W-ALLY-6."""

    ally_id: AllyId
    health: int
    """Printed health."""
    sanity: int
    """Printed sanity."""
    attributes: Mapping[Attribute, int]
    weapon: AttackKind
    """The kind of attack that the ally makes without a weapon in hand. W-DECIDE-25."""
    steps: int
    """Spaces that the ally moves in its phase. W-DECIDE-20."""
    space: SpaceId
    damage: int = 0
    horror: int = 0
    stun: int = 0
    curses: int = 0
    items: tuple[Item, ...] = ()
    fixed_test: FixedTest | None = None

    traits: ClassVar[tuple[CardId, ...]] = ()
    spells: ClassVar[tuple["Spell", ...]] = ()
    injury: ClassVar[CardId | None] = None
    insanity: ClassVar[CardId | None] = None
    """An ally has no trauma card. W-DECIDE-27."""
    hidden_in: ClassVar[FeatureId | None] = None
    """An ally does not hide. W-DECIDE-21."""
    skill_points: ClassVar[int] = 0
    """An ally has none. W-DECIDE-22."""
    has_lantern: ClassVar[bool] = False
    """False: an ally uses weapons alone. W-DECIDE-31."""

    @property
    def character_id(self) -> CharacterId:
        return self.ally_id

    @property
    def used_items(self) -> tuple[Item, ...]:
        """The items that have an effect: weapons. W-DECIDE-31."""
        return tuple(item for item in self.items if item.weapon is not None)


@frozen
class StoryCard:
    """A card of the story, in a room or before an investigator or an ally. W-DECIDE-50."""

    number: int
    """Number of the card in this game, by which events name it."""
    kind: StoryDeck
    owner: str
    """Id of the room, the investigator or the ally."""
    handle: Handle
    card: Sealed[CardId]
    """Known to whom the story says, perhaps to nobody. W-SECRET-10, W-SECRET-11."""
    shown: CardId | None = None
    """The card, once it lies face up."""


@frozen
class Waiting:
    """A seat that chooses a new investigator in its next turn. K-DEATH-6."""

    seat: int
    has_acted: bool
    """True if the dead investigator had the turn of this round."""


@frozen
class Investigator(Character):
    """One investigator: figure, card, traits and possessions."""

    investigator_id: InvestigatorId
    seat: int
    health: int
    """Printed health."""
    sanity: int
    """Printed sanity."""
    skill_points: int
    traits: tuple[CardId, ...]
    attributes: Mapping[Attribute, int]
    space: SpaceId
    damage: int = 0
    horror: int = 0
    stun: int = 0
    items: tuple[Item, ...] = ()
    spells: tuple[Spell, ...] = ()
    injury: CardId | None = None
    insanity: CardId | None = None
    face_down: tuple[FaceDown, ...] = ()
    hidden_in: FeatureId | None = None
    """The hiding spot in which the investigator is. K-HIDE-1."""
    hid_this_turn: bool = False
    """True if the investigator hid in the present turn. K-HIDE-6."""
    used: tuple[str, ...] = ()
    """Abilities used, with how long it counts: `turn:ID` or `round:ID`."""
    fixed_test: FixedTest | None = None
    curses: int = 0
    """Curse tokens. W-CURSE-1."""
    has_acted: bool = False
    """True if the investigator has had the turn of this round."""

    weapon: ClassVar[AttackKind] = AttackKind.UNARMED
    """The kind of an attack without a weapon in hand. K-COMBAT-2."""

    @property
    def used_items(self) -> tuple[Item, ...]:
        """The items that have an effect: all."""
        return self.items

    @property
    def character_id(self) -> CharacterId:
        return self.investigator_id

    def trauma(self, kind: TraumaKind) -> CardId | None:
        """Return the trauma card of one kind that the investigator holds. K-TRAUMA-2."""
        return self.injury if kind is TraumaKind.INJURY else self.insanity


@frozen
class MonsterBack:
    """The back of a monster's token. K-MONSTER-3, K-MONSTER-8, K-DECIDE-60."""

    back: CardId
    """Its text is the special attack."""
    health: int
    damage: int


@frozen
class Monster:
    """One monster on the board."""

    monster_id: MonsterId
    kind: CardId
    number: int
    """Number that tells monsters of one kind apart, from 1."""
    class_: MonsterClass
    awareness: int
    horror: int
    space: SpaceId
    back: Sealed[MonsterBack]
    """Known to the keeper, and to all once it is shown. K-SECRET-15."""
    is_named: bool = False
    is_large: bool = False
    damage: int = 0
    stun: int = 0
    is_flying: bool = False
    """True if its token carries the wing. W-FLY-1."""

    @property
    def links(self) -> tuple[str, ...]:
        """Links that it can use: those of its class, and bridges if it flies. W-FLY-6."""
        return (*MONSTER_LINKS[self.class_], *((UNDER,) if self.is_flying else ()))


@frozen
class Feature:
    """A feature or marker on the board."""

    feature_id: FeatureId
    kind: FeatureKind
    at: str
    """Its space; for fire and darkness the room."""
    against: SpaceId | None = None
    """For a barricade that blocks a door: the space behind the door. K-DECIDE-84."""
    handle: Handle | None = None
    """For a pit: its marker, whose face nobody knows. W-SECRET-1."""


@frozen
class LaidCard:
    """An exploration card that lies in a room. K-SECRET-7."""

    number: int
    """Number of the card in this game, by which events name it."""
    card: Sealed[CardId]
    shown: CardId | None = None
    """The card, if it lies face up: an obstacle that is not passed. K-DECIDE-35."""


@frozen
class Lock:
    """The lock of a room. K-SECRET-8."""

    card: Sealed[CardId]
    shown: CardId | None = None
    """The card, once somebody tried to enter."""


@frozen
class KeeperAction:
    """A keeper action, which lies open. K-DECIDE-62."""

    card: CardId
    threat: int
    tokens: tuple[tuple[str, int], ...] = ()
    is_once: bool = False
    uses: int = 0
    """Uses in the present keeper turn."""


@frozen
class CounterLine:
    """A public number of the story, or a kind of token of the keeper. K-DECIDE-105."""

    amount: int
    most: int | None = None
    is_token: bool = False
    name: str = ""
    """Subject of its words. The server sends words only for subjects that the log names."""


@frozen
class OpenTest:
    """The attribute test being made, or the last one made. K-TEST-1."""

    investigator: CharacterId
    """The investigator, or the ally. W-DECIDE-22."""
    attribute: Attribute
    kind: TestKind
    value: int
    """The attribute with all modifiers: the greatest roll that passes. K-TEST-2."""
    about: Text
    has_point: bool = False
    """True if a skill point was spent, and is in `value`. K-TEST-4."""
    roll: int | None = None
    """The roll, from 1 to 10; None before it."""
    is_spoilt: bool = False
    """True if the keeper used a curse or a skill point on it: then a roll stands. W-DECIDE-35."""
    is_lost: bool = False
    """True if a curse makes it fail without a roll: that of an ally. W-DECIDE-24."""


@frozen
class TraumaTrigger:
    """An investigator took damage or horror, and the keeper may play a card on it. K-TRAUMA-3."""

    investigator: InvestigatorId
    kind: TraumaKind


@frozen
class Ending:
    """The end of the game."""

    winners: tuple[Side, ...]
    reason: Text


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
    informed_role = KEEPER
    """He is told his answers and his objective. K-SECRET-5, K-SECRET-6."""
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
    """Who chooses a new investigator in the next turn. K-DEATH-6."""
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
    """What the investigators chose in secret, by question. W-DECIDE-47, W-SECRET-6."""
    clues: tuple[CardId, ...] = ()
    """Clues of the team, in the order in which they were found. K-GOAL-2."""
    clues_left: int = 0

    threat: int = 0
    keeper_skill_points: int = 0
    may_spare: bool = True
    """False if the keeper has passed on sparing for good. K-DECIDE-31."""
    actions: tuple[KeeperAction, ...] = ()
    hidden_actions: tuple[Sealed[CardId], ...] = ()
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
