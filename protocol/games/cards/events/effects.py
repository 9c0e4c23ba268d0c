"""Events of effects that last, wait or alter the state. Section 2.15."""

from protocol.event import Sealed, event, secret
from protocol.games.cards.events.base import CardsEvent
from protocol.games.cards.table import (
    AsIf,
    CardsTable,
    Delayed,
    InvestigatorId,
    Lasting,
    StepId,
)
from protocol.games.cards.words import Until
from protocol.values import evolve


@event("cards/lasting_began")
class LastingBegan(CardsEvent):
    """A lasting effect begins. C-BABIL-20."""

    number: int
    step: StepId
    on: tuple[str, ...]
    until: Until
    you: InvestigatorId
    amount: int
    holder: InvestigatorId
    """The investigator with the card in hand, if it is a hidden one; else empty. C-SECRET-2."""
    unseen: Sealed[StepId] = secret(to="holder")

    def fold(self, table: CardsTable) -> CardsTable:
        """Add it."""
        lasting = Lasting(
            self.number,
            self.step,
            self.on,
            self.until,
            self.you,
            self.amount,
            self.holder,
            self.unseen,
        )
        return evolve(table, lasting=(*table.lasting, lasting), next_effect=self.number + 1)


@event("cards/lasting_ended")
class LastingEnded(CardsEvent):
    """Lasting effects end before their time."""

    numbers: tuple[int, ...]

    def fold(self, table: CardsTable) -> CardsTable:
        """Drop them."""
        left = tuple(one for one in table.lasting if one.number not in self.numbers)
        return evolve(table, lasting=left)


@event("cards/delayed_began")
class DelayedBegan(CardsEvent):
    """An effect waits for its moment. C-BABIL-21."""

    number: int
    step: StepId
    you: InvestigatorId
    on: tuple[str, ...]
    until: Until
    holder: InvestigatorId
    """As in `LastingBegan`."""
    unseen: Sealed[StepId] = secret(to="holder")

    def fold(self, table: CardsTable) -> CardsTable:
        """Add it."""
        delayed = Delayed(
            self.number, self.step, self.you, self.on, self.until, self.holder, self.unseen
        )
        return evolve(table, delayed=(*table.delayed, delayed), next_effect=self.number + 1)


@event("cards/delayed_came")
class DelayedCame(CardsEvent):
    """The moment of a delayed effect has come; it is carried out once."""

    number: int

    def fold(self, table: CardsTable) -> CardsTable:
        """Drop it."""
        left = tuple(one for one in table.delayed if one.number != self.number)
        return evolve(table, delayed=left)


@event("cards/as_if")
class AsIfSet(CardsEvent):
    """An "as if" effect begins, or ends. C-ASIF-2, C-ASIF-3."""

    as_if: AsIf | None

    def fold(self, table: CardsTable) -> CardsTable:
        """Alter the state that others look at; nothing moves. C-ASIF-5."""
        return evolve(table, as_if=self.as_if)
