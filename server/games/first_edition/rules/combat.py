"""
Combat cards: drawn from the deck of a monster's class until one matches. Sections 14 and 16.

The upper half of a card is for attacks of investigators, the lower half for attacks of monsters.
"""

from collections.abc import Callable

from content.games.first_edition.schema.cards import CombatCard, LowerHalf, UpperHalf
from protocol.common.text import Text
from protocol.games.first_edition.events import CombatCardDrawn
from protocol.games.first_edition.table import combat_deck
from protocol.games.first_edition.words import AttackKind, LowerUse, MonsterClass, TestKind
from server.games.first_edition.rules import decks, effects
from server.games.first_edition.rules.play import Play, Source
from server.games.first_edition.rules.tests import attribute_test


def draw_upper(play: Play, class_: MonsterClass, kind: AttackKind) -> CombatCard:
    """Draw until an upper half matches the kind of attack. K-COMBAT-4, K-COMBAT-6."""
    return _draw_until(play, class_, lambda card: card.upper.kind is kind)


def draw_lower(play: Play, class_: MonsterClass, use: LowerUse) -> CombatCard:
    """Draw until a lower half has this use. K-MATTACK-4, K-BARR-4, K-DECIDE-52."""
    return _draw_until(play, class_, lambda card: card.lower.use is use)


def _draw_until(play: Play, class_: MonsterClass, fits: Callable[[CombatCard], bool]) -> CombatCard:
    """
    Draw cards in public, and discard each, until one fits. K-COMBAT-3, K-INFO-1, K-DECIDE-51.

    Skipped cards are shown, too (K-SECRET-13, K-SECRET-23).

    Raises:
        LookupError: no card of the deck fits, although it was shuffled anew. No such content can be
            loaded.
    """
    deck, is_new = combat_deck(class_), False
    while True:
        if not play.table.piles.get(deck):
            if is_new:
                raise LookupError(f"no card of {deck} fits")
            is_new = True
        handle = decks.top(play, deck)
        if handle is None:
            raise LookupError(f"{deck} has no cards")
        card = play.content.pack.combat[play.table.card_of(handle)]
        is_match = fits(card)
        play.emit(CombatCardDrawn(class_, handle, card.id, is_match))
        if is_match:
            return card


async def resolve_half(
    play: Play, half: UpperHalf | LowerHalf, source: Source, about: Text
) -> None:
    """
    Have the actor take the test of half a card, and resolve the result. K-COMBAT-5, K-MATTACK-4.

    The outcomes are known before a skill point is spent: `about` has the text of the half.
    K-COMBAT-10, K-MATTACK-7. Without a test the failure is resolved.
    """
    who, is_passed = source.actor, False
    if half.attribute is not None and who is not None:
        is_passed = await attribute_test(
            play,
            who,
            half.attribute,
            kind=TestKind.COMBAT,
            about=about,
            modifier=half.modifier,
        )
    await effects.resolve(play, half.passed if is_passed else half.failed, source)
