"""
Targets: the investigators and monsters that a step or a requirement concerns.

In YAML a target is a word such as `all`, or a mapping with one key, such as `{in_room: room/hall}`.
"""

import enum

from content.games.first_edition.schema.kinds import AllyId, ItemId, MonsterId, Place
from content.reading.parts import part
from protocol.games.first_edition.words import MonsterClass


class Who(enum.Enum):
    """Words for the investigators that a step concerns; only those on the board are meant."""

    ACTOR = "actor"
    """The investigator whom the effect already concerns."""
    ALL = "all"
    """All investigators."""
    OTHERS = "others"
    """All investigators except the actor."""
    SPACE = "space"
    """All investigators in the space of the actor, or of the monster if there is no actor."""
    ROOM = "room"
    """All investigators in the room of the actor, or of the monster if there is no actor."""
    CHOSEN = "chosen"
    """One investigator, whom the keeper chooses."""
    ALLIES = "allies"
    """All allies. W-DECIDE-33."""
    COMRADE = "comrade"
    """One investigator in the actor's room, perhaps the actor, whom the actor chooses.
    K-SPELL-6."""


class Whom:
    """The investigators that a step concerns, if `Who` has no word for them."""


@part(Whom, "in", inline="place")
class AllIn(Whom):
    """All investigators in a room or a space."""

    place: Place


@part(Whom, "ally", inline="ally")
class TheAlly(Whom):
    """This ally, if it is on the board."""

    ally: AllyId


@part(Whom, "with_item", inline="item")
class AllWithItem(Whom):
    """All investigators who have this item."""

    item: ItemId


Anybody = Who | Whom
"""The investigators that a step concerns."""


class Which(enum.Enum):
    """Words for the monsters that a step concerns."""

    THIS = "this"
    """The monster that the effect already concerns."""
    ALL = "all"
    """All monsters on the board."""
    SPACE = "space"
    """All monsters in the actor's space."""
    ROOM = "room"
    """All monsters in the actor's room."""


class WhichMonsters:
    """The monsters that a step concerns, if `Which` has no word for them."""


@part(WhichMonsters, "kind", inline="kind")
class OfKind(WhichMonsters):
    """All monsters of one kind."""

    kind: MonsterId


@part(WhichMonsters, "class", inline="class_")
class OfClass(WhichMonsters):
    """All monsters of one class."""

    class_: MonsterClass


@part(WhichMonsters, "in", inline="place")
class MonstersIn(WhichMonsters):
    """All monsters in a room or a space."""

    place: Place


AnyMonster = Which | WhichMonsters
"""The monsters that a step concerns."""
