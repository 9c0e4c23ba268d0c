"""
Events of cards that move: between hidden piles, from a pile into the open and back, in the open.

A card in a pile has a handle and no owner besides the pile. Whoever puts a card into a hand has the
hand shuffled next, and whoever puts open cards into a deck too, so that handles tell nothing.
"""

from protocol.common.events import Disclosure
from protocol.common.table import Handle
from protocol.event import Sealed, event, secret
from protocol.games.cards.events.base import CardsEvent
from protocol.games.cards.table import (
    ENCOUNTER,
    FACE_DOWN,
    Card,
    CardId,
    CardsTable,
    InvestigatorId,
    PieceId,
    Place,
    Position,
    deck_of,
    hand_of,
)
from protocol.games.cards.words import IN_PLAY, Zone
from protocol.values import evolve


@event("cards/drew")
class Drew(CardsEvent):
    """An investigator drew cards, or put them into the hand otherwise. C-DRAW-1, C-BENC-15."""

    investigator: InvestigatorId
    pile: str
    moved: tuple[Handle, ...]
    """Handles, which the cards keep."""
    cards: Sealed[tuple[CardId, ...]] = secret(to="investigator")
    """The cards, which the investigator's seat sees as it draws them. C-SECRET-27."""
    is_drawn: bool = True
    """False if the cards were added to the hand without a draw."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Put them into the hand, which is shuffled next."""
        for handle in self.moved:
            table = table.taken(self.pile, handle).put(hand_of(self.investigator), handle)
        return table


@event("cards/hand_shown")
class HandShown(CardsEvent):
    """A player showed cards of a hand to everybody; they stay in it, and it is shuffled next."""

    investigator: InvestigatorId
    shown: tuple[Handle, ...]
    cards: tuple[CardId, ...]
    """Cards in the order of `shown`. C-DECIDE-31."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the cards with their handles."""
        return tuple(zip(self.shown, self.cards, strict=False))

    def fold(self, table: CardsTable) -> CardsTable:
        """Change nothing: who has seen them remembers them."""
        return table


@event("cards/opened")
class Opened(CardsEvent):
    """A card came from a pile into the open. C-SECRET-1, C-SECRET-8."""

    pile: str
    handle: Handle
    code: CardId
    to: Place
    owner: str
    controller: str = ""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the card with its handle."""
        return ((self.handle, self.code),)

    def fold(self, table: CardsTable) -> CardsTable:
        """Lay it where it goes."""
        table, piece = table.taken(self.pile, self.handle).new_piece()
        card = Card(piece, self.code, self.to, owner=self.owner, controller=self.controller)
        return table.with_new_card(card)


@event("cards/moved")
class Moved(CardsEvent):
    """Open cards went to another place, all at once. C-BABIL-36."""

    pieces: tuple[PieceId, ...]
    to: Place
    controller: str = ""

    def fold(self, table: CardsTable) -> CardsTable:
        """
        Move them; a card that leaves play loses all that was on it, and is a new object.

        C-BZONE-10, C-BZONE-27, C-BZONE-28. Sealed chaos tokens go back to the bag (C-BBAG-10).
        """
        for piece in self.pieces:
            table = _moved(table, piece, self.to, self.controller)
        return table


def _moved(table: CardsTable, piece: PieceId, to: Place, controller: str) -> CardsTable:
    card = table.cards[piece]
    table = table.without_card(piece)
    if card.chaos and to.zone not in IN_PLAY:
        # Also of a card that never came into play although something was sealed on it as its cost.
        table = evolve(table, bag=tuple(sorted((*table.bag, *card.chaos))))
        card = evolve(card, chaos=())
    if not card.is_in_play or to.zone in IN_PLAY:
        return table.with_new_card(evolve(card, at=to, controller=controller))
    # In the victory display the face that was showing counts. C-FLIP-3.
    face = card.face if to.zone is Zone.VICTORY else ""
    table, fresh = _freed(table, card).new_piece()
    return table.with_new_card(Card(fresh, card.code, to, owner=card.owner, face=face))


def _freed(table: CardsTable, card: Card) -> CardsTable:
    """Return the table without what was on a card: sealed tokens, and what held for it alone."""
    lasting = tuple(one for one in table.lasting if one.on != (card.piece,))
    return evolve(table, bag=tuple(sorted((*table.bag, *card.chaos))), lasting=lasting)


@event("cards/gathered")
class Gathered(CardsEvent):
    """Open cards left the table for a pile, which is shuffled with them next. C-BENC-7."""

    pieces: tuple[PieceId, ...]
    pile: str

    def fold(self, table: CardsTable) -> CardsTable:
        """Take them up; what was on them goes where it belongs. C-BZONE-10, C-BZONE-27."""
        for piece in self.pieces:
            table = _freed(table.without_card(piece), table.cards[piece])
        return table


@event("cards/repiled")
class Repiled(CardsEvent):
    """Hidden cards went from one pile to another, known to whoever knew them."""

    source: str
    pile: str
    moved: tuple[Handle, ...]
    """Handles, which the cards keep."""
    on_top: bool

    def fold(self, table: CardsTable) -> CardsTable:
        """Put them on top, the first one topmost, or at the bottom."""
        for handle in self.moved:
            table = table.drawn(self.source, handle)
        lying = table.piles.get(self.pile, ())
        both = (*self.moved, *lying) if self.on_top else (*lying, *self.moved)
        return table.with_pile(self.pile, both)


@event("cards/laid_face_down")
class LaidFaceDown(CardsEvent):
    """The top cards of a deck were laid face down, unseen. C-BKEY-22, C-SECRET-15 to C-SECRET-18.

    Whoever may know them from now on looks at them next, once for all. C-DECIDE-36.
    """

    pile: str
    moved: tuple[Handle, ...]
    """Handles, which the cards keep."""
    to: Place
    owner: InvestigatorId = ""
    """Investigator whose deck it was; empty for an encounter deck."""
    position: Position | None = None
    """Position of an empty space. C-BSPEC-4."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Lay them down; nobody learns them, and they keep their handles."""
        for handle in self.moved:
            table, piece = table.drawn(self.pile, handle).put(FACE_DOWN, handle).new_piece()
            card = Card(
                *(piece, "", self.to),
                owner=self.owner,
                handle=handle,
                position=self.position,
            )
            table = table.with_new_card(card)
        return table


@event("cards/taken_up")
class TakenUp(CardsEvent):
    """Cards that lay face down went to the bottom of their deck, unseen. C-BKEY-20, C-SECRET-18."""

    pieces: tuple[PieceId, ...]

    def fold(self, table: CardsTable) -> CardsTable:
        """Put them under the deck, as they were."""
        for piece in self.pieces:
            card = table.cards[piece]
            table = table.taken(FACE_DOWN, card.handle)
            # Those of an investigator who was eliminated leave the game unseen, as the deck did.
            if card.owner in ("", *table.order):
                deck = deck_of(card.owner) if card.owner else ENCOUNTER
                table = table.put(deck, card.handle)
        return table


@event("cards/exhausted")
class Exhausted(CardsEvent):
    """Cards were exhausted, or readied, all at once. C-BZONE-16, C-BUPK-2."""

    pieces: tuple[PieceId, ...]
    is_exhausted: bool

    def fold(self, table: CardsTable) -> CardsTable:
        """Turn them."""
        for piece in self.pieces:
            table = table.with_card(piece, is_exhausted=self.is_exhausted)
        return table


@event("cards/engagement")
class Engagement(CardsEvent):
    """An enemy is engaged with these investigators now, or with none. C-ENG-1, C-BENEMY-4."""

    piece: PieceId
    investigators: tuple[InvestigatorId, ...]
    at: Place
    """The place where the enemy lies: in a threat area, or at a location."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Lay it there."""
        return table.with_card(self.piece, at=self.at, engaged=self.investigators)


@event("cards/walked")
class Walked(CardsEvent):
    """Investigators are at another location now, with the enemies engaged with them."""

    investigators: tuple[InvestigatorId, ...]
    location: PieceId

    def fold(self, table: CardsTable) -> CardsTable:
        """Put them there."""
        for who in self.investigators:
            table = table.with_investigator(who, location=self.location)
        return table


@event("cards/location_moved")
class LocationMoved(CardsEvent):
    """A location went to another position of its grid, with all that is there. C-GRID-2."""

    piece: PieceId
    position: Position

    def fold(self, table: CardsTable) -> CardsTable:
        """Put it there."""
        return table.with_card(self.piece, position=self.position)


@event("cards/revealed")
class Revealed(CardsEvent):
    """A location was revealed. C-BLOC-2, C-SECRET-11."""

    piece: PieceId
    face: CardId
    """Its revealed face, also as a public field, so that the server sends the words."""
    opened: Disclosure

    def fold(self, table: CardsTable) -> CardsTable:
        """Turn it up."""
        return table.with_card(self.piece, face=self.face, hidden=None)


@event("cards/flipped")
class Flipped(CardsEvent):
    """A card with two faces shows the other one; it does not leave play. C-FLIP-1, C-FLIP-2."""

    piece: PieceId
    face: CardId

    def fold(self, table: CardsTable) -> CardsTable:
        """Turn it."""
        return table.with_card(self.piece, face=self.face)
