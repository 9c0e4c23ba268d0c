"""Decks of a scenario: effects drawn at random, none twice before all have been drawn."""

from typing import Annotated

import attrs

from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.kinds import ONE_UP, Kind
from content.games.second_edition.schema.requirements import Requirement
from content.reading.meanings import Declares

MOST_CARDS = 60
"""Maximum number of cards in a deck: the drawn cards are stored as bits of one integer."""


@attrs.frozen
class DeckCard:
    """One card of a deck."""

    id: Annotated[str, Declares(Kind.DECK_CARD)]
    effect: Effect
    weight: Annotated[int, ONE_UP] = 1
    """The chance of this card, relative to the other undrawn cards."""
    when: Requirement | None = None
    """A requirement. The card can be drawn only while the requirement holds."""
