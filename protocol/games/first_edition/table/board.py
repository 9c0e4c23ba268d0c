"""Monsters and features on the board."""

from protocol.common.table import Handle
from protocol.event import Sealed
from protocol.games.first_edition.table.ids import CardId, FeatureId, MonsterId, SpaceId
from protocol.games.first_edition.words import MONSTER_LINKS, UNDER, FeatureKind, MonsterClass
from protocol.values import frozen


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
