"""
Monsters: their numbers and the texts the keeper draws for them.

Each entry has a text in the pack's words, told when the entry is drawn, and an effect.
"""

import enum
from collections.abc import Mapping
from typing import Annotated

import attrs

from content.games.second_edition.schema.cards import Through, WeaponKind
from content.games.second_edition.schema.effects import Effect, Number
from content.games.second_edition.schema.kinds import MODIFIER, ONE_UP, FightText, Kind
from content.reading.meanings import Declares, Names


class Target(enum.Enum):
    """The way a monster selects an investigator to move to or attack. Rule ACTIVATE-6."""

    NEAREST = "nearest"
    """The nearest investigator."""
    MOST_DAMAGE = "most_damage"
    """The investigator who has suffered the most Damage."""
    LEAST_DAMAGE = "least_damage"
    """The investigator who has suffered the least Damage."""
    MOST_HORROR = "most_horror"
    """The investigator who has suffered the most Horror."""
    LEAST_HORROR = "least_horror"
    """The investigator who has suffered the least Horror."""
    MOST_CLUES = "most_clues"
    """The investigator who has the most Clues."""
    RANDOM = "random"
    """A random investigator."""


class Passable(enum.Enum):
    """An obstacle that some monsters can pass; most cannot."""

    WALLS = "walls"
    """Walls, and blocked doors with them. Rules MOVE-6 and MOVE-8."""
    IMPASSABLE = "impassable"
    """Impassable borders. Rule MOVE-7."""
    BARRICADES = "barricades"
    """Blocked doors and Secret Passages, without a roll. Rule BARRICADE-10."""
    UNEXPLORED = "unexplored"
    """Doors with an Explore token on them. Rule MOVE-9."""


@attrs.frozen
class Ability:
    """
    The ability on the back of a monster's token. Rule MONSTER-4.

    Its id begins with `ability/`; the words have its name and text, for all to read.
    """

    id: Annotated[str, Declares(Kind.ABILITY)]
    passes: tuple[Passable, ...] = ()
    """Obstacles that do not stop the monster."""
    barricade_dice: Annotated[int, MODIFIER] = 0
    """Number of dice added to rolls to break a Barricade; negative to remove dice. Rule
    BARRICADE-12."""


@attrs.frozen
class Entry:
    """A text with its effect; one of several entries is drawn."""

    text: FightText
    effect: Effect


@attrs.frozen
class Activation:
    """The actions of a monster in the monster step. Rules ACTIVATE-3 to ACTIVATE-7."""

    text: FightText
    """The text told before the monster moves."""
    spaces: Number
    """Maximum number of spaces that the monster moves."""
    toward: Target
    """The investigator toward whom the monster moves. The monster stops in their space."""
    target: Target
    """The investigator whom the monster attacks, among those in reach."""
    attack_text: FightText
    """The text told when the monster attacks."""
    attack: Effect
    """The effect of the attack; its actor is the attacked investigator."""
    ranged: bool = False
    """Whether the monster can attack within range instead of only in its own space."""
    through: tuple[Through, ...] = ()
    """Obstacles, besides borders, through which the range of a ranged attack is counted."""
    flees: bool = False
    """Whether the monster moves away from the nearest investigator instead of toward one. Rules
    ACTIVATE-8 and NEAREST-4."""
    otherwise: Effect = ()
    """An effect resolved if the monster can attack nobody. Its actor is the investigator whom
    `toward` names, even if no route leads to them. If `toward` is the nearest investigator and none
    can be reached, it names nobody, and nothing is resolved (DECIDE-104)."""


@attrs.frozen
class MonsterCard:
    """A kind of monster. Rules MONSTER-2 to MONSTER-5 and MONSTER-10."""

    id: Annotated[str, Declares(Kind.MONSTER)]
    # Evading, horror and pushing add these three to a test, so they may be below zero.
    awareness: Annotated[int, MODIFIER]
    """A number that orders monsters: an investigator evades the most aware monster of a space.
    Entries can read it as `monster.awareness`."""
    horror_rating: Annotated[int, MODIFIER]
    """A number that orders monsters: a horror check is made against the highest rating in sight.
    Entries can read it as `monster.horror`."""
    brawn: Annotated[int, MODIFIER]
    """Number of successes needed to push the monster; also its number of dice against a
    Barricade."""
    health: Number
    copies: Annotated[int, ONE_UP]
    evades: tuple[Entry, ...]
    """Entries for evade checks; one is drawn when an investigator evades the monster."""
    horrors: tuple[Entry, ...]
    """Entries for horror checks; one is drawn when the monster frightens an investigator."""
    attacks: Mapping[WeaponKind, tuple[Entry, ...]]
    """Entries for attacks on the monster, by attack option. Every option needs entries; one is
    drawn for each attack."""
    activations: tuple[Activation, ...]
    """Activations; one is drawn when the monster moves and attacks in the monster step."""
    traits: tuple[Annotated[str, Declares(Kind.MONSTER_TRAIT)], ...] = ()
    abilities: tuple[Annotated[str, Names(Kind.ABILITY)], ...] = ()
    """The abilities of the monster: ids from `abilities.yaml`."""
