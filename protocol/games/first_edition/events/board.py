"""Events of figures, monsters, features and locks on the board."""

from protocol import codec
from protocol.common.events import Disclosure
from protocol.common.table import Handle
from protocol.event import EVERYBODY, Sealed, event, secret
from protocol.games.first_edition.events.base import (
    FirstEditionEvent,
    Game,
    without,
    without_monster,
)
from protocol.games.first_edition.table import (
    PIT_SUPPLY,
    CardId,
    CharacterId,
    Feature,
    FeatureId,
    InvestigatorId,
    Monster,
    MonsterBack,
    MonsterId,
    RoomId,
    SpaceId,
)
from protocol.games.first_edition.words import FeatureKind, MonsterClass
from protocol.values import evolve


@event("fe/moved")
class Moved(FirstEditionEvent):
    """A character came to a space. K-MOVE-1, K-EVADE-10, K-DECIDE-85, W-ALLY-12."""

    investigator: CharacterId
    space: SpaceId

    def fold(self, table: Game) -> Game:
        if self.investigator in table.allies:
            return table.with_character(self.investigator, space=self.space)
        before = table.room_of(table.investigators[self.investigator].space)
        table = table.with_investigator(self.investigator, space=self.space, hidden_in=None)
        room = table.room_of(self.space)
        if room == before:
            return table
        entered = table.entered if room in table.entered else (*table.entered, room)
        return evolve(table, entered=entered).with_moment(self.investigator, room)


@event("fe/hid")
class Hid(FirstEditionEvent):
    """An investigator hid in a hiding spot, or left it. K-HIDE-1, K-HIDE-5."""

    investigator: InvestigatorId
    spot: FeatureId | None
    """The hiding spot; None if the investigator left it."""

    def fold(self, table: Game) -> Game:
        is_in = self.spot is not None
        return table.with_investigator(self.investigator, hidden_in=self.spot, hid_this_turn=is_in)


@event("fe/monster_placed")
class MonsterPlaced(FirstEditionEvent):
    """A monster came to the board. K-CARD-15, K-SECRET-14, K-SECRET-15."""

    kind: CardId
    number: int
    class_: MonsterClass
    awareness: int
    horror: int
    space: SpaceId
    is_named: bool
    is_large: bool
    role: str
    back: Sealed[MonsterBack] = secret(to="role")

    def fold(self, table: Game) -> Game:
        monster = Monster(
            f"m{table.next_monster}",
            self.kind,
            self.number,
            self.class_,
            self.awareness,
            self.horror,
            self.space,
            self.back,
            self.is_named,
            self.is_large,
        )
        return evolve(
            table,
            monsters={**table.monsters, monster.monster_id: monster},
            next_monster=table.next_monster + 1,
        )


@event("fe/monster_flies")
class MonsterFlies(FirstEditionEvent):
    """The monster that has just come to the board has a wing on its token. W-FLY-1."""

    monster: MonsterId

    def fold(self, table: Game) -> Game:
        return table.with_monster(self.monster, is_flying=True)


@event("fe/monster_moved")
class MonsterMoved(FirstEditionEvent):
    """A monster moved by one space, or was put elsewhere. K-DECIDE-21."""

    monster: MonsterId
    space: SpaceId

    def fold(self, table: Game) -> Game:
        return table.with_monster(self.monster, space=self.space)


@event("fe/monster_hurt")
class MonsterHurt(FirstEditionEvent):
    """A monster took damage, or was healed. K-MONSTER-1."""

    monster: MonsterId
    damage: int
    """Damage added; negative if it was healed."""

    def fold(self, table: Game) -> Game:
        damage = max(0, table.monsters[self.monster].damage + self.damage)
        return table.with_monster(self.monster, damage=damage)


@event("fe/monster_stunned")
class MonsterStunned(FirstEditionEvent):
    """A monster got stun tokens, or lost them. K-STUN-1, K-MATTACK-3."""

    monster: MonsterId
    count: int
    """Tokens added; negative if they were removed."""

    def fold(self, table: Game) -> Game:
        stun = max(0, table.monsters[self.monster].stun + self.count)
        return table.with_monster(self.monster, stun=stun)


@event("fe/monster_back_shown")
class MonsterBackShown(FirstEditionEvent):
    """The back of a monster became open to all. K-INFO-4, K-DECIDE-94."""

    monster: MonsterId
    opened: Disclosure
    card: CardId
    """The token, repeated as a public field, so that the server sends the words."""

    @property
    def back(self) -> MonsterBack:
        """The back."""
        found: MonsterBack = codec.decode(self.opened.value, MonsterBack)
        return found

    def fold(self, table: Game) -> Game:
        back = table.monsters[self.monster].back
        shown = back.seen_by((EVERYBODY,)).opened(self.back)
        return table.with_monster(self.monster, back=shown)


@event("fe/monster_killed")
class MonsterKilled(FirstEditionEvent):
    """A monster was killed. K-MONSTER-4 to K-MONSTER-6."""

    monster: MonsterId

    def fold(self, table: Game) -> Game:
        table, gone = without_monster(table, self.monster)
        killed = {**table.killed, gone.kind: table.killed.get(gone.kind, 0) + 1}
        return evolve(table, killed=killed)


@event("fe/monster_removed")
class MonsterRemoved(FirstEditionEvent):
    """A monster left the board without being killed. K-SUPPLY-6."""

    monster: MonsterId

    def fold(self, table: Game) -> Game:
        return without_monster(table, self.monster)[0]


@event("fe/feature_placed")
class FeaturePlaced(FirstEditionEvent):
    """A feature or a marker was put on the board. K-DECIDE-79, K-SUPPLY-2."""

    kind: FeatureKind
    at: str
    """A space; for fire and darkness a room."""

    def fold(self, table: Game) -> Game:
        feature = Feature(f"f{table.next_feature}", self.kind, self.at)
        left = table.corpses_left - (self.kind is FeatureKind.CORPSE)
        return evolve(
            table,
            features={**table.features, feature.feature_id: feature},
            next_feature=table.next_feature + 1,
            corpses_left=left,
        )


@event("fe/pit_placed")
class PitPlaced(FirstEditionEvent):
    """The top pit of the supply was put on the board face down. W-PIT-6, W-PIT-10, W-SECRET-1."""

    at: SpaceId
    handle: Handle

    def fold(self, table: Game) -> Game:
        feature = Feature(f"f{table.next_feature}", FeatureKind.PIT, self.at, None, self.handle)
        return evolve(
            table.drawn(PIT_SUPPLY, self.handle),
            features={**table.features, feature.feature_id: feature},
            next_feature=table.next_feature + 1,
        )


@event("fe/pit_triggered")
class PitTriggered(FirstEditionEvent):
    """Figures fell into a pit, which is turned up. W-PIT-2 to W-PIT-5, W-PIT-13, W-SECRET-1."""

    figures: tuple[str, ...]
    """Characters and monsters; none of them moves again in this turn."""
    feature: FeatureId
    handle: Handle
    card: CardId
    damage: int
    is_renewed: bool
    """True if the marker has the arrow: another pit takes its place. W-PIT-6."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the marker with its handle."""
        return ((self.handle, self.card),)

    def fold(self, table: Game) -> Game:
        # A turn that is withdrawn and begins again would free a figure from the pit.
        is_committed = table.is_committed or table.active in self.figures
        trapped = (*table.trapped, *self.figures)
        return evolve(table, trapped=trapped, is_committed=is_committed)


@event("fe/pit_returned")
class PitReturned(FirstEditionEvent):
    """A pit left the board for the supply, which is shuffled next. W-PIT-7."""

    feature: FeatureId

    def fold(self, table: Game) -> Game:
        handle = table.features[self.feature].handle
        assert handle is not None
        left = without(table.features, self.feature)
        return evolve(table.put(PIT_SUPPLY, handle), features=left)


@event("fe/feature_removed")
class FeatureRemoved(FirstEditionEvent):
    """A feature or a marker left the board. K-DECIDE-79, K-SUPPLY-3."""

    feature: FeatureId

    def fold(self, table: Game) -> Game:
        kind = table.features[self.feature].kind
        return evolve(
            table,
            features=without(table.features, self.feature),
            corpses_left=table.corpses_left + (kind is FeatureKind.CORPSE),
        )


@event("fe/feature_moved")
class FeatureMoved(FirstEditionEvent):
    """A corpse was dragged, or a boat moved. K-CORPSE-1, W-DECIDE-14."""

    feature: FeatureId
    at: SpaceId

    def fold(self, table: Game) -> Game:
        moved = evolve(table.features[self.feature], at=self.at)
        return evolve(table, features={**table.features, self.feature: moved})


@event("fe/barricade_set")
class BarricadeSet(FirstEditionEvent):
    """A barricade was pushed before a door, or away from it. K-BARR-2, K-DECIDE-84."""

    feature: FeatureId
    against: SpaceId | None
    """The space behind the door; None if no door is blocked any more."""

    def fold(self, table: Game) -> Game:
        moved = evolve(table.features[self.feature], against=self.against)
        return evolve(table, features={**table.features, self.feature: moved})


@event("fe/lock_shown")
class LockShown(FirstEditionEvent):
    """Somebody tried to enter a locked room, and the lock was turned up. K-DECIDE-36."""

    room: RoomId
    opened: Disclosure
    card: CardId
    """The lock, repeated as a public field, so that the server sends the words."""

    def fold(self, table: Game) -> Game:
        lock = evolve(table.locks[self.room], shown=self.card)
        return evolve(table, locks={**table.locks, self.room: lock})


@event("fe/lock_opened")
class LockOpened(FirstEditionEvent):
    """The lock of a room was opened and discarded. K-DECIDE-36."""

    room: RoomId

    def fold(self, table: Game) -> Game:
        return evolve(table, locks=without(table.locks, self.room))
