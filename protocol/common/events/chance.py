"""Chance: what was rolled, picked and mixed."""

import attrs

from protocol.common.table import Handle, Table, TableEvent
from protocol.event import NOBODY, Record, Sealed, event, secret


def _counted(table: Table, draw: int, is_setup: bool) -> Table:  # noqa: FBT001 (a field of the events)
    if is_setup:
        return table.with_room(setup_draws=draw + 1)
    return table.with_room(draws=draw + 1)


@event("rolled")
class Rolled(TableEvent):
    """Dice were rolled, in view of all."""

    draw: int
    is_setup: bool
    purpose: str
    sides: int
    faces: tuple[int, ...]
    """Each from 0 to sides - 1."""

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table with the draw counted; what the dice mean, the next event says."""
        return _counted(table, self.draw, self.is_setup)


@event("picked")
class Picked(TableEvent):
    """One of several things was picked at random, in view of all."""

    draw: int
    is_setup: bool
    purpose: str
    bound: int
    result: int
    """From 0 to bound - 1."""

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table with the draw counted."""
        return _counted(table, self.draw, self.is_setup)


@event("shuffled")
class Shuffled(TableEvent):
    """A pile was mixed: every card in it has a new handle, and nobody knows the order."""

    draw: int
    is_setup: bool
    purpose: str
    pile: str
    handles: tuple[Handle, ...]
    order: Sealed[tuple[str, ...]] = secret(to=NOBODY)

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table with the pile in its new order."""
        assert table.game is not None
        table = attrs.evolve(table, game=table.game.mixed(self.pile, self.handles, self.order))
        return _counted(table, self.draw, self.is_setup)
