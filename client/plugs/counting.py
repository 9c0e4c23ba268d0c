"""The statistics of a game; part of its face."""

from collections.abc import Callable, Iterable

import attrs

from protocol.common.table import Table
from protocol.event import Record

Row = tuple[str, str]
"""
The subject of an amount: kind and id. The id of a `word` is a key of words, of a `round` a number,
of a `seat` a name; any other kind is one of pieces.
"""


@attrs.frozen
class Chart:
    """A chart, with an amount for each row."""

    name: str
    """Name for scripts."""
    title: str
    """Key of the title."""
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
    """The counting of one game."""

    charts: tuple[Chart, ...] = ()
    """Charts in the order of display."""
    counts: Callable[[Table, Record], Iterable[Count]] = _nothing
    """Returns the amounts that a record adds, given the table before it and its open values."""
