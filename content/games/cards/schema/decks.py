"""Checks that a starter deck is legal. Sections 1.13 and 2.18."""

from collections import Counter
from collections.abc import Iterator

from content.games.cards.schema.cards import InvestigatorCard, LimitedZone, PlayerCard
from content.games.cards.schema.pack import Pack, title_of
from content.games.cards.schema.scenario import StarterDeck

COPIES = 2
"""Copies of a card by title that a deck may hold. C-BDECK-2."""


def deck_of(pack: Pack, who: str) -> StarterDeck | None:
    """Return the deck that an investigator plays; None if the pack has none."""
    return next((deck for deck in pack.decks.values() if deck.investigator == who), None)


def faults(pack: Pack, deck: StarterDeck, who: InvestigatorCard) -> Iterator[str]:
    """Yield why a deck is not legal, with advice: size, copies and cards. C-BDECK-1 to C-BDECK-9.

    The copies of each deck are counted for themselves (C-LIM-3).
    """
    size = sum(deck.cards.values())
    if size != who.deck_size:
        reason = f"it has {size} cards, and a deck of {who.id} has {who.deck_size}"
        yield f"{reason}; add or take out cards"
    titles: Counter[str] = Counter()
    for id_, number in deck.cards.items():
        card = pack.players.get(id_)
        if card is None:
            yield f"{id_} is no player card; name another"
            continue
        titles[title_of(card)] += number
        most = _most(card)
        if titles[title_of(card)] > most:
            copies = "copy" if most == 1 else "copies"
            reason = f"a deck holds at most {most} {copies} of {title_of(card)}"
            yield f"{reason}, not {titles[title_of(card)]}; take some out"
        if card.level != 0 or card.weakness or card.signature_of is not None:
            reason = f"{id_} may not be in a deck of {who.id}"
            yield f"{reason}: only cards of level 0 may; take it out"


def _most(card: PlayerCard) -> int:
    """Return how many copies of a card a deck may hold. C-LIM-1, C-LIM-2."""
    limits = (one.most for one in card.limits if one.zone is LimitedZone.DECK)
    return min((COPIES, *limits))
