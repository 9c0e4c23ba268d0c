"""
Hidden cards that some seats know: what lies in a hand, what was looked at and put back.

A pile that is shuffled with `knowers` is a hand. Here is what happens to a part of a pile; its
places count from 0, the top.
"""

from protocol.common.events.chance import Shuffled
from protocol.common.table import Handle, Table, TableEvent
from protocol.event import Record, Sealed, event, secret
from protocol.values import evolve


@event("shuffled_some")
class ShuffledSome(Shuffled):
    """The cards at some places of a pile were mixed among these, and have new handles."""

    places: tuple[int, ...]
    """Ascending; the first handle and the first card of the order are at the first of them."""

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with these cards in their new order."""
        assert table.game is not None
        game = table.game.relaid(self.pile, self.places, self.handles, self.order)
        # The draw is counted as that of a whole pile.
        return super(Shuffled, self).fold_table(evolve(table, game=game), record)


@event("looked_at")
class LookedAt(TableEvent):
    """Some seats looked at the cards at some places of a pile, which stay as they lie."""

    pile: str
    places: tuple[int, ...]
    """Ascending."""
    knowers: tuple[int, ...]
    cards: Sealed[tuple[str, ...]] = secret(to="knowers")
    """In the order of the places."""

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table in which they know these cards."""
        assert table.game is not None
        return evolve(table, game=table.game.looked_at(self.pile, self.places, self.cards))


@event("arranged")
class Arranged(TableEvent):
    """Some seats laid the cards at some places of a pile in an order that they alone know."""

    pile: str
    places: tuple[int, ...]
    """Ascending; the first handle and the first card of the order are at the first of them."""
    handles: tuple[Handle, ...]
    knowers: tuple[int, ...]
    order: Sealed[tuple[str, ...]] = secret(to="knowers")

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table with these cards as they lie now."""
        assert table.game is not None
        game = table.game.relaid(self.pile, self.places, self.handles, self.order)
        return evolve(table, game=game)
