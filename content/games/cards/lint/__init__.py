"""The linter of the card game: what is well formed in a pack, and can never be meant."""

from content.games.cards.lint import abilities, cards, decks, scenarios, texts
from content.games.cards.lint.registry import findings, notes

__all__ = ["abilities", "cards", "decks", "findings", "notes", "scenarios", "texts"]
