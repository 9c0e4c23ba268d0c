"""Decks: shuffled, drawn from, and made anew of their discards. K-SUPPLY-1, K-DECIDE-99."""

from collections.abc import Sequence

from protocol.common.chance import Stream
from protocol.common.table import Handle
from protocol.games.first_edition.events import DiscardsReturned, HandCardDiscarded, KeeperDrew
from protocol.games.first_edition.table import (
    MYTHOS_DECK,
    MYTHOS_HAND,
    TRAUMA_DECK,
    TRAUMA_HAND,
    combat_deck,
    spell_deck,
)
from protocol.games.first_edition.words import MonsterClass
from server.games.first_edition.rules.play import Play, keeper


def lay_out(play: Play) -> None:
    """
    Shuffle all decks but the event deck. K-DECIDE-4, K-DECIDE-11, K-DECIDE-58.

    Nobody knows their order (K-SECRET-12, K-SECRET-13). Base stories leave out spells of
    the outdoors that cannot be had there (W-USE-5).
    """
    pack = play.content.pack
    _new(play, MYTHOS_DECK, play.content.story.mythos)
    _new(play, TRAUMA_DECK, tuple(pack.traumas))
    for class_ in MonsterClass:
        cards = [card.id for card in pack.combat.values() if card.class_ is class_]
        _new(play, combat_deck(class_), cards)
    for spell in play.content.spells():
        backs = [back.id for back in spell.backs for _ in range(back.copies)]
        _new(play, spell_deck(spell.id), backs)


def _new(play: Play, deck: str, cards: Sequence[str]) -> None:
    # From the stream of the setup: a fixed setup fixes every deck.
    play.shuffle(deck, cards, Stream.SETUP)


def top(play: Play, deck: str) -> Handle | None:
    """
    Return the top card of a deck; None if deck and discards are empty.

    The discards of an empty deck are shuffled into a new one first. K-SUPPLY-1.
    """
    if not play.table.piles.get(deck):
        discards = play.table.discards.get(deck, ())
        has_spells = bool(play.table.piles.get(f"{deck}/discards"))
        if not discards and not has_spells:
            return None
        play.emit(DiscardsReturned(deck))
        play.shuffle(deck, discards or None)
    return play.table.piles[deck][0]


def draw_mythos(play: Play) -> None:
    """Have the keeper draw a mythos card, if one is left. K-SECRET-1."""
    handle = top(play, MYTHOS_DECK)
    if handle is not None:
        _take(play, MYTHOS_DECK, MYTHOS_HAND, handle)


def draw_trauma(play: Play) -> None:
    """
    Have the keeper draw a trauma card, if one is left. K-SECRET-2.

    A card for several investigators that comes while one is in play is discarded, and another one
    is drawn, until another card comes. K-TRAUMA-16, K-DECIDE-77.
    """
    cards = play.content.pack.traumas
    is_alone = len(play.table.investigators) == 1
    deck_and_discards = [
        *(play.table.card_of(handle) for handle in play.table.piles.get(TRAUMA_DECK, ())),
        *play.table.discards.get(TRAUMA_DECK, ()),
    ]
    if is_alone and all(cards[card].several for card in deck_and_discards):
        return
    while (handle := top(play, TRAUMA_DECK)) is not None:
        card = play.table.card_of(handle)
        if not (is_alone and cards[card].several):
            _take(play, TRAUMA_DECK, TRAUMA_HAND, handle)
            return
        play.emit(HandCardDiscarded(TRAUMA_DECK, TRAUMA_DECK, handle, card))


def _take(play: Play, deck: str, hand: str, handle: Handle) -> None:
    """Put a card into a hand of the keeper, who alone knows it. K-INFO-5."""
    play.emit(KeeperDrew(deck, hand, handle))
    # New handles for the whole hand, so that nobody can tell when a card came into it.
    play.shuffle(hand, knowers=(keeper(play),))
