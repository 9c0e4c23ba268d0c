"""
Events of hidden cards that some seats know, such as hands and cards that were looked at.

A pile that is shuffled with `knowers` is a hand. The events here are about parts of a pile; places
count from 0, the top.
"""

from protocol.common.events.chance import Shuffled
from protocol.common.table import Handle, Table, TableEvent
from protocol.event import Record, Sealed, event, secret
from protocol.values import evolve


@event("shuffled_some")
class ShuffledSome(Shuffled):
    """The cards at some places of a pile were shuffled among these places, with new handles."""

    places: tuple[int, ...]
    """Positions in the pile, ascending. The first handle, and the first card of the order, are for
    the first position."""

    def fold_table(self, table: Table, record: Record) -> Table:
        assert table.game is not None
        game = table.game.relaid(self.pile, self.places, self.handles, self.order)
        # Not that of `Shuffled`, which replaces the whole pile; this counts the draw.
        return super(Shuffled, self).fold_table(evolve(table, game=game), record)


@event("looked_at")
class LookedAt(TableEvent):
    """Some seats looked at the cards at some places of a pile, which do not move."""

    pile: str
    places: tuple[int, ...]
    """Positions in the pile, ascending."""
    knowers: tuple[int, ...]
    cards: Sealed[tuple[str, ...]] = secret(to="knowers")
    """Cards in the order of the places."""

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        assert table.game is not None
        return evolve(table, game=table.game.looked_at(self.pile, self.places, self.cards))


@event("arranged")
class Arranged(TableEvent):
    """Some seats put the cards at some places of a pile in an order that only they know."""

    pile: str
    places: tuple[int, ...]
    """Positions in the pile, ascending. The first handle, and the first card of the order, are for
    the first position."""
    handles: tuple[Handle, ...]
    knowers: tuple[int, ...]
    order: Sealed[tuple[str, ...]] = secret(to="knowers")

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        assert table.game is not None
        game = table.game.relaid(self.pile, self.places, self.handles, self.order)
        return evolve(table, game=game)
