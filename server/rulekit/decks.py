"""
Decks of a scenario: random cards, without repeats until every possible card has been drawn.

The memory notes the drawn cards. On the log a deck has only a number, since its name would reveal
the script.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from server.kernel.game import Game
from server.rulekit.draws import Draws


class Card(Protocol):
    """A card of a deck."""

    @property
    def id(self) -> str:
        """Name of the card, unique in its deck."""

    @property
    def weight(self) -> int:
        """Probability of the card, relative to the other remaining cards."""


CardT = TypeVar("CardT", bound=Card)


def draw(
    game: Game[Any, Any],
    draws: Draws,
    deck: Sequence[CardT],
    number: int,
    can_come: Callable[[CardT], bool],
) -> CardT | None:
    """
    Draw a random card among the cards that can be drawn now; None if there is none.

    Args:
        game: the game.
        draws: the draws of the game, with a memory.
        deck: the cards in the order of the content; the memory stores their positions.
        number: the number of the deck in its scenario, from 1.
        can_come: returns True if a card is possible now.
    """
    memory = draws.memory
    assert memory is not None
    kept_as = f"d{number}"
    # Bit by bit, since a memory holds numbers alone.
    come = memory.number(game, kept_as) or 0
    fitting = [at for at, card in enumerate(deck) if can_come(card)]
    left = [at for at in fitting if not come >> at & 1]
    if not left:
        # All cards that are possible now were drawn before: begin again.
        come, left = 0, fitting
    at = draws.deal(
        game,
        f"deck {kept_as}",
        left,
        weights=[deck[at].weight for at in left],
        name=lambda at: deck[at].id,
        before="deck",
    )
    if at is None:
        return None
    memory.remember(game, kept_as, come | 1 << at)
    return deck[at]
