"""Decks of a scenario: effects drawn at random, none twice before all have been drawn."""

import attrs

from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.requirements import Requirement

MOST_CARDS = 60
"""How many cards a deck may have: which of them have come is remembered in one number."""


@attrs.frozen
class DeckCard:
    """One thing that can come."""

    id: str
    effect: Effect
    weight: int = 1
    """How likely it is beside the others that are left."""
    when: Requirement | None = None
    """It can come only where this holds."""
