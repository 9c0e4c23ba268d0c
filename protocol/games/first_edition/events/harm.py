"""Events of damage, horror, stun, trauma, death and elimination."""

from protocol.common.table import Handle
from protocol.event import event
from protocol.games.first_edition.events.base import (
    FirstEditionEvent,
    Game,
    without,
    without_waiting,
)
from protocol.games.first_edition.table import (
    TRAUMA_DECK,
    TRAUMA_HAND,
    CardId,
    CharacterId,
    InvestigatorId,
    TraumaTrigger,
    Waiting,
)
from protocol.games.first_edition.words import TraumaKind
from protocol.values import evolve


@event("fe/harm_taken")
class HarmTaken(FirstEditionEvent):
    """A character took damage or horror, or was healed. K-DAMAGE-1, 2, 7, W-ALLY-4, W-ALLY-5."""

    investigator: CharacterId
    damage: int
    """Damage added; negative if it was healed."""
    horror: int
    """Horror added; negative if it was healed."""

    def fold(self, table: Game) -> Game:
        who = table.character(self.investigator)
        return table.with_character(
            self.investigator,
            damage=max(0, who.damage + self.damage),
            horror=max(0, who.horror + self.horror),
        )


@event("fe/stunned")
class Stunned(FirstEditionEvent):
    """A character got stun tokens, or lost them. K-STUN-1, K-KEEPER-4, W-DECIDE-21."""

    investigator: CharacterId
    count: int
    """Tokens added; negative if they were removed."""

    def fold(self, table: Game) -> Game:
        stun = max(0, table.character(self.investigator).stun + self.count)
        is_slowed = table.is_slowed or (stun > 0 and table.active == self.investigator)
        return evolve(table.with_character(self.investigator, stun=stun), is_slowed=is_slowed)


@event("fe/cursed")
class Cursed(FirstEditionEvent):
    """A character got a curse token, or lost some to an effect. W-CURSE-1, W-CURSE-6."""

    who: CharacterId
    count: int
    """Tokens added; negative if they were removed."""

    def fold(self, table: Game) -> Game:
        curses = max(0, table.character(self.who).curses + self.count)
        return table.with_character(self.who, curses=curses)


@event("fe/skill_points_changed")
class SkillPointsChanged(FirstEditionEvent):
    """An investigator spent, lost or got skill points. K-TEST-4."""

    investigator: InvestigatorId
    by: int

    def fold(self, table: Game) -> Game:
        points = max(0, table.investigators[self.investigator].skill_points + self.by)
        return table.with_investigator(self.investigator, skill_points=points)


@event("fe/trauma_triggered")
class TraumaTriggered(FirstEditionEvent):
    """The keeper may play a trauma card on harm that was just dealt. K-TRAUMA-3, K-DECIDE-72."""

    investigator: InvestigatorId
    kind: TraumaKind

    def fold(self, table: Game) -> Game:
        triggers = (*table.triggers, TraumaTrigger(self.investigator, self.kind))
        return evolve(table, triggers=triggers)


@event("fe/triggers_passed")
class TriggersPassed(FirstEditionEvent):
    """The keeper was asked about all open triggers. K-DECIDE-17."""

    def fold(self, table: Game) -> Game:
        return evolve(table, triggers=())


@event("fe/trauma_played")
class TraumaPlayed(FirstEditionEvent):
    """The keeper played a trauma card on an investigator. K-TRAUMA-1, K-TRAUMA-2, K-SECRET-4."""

    investigator: InvestigatorId
    handle: Handle
    card: CardId
    kind: TraumaKind
    is_instant: bool
    """True if the card is discarded at once. K-DECIDE-76."""
    is_action: bool = False
    """True if it was played as a keeper action. K-INSANE-5."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the card with its handle."""
        return ((self.handle, self.card),)

    def fold(self, table: Game) -> Game:
        table = table.drawn(TRAUMA_HAND, self.handle)
        used = TraumaTrigger(self.investigator, self.kind)
        table = evolve(
            table,
            triggers=tuple(one for one in table.triggers if one != used),
            is_committed=table.is_committed or table.active is not None,
        )
        if self.is_action:
            table = evolve(table, insanities=(*table.insanities, self.investigator))
        if self.is_instant:
            return table.with_discard(TRAUMA_DECK, self.card)
        who = table.investigators[self.investigator]
        if (old := who.trauma(self.kind)) is not None:
            table = table.with_discard(TRAUMA_DECK, old)
        return table.with_investigator(self.investigator, **{self.kind.value: self.card})


@event("fe/trauma_lost")
class TraumaLost(FirstEditionEvent):
    """A trauma card of an investigator was discarded. K-TRAUMA-14, K-DECIDE-90."""

    investigator: InvestigatorId
    kind: TraumaKind

    def fold(self, table: Game) -> Game:
        card = table.investigators[self.investigator].trauma(self.kind)
        table = table.with_investigator(self.investigator, **{self.kind.value: None})
        return table if card is None else table.with_discard(TRAUMA_DECK, card)


@event("fe/investigator_killed")
class InvestigatorKilled(FirstEditionEvent):
    """
    An investigator was killed, and the figure leaves the board. K-DEATH-1, K-DEATH-4, K-DEATH-5.

    What the investigator had was dropped or discarded before.
    """

    investigator: InvestigatorId
    returns: bool
    """True if the player chooses a new investigator later. K-DEATH-6, K-DEATH-7, K-NEW-3."""

    def fold(self, table: Game) -> Game:
        dead = table.investigators[self.investigator]
        has_acted, seat = dead.has_acted or table.active == self.investigator, dead.seat
        waiting = (*table.waiting, Waiting(seat, has_acted)) if self.returns else table.waiting
        eliminated = table.eliminated if self.returns else (*table.eliminated, seat)
        return evolve(
            table,
            investigators=without(table.investigators, self.investigator),
            waiting=waiting,
            eliminated=eliminated,
            deaths=table.deaths + 1,
            triggers=tuple(one for one in table.triggers if one.investigator != self.investigator),
        )


@event("fe/seat_eliminated")
class SeatEliminated(FirstEditionEvent):
    """A player who waited for a new investigator is out of the game. K-NEW-3, K-ELIM-3."""

    seat: int

    def fold(self, table: Game) -> Game:
        table = without_waiting(table, self.seat)
        return evolve(table, eliminated=(*table.eliminated, self.seat))
