"""Checks of the keywords of a card."""

from content.games.cards.checks.registry import checks
from content.games.cards.schema.cards import EnemyCard, TreacheryCard
from content.games.cards.schema.kinds import Keyword
from content.reading.sheet import Complaint


@checks(EnemyCard)
def _enemy(card: EnemyCard, fault: Complaint) -> None:
    _hidden(card, fault)


@checks(TreacheryCard)
def _treachery(card: TreacheryCard, fault: Complaint) -> None:
    _hidden(card, fault)


def _hidden(card: EnemyCard | TreacheryCard, fault: Complaint) -> None:
    """Report Hidden without Peril: whoever answered the draw would open the card. C-DECIDE-62."""
    if Keyword.HIDDEN in card.keywords and Keyword.PERIL not in card.keywords:
        fault("keywords", "a hidden card has Peril too, or others could answer its draw; add peril")
