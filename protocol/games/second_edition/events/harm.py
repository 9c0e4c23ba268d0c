"""Events of Damage and Horror: cards, Conditions, wounds, insanity, elimination."""

from protocol.common.table import Handle
from protocol.event import Sealed, event, secret, upcast
from protocol.games.second_edition.events.base import Game, SecondEditionEvent, with_entry
from protocol.games.second_edition.table import (
    INSANE_DECK,
    CardId,
    Condition,
    FaceupCard,
    Harm,
    InvestigatorId,
    copies_deck,
    deck,
    facedown_pile,
)
from protocol.upcasts import Change, Constant
from protocol.values import evolve


@event("se/harm_taken")
class HarmTaken(SecondEditionEvent):
    """An investigator took the top card of a deck. Rules DAMAGE-1, DAMAGE-2, SECRET-2."""

    investigator: InvestigatorId
    harm: Harm
    handle: Handle
    card: CardId | None
    """Front of the card if it is taken faceup; None if it stays facedown."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Reveal the card if it is faceup."""
        return () if self.card is None else ((self.handle, self.card),)

    def fold(self, table: Game) -> Game:
        table = table.drawn(deck(self.harm), self.handle)
        if self.card is None:
            return table.put(facedown_pile(self.investigator, self.harm), self.handle)
        return _lay_faceup(table, self.investigator, self.harm, self.handle, self.card)


def _lay_faceup(table: Game, who: InvestigatorId, harm: Harm, handle: Handle, card: CardId) -> Game:
    investigator = table.investigators[who]
    cards = (*investigator.faceup_cards(harm), FaceupCard(handle, card))
    return table.with_investigator(who, faceup=with_entry(investigator.faceup, harm, cards))


def _lift_faceup(table: Game, who: InvestigatorId, harm: Harm, handle: Handle) -> Game:
    investigator = table.investigators[who]
    cards = tuple(c for c in investigator.faceup_cards(harm) if c.handle != handle)
    return table.with_investigator(who, faceup=with_entry(investigator.faceup, harm, cards))


@event("se/harm_turned_faceup")
class HarmTurnedFaceup(SecondEditionEvent):
    """A facedown card was turned up. Rule DAMAGE-8."""

    investigator: InvestigatorId
    harm: Harm
    handle: Handle
    card: CardId

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Reveal the card that was turned up."""
        return ((self.handle, self.card),)

    def fold(self, table: Game) -> Game:
        table = table.drawn(facedown_pile(self.investigator, self.harm), self.handle)
        return _lay_faceup(table, self.investigator, self.harm, self.handle, self.card)


@event("se/harm_turned_facedown")
class HarmTurnedFacedown(SecondEditionEvent):
    """A faceup card was turned down; the facedown cards are mixed next. Rule DECIDE-58."""

    investigator: InvestigatorId
    harm: Harm
    handle: Handle

    def fold(self, table: Game) -> Game:
        table = _lift_faceup(table, self.investigator, self.harm, self.handle)
        return table.put(facedown_pile(self.investigator, self.harm), self.handle)


@event("se/harm_discarded")
class HarmDiscarded(SecondEditionEvent):
    """A card went back to its deck, which is shuffled next. Rules DAMAGE-9 and DISCARD-2."""

    investigator: InvestigatorId
    harm: Harm
    handle: Handle

    def fold(self, table: Game) -> Game:
        # The handle tells where the card was, so the event does not have to.
        pile = facedown_pile(self.investigator, self.harm)
        if self.handle in table.piles.get(pile, ()):
            table = table.drawn(pile, self.handle)
        else:
            table = _lift_faceup(table, self.investigator, self.harm, self.handle)
        return table.put(deck(self.harm), self.handle)


@event("se/harm_prevented")
class HarmPrevented(SecondEditionEvent):
    """Some of the Damage or Horror was negated. Rules NEGATE-1 to NEGATE-3."""

    investigator: InvestigatorId
    harm: Harm
    count: int

    def fold(self, table: Game) -> Game:
        """Return the table unchanged: prevented harm is not suffered."""
        return table


@event("se/became_wounded")
class BecameWounded(SecondEditionEvent):
    """An investigator became Wounded. Rules WOUNDED-1 and WOUNDED-2."""

    investigator: InvestigatorId
    card: CardId

    def fold(self, table: Game) -> Game:
        has = (*table.investigators[self.investigator].conditions, Condition(self.card))
        return table.with_investigator(self.investigator, is_wounded=True, conditions=has)


@event("se/became_insane")
class BecameInsane(SecondEditionEvent):
    """An investigator lost their mind. Rules INSANE-1, INSANE-2 and INSANE-5 to INSANE-7."""

    investigator: InvestigatorId
    card: CardId
    """Front of the Condition, which is the same for all copies."""
    handle: Handle
    """Handle of the copy; empty if none was left (DECIDE-61)."""
    back: Sealed[CardId] = secret(to="investigator")
    """Back of the copy, known to its owner only; empty if none was left. Rule SECRET-6."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Reveal the copy of the Condition if its back can be read."""
        return ((self.handle, self.back.value),) if self.handle and self.back.is_open else ()

    def fold(self, table: Game) -> Game:
        if self.handle:
            table = table.drawn(INSANE_DECK, self.handle)
        condition = Condition(self.card, self.handle, self.back)
        has = (*table.investigators[self.investigator].conditions, condition)
        return table.with_investigator(self.investigator, is_insane=True, conditions=has)


@event("se/condition_gained/2")
class ConditionGained(SecondEditionEvent):
    """An investigator gained an open Condition. Rules CONDITION-1, CONDITION-2, CONDITION-4."""

    investigator: InvestigatorId
    card: CardId
    handle: Handle
    """Handle of the copy, from the top of its pile, if the Condition is two-sided; else empty."""

    def fold(self, table: Game) -> Game:
        """Take a copy from the supply; of a two-sided Condition, the copy that `handle` names."""
        if self.handle:
            table = table.drawn(copies_deck(self.card), self.handle)
        table = evolve(
            table, supply=with_entry(table.supply, self.card, table.supply[self.card] - 1)
        )
        condition = Condition(self.card, self.handle)
        has = (*table.investigators[self.investigator].conditions, condition)
        return table.with_investigator(self.investigator, conditions=has)


upcast(
    "se/condition_gained",
    "se/condition_gained/2",
    Change(("investigator", "card"), {"handle": Constant("")}),
)


@event("se/condition_discarded")
class ConditionDiscarded(SecondEditionEvent):
    """An investigator lost an open Condition; its pile, if it has one, is mixed next. DISCARD-1."""

    investigator: InvestigatorId
    card: CardId

    def fold(self, table: Game) -> Game:
        """Put the Condition back; of a two-sided one, the copy that the investigator has."""
        table = evolve(
            table, supply=with_entry(table.supply, self.card, table.supply[self.card] + 1)
        )
        has = table.investigators[self.investigator].conditions
        left = tuple(c for c in has if c.card != self.card)
        for gone in has:
            if gone.card == self.card and gone.handle:
                table = table.put(copies_deck(self.card), gone.handle)
        return table.with_investigator(self.investigator, conditions=left)


@event("se/condition_flipped")
class ConditionFlipped(SecondEditionEvent):
    """A two-sided Condition was flipped. Rules TWOSIDED-3, SECRET-5 and DECIDE-126."""

    investigator: InvestigatorId
    card: CardId
    handle: Handle
    """Handle of the copy."""
    turned_to: CardId | None
    """The back, which is public; None if the front is face up again."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Reveal the copy if its back is face up."""
        return () if self.turned_to is None else ((self.handle, self.turned_to),)

    def fold(self, table: Game) -> Game:
        held = table.investigators[self.investigator].conditions
        has = tuple(
            evolve(one, turned_to=self.turned_to) if one.handle == self.handle else one
            for one in held
        )
        return table.with_investigator(self.investigator, conditions=has)


@event("se/investigator_eliminated")
class InvestigatorEliminated(SecondEditionEvent):
    """An investigator is out of the game. Rules ELIMINATED-1 to ELIMINATED-5."""

    investigator: InvestigatorId
    countdown: int
    """The round whose Investigator phase is now the last (DECIDE-66, DECIDE-67)."""

    def fold(self, table: Game) -> Game:
        """Remove the figure; the investigator's possessions were dropped before."""
        table = evolve(table, countdown=self.countdown)
        return table.with_investigator(self.investigator, is_eliminated=True, space=None)


@event("se/countdown_stopped")
class CountdownStopped(SecondEditionEvent):
    """The countdown that an elimination began was stopped by the story. Rule ELIMINATED-5."""

    def fold(self, table: Game) -> Game:
        return evolve(table, countdown=None)


@event("se/limits_changed")
class LimitsChanged(SecondEditionEvent):
    """The health and the sanity of an investigator changed for the rest of the game."""

    investigator: InvestigatorId
    health: int
    """The new health."""
    sanity: int
    """The new sanity."""

    def fold(self, table: Game) -> Game:
        return table.with_investigator(self.investigator, health=self.health, sanity=self.sanity)
