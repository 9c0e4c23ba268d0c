"""
Targets: the investigators, monsters and places that a step concerns.

In YAML a target is a word such as `all`, the id of one, or a mapping with one key, such as
`{in_room: room/cellar}`.
"""

import enum
from typing import Annotated

from content.games.second_edition.schema.kinds import (
    Distance,
    ItemId,
    Kind,
    MonsterId,
    MonsterTrait,
    Origin,
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
    """All investigators."""
    OTHERS = "others"
    """All investigators except the actor."""
    HERE = "here"
    """All investigators in the actor's space."""
    ACTIVE = "active"
    """The investigator whose turn it is; between turns, nobody."""
    RANDOM = "random"
    """A random investigator. Rule RANDOM-2."""
    CHOSEN = "chosen"
    """One investigator, whom the group chooses. DECIDE-149."""
    NEAREST = "nearest"
    """The investigator nearest to the monster, or to the actor if there is no monster; the group
    chooses among ties."""
    FARTHEST = "farthest"
    """The investigator farthest from the monster, or from the actor if there is no monster; the
    group chooses among ties."""
    MOST_DAMAGE = "most_damage"
    """The investigator who has suffered the most Damage; the group chooses among ties
    (CONFLICT-1)."""
    MOST_HORROR = "most_horror"
    """The investigator who has suffered the most Horror; the group chooses among ties."""
    LEAST_DAMAGE = "least_damage"
    """The investigator who has suffered the least Damage; the group chooses among ties."""
    LEAST_HORROR = "least_horror"
    """The investigator who has suffered the least Horror; the group chooses among ties."""
    MOST_CLUES = "most_clues"
    """The investigator who has the most Clues; the group chooses among ties."""
    LEAST_CLUES = "least_clues"
    """The investigator who has the fewest Clues; the group chooses among ties."""
    WITHIN_RANGE = "within_range"
    """All investigators within range of the monster. Rule RANGE-1."""


class Whom:
    """The investigators that a step concerns, if `Who` has no word for them."""


@part(Whom, "investigator", inline="investigator")
class OneInvestigator(Whom):
    """One investigator, if in the game; written as the id alone."""

    investigator: Annotated[str, Names(Kind.WHOM)]


@part(Whom, "in_room", inline="room")
class AllInRoom(Whom):
    """All investigators in this room."""

    room: RoomId


@part(Whom, "in_space", inline="space")
class AllInSpace(Whom):
    """All investigators in this space."""

    space: SpaceId


@part(Whom, "has_item", inline="item")
class AllWithItem(Whom):
    """All investigators who have this Item."""

    item: Annotated[ItemId, Role.ASKS]


@part(Whom, "has_trait", inline="trait")
class AllWithTrait(Whom):
    """All investigators who have a card with this trait. Rule TRAIT-3."""

    trait: Trait


@part(Whom, "within")
class AllWithin(Whom):
    """All investigators at most some spaces away from something, by open ways.

    Rules NEAREST-1 and DECIDE-101.
    """

    spaces: Distance
    """Maximum number of spaces; 0 means the space of the thing itself."""
    of: Origin
    """The thing from which the spaces are counted."""


@part(Whom, "adjacent_to", inline="of")
class AllAdjacent(Whom):
    """All investigators in spaces adjacent to something, even behind walls.

    Rules ADJACENT-1 to ADJACENT-4.
    """

    of: Origin
    """The thing to which the spaces are adjacent."""


Anybody = Who | Whom
"""The investigators that a step concerns."""


class Which(enum.Enum):
    """Words for the monsters that a step concerns."""

    THIS = "this"
    """The monster whose entry is being resolved, or that set the trigger off."""
    ALL = "all"
    """All monsters on the board."""
    RANDOM = "random"
    """A random monster."""
    NEAREST = "nearest"
    """The monster nearest to the actor; the group decides ties (DECIDE-103)."""


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


@part(WhichMonsters, "within")
class MonstersWithin(WhichMonsters):
    """
    All monsters at most some spaces away from something, by ways open to figures on foot.

    Rules NEAREST-1 and DECIDE-101.
    """

    spaces: Distance
    """Maximum number of spaces; 0 means the space of the thing itself."""
    of: Origin
    """The thing from which the spaces are counted."""


@part(WhichMonsters, "adjacent_to", inline="of")
class MonstersAdjacent(WhichMonsters):
    """All monsters in spaces adjacent to something. Rules ADJACENT-1 to ADJACENT-4."""

    of: Origin
    """The thing to which the spaces are adjacent."""


AnyMonster = Which | WhichMonsters
"""The monsters that a step concerns."""
