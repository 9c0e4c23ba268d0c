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
    """The criterion by which a monster moves or attacks. Rule ACTIVATE-6."""

    NEAREST = "nearest"
    """The nearest investigator."""
    MOST_DAMAGE = "most_damage"
    """The one who has suffered the most Damage."""
    LEAST_DAMAGE = "least_damage"
    """The one who has suffered the least Damage."""
    MOST_HORROR = "most_horror"
    """The one who has suffered the most Horror."""
    LEAST_HORROR = "least_horror"
    """The one who has suffered the least Horror."""
    MOST_CLUES = "most_clues"
    """The one who has the most Clues."""
    RANDOM = "random"
    """One at random."""


class Passable(enum.Enum):
    """Obstacles that a monster can pass and others cannot."""

    WALLS = "walls"
    """Walls, and with them doors that are blocked. Rules MOVE-6 and MOVE-8."""
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
    """Dice added, or removed if negative, to break a Barricade. Rule BARRICADE-12."""


@attrs.frozen
class Entry:
    """One text that can be drawn."""

    text: FightText
    effect: Effect


@attrs.frozen
class Activation:
    """The actions of a monster in the monster step. Rules ACTIVATE-3 to ACTIVATE-7."""

    text: FightText
    """Told before it moves."""
    spaces: Number
    """How far it moves."""
    toward: Target
    """The investigator it moves toward; it stops in their space."""
    target: Target
    """The investigator it attacks, among those in reach."""
    attack_text: FightText
    """Told when it attacks."""
    attack: Effect
    """The actor is the one attacked."""
    ranged: bool = False
    """Whether it reaches everybody within range instead of its own space."""
    through: tuple[Through, ...] = ()
    """For one that is ranged: what its range is counted through, besides borders."""
    otherwise: Effect = ()
    """
    Resolved if there is nobody to attack and somebody to move toward, who is the actor; where
    nobody can be reached, nothing is resolved (DECIDE-104).
    """


@attrs.frozen
class MonsterCard:
    """A kind of monster. Rules MONSTER-2 to MONSTER-5 and MONSTER-10."""

    id: Annotated[str, Declares(Kind.MONSTER)]
    # Evading, horror and pushing add these three to a test, so they may be below zero.
    awareness: Annotated[int, MODIFIER]
    """Added to the test to evade it."""
    horror_rating: Annotated[int, MODIFIER]
    """Added to the horror test against it."""
    brawn: Annotated[int, MODIFIER]
    """Added to the test to push it."""
    health: Number
    copies: Annotated[int, ONE_UP]
    evades: tuple[Entry, ...]
    """One is drawn when somebody evades it."""
    horrors: tuple[Entry, ...]
    """One is drawn when it frightens somebody."""
    attacks: Mapping[WeaponKind, tuple[Entry, ...]]
    """Drawn when an investigator attacks it, by attack option; every option is needed."""
    activations: tuple[Activation, ...]
    """One is drawn when it moves and attacks."""
    traits: tuple[Annotated[str, Declares(Kind.MONSTER_TRAIT)], ...] = ()
    abilities: tuple[Annotated[str, Names(Kind.ABILITY)], ...] = ()
    """Ids of `abilities.yaml`."""
