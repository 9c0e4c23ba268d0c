"""Decks of a scenario: effects drawn at random, none twice before all have been drawn."""

from typing import Annotated

import attrs

from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.kinds import ONE_UP, Kind
from content.games.second_edition.schema.requirements import Requirement
from content.reading.meanings import Declares

MOST_CARDS = 60
"""How many cards a deck may have: which of them have come is remembered in one number."""


@attrs.frozen
class DeckCard:
    """One thing that can come."""

    id: Annotated[str, Declares(Kind.DECK_CARD)]
    effect: Effect
    weight: Annotated[int, ONE_UP] = 1
    """How likely it is beside the others that are left."""
    when: Requirement | None = None
    """It can come only where this holds."""
