"""Counting: what the statistics of a game count, as its face says."""

from collections.abc import Callable, Iterable

import attrs

from protocol.common.table import Table
from protocol.event import Record

Row = tuple[str, str]
"""
What an amount is of: a kind and an id. `word` has the key of words, `round` a number and `seat` a
name; any other kind is one of pieces.
"""


@attrs.frozen
class Chart:
    """One question to the log, with an amount for each row."""

    name: str
    """For scripts."""
    title: str
    """The key of its words."""
    is_time: bool = False
    """Whether amounts are seconds."""


@attrs.frozen
class Count:
    """Some of what a chart counts."""

    chart: str
    row: Row
    amount: float = 1
    expected: float | None = None
    """How much of it chance brings on average, where chance brings it."""


def _nothing(_: Table, __: Record) -> Iterable[Count]:
    return ()


@attrs.frozen
class Counting:
    """What one game counts."""

    charts: tuple[Chart, ...] = ()
    """In the order in which they are shown."""
    counts: Callable[[Table, Record], Iterable[Count]] = _nothing
    """Returns what a record adds, by the table before it and whatever is open of it."""
