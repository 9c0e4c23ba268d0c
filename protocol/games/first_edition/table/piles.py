"""The names of the piles of cards and markers."""

from protocol.games.first_edition.table.ids import CardId
from protocol.games.first_edition.words import MonsterClass, StoryDeck

MYTHOS_DECK = "deck/mythos"
TRAUMA_DECK = "deck/trauma"
MYTHOS_HAND = "hand/mythos"
TRAUMA_HAND = "hand/trauma"
PIT_SUPPLY = "supply/pits"
"""Pile of the pits that are not on the board; nobody knows their faces. W-PIT-1, W-SECRET-2."""


def combat_deck(class_: MonsterClass) -> str:
    """Return the pile of a class's combat cards. K-COMBAT-3."""
    return f"deck/combat-{class_.value}"


def spell_deck(spell: CardId) -> str:
    """Return the pile of a spell's copies, whose backs nobody knows. K-DECIDE-58."""
    return f"deck/{spell}"


def story_deck(kind: StoryDeck) -> str:
    """Return the pile of the cards of one kind that belong to the story. W-DECIDE-50."""
    return f"deck/{kind.value}"
