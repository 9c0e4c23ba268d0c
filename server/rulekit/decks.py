"""
Decks of a scenario: random cards without repeats until every card that can come has come.

The memory notes which cards have come. On the log a deck has only a number, since its name would
give the script away.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from server.kernel.game import Game
from server.rulekit.draws import Draws


class Card(Protocol):
    """Card of a deck."""

    @property
    def id(self) -> str:
        """Name of the card, unique in its deck."""

    @property
    def weight(self) -> int:
        """How likely the card is drawn, relative to the other cards that are left."""


CardT = TypeVar("CardT", bound=Card)


def draw(
    game: Game[Any, Any],
    draws: Draws,
    deck: Sequence[CardT],
    number: int,
    can_come: Callable[[CardT], bool],
) -> CardT | None:
    """
    Draw a random card among those that can come now; return None where none can.

    Args:
        game: the game.
        draws: the draws of the game, with a memory.
        deck: the cards in the order of the content; the memory knows them by their positions.
        number: the number of the deck in its scenario, from 1.
        can_come: returns whether a card can come now.
    """
    memory = draws.memory
    assert memory is not None
    kept_as = f"d{number}"
    # Bit by bit, since a memory holds numbers alone.
    come = memory.number(game, kept_as) or 0
    fitting = [at for at, card in enumerate(deck) if can_come(card)]
    left = [at for at in fitting if not come >> at & 1]
    if not left:
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
