"""The statistics that a game counts, as a part of its face."""

from collections.abc import Callable, Iterable

import attrs

from protocol.common.table import Table
from protocol.event import Record

Row = tuple[str, str]
"""
The kind and id of the subject of an amount. The id of a `word` is a catalog key, the id of a
`round` or a `number` is that number, and the id of a `seat` is a name. A `side` is the part of a
side in something else: its id is the role, a space, and that row's kind, space and id. Any other
kind is a kind of pieces.
"""


@attrs.frozen
class Chart:
    """A bar chart of statistics, with an amount for each row."""

    name: str
    """The chart's name for scripts."""
    title: str
    """The catalog key of the title."""
    is_time: bool = False
    """True if the amounts are seconds."""


@attrs.frozen
class Count:
    """An amount that one record adds to a row of a chart."""

    chart: str
    row: Row
    amount: float = 1
    expected: float | None = None
    """The amount expected by chance; None if chance plays no part."""


@attrs.frozen
class Counting:
    """The charts of one game, and the function that counts for these charts."""

    charts: tuple[Chart, ...] = ()
    """The charts, in the order of display."""
    counts: Callable[[Table, Record], Iterable[Count]] = lambda _table, _record: ()
    """
    Returns the amounts that a record adds, given the table before the record, and the record with
    all secrets open.
    """
