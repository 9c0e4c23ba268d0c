"""Characters: investigators, who have a seat, and allies, who have none."""

from collections.abc import Collection, Mapping
from typing import ClassVar

from protocol.games.first_edition.table.cards import FaceDown, Item, Spell
from protocol.games.first_edition.table.ids import (
    AllyId,
    CardId,
    CharacterId,
    FeatureId,
    InvestigatorId,
    SpaceId,
)
from protocol.games.first_edition.words import AttackKind, Attribute, Keyword, TestKind, TraumaKind
from protocol.values import frozen


@frozen
class FixedTest:
    """An attribute test to come that no die decides. K-DECIDE-33."""

    is_passed: bool
    kinds: tuple[TestKind, ...] = ()
    """Kinds of test that count; any if empty."""

    def fits(self, kinds: Collection[TestKind | None]) -> bool:
        return not self.kinds or any(kind in kinds for kind in self.kinds)


class Character:
    """Base of investigators and allies: health, sanity and items."""

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
