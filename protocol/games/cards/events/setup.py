"""Events of setup: who plays, what lies on the table at the beginning. Section 2.2."""

from collections.abc import Mapping

from protocol.event import NOBODY, Sealed, event, secret
from protocol.games.cards.events.base import CardsEvent
from protocol.games.cards.table import (
    Card,
    CardId,
    CardsTable,
    Investigator,
    InvestigatorId,
    PieceId,
    Place,
    Position,
)
from protocol.games.cards.words import IN_PLAY, Trauma, Zone
from protocol.values import evolve


@event("cards/bag_filled")
class BagFilled(CardsEvent):
    """The chaos bag was filled for a level of difficulty. C-BSETUP-10, C-BBAG-1."""

    difficulty: str
    tokens: tuple[str, ...]
    """Ascending."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Fill it."""
        return evolve(table, difficulty=self.difficulty, bag=self.tokens)


@event("cards/joined")
class Joined(CardsEvent):
    """An investigator takes part. C-BZONE-1, C-BSETUP-2."""

    investigator: InvestigatorId
    seat: int
    trauma: Mapping[Trauma, int]

    def fold(self, table: CardsTable) -> CardsTable:
        """Lay the investigator card before the seat."""
        who = self.investigator
        table, piece = table.new_piece()
        card = Card(piece, who, Place(Zone.PLAY, who), owner=who, controller=who)
        joined = Investigator(who, self.seat, piece, trauma=self.trauma)
        return evolve(
            table.with_new_card(card),
            investigators={**table.investigators, who: joined},
            order=(*table.order, who),
        )


@event("cards/lead_chosen")
class LeadChosen(CardsEvent):
    """The players chose the lead, from whom player order goes on. C-BSETUP-1, C-BELIM-6."""

    investigator: InvestigatorId

    def fold(self, table: CardsTable) -> CardsTable:
        """Turn the player order, so that it begins with the lead."""
        if self.investigator not in table.order:
            return table
        at = table.order.index(self.investigator)
        return evolve(table, order=table.order[at:] + table.order[:at])


@event("cards/weaknesses_dealt")
class WeaknessesDealt(CardsEvent):
    """An investigator's deck got random basic weaknesses. C-BDECK-6, C-SECRET-4."""

    investigator: InvestigatorId
    weaknesses: Sealed[tuple[CardId, ...]] = secret(to="investigator")

    def fold(self, table: CardsTable) -> CardsTable:
        """Keep them."""
        dealt = (*table.weaknesses.get(self.investigator, ()), self.weaknesses)
        return evolve(table, weaknesses={**table.weaknesses, self.investigator: dealt})


@event("cards/plan_made")
class PlanMade(CardsEvent):
    """Setup chose in secret among versions of cards that come later. C-SECRET-10."""

    plan: Sealed[Mapping[str, str]] = secret(to=NOBODY)

    def fold(self, table: CardsTable) -> CardsTable:
        """Keep it."""
        return evolve(table, plan=self.plan)


@event("cards/laid")
class Laid(CardsEvent):
    """A card was laid down, in play or aside. C-BSETUP-9, C-BSETUP-13, C-BSETUP-17."""

    code: CardId
    to: Place
    owner: InvestigatorId = ""
    """Owner of a card that begins in play, and controller (C-BSETUP-13), or of a linked card that
    is set aside (C-BOND-1)."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Lay it down."""
        table, piece = table.new_piece()
        controller = self.owner if self.to.zone in IN_PLAY else ""
        return table.with_new_card(Card(piece, self.code, self.to, self.owner, controller))


@event("cards/location_laid")
class LocationLaid(CardsEvent):
    """A location came into play unrevealed. C-BSETUP-11, C-SECRET-11, C-SECRET-12."""

    code: CardId
    """Its unrevealed face."""
    face: Sealed[CardId] = secret(to=NOBODY)
    piece: PieceId = ""
    """The open card that it was, such as one set aside; empty for none."""
    before: InvestigatorId = ""
    """Investigator before whom it lies; empty for one of the common map. C-DEAL-1, C-BSPEC-6."""
    position: Position | None = None
    """Position on a grid; None without one. C-BSPEC-4."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Lay it on the map."""
        if self.piece:
            table = table.without_card(self.piece)
        table, piece = table.new_piece()
        card = Card(
            *(piece, self.code, Place(Zone.MAP)),
            hidden=self.face,
            before=self.before,
            position=self.position,
        )
        return table.with_new_card(card)


@event("cards/decks_counted")
class DecksCounted(CardsEvent):
    """The numbers of acts and agendas after the current ones. C-SECRET-10."""

    acts: int
    agendas: int

    def fold(self, table: CardsTable) -> CardsTable:
        """Note the numbers."""
        return evolve(table, acts_left=self.acts, agendas_left=self.agendas)


@event("cards/linked")
class Linked(CardsEvent):
    """The connections between the locations, where they have changed. C-BLOC-4, C-BLOC-12."""

    links: Mapping[PieceId, tuple[PieceId, ...]]

    def fold(self, table: CardsTable) -> CardsTable:
        """Draw them anew."""
        return evolve(table, links=self.links)
