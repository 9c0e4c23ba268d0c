"""Ways: where the investigator whose turn it is has come from."""

from collections.abc import Sequence

from protocol.common.asks import Point
from protocol.event import Record
from protocol.games.second_edition import events as se


def way_back(records: Sequence[Record]) -> frozenset[Point]:
    """Return the space that the one who moved last in this turn came from; none before a move."""
    moved: se.InvestigatorMoved | None = None
    for record in reversed(records):
        happened = record.event
        if moved is None and isinstance(happened, se.TurnBegan | se.TurnEnded):
            break
        if not isinstance(happened, se.InvestigatorMoved):
            continue
        if moved is None:
            moved = happened
        elif happened.investigator == moved.investigator:
            return frozenset() if happened.space is None else frozenset({_at(happened.space)})
    return frozenset()


def _at(space: str) -> Point:
    return Point("space", space)
