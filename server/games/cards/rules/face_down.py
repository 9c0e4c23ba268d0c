"""Cards that lie face down, and who may look at them. Section 1.15."""

from collections.abc import Iterator, Sequence

from protocol.common.table import Handle
from protocol.games.cards.events import LaidFaceDown
from protocol.games.cards.table import (
    ENCOUNTER,
    FACE_DOWN,
    Card,
    InvestigatorId,
    PieceId,
    Place,
    Position,
    deck_of,
)
from protocol.games.cards.words import Zone
from server.games.cards.rules.play import Play, seat

LIES_WITH = (Zone.ON, Zone.BENEATH)
"""Zones of the cards that lie face down with another card; swarm cards are not among them."""


def with_card(play: Play, host: PieceId) -> Iterator[Card]:
    """Yield the cards that lie face down on or beneath a card."""
    for card in play.table.cards.values():
        if card.handle and card.at.of == host and card.at.zone in LIES_WITH:
            yield card


def lay(
    play: Play,
    owner: InvestigatorId,
    number: int,
    to: Place,
    position: Position | None = None,
) -> None:
    """
    Lay the top cards of a deck face down, as many as there are. C-LOOK-3, C-LOOK-4.

    Args:
        play: the game.
        owner: investigator whose deck it is; empty for the encounter deck.
        number: number of cards.
        to: where they go.
        position: position of an empty space.
    """
    pile = deck_of(owner) if owner else ENCOUNTER
    handles = play.table.piles.get(pile, ())[:number]
    if handles:
        play.emit(LaidFaceDown(pile, handles, to, owner, position))
        if to.zone in LIES_WITH:
            show(play, to.of)


def show(play: Play, host: PieceId) -> None:
    """
    Let the controller of a card know the cards face down on or beneath it. C-LOOK-1, C-DECIDE-36.

    It is on the log once, as the cards come: how often the controller looks is on no log.
    """
    who = play.table.cards[host].controller
    if who in play.table.order:
        look(play, who, [card.handle for card in with_card(play, host)])


def hand_over(play: Play, host: PieceId) -> None:
    """
    Let the new controller of a card know the cards face down on or beneath it. C-SECRET-15.

    Nobody else is shown them any more: they have new handles.
    """
    who = play.table.cards[host].controller
    handles = [card.handle for card in with_card(play, host)]
    if handles:
        play.arrange(FACE_DOWN, handles, (seat(play, who),))


def look(play: Play, who: InvestigatorId, handles: Sequence[Handle]) -> None:
    """Show an investigator cards that lie face down, those not shown before."""
    at, hidden = seat(play, who), play.table.hidden_cards
    unseen = [
        handle
        for handle in handles
        if not any(at in one.cards.audience for one in hidden[handle].looks)
    ]
    if unseen:
        play.look_at(FACE_DOWN, unseen, (at,))
