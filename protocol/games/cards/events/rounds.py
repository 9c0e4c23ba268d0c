"""Events of phases, turns and actions, of eliminations and the end. Sections 2.3, 2.5 and 2.17."""

from collections.abc import Mapping

from protocol.common.text import Text
from protocol.event import Sealed, event, secret
from protocol.games.cards.events.base import CardsEvent
from protocol.games.cards.table import (
    CardId,
    CardsTable,
    ExtraAction,
    HiddenUse,
    InvestigatorId,
    PieceId,
    UnseenUse,
)
from protocol.games.cards.words import Fate, Phase, Trauma
from protocol.values import evolve


@event("cards/round_began")
class RoundBegan(CardsEvent):
    """A round begins. C-BROUND-1."""

    number: int

    def fold(self, table: CardsTable) -> CardsTable:
        """Nobody has taken a turn in it."""
        for who in table.investigators:
            table = table.with_investigator(who, has_acted=False)
        return evolve(table, round_number=self.number, step=0)


@event("cards/step_came")
class StepCame(CardsEvent):
    """The next step of a phase comes. C-BROUND-1, C-BROUND-4."""

    phase: Phase
    step: int

    def fold(self, table: CardsTable) -> CardsTable:
        """Note it."""
        return evolve(table, phase=self.phase, step=self.step)


@event("cards/turn_began")
class TurnBegan(CardsEvent):
    """An investigator begins the turn. C-BTURN-1."""

    investigator: InvestigatorId
    extra: tuple[ExtraAction, ...] = ()
    """Additional actions of the turn. C-XACT-1."""

    def fold(self, table: CardsTable) -> CardsTable:
        """It is their turn; what was lost beforehand is lost next."""
        who = self.investigator
        table = table.with_investigator(who, extra=self.extra, actions_lost=0)
        return evolve(table, active=who)


@event("cards/turn_ended")
class TurnEnded(CardsEvent):
    """The turn of an investigator is over; actions left are lost. C-BTURN-3, C-BTURN-6."""

    investigator: InvestigatorId

    def fold(self, table: CardsTable) -> CardsTable:
        """It is nobody's turn."""
        table = table.with_investigator(self.investigator, actions=0, extra=(), has_acted=True)
        return evolve(table, active="")


@event("cards/actions_set")
class ActionsSet(CardsEvent):
    """An investigator has another number of actions. C-BTURN-2, C-XACT-1 to C-XACT-7."""

    investigator: InvestigatorId
    actions: int
    extra: tuple[ExtraAction, ...] = ()
    actions_lost: int = 0

    def fold(self, table: CardsTable) -> CardsTable:
        """Note it."""
        return table.with_investigator(
            self.investigator,
            actions=self.actions,
            extra=self.extra,
            actions_lost=self.actions_lost,
        )


@event("cards/used")
class Used(CardsEvent):
    """An investigator uses an ability, or plays a card; limits count it. C-BABIL-16."""

    investigator: InvestigatorId
    piece: PieceId
    code: CardId
    ability: int
    """Position of the ability on the card; -1 for the playing of a card."""
    counts: tuple[str, ...] = ()
    """Names of the limits for which it counts, each with its period first."""
    is_forced: bool = False
    """True if nobody chose it, as of a Forced ability."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Count it."""
        if not self.counts:
            return table
        used = dict(table.used)
        for name in self.counts:
            used[name] = used.get(name, 0) + 1
        return evolve(table, used=used)


@event("cards/used_unseen")
class UsedUnseen(CardsEvent):
    """An ability of a hidden card is used, which the holder alone knows. C-BKEY-6, C-BKEY-7."""

    investigator: InvestigatorId
    use: Sealed[UnseenUse] = secret(to="investigator")

    def fold(self, table: CardsTable) -> CardsTable:
        """Note it, whether a limit counts it or not."""
        return evolve(table, hidden_uses=(*table.hidden_uses, HiddenUse(self.use)))


@event("cards/period_ended")
class PeriodEnded(CardsEvent):
    """A test, turn, phase or round is over: its limits and its lasting effects end. C-BROUND-5."""

    periods: tuple[str, ...]

    def fold(self, table: CardsTable) -> CardsTable:
        """Drop what was for it."""
        gone = self.periods
        return evolve(
            table,
            used={name: n for name, n in table.used.items() if name.split("/", 1)[0] not in gone},
            lasting=tuple(one for one in table.lasting if one.until.value not in gone),
            delayed=tuple(one for one in table.delayed if one.until.value not in gone),
            hidden_uses=tuple(
                evolve(one, over=tuple(sorted({*one.over, *gone}))) for one in table.hidden_uses
            ),
        )

    def ends_something(self, table: CardsTable) -> bool:
        """Return whether anything was for it."""
        after = self.fold(table)
        # Not the tables: they have much that stays.
        return (after.used, after.lasting, after.delayed, after.hidden_uses) != (
            *(table.used, table.lasting, table.delayed, table.hidden_uses),
        )


@event("cards/attacked")
class Attacked(CardsEvent):
    """An enemy attacks an investigator. C-BENPH-2, C-BAOO-7."""

    piece: PieceId
    code: CardId
    investigator: InvestigatorId
    is_opportunity: bool = False

    def fold(self, table: CardsTable) -> CardsTable:
        """Change nothing: what the attack does is told by itself."""
        return table


@event("cards/told")
class Told(CardsEvent):
    """Something that moves nothing on the table, such as an effect that was cancelled."""

    text: Text

    def fold(self, table: CardsTable) -> CardsTable:
        """Change nothing."""
        return table


@event("cards/trauma")
class TraumaSuffered(CardsEvent):
    """An investigator suffers trauma. C-BDMG-7, C-BDMG-8, C-BCAMP-16."""

    investigator: InvestigatorId
    kind: Trauma
    amount: int

    def fold(self, table: CardsTable) -> CardsTable:
        """Count it."""
        trauma: Mapping[Trauma, int] = table.investigators[self.investigator].trauma
        more = {**trauma, self.kind: trauma.get(self.kind, 0) + self.amount}
        return table.with_investigator(self.investigator, trauma=more)


@event("cards/eliminated")
class Eliminated(CardsEvent):
    """An investigator left the scenario. C-BELIM-1."""

    investigator: InvestigatorId
    fate: Fate

    def fold(self, table: CardsTable) -> CardsTable:
        """Take them out of the player order; their cards have gone already."""
        who = self.investigator
        card = table.investigators[who].card
        if card in table.cards:
            # Chaos tokens sealed on the investigator card go back. C-BBAG-10.
            table = evolve(table, bag=tuple(sorted((*table.bag, *table.cards[card].chaos))))
            table = table.without_card(card)
        table = table.with_investigator(
            who, fate=self.fate, card="", location="", actions=0, extra=(), has_acted=True
        )
        active = "" if table.active == who else table.active
        return evolve(table, order=tuple(one for one in table.order if one != who), active=active)


@event("cards/remembered")
class Remembered(CardsEvent):
    """The players were told to remember something. C-REM-1."""

    name: str

    def fold(self, table: CardsTable) -> CardsTable:
        """Remember it once."""
        return evolve(table, remembered=tuple(sorted({*table.remembered, self.name})))


@event("cards/ended")
class Ended(CardsEvent):
    """The scenario is over, with a resolution or with none reached. C-BEND-1, C-BELIM-7."""

    resolution: str
    is_won: bool
    experience: int

    def fold(self, table: CardsTable) -> CardsTable:
        """Close it."""
        return evolve(
            table,
            phase=Phase.OVER,
            resolution=self.resolution,
            is_won=self.is_won,
            experience=self.experience,
        )
