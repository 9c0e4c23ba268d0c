"""
Targets: whom and what a step concerns.

In YAML a target is a word for some, the id of one, or a mapping with one key, such as
`{in_room: room/cellar}`.
"""

import enum
from typing import Annotated

from content.games.second_edition.schema.kinds import (
    ItemId,
    Kind,
    MonsterId,
    MonsterTrait,
    RoomId,
    SpaceId,
    Trait,
)
from content.reading.meanings import Names, Role
from content.reading.parts import part


class Who(enum.Enum):
    """Words for the investigators that a step concerns, never eliminated ones."""

    ACTOR = "actor"
    """The investigator whom the effect already concerns."""
    ALL = "all"
    """All."""
    OTHERS = "others"
    """All but the actor."""
    HERE = "here"
    """All in the actor's space."""
    ACTIVE = "active"
    """The one whose turn it is; nobody between turns."""
    RANDOM = "random"
    """One, picked at random. Rule RANDOM-2."""
    CHOSEN = "chosen"
    """One, whom the investigators choose. DECIDE-149."""
    NEAREST = "nearest"
    """The one nearest to the monster, else the one nearest to the actor; ties are chosen."""
    FARTHEST = "farthest"
    """The one farthest from the monster, else from the actor; ties are chosen."""
    MOST_DAMAGE = "most_damage"
    """The one who has suffered the most Damage; ties are chosen (CONFLICT-1)."""
    MOST_HORROR = "most_horror"
    """The one who has suffered the most Horror; ties are chosen."""
    LEAST_DAMAGE = "least_damage"
    """The one who has suffered the least Damage; ties are chosen."""
    LEAST_HORROR = "least_horror"
    """The one who has suffered the least Horror; ties are chosen."""
    MOST_CLUES = "most_clues"
    """The one who has the most Clues; ties are chosen."""
    LEAST_CLUES = "least_clues"
    """The one who has the fewest Clues; ties are chosen."""
    WITHIN_RANGE = "within_range"
    """All within range of the monster. Rule RANGE-1."""


class Whom:
    """The investigators that a step concerns, if `Who` has no word for them."""


@part(Whom, "investigator", inline="investigator")
class OneInvestigator(Whom):
    """One investigator, if in the game; written as the id alone."""

    investigator: Annotated[str, Names(Kind.WHOM)]


@part(Whom, "in_room", inline="room")
class AllInRoom(Whom):
    """All in this room."""

    room: RoomId


@part(Whom, "in_space", inline="space")
class AllInSpace(Whom):
    """All in this space."""

    space: SpaceId


@part(Whom, "has_item", inline="item")
class AllWithItem(Whom):
    """All who have this Item."""

    item: Annotated[ItemId, Role.ASKS]


@part(Whom, "has_trait", inline="trait")
class AllWithTrait(Whom):
    """All who have a card with this trait. Rule TRAIT-3."""

    trait: Trait


Anybody = Who | Whom
"""The investigators that a step concerns."""


class Which(enum.Enum):
    """Words for the monsters that a step concerns."""

    THIS = "this"
    """The one whose entry is being resolved, or that set the trigger off."""
    ALL = "all"
    """All on the board."""
    RANDOM = "random"
    """One at random."""
    NEAREST = "nearest"
    """The one nearest to the actor; ties are decided (DECIDE-103)."""


class WhichMonsters:
    """The monsters that a step concerns, if `Which` has no word for them."""


@part(WhichMonsters, "named", inline="name")
class NamedMonster(WhichMonsters):
    """The monster with a name of the scenario; written as the name alone."""

    name: Annotated[str, Names(Kind.WHICH), Role.ASKS]


@part(WhichMonsters, "kind", inline="kind")
class OfKind(WhichMonsters):
    """All monsters of one kind."""

    kind: Annotated[MonsterId, Role.ASKS]


@part(WhichMonsters, "trait", inline="trait")
class OfTrait(WhichMonsters):
    """All monsters with one trait."""

    trait: MonsterTrait


AnyMonster = Which | WhichMonsters
"""Which monsters a step concerns."""
