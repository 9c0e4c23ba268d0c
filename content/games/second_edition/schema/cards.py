"""
Cards and investigators: what they are and what they can do.

Names and texts are in the pack's words, under `item/<id>`, `damage/<id>` and so on, in every
language.
"""

import enum
from typing import Annotated

import attrs

from content.games.second_edition.schema.effects import Effect, Number
from content.games.second_edition.schema.kinds import (
    MODIFIER,
    ONE_UP,
    PLAYERS,
    Kind,
    NewTrait,
    PlainText,
    SkillValue,
)
from content.games.second_edition.schema.requirements import Requirement
from content.reading.meanings import Bounds, Declares, Role
from protocol.games.second_edition.table import Harm, Skill


class WeaponKind(enum.Enum):
    """The attack options. Rule ATTACK-9."""

    HEAVY = "heavy"
    """Clubs, axes and what else is swung."""
    BLADED = "bladed"
    """Knives and swords."""
    FIREARM = "firearm"
    """Guns."""
    SPELL = "spell"
    """Spells that strike."""
    UNARMED = "unarmed"
    """Bare hands."""


class Reach(enum.Enum):
    """The attack icons. Rules ATTACK-5 and ATTACK-7."""

    MELEE = "melee"
    """The attacker's own space."""
    RANGED = "ranged"
    """All spaces within range."""


class Through(enum.Enum):
    """Obstacles that an effect lets range be counted through. Rules RANGE-2 and RANGE-3."""

    WALLS = "walls"
    """Walls."""
    DOORS = "doors"
    """Doors, open or not."""


class ModifierKind(enum.Enum):
    """A value or ability that a card changes while it is faceup."""

    DICE = "dice"
    """Dice in tests, of one skill or all. Rule TEST-5."""
    SPACES = "spaces"
    """Spaces of the move action."""
    NO_CLUES = "no_clues"
    """Clues cannot be spent to convert results."""
    NO_TRADE = "no_trade"
    """The trade action cannot be performed."""
    NO_ATTACK = "no_attack"
    """The attack action cannot be performed."""
    NO_INTERACT = "no_interact"
    """The interact action cannot be performed."""
    NO_SEARCH = "no_search"
    """The search action cannot be performed."""
    WEAPON_DAMAGE = "weapon_damage"
    """Damage of attacks."""
    PUZZLE_STEPS = "puzzle_steps"
    """Steps in attempts at puzzles, by one skill or all. Rule PUZZLE-3."""
    THROUGH_WALLS = "through_walls"
    """Its owner moves through walls, and with that through blocked doors. MOVE-6 and MOVE-8."""
    ACROSS_IMPASSABLE = "across_impassable"
    """Its owner moves across impassable borders. Rule MOVE-7."""
    THROUGH_UNEXPLORED = "through_unexplored"
    """Its owner moves through doors with an Explore token, where no Barricade stands. MOVE-9."""
    TRADE_CLUES = "trade_clues"
    """Its owner can give Clues in a trade. Rule CLUE-3."""


@attrs.frozen
class Modifier:
    """A constant effect."""

    kind: ModifierKind
    """The value or ability that it changes."""
    amount: Annotated[int, MODIFIER] = 0
    skill: Skill | None = None
    """For DICE and PUZZLE_STEPS: the skill; None for all."""


class Rolls(enum.Enum):
    """Which rolls a card can roll again."""

    TESTS = "tests"
    """Those of its holder's own tests."""
    BARRICADES = "barricades"
    """Those of monsters against Barricades. Rule BARRICADE-14."""
    ALL = "all"
    """Both."""


@attrs.frozen
class Reroll:
    """Dice may be rolled again in a test, or as a monster breaks a Barricade. Rule TEST-8."""

    dice: Annotated[Number, ONE_UP] = 1
    """Maximum number of dice."""
    skill: Skill | None = None
    """In tests of this skill; None for all."""
    once_per_round: bool = True
    discard: bool = False
    """Whether the card is discarded as the cost. Rule SPEND-1. Not for an ability."""
    rolls: Rolls = Rolls.TESTS
    """The rolls in which dice may be rolled again."""


@attrs.frozen
class Convert:
    """Investigations may be turned into successes in a test without Clues. Rule TEST-8."""

    dice: Annotated[Number, ONE_UP] = 1
    """Maximum number of dice."""
    skill: Skill | None = None
    """In tests of this skill; None for all."""
    once_per_round: bool = True
    discard: bool = False
    """Whether the card is discarded as the cost. Rule SPEND-1. Not for an ability."""


@attrs.frozen
class MoreSteps:
    """The card may be used for further steps during an attempt at a puzzle. Rule PUZZLE-3."""

    steps: Annotated[Number, ONE_UP] = 1
    """Number of steps that it adds."""
    skill: Skill | None = None
    """In attempts by this skill; None for all."""
    once_per_round: bool = True
    discard: bool = False
    """Whether the card is discarded as the cost. Rule SPEND-1. Not for an ability."""


@attrs.frozen
class ComponentAction:
    """Something a card lets its holder do as an action. Rules COMPONENT-1 and COMPONENT-2."""

    effect: Effect
    discard: bool = False
    """Whether the card is discarded as the cost. Not for an ability."""
    once_per_round: bool = False
    requires: Requirement | None = None
    """Needed by the investigator who performs it."""
    text: PlainText | None = None
    """The name of the action where it is offered; if left out, that of its card."""


@attrs.frozen
class Powers:
    """The abilities that a card gives its holder."""

    modifiers: tuple[Modifier, ...] = ()
    """The modifiers that apply while it is in front of its holder."""
    reroll: Reroll | None = None
    """The dice that it lets its holder roll again."""
    convert: Convert | None = None
    """The investigations that it lets its holder turn into successes."""
    more_steps: MoreSteps | None = None
    """The steps that it lets its holder add to an attempt at a puzzle."""
    action: ComponentAction | None = None
    """The action that it gives its holder."""


@attrs.frozen
class InvestigatorCard:
    """An investigator. Rules INVESTIGATOR-2, INVESTIGATOR-3, SKILL-2."""

    id: Annotated[str, Declares(Kind.INVESTIGATOR)]
    health: Annotated[int, Bounds(1, 20)]
    sanity: Annotated[int, Bounds(1, 20)]
    """Horror that the investigator can bear."""
    strength: SkillValue
    """Dice of a test of this skill."""
    agility: SkillValue
    """Dice of a test of this skill."""
    observation: SkillValue
    """Dice of a test of this skill."""
    lore: SkillValue
    """Dice of a test of this skill."""
    influence: SkillValue
    """Dice of a test of this skill."""
    will: SkillValue
    """Dice of a test of this skill."""
    ability: Powers
    """The abilities of the investigator while they are in the game."""


@attrs.frozen
class Attack:
    """The attack icon and damage value of a weapon. Rule ITEM-3."""

    reach: Reach
    """The spaces that it reaches."""
    kind: WeaponKind
    damage: int
    """Its damage value."""
    after: Effect = ()
    """Resolved after an attack with it, such as `flip_this: true`."""
    through: tuple[Through, ...] = ()
    """For a ranged attack: what its range is counted through, besides borders."""


@attrs.frozen
class ItemBack:
    """
    The back of a two-sided Item, which anybody may read at any time.

    While the back is face up, its name, traits, attack and powers replace those of the front. Rule
    ITEM-4.
    """

    id: Annotated[str, Declares(Kind.BACK)]
    """Such as `back/lamp-lit`; with a name and a text in the words."""
    traits: tuple[NewTrait, ...] = ()
    attack: Attack | None = None
    powers: Powers = Powers()


@attrs.frozen
class ItemCard:
    """A Common or Unique Item. Effects flip a two-sided one by `flip_this`."""

    id: Annotated[str, Declares(Kind.ITEM)]
    deck: str
    """`common` or `unique`."""
    copies: Annotated[int, ONE_UP] = 1
    traits: tuple[NewTrait, ...] = ()
    """Traits. Rules ask for one of them, `light_source`: it lifts Darkness (DARKNESS-3) and can set
    a fire (SETFIRE-2).
    """
    attack: Attack | None = None
    powers: Powers = Powers()
    back: ItemBack | None = None
    """For a two-sided Item: its other side. Rule TWOSIDED-1."""


@attrs.frozen
class SpellBack:
    """
    The back of some copies of a Spell, which nobody reads before it is flipped. Rule SECRET-3.

    When the Spell is flipped, the effect of the back is resolved at once by the one who flipped it
    (SPELL-3). Usually that ends with `discard_this: true` and `gain_spell` of the same name.
    Otherwise the back stays face up, and its traits, attack and powers replace those of the front
    (DECIDE-127).
    """

    id: Annotated[str, Declares(Kind.BACK)]
    """Such as `back/ward-cold`; with a name and a text in the words."""
    copies: Annotated[int, ONE_UP]
    effect: Effect = ()
    traits: tuple[NewTrait, ...] = ()
    attack: Attack | None = None
    powers: Powers = Powers()


@attrs.frozen
class SpellCard:
    """
    A Spell: one front, and copies whose backs differ. Rules SPELL-1 to SPELL-4.

    It is cast by the action in its powers, or, if it has an attack, by attacking with it. Either
    one says when to flip it, with `flip_this: true` (in the action's effect, or in the attack's
    `after`).
    """

    id: Annotated[str, Declares(Kind.SPELL)]
    backs: tuple[SpellBack, ...]
    """The backs that its copies have."""
    traits: tuple[NewTrait, ...] = ()
    attack: Attack | None = None
    """For an attack spell; its kind is `spell`. Rule SPELL-4."""
    powers: Powers = Powers()


Side = ItemCard | ItemBack | SpellCard | SpellBack
"""One side of a possession: either may be face up."""


@attrs.frozen
class HarmCard:
    """A Damage or Horror card. Rules DAMAGE-3 to DAMAGE-5."""

    id: Annotated[str, Declares(Kind.HARM)]
    harm: Annotated[Harm, Role.IMPLIED]
    copies: Annotated[int, ONE_UP]
    resolve: Effect = ()
    """For a Resolve Immediately card: what it does."""
    keep: Powers | None = None
    """For a Keep Faceup card: what it does while faceup. Exactly one of the two."""
    traits: tuple[NewTrait, ...] = ()


@attrs.frozen
class ConditionBack:
    """
    The back of some copies of a Condition, which nobody reads before it is flipped. Rule SECRET-5.

    When the Condition is flipped, the effect of the back is resolved at once for its holder. If
    that does not end with `discard_this: true`, the back stays face up, and its traits and powers
    replace those of the front (DECIDE-127).
    """

    id: Annotated[str, Declares(Kind.BACK)]
    """Such as `back/hunted-dog`; with a name and a text in the words."""
    copies: Annotated[int, ONE_UP]
    effect: Effect = ()
    traits: tuple[NewTrait, ...] = ()
    powers: Powers = Powers()


@attrs.frozen
class ConditionCard:
    """
    An open Condition (Wounded and such); Insane ones are `InsaneBack`s.

    With `backs` it is two-sided, and the copy that somebody gains is one at random (CONDITION-4).
    It is flipped by `flip_this` in its own action, or by `flip_condition` in any effect.
    """

    id: Annotated[str, Declares(Kind.CONDITION)]
    copies: Annotated[int, ONE_UP] = 0
    """Number of copies; left out if there are `backs`, which have their own."""
    powers: Powers = Powers()
    traits: tuple[NewTrait, ...] = ()
    backs: tuple[ConditionBack, ...] = ()
    """For a two-sided Condition: the backs that its copies have."""

    @property
    def total(self) -> int:
        """Number of copies, of all backs together."""
        return sum(back.copies for back in self.backs) if self.backs else self.copies


@attrs.frozen
class InsaneBack:
    """The back of an Insane Condition. Rules INSANE-5 to INSANE-8."""

    id: Annotated[str, Declares(Kind.INSANE)]
    copies: Annotated[int, ONE_UP]
    minimum_players: Annotated[int, PLAYERS]
    powers: Powers = Powers()
    wins: Requirement | None = None
    """If given, its owner wins exactly if this holds at the end, whatever the common result is. An
    eliminated owner loses all the same, unless the requirement has `is_eliminated: true`. Rules
    WIN-6, WIN-7, ELIMINATED-4.
    """
