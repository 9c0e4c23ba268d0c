"""Base class of the events of the card game."""

from protocol.common.table import GameEvent
from protocol.games.cards.table import CardsTable


class CardsEvent(GameEvent):
    """An event of this ruleset: folds a `CardsTable`."""

    __slots__ = ()

    of = CardsTable
