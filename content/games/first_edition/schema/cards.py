"""
Cards and components of the box.

Names and texts are in the pack's words, under the id of the card, in every language.
"""

import enum
from collections.abc import Mapping
from typing import Annotated

import attrs

from content.games.first_edition.schema.effects import Costs, Effect
from content.games.first_edition.schema.kinds import (
    MODIFIER,
    ONE_UP,
    ItemId,
    Kind,
    PlainText,
    PuzzleId,
    SpellId,
    TraitId,
)
from content.games.first_edition.schema.requirements import Requirement
from content.reading.meanings import Bounds, Declares
from protocol.games.first_edition.words import (
    AttackKind,
    Attribute,
    Keyword,
    LowerUse,
    MonsterClass,
    TestKind,
    TraumaKind,
)

_Points = Annotated[int, Bounds(0, 20)]


class Once(enum.Enum):
    """How often an ability or a card's action can be used."""

    ALWAYS = "always"
    TURN = "turn"
    """Once in each turn of an investigator."""
    ROUND = "round"
    """Once in each round."""
    GAME = "game"


class Doing(enum.Enum):
    """Things that a card can forbid its holder."""

    ATTACK = "attack"
    """To attack."""
    RUNNING = "run"
    """To run."""
    EXPLORE = "explore"
    """To explore."""
    SPELL = "spell"
    """To cast spells."""
    TRADE = "trade"
    """To trade."""


@attrs.frozen
class Modifier:
    """A constant effect of a card on its holder."""

    attribute: Attribute | None = None
    """The attribute whose tests are changed; every one if left out."""
    amount: Annotated[int, MODIFIER] = 0
    """Added to the attribute in tests. K-TEST-3."""
    tests: tuple[TestKind, ...] = ()
    """The tests that are changed; all if left out."""
    steps: Annotated[int, Bounds(-2, 2)] = 0
    """Added to the number of movement steps."""
    puzzle_actions: Annotated[int, MODIFIER] = 0
    weapon_damage: Annotated[int, MODIFIER] = 0
    """Added to the damage of the holder's attacks."""
    armour: Annotated[int, Bounds(0, 5)] = 0
    """Taken off each damage that a monster's attack or a failed evade deals."""
    forbids: tuple[Doing, ...] = ()
    """Activities forbidden to the holder."""


@attrs.frozen
class CardAction:
    """A printed action of an item, a spell or a trait. K-ACT-2, K-ACT-3."""

    text: PlainText
    effect: Effect
    attack: bool = False
    """Whether it carries the word "Attack". K-ACT-3."""
    free: bool = False
    """Whether it costs no action, and needs no evade test. K-DECIDE-30."""
    requires: Requirement | None = None
    once: Once = Once.ALWAYS
    discard: bool = False
    """Whether the card is discarded as the cost."""
    horror: _Points = 0
    """Horror paid. K-DECIDE-89."""
    damage: _Points = 0
    """Damage paid. K-DECIDE-89."""
    skill_points: _Points = 0
    """Skill points paid."""


@attrs.frozen
class CharacterCard:
    """An investigator. K-CARD-13, K-SETUP-6."""

    id: Annotated[str, Declares(Kind.CHARACTER)]
    health: Annotated[int, ONE_UP]
    sanity: Annotated[int, ONE_UP]
    skill_points: _Points
    physical: tuple[TraitId, ...]
    """The two physical traits. K-DECIDE-8."""
    mental: tuple[TraitId, ...]
    """The two mental traits. K-DECIDE-8."""


@attrs.frozen
class TraitCard:
    """A trait. K-CARD-14; K-DECIDE-8 says which attributes each group has."""

    id: Annotated[str, Declares(Kind.TRAIT)]
    attributes: Mapping[Attribute, Annotated[int, Bounds(1, 9)]]
    item: ItemId | None = None
    """Starting item of a physical trait. K-SETUP-8."""
    spell: SpellId | None = None
    """Starting spell of a physical trait. K-SETUP-8."""
    modifiers: tuple[Modifier, ...] = ()
    """Ability of a mental trait."""
    actions: tuple[CardAction, ...] = ()
    """Ability of a mental trait."""


@attrs.frozen
class Weapon:
    """The attack of a weapon. K-COMBAT-1."""

    kind: AttackKind
    range: Annotated[int, Bounds(0, 20)] = 0
    """Greatest range; 0 for the own space. K-COMBAT-7, K-DECIDE-50."""
    damage: Annotated[int, MODIFIER] = 0
    """Bonus to the damage of a `strike`."""
    uses: Annotated[int, Bounds(0, 20)] = 0
    """Number of attacks after which it is discarded; 0 for no limit."""


@attrs.frozen
class ItemCard:
    """An item, found by exploring or had at the start. K-CARD-8, K-CARD-11."""

    id: Annotated[str, Declares(Kind.ITEM)]
    keywords: tuple[Keyword, ...] = ()
    starting: bool = False
    """Whether it is a starting item, which no room hides."""
    weapon: Weapon | None = None
    modifiers: tuple[Modifier, ...] = ()
    actions: tuple[CardAction, ...] = ()


@attrs.frozen
class SpellBack:
    """The back of a spell: what the casting does. K-SPELL-3."""

    id: Annotated[str, Declares(Kind.BACK)]
    passed: Effect = ()
    failed: Effect = ()
    keep: bool = False
    """Whether the spell is not discarded after it was cast. K-SPELL-4."""
    copies: Annotated[int, Bounds(1, 9)] = 1


@attrs.frozen
class SpellCard:
    """The front of a spell, with its different backs. K-CARD-12, K-DECIDE-58."""

    id: Annotated[str, Declares(Kind.SPELL)]
    attribute: Attribute
    modifier: Annotated[int, MODIFIER]
    backs: tuple[SpellBack, ...]
    attack: bool = False
    """Whether it carries the word "Attack". K-SPELL-7."""
    range: Annotated[int, Bounds(0, 20)] = 0
    """Greatest range of an attack spell."""


@attrs.frozen
class MonsterBack:
    """The back of a monster's token. K-MONSTER-3, K-MONSTER-8, K-DECIDE-60."""

    id: Annotated[str, Declares(Kind.TOKEN_BACK)]
    health: Annotated[int, ONE_UP]
    damage: Annotated[int, ONE_UP]
    special: Effect
    """The special attack. Its words are the text of the back."""
    copies: Annotated[int, Bounds(1, 9)] = 1


@attrs.frozen
class MonsterCard:
    """A type of monster. K-CARD-15."""

    id: Annotated[str, Declares(Kind.MONSTER)]
    class_: MonsterClass
    awareness: Annotated[int, MODIFIER]
    """Added to dexterity in evade tests. K-DECIDE-28."""
    horror: Annotated[int, MODIFIER]
    """Added to willpower in horror tests. K-DECIDE-28."""
    figures: Annotated[int, Bounds(1, 9)]
    """Number of figures in the box. K-SUPPLY-5."""
    backs: tuple[MonsterBack, ...]
    named: bool = False
    """Whether it has a proper name. K-MONSTER-9."""
    large: bool = False
    flying: bool = False
    """Whether it flies: it crosses barriers, water and pits. W-FLY-1 to W-FLY-6."""


@attrs.frozen
class PitMarker:
    """A pit. W-CARD-4."""

    id: Annotated[str, Declares(Kind.PIT)]
    damage: Annotated[int, Bounds(0, 9)]
    """Damage to each figure that falls into it. W-PIT-5."""
    renewed: bool = False
    """Whether it has the arrow: another pit takes its place. W-PIT-6."""
    copies: Annotated[int, Bounds(1, 9)] = 1


@attrs.frozen
class AllyCard:
    """A character without a player. W-CARD-7. Its words are name and text: the background."""

    id: Annotated[str, Declares(Kind.ALLY)]
    health: Annotated[int, ONE_UP]
    sanity: Annotated[int, ONE_UP]
    """Horror that it can bear."""
    attributes: Mapping[Attribute, Annotated[int, Bounds(1, 9)]]
    """Its values of all attributes. W-ALLY-1."""
    weapon: AttackKind = AttackKind.UNARMED
    """The kind of its attacks without a weapon in hand. W-DECIDE-25."""
    steps: Annotated[int, Bounds(0, 4)] = 1
    """Spaces that it moves in its phase. W-DECIDE-20."""


@attrs.frozen
class UpperHalf:
    """The upper half of a combat card, for attacks of investigators. K-COMBAT-5."""

    kind: AttackKind
    attribute: Attribute
    modifier: Annotated[int, MODIFIER] = 0
    passed: Effect = ()
    failed: Effect = ()


@attrs.frozen
class LowerHalf:
    """The lower half of a combat card, for attacks of monsters. K-MATTACK-4."""

    use: LowerUse
    attribute: Attribute | None = None
    """The attribute that is tested; left out if nothing is."""
    modifier: Annotated[int, MODIFIER] = 0
    passed: Effect = ()
    failed: Effect = ()
    """Also the result if nothing is tested."""
    special: bool = False
    """Whether the monster makes its special attack instead. K-MATTACK-5."""
    breaks: bool = False
    """Whether the barricade is broken; it holds otherwise. K-DECIDE-84."""


@attrs.frozen
class CombatCard:
    """A combat card. K-CARD-6."""

    id: Annotated[str, Declares(Kind.COMBAT)]
    class_: MonsterClass
    upper: UpperHalf
    lower: LowerHalf


@attrs.frozen
class TraumaCard:
    """An injury or an insanity. K-CARD-5."""

    id: Annotated[str, Declares(Kind.TRAUMA)]
    kind: TraumaKind
    threshold: Annotated[int, Bounds(0, 20)] | None = None
    """Greatest health or sanity at which it can be played. K-TRAUMA-8."""
    several: bool = False
    """Whether it has the icon of several investigators. K-TRAUMA-15."""
    instant: bool = False
    """Whether it is resolved and discarded at once. K-DECIDE-76."""
    effect: Effect = ()
    modifiers: tuple[Modifier, ...] = ()
    """Effects while it is held."""
    penalty: Annotated[int, Bounds(-9, 0)] = 0
    """Loss of sight: added in the tests of `penalty_tests`. K-BLIND-1, K-DECIDE-108."""
    penalty_tests: tuple[TestKind, ...] = ()
    ignores_lantern: bool = True
    """Whether the penalty holds for somebody who has a lantern. K-DECIDE-108."""


class Trigger(enum.Enum):
    """The moments at which a face-down mythos card is turned up. K-DECIDE-70."""

    TURN_STARTS = "turn_starts"
    """The holder's next turn starts."""
    ROOM_ENTERED = "room_entered"
    """The holder enters another room."""
    TEST_FAILED = "test_failed"
    """The holder fails a test."""
    HORROR_TAKEN = "horror_taken"
    """The holder takes horror."""
    EXPLORED = "explored"
    """The holder explores."""
    ATTACKED = "attacked"
    """The holder attacks."""


@attrs.frozen
class MythosCard:
    """A mythos card. K-CARD-4, K-DECIDE-69."""

    id: Annotated[str, Declares(Kind.MYTHOS)]
    effect: Effect
    requires: Requirement | None = None
    """The condition, which must hold when the card is played."""
    threat: _Points = 0
    """Threat that it costs. K-DECIDE-69."""
    face_down: Trigger | None = None
    """The moment at which it is turned up, if it is played face down. K-MYTHOS-4."""


@attrs.frozen
class ActionCard:
    """A keeper action. K-CARD-3."""

    id: Annotated[str, Declares(Kind.ACTION)]
    threat: _Points
    effect: Effect
    tokens: Costs = attrs.field(factory=dict)
    once: bool = False
    """Whether it is resolved at most once in a keeper turn. K-KEEPER-9."""
    requires: Requirement | None = None


@attrs.frozen
class OpeningTest:
    """A test that opens a lock or passes an obstacle."""

    attribute: Attribute
    modifier: Annotated[int, MODIFIER] = 0


@attrs.frozen
class Opening:
    """Means to open a lock or to pass an obstacle: one of these. K-CARD-9, K-CARD-10."""

    item: ItemId | None = None
    """An item that the investigator has."""
    keyword: Keyword | None = None
    """A keyword of an item that the investigator has."""
    spend: bool = False
    """Whether the item is discarded."""
    test: OpeningTest | None = None
    puzzle: PuzzleId | None = None


@attrs.frozen
class LockCard:
    """A lock, which keeps investigators out of a room. K-DECIDE-36."""

    id: Annotated[str, Declares(Kind.LOCK)]
    opening: Opening
    opened: Effect = ()
    failed: Effect = ()


@attrs.frozen
class ObstacleCard:
    """An obstacle, which lies above other exploration cards. K-DECIDE-37."""

    id: Annotated[str, Declares(Kind.OBSTACLE)]
    opening: Opening
    opened: Effect = ()
    failed: Effect = ()
