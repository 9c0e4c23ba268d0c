"""What the rules of validity look at: the table so far, and what the log owes next."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from protocol.archive import Header
from protocol.common.chance import SeededChance, Stream
from protocol.common.table import RoomTable, Table
from protocol.event import Event, Record


class Invalid(Exception):
    """A record that no valid log has in this place."""

    def __init__(self, reason: str, kind: str = "impossible") -> None:
        """
        Say what is wrong.

        Args:
            reason: a sentence in English.
            kind: of fault, as `protocol.archive.BadArchive` has it.
        """
        super().__init__(reason)
        self.reason, self.kind = reason, kind


def need(holds: object, reason: str, kind: str = "impossible") -> None:
    """Raise Invalid unless something holds."""
    if not holds:
        raise Invalid(reason, kind)


@attrs.define
class Counts:
    """What happened on a log that a server can make happen, and how chance was checked."""

    starts_failed: int = 0
    """Starts that failed after at least one seat had opened its share."""
    pauses: int = 0
    """Returns to a checkpoint by the clock, after a failure of the rules."""
    take_backs: int = 0
    """Returns to a checkpoint that the seats agreed to."""
    absences: int = 0
    """Those of them to which somebody agreed for seats that were away."""
    time_outs: int = 0
    shares: int = 0
    """Shares in the key of the start that counts."""
    shares_of_bots: int = 0
    """Those of them that came from seats that the server itself ran."""
    computed: Counter[Stream] = attrs.field(factory=Counter)
    """Draws whose outcome was computed again, by stream."""
    sealed: Counter[Stream] = attrs.field(factory=Counter)
    """Draws whose key is known and whose outcome is not open here, by stream."""
    pending: Counter[Stream] = attrs.field(factory=Counter)
    """Draws whose key is not known here, by stream: they are counted only."""


@attrs.define
class State:
    """What a log amounts to, up to the record that is judged."""

    header: Header
    records: Sequence[Record]
    """All of them, so that what one opens of another can be found."""
    seeds: dict[tuple[int, int], bytes] = attrs.field(factory=dict)
    """The seeds that this file tells, by the sequence and slot of their commitments."""
    setups: dict[bytes, bytes] = attrs.field(factory=dict)
    """The seeds of fixed setups that it tells, by commitment."""
    table: Table = attrs.field(factory=Table)
    last: Record | None = None
    """The record before."""
    due: type[Event] | None = None
    """The kind that must come next, where one is owed."""
    head: bytes = b""
    """Of the chain before the record that is judged."""
    chances: dict[Stream, SeededChance] = attrs.field(factory=dict)
    """By stream, where the key is known."""
    handles: set[str] = attrs.field(factory=set)
    """Every handle that there was."""
    counts: Counts = attrs.field(factory=Counts)

    @property
    def room(self) -> RoomTable:
        """The room before the record that is judged."""
        return self.table.room

    @property
    def has_branched(self) -> bool:
        """Whether the records of a source lie before the record that is judged."""
        source = self.room.source
        return source is not None and self.last is not None and self.last.sequence > source.sequence

    def came(self, *kinds: type[Event]) -> bool:
        """Return whether the record before is of one of these kinds."""
        return self.last is not None and isinstance(self.last.event, kinds)


Rule = Callable[[State, Record, Any], None]
LOG_RULES: dict[type[Event], Rule] = {}
"""By kind: what must hold of the log, whoever plays what: seats, ceremony, chance, piles, end."""
TABLE_RULES: dict[type[Event], Rule] = {}
"""By kind: what must hold of what people do at the table."""
EFFECTS: dict[type[Event], Rule] = {}
"""By kind: what is noted after it was folded, beside the table."""


def log_rule(*kinds: type[Event]) -> Callable[[Rule], Rule]:
    """Declare what makes records of these kinds invalid, whoever plays what."""
    return _declaring(LOG_RULES, *kinds)


def table_rule(*kinds: type[Event]) -> Callable[[Rule], Rule]:
    """Declare what makes records of these kinds invalid at the table."""
    return _declaring(TABLE_RULES, *kinds)


def effect(*kinds: type[Event]) -> Callable[[Rule], Rule]:
    """Declare what is noted of records of these kinds, once they are folded."""
    return _declaring(EFFECTS, *kinds)


def _declaring(rules: dict[type[Event], Rule], *kinds: type[Event]) -> Callable[[Rule], Rule]:
    def declare(function: Rule) -> Rule:
        for kind in kinds:
            if kind in rules:
                raise ValueError(f"two rules for {kind.__name__}")
            rules[kind] = function
        return function

    return declare
