"""
The pool of basic weaknesses, and who was dealt which. Sections 1.17 and 2.19.

Who was dealt what is sealed to its investigator; the rules read it, and nobody else. C-SECRET-4.
"""

from collections.abc import Sequence

from content.games.cards.schema.cards import EnemyCard, PlayerCard, TreacheryCard
from protocol.event import hidden
from protocol.games.cards.events import Opened, WeaknessesDealt
from protocol.games.cards.table import CardId, InvestigatorId, Place, deck_of
from protocol.games.cards.words import Zone
from server.games.cards.rules.play import Play, seat
from server.rulekit.draws import Draws

DRAWS = Draws()


def pool(play: Play, besides: Sequence[CardId] = ()) -> list[CardId]:
    """
    Return the basic weaknesses that can be drawn now, one entry a copy. C-POOL-1 to C-POOL-3.

    The list is public, and what is drawn of it is not (C-SECRET-30).

    One that is marked "multiplayer" does not come to an investigator who plays alone (C-BDECK-11),
    and one marked "campaign" not in a scenario that stands alone (C-BDECK-12).

    Args:
        play: the game.
        besides: weaknesses that are out already and not noted on the table.
    """
    pack, table = play.content.pack, play.table
    alone = len(table.investigators) == 1
    found: list[CardId] = []
    for part in (pack.players, pack.enemies, pack.treacheries):
        for card in part.values():
            assert isinstance(card, PlayerCard | EnemyCard | TreacheryCard)
            if card.basic and not card.campaign and not (card.multiplayer and alone):
                found += [card.id] * card.copies
    for code in (*(code for who in table.investigators for code in dealt_to(play, who)), *besides):
        if code in found:
            found.remove(code)
    return found


def dealt_to(play: Play, who: InvestigatorId) -> tuple[CardId, ...]:
    """Return the basic weaknesses that an investigator was dealt. C-POOL-3."""
    return tuple(code for sealed in play.table.weaknesses.get(who, ()) for code in sealed.value)


def give(play: Play, who: InvestigatorId) -> bool:
    """
    Shuffle a random basic weakness of the pool into the deck of an investigator. C-POOL-1.

    The others see that one came, not which; the draw is made even if the pool is empty.
    """
    deck = play.table.piles.get(deck_of(who), ())
    if not deck:
        # A single card forms no deck. C-EMPTY-1.
        return False
    found = pool(play)
    code = DRAWS.draw_unseen(play, "weakness", found, [1] * len(found))
    if code is None:
        return False
    play.emit(WeaknessesDealt(who, hidden((code,))))
    play.shuffle(deck_of(who), [*map(play.table.card_of, deck), code])
    return True


def swap(play: Play, who: InvestigatorId, out: CardId, by: CardId) -> bool:
    """
    Swap a weakness in a deck for its follow-up; return whether it was there. C-POOL-5.

    What leaves the deck stays noted as dealt: it lies in the collection, where no random draw finds
    it, and whence a later swap can bring it back (C-POOL-6). The text names both openly, and the
    deck is searched and shuffled in either case.
    """
    deck = play.table.piles.get(deck_of(who), ())
    play.look_at(deck_of(who), deck, (seat(play, who),))
    handle = next((one for one in deck if play.table.card_of(one) == out), None)
    if handle is None:
        play.shuffle(deck_of(who))
        return False
    play.emit(Opened(deck_of(who), handle, out, Place(Zone.REMOVED), who))
    play.emit(WeaknessesDealt(who, hidden((by,))))
    rest = play.table.piles[deck_of(who)]
    play.shuffle(deck_of(who), [*map(play.table.card_of, rest), by])
    return True
