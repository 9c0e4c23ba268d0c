"""The statistics that a game counts, as a part of its face."""

from collections.abc import Callable, Iterable

import attrs

from protocol.common.table import Table
from protocol.event import Record

Row = tuple[str, str]
"""
The subject of an amount, as kind and id. The id of a `word` is a catalog key, that of a `round` its
number, that of a `seat` a name. Any other kind is a kind of pieces.
"""


@attrs.frozen
class Chart:
    """A chart of statistics, with an amount for each row."""

    name: str
    """The chart's name for scripts."""
    title: str
    """The catalog key of the title."""
    is_time: bool = False
    """True if the amounts are seconds."""


@attrs.frozen
class Count:
    """An amount to add to a row of a chart."""

    chart: str
    row: Row
    amount: float = 1
    expected: float | None = None
    """Expected amount by chance; None if it does not depend on chance."""


def _nothing(_: Table, __: Record) -> Iterable[Count]:
    return ()


@attrs.frozen
class Counting:
    """The charts of one game, and the function that counts for them."""

    charts: tuple[Chart, ...] = ()
    """Charts in the order of display."""
    counts: Callable[[Table, Record], Iterable[Count]] = _nothing
    """Returns the amounts that a record adds, given the table before it and its open values."""
