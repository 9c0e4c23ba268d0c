"""
Cards and investigators: their numbers and abilities.

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
    """Clubs, axes and other weapons that are swung."""
    BLADED = "bladed"
    """Knives and swords."""
    FIREARM = "firearm"
    """Guns."""
    SPELL = "spell"
    """Attack spells."""
    UNARMED = "unarmed"
    """Bare hands."""


class Reach(enum.Enum):
    """The attack icons. Rules ATTACK-5 and ATTACK-7."""

    MELEE = "melee"
    """The attacker's own space."""
    RANGED = "ranged"
    """All spaces within range."""


class Through(enum.Enum):
    """Obstacles that an effect ignores when range is counted. Rules RANGE-2 and RANGE-3."""

    WALLS = "walls"
    """Walls."""
    DOORS = "doors"
    """Doors, open or not."""


class ModifierKind(enum.Enum):
    """A value or ability that a card changes while the card is faceup."""

    DICE = "dice"
    """Number of dice in tests, of one skill or all. Rule TEST-5."""
    SPACES = "spaces"
    """Number of spaces of the move action."""
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
    """Damage value of the holder's attacks."""
    PUZZLE_STEPS = "puzzle_steps"
    """Number of steps in attempts at puzzles, by one skill or all. Rule PUZZLE-3."""
    THROUGH_WALLS = "through_walls"
    """The holder moves through walls, and so through blocked doors. MOVE-6 and MOVE-8."""
    ACROSS_IMPASSABLE = "across_impassable"
    """The holder moves across impassable borders. Rule MOVE-7."""
    THROUGH_UNEXPLORED = "through_unexplored"
    """The holder moves through doors with an Explore token, except doors that a Barricade blocks.
    MOVE-9."""
    TRADE_CLUES = "trade_clues"
    """The holder can give Clues in a trade. Rule CLUE-3."""


@attrs.frozen
class Modifier:
    """A constant effect of a card on a value or ability."""

    kind: ModifierKind
    """The value or ability that the card changes."""
    amount: Annotated[int, MODIFIER] = 0
    skill: Skill | None = None
    """The skill, for DICE and PUZZLE_STEPS; None for every skill."""


class Rolls(enum.Enum):
    """The rolls in which a card lets dice be rolled again."""

    TESTS = "tests"
    """Tests that the holder of the card makes."""
    BARRICADES = "barricades"
    """Rolls for monsters that try to break a Barricade. Rule BARRICADE-14."""
    ALL = "all"
    """Both the holder's tests and the rolls against Barricades."""


@attrs.frozen
class Reroll:
    """Permission to roll dice again, in a test or as a monster breaks a Barricade. Rule TEST-8."""

    dice: Annotated[Number, ONE_UP] = 1
    """Maximum number of dice that are rolled again."""
    skill: Skill | None = None
    """The skill of the tests to which the card applies; None for every skill."""
    once_per_round: bool = True
    discard: bool = False
    """Whether the holder discards the card as the cost. Rule SPEND-1. Never true for an
    investigator's ability."""
    rolls: Rolls = Rolls.TESTS
    """The rolls in which the dice may be rolled again."""


@attrs.frozen
class Convert:
    """Investigations may be turned into successes in a test without Clues. Rule TEST-8."""

    dice: Annotated[Number, ONE_UP] = 1
    """Maximum number of dice that are converted."""
    skill: Skill | None = None
    """The skill of the tests to which the card applies; None for every skill."""
    once_per_round: bool = True
    discard: bool = False
    """Whether the holder discards the card as the cost. Rule SPEND-1. Never true for an
    investigator's ability."""


@attrs.frozen
class MoreSteps:
    """The card may be used for further steps during an attempt at a puzzle. Rule PUZZLE-3."""

    steps: Annotated[Number, ONE_UP] = 1
    """Number of steps that the card adds."""
    skill: Skill | None = None
    """The skill of the attempts to which the card applies; None for every skill."""
    once_per_round: bool = True
    discard: bool = False
    """Whether the holder discards the card as the cost. Rule SPEND-1. Never true for an
    investigator's ability."""


@attrs.frozen
class ComponentAction:
    """An action that a card offers its holder. Rules COMPONENT-1 and COMPONENT-2."""

    effect: Effect
    discard: bool = False
    """Whether the holder discards the card as the cost. Never true for an investigator's
    ability."""
    once_per_round: bool = False
    requires: Requirement | None = None
    """A requirement that the investigator must meet to perform the action."""
    text: PlainText | None = None
    """The name of the action in the list of actions; if left out, the name of the card."""


@attrs.frozen
class Powers:
    """The abilities that a card gives its holder."""

    modifiers: tuple[Modifier, ...] = ()
    """The modifiers that apply while the card is in front of its holder."""
    reroll: Reroll | None = None
    """The dice that the card lets its holder roll again."""
    convert: Convert | None = None
    """The investigation results that the card lets its holder turn into successes."""
    more_steps: MoreSteps | None = None
    """The steps that the card lets its holder add to an attempt at a puzzle."""
    action: ComponentAction | None = None
    """The action that the card gives its holder."""


@attrs.frozen
class InvestigatorCard:
    """An investigator. Rules INVESTIGATOR-2, INVESTIGATOR-3, SKILL-2."""

    id: Annotated[str, Declares(Kind.INVESTIGATOR)]
    health: Annotated[int, Bounds(1, 20)]
    sanity: Annotated[int, Bounds(1, 20)]
    """Amount of Horror that the investigator can suffer before becoming Insane."""
    strength: SkillValue
    """Number of dice in a strength test."""
    agility: SkillValue
    """Number of dice in an agility test."""
    observation: SkillValue
    """Number of dice in an observation test."""
    lore: SkillValue
    """Number of dice in a lore test."""
    influence: SkillValue
    """Number of dice in an influence test."""
    will: SkillValue
    """Number of dice in a will test."""
    ability: Powers
    """The abilities of the investigator while they are in the game."""


@attrs.frozen
class Attack:
    """The attack icon and damage value of a weapon. Rule ITEM-3."""

    reach: Reach
    """The spaces in which the weapon can hit a monster."""
    kind: WeaponKind
    damage: int
    """The damage value of the weapon."""
    after: Effect = ()
    """An effect resolved after an attack with the weapon, such as `flip_this: true`."""
    through: tuple[Through, ...] = ()
    """Obstacles, besides borders, through which the range of a ranged attack is counted."""


@attrs.frozen
class ItemBack:
    """
    The back of a two-sided Item, which anybody may read at any time.

    While the back is face up, its name, traits, attack and powers replace those of the front. Rule
    ITEM-4.
    """

    id: Annotated[str, Declares(Kind.BACK)]
    """An id such as `back/lamp-lit`; the words have its name and text."""
    traits: tuple[NewTrait, ...] = ()
    attack: Attack | None = None
    powers: Powers = Powers()


@attrs.frozen
class ItemCard:
    """A Common or Unique Item. Effects flip a two-sided one by `flip_this`."""

    id: Annotated[str, Declares(Kind.ITEM)]
    deck: str
    """The deck of the Item: `common` or `unique`."""
    copies: Annotated[int, ONE_UP] = 1
    traits: tuple[NewTrait, ...] = ()
    """The traits of the Item. The rules use the trait `light_source`: an Item with it lifts
    Darkness (DARKNESS-3) and can set a fire (SETFIRE-2)."""
    attack: Attack | None = None
    powers: Powers = Powers()
    back: ItemBack | None = None
    """The back of a two-sided Item. Rule TWOSIDED-1."""


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
    """An id such as `back/ward-cold`; the words have its name and text."""
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
    """The backs of the Spell, each with its number of copies."""
    traits: tuple[NewTrait, ...] = ()
    attack: Attack | None = None
    """The attack of an attack spell, whose kind is `spell`. Rule SPELL-4."""
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
    """The effect of a Resolve Immediately card. A card has either `resolve` or `keep`."""
    keep: Powers | None = None
    """The powers of a Keep Faceup card while the card is faceup."""
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
    """An id such as `back/hunted-dog`; the words have its name and text."""
    copies: Annotated[int, ONE_UP]
    effect: Effect = ()
    traits: tuple[NewTrait, ...] = ()
    powers: Powers = Powers()


@attrs.frozen
class ConditionCard:
    """
    An open Condition, such as Wounded. The backs of the Insane Condition are `InsaneBack`s.

    With `backs` it is two-sided, and the copy that somebody gains is one at random (CONDITION-4).
    It is flipped by `flip_this` in its own action, or by `flip_condition` in any effect.
    """

    id: Annotated[str, Declares(Kind.CONDITION)]
    copies: Annotated[int, ONE_UP] = 0
    """Number of copies. Leave it out if `backs` is given: each back has its own number."""
    powers: Powers = Powers()
    traits: tuple[NewTrait, ...] = ()
    backs: tuple[ConditionBack, ...] = ()
    """The backs of a two-sided Condition, each with its number of copies."""

    @property
    def total(self) -> int:
        """Return the number of copies, summed over all backs."""
        return sum(back.copies for back in self.backs) if self.backs else self.copies


@attrs.frozen
class InsaneBack:
    """The back of an Insane Condition. Rules INSANE-5 to INSANE-8."""

    id: Annotated[str, Declares(Kind.INSANE)]
    copies: Annotated[int, ONE_UP]
    minimum_players: Annotated[int, PLAYERS]
    powers: Powers = Powers()
    wins: Requirement | None = None
    """If given, the owner wins exactly if this requirement holds at the end, even if the group
    loses. An eliminated owner loses in any case, except with `is_eliminated: true` in the
    requirement. Rules WIN-6, WIN-7, ELIMINATED-4."""
