"""Events of Clues and possessions: gained, spent, handed on, dropped, flipped."""

from protocol.common.table import Handle
from protocol.event import event
from protocol.games.second_edition.events.base import Game, SecondEditionEvent, with_entry
from protocol.games.second_edition.table import (
    CardId,
    InvestigatorId,
    Possession,
    PossessionId,
    SpaceId,
    copies_deck,
)
from protocol.values import evolve


@event("se/clues_gained")
class CluesGained(SecondEditionEvent):
    """An investigator took Clues. Rule CLUE-1."""

    investigator: InvestigatorId
    count: int

    def fold(self, table: Game) -> Game:
        clues = table.investigators[self.investigator].clues + self.count
        return table.with_investigator(self.investigator, clues=clues)


@event("se/clues_spent")
class CluesSpent(SecondEditionEvent):
    """An investigator spent Clues. Rules CLUE-4, CLUE-5, SPEND-1, DISCARD-3."""

    investigator: InvestigatorId
    count: int

    def fold(self, table: Game) -> Game:
        clues = table.investigators[self.investigator].clues - self.count
        return table.with_investigator(self.investigator, clues=clues)


@event("se/clues_given")
class CluesGiven(SecondEditionEvent):
    """An investigator gave Clues to another, as an effect expressly allows. Rule CLUE-3."""

    giver: InvestigatorId
    receiver: InvestigatorId
    count: int

    def fold(self, table: Game) -> Game:
        table = CluesSpent(self.giver, self.count).fold(table)
        return CluesGained(self.receiver, self.count).fold(table)


@event("se/possession_gained")
class PossessionGained(SecondEditionEvent):
    """An investigator took a card from its deck. Rules ITEM-2, SPELL-1 and LIMIT-2."""

    investigator: InvestigatorId
    possession: Possession

    def fold(self, table: Game) -> Game:
        """Move a copy from the deck to the play area; of a Spell, the copy that `handle` names."""
        card = self.possession.card
        if self.possession.handle:
            table = table.drawn(copies_deck(card), self.possession.handle)
        has = (*table.investigators[self.investigator].possessions, self.possession)
        table = evolve(
            table,
            supply=with_entry(table.supply, card, table.supply[card] - 1),
            next_possession=table.next_possession + 1,
        )
        return table.with_investigator(self.investigator, possessions=has)


def _taken(table: Game, who: InvestigatorId, possession: PossessionId) -> tuple[Game, Possession]:
    has = table.investigators[who].possessions
    card = next(p for p in has if p.possession_id == possession)
    return table.with_investigator(who, possessions=tuple(p for p in has if p != card)), card


def _returned(table: Game, possession: Possession) -> Game:
    card = possession.card
    copies = table.supply.get(card, 0) + 1
    table = evolve(table, supply=with_entry(table.supply, card, copies))
    return table.put(copies_deck(card), possession.handle) if possession.handle else table


@event("se/possession_given")
class PossessionGiven(SecondEditionEvent):
    """A possession changed hands. Rule TRADE-2."""

    giver: InvestigatorId
    receiver: InvestigatorId
    possession: PossessionId

    def fold(self, table: Game) -> Game:
        table, card = _taken(table, self.giver, self.possession)
        has = table.investigators[self.receiver].possessions
        return table.with_investigator(self.receiver, possessions=(*has, card))


@event("se/possession_taken")
class PossessionTaken(SecondEditionEvent):
    """A possession was stolen. Rule STEAL-4."""

    victim: InvestigatorId
    thief: InvestigatorId
    possession: PossessionId

    def fold(self, table: Game) -> Game:
        return PossessionGiven(self.victim, self.thief, self.possession).fold(table)


@event("se/possession_dropped")
class PossessionDropped(SecondEditionEvent):
    """A possession was put down. Rule DROP-1."""

    investigator: InvestigatorId
    possession: PossessionId
    space: SpaceId

    def fold(self, table: Game) -> Game:
        table, card = _taken(table, self.investigator, self.possession)
        lying = (*table.lying.get(self.space, ()), card)
        return evolve(table, lying=with_entry(table.lying, self.space, lying))


@event("se/possession_picked_up")
class PossessionPickedUp(SecondEditionEvent):
    """A possession was picked up. Rules DROP-2 and DROP-3."""

    investigator: InvestigatorId
    possession: PossessionId
    space: SpaceId

    def fold(self, table: Game) -> Game:
        lying = table.lying[self.space]
        card = next(p for p in lying if p.possession_id == self.possession)
        rest = tuple(p for p in lying if p != card)
        table = evolve(table, lying=with_entry(table.lying, self.space, rest))
        has = table.investigators[self.investigator].possessions
        return table.with_investigator(self.investigator, possessions=(*has, card))


@event("se/possession_discarded")
class PossessionDiscarded(SecondEditionEvent):
    """A possession went back to its deck, which for a Spell is mixed next. Rule DISCARD-1."""

    investigator: InvestigatorId
    possession: PossessionId

    def fold(self, table: Game) -> Game:
        return _returned(*_taken(table, self.investigator, self.possession))


@event("se/possession_flipped")
class PossessionFlipped(SecondEditionEvent):
    """A two-sided possession was flipped. Rules TWOSIDED-3, ITEM-4, SPELL-3 and DECIDE-126."""

    investigator: InvestigatorId
    possession: PossessionId
    handle: Handle
    """For a Spell: handle of the copy; empty for an Item."""
    turned_to: CardId | None
    """The back, which is public; None if the front is face up again."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the copy of a Spell with its back if the back is face up now."""
        if not self.handle or self.turned_to is None:
            return ()
        return ((self.handle, self.turned_to),)

    def fold(self, table: Game) -> Game:
        held = table.investigators[self.investigator].possessions
        assert any(one.possession_id == self.possession for one in held)
        has = tuple(
            evolve(one, turned_to=self.turned_to) if one.possession_id == self.possession else one
            for one in held
        )
        return table.with_investigator(self.investigator, possessions=has)


@event("se/lying_discarded")
class LyingDiscarded(SecondEditionEvent):
    """A possession on the board went back to its deck. Rules DISCARD-1 and DECIDE-147."""

    space: SpaceId
    possession: PossessionId

    def fold(self, table: Game) -> Game:
        lying = table.lying[self.space]
        card = next(p for p in lying if p.possession_id == self.possession)
        rest = tuple(p for p in lying if p != card)
        table = evolve(table, lying=with_entry(table.lying, self.space, rest))
        return _returned(table, card)
