"""Decks of a scenario: effects drawn at random, none twice before all have been drawn."""

from typing import Annotated

import attrs

from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.kinds import ONE_UP, Kind
from content.games.second_edition.schema.requirements import Requirement
from content.reading.meanings import Declares

MOST_CARDS = 60
"""Most cards of a deck: one number remembers which of them were drawn."""


@attrs.frozen
class DeckCard:
    """One card of a deck."""

    id: Annotated[str, Declares(Kind.DECK_CARD)]
    effect: Effect
    weight: Annotated[int, ONE_UP] = 1
    """Its chance, relative to the other cards that are left."""
    when: Requirement | None = None
    """The card can be drawn only if this holds."""
