"""The state that rules of validity read, and the registries of these rules."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from protocol.archive import Header
from protocol.common.chance import SeededChance, Stream
from protocol.common.table import RoomTable, Table
from protocol.event import Event, Record
from protocol.values import evolve


class Invalid(Exception):
    """
    A record that no valid log has at this place.

    Args:
        reason: a sentence in English.
        kind: kind of fault, as in `protocol.archive.BadArchive`.
    """

    def __init__(self, reason: str, kind: str = "impossible") -> None:
        super().__init__(reason)
        self.reason, self.kind = reason, kind


def need(holds: object, reason: str, kind: str = "impossible") -> None:
    """Raise Invalid if `holds` is false."""
    if not holds:
        raise Invalid(reason, kind)


@attrs.define
class Counts:
    """Numbers of events that a server can cause at will, and of draws that were checked."""

    starts_failed: int = 0
    """Starts that failed after at least one seat had opened its share."""
    starts_silent: int = 0
    """Starts that failed once all seats had committed, with no share on the log."""
    starts_hidden: int = 0
    """Starts that are missing on the log although a seat opened a share in each and counts them in
    its signed number; the maximum over all seats."""
    pauses: int = 0
    """Returns to a checkpoint by the clock, after a failure of the rules."""
    take_backs: int = 0
    """Returns to a checkpoint that the seats agreed to."""
    absences: int = 0
    """Consents to going back that were given on behalf of absent seats."""
    gifts: int = 0
    """Consents to giving a seat away that were given on behalf of absent seats."""
    given_up: int = 0
    """Consents to giving the game up that were given on behalf of absent seats; at most 1."""
    time_outs: int = 0
    shares: int = 0
    """Number of shares of chance in the successful start."""
    shares_of_bots: int = 0
    """The part of `shares` that came from seats run by the server itself."""
    computed: Counter[Stream] = attrs.field(factory=Counter)
    """Draws whose outcome was recomputed, by stream."""
    sealed: Counter[Stream] = attrs.field(factory=Counter)
    """Draws whose key is known but whose outcome is sealed, by stream."""
    pending: Counter[Stream] = attrs.field(factory=Counter)
    """Draws whose key is not known, by stream."""


@attrs.define
class State:
    """State of a log before the record being judged."""

    header: Header
    records: Sequence[Record]
    """All records of the log, including later records, some of which open secrets of earlier
    ones."""
    seeds: dict[tuple[int, int], bytes] = attrs.field(factory=dict)
    """Seeds that this file opens, by sequence and slot of their commitments."""
    setups: dict[bytes, bytes] = attrs.field(factory=dict)
    """Seeds of fixed setups that this file opens, by commitment."""
    table: Table = attrs.field(factory=Table)
    last: Record | None = None
    """The previous record."""
    due: type[Event] | None = None
    """Kind that must come next; None if no kind is due."""
    head: bytes = b""
    """Head of the chain before the record being judged."""
    chances: dict[Stream, SeededChance] = attrs.field(factory=dict)
    """Chance by stream, if the key is known."""
    handles: set[str] = attrs.field(factory=set)
    """All handles used so far; they may not be used again."""
    counts: Counts = attrs.field(factory=Counts)

    @property
    def room(self) -> RoomTable:
        """The room before the record being judged."""
        return self.table.room

    @property
    def has_branched(self) -> bool:
        """True if the record being judged comes after the records of a source."""
        source = self.room.source
        return source is not None and self.last is not None and self.last.sequence > source.sequence

    @property
    def is_of_source(self) -> bool:
        """True if the record being judged repeats one of a source."""
        return self.room.source is not None and not self.has_branched

    @property
    def signed_room(self) -> RoomTable:
        """
        The room, with the room id that seats signed at this record.

        In the records that a branch repeats, this is the id of the source.
        """
        source = self.room.source
        if source is None or self.has_branched:
            return self.room
        return evolve(self.room, room_id=source.room_id)

    def came(self, *kinds: type[Event]) -> bool:
        """Return whether the previous record is of one of these kinds."""
        return self.last is not None and isinstance(self.last.event, kinds)


Rule = Callable[[State, Record, Any], None]
LOG_RULES: dict[type[Event], Rule] = {}
"""Rules of the log by kind of event, on seats, the start, chance, piles and the end."""
TABLE_RULES: dict[type[Event], Rule] = {}
"""Rules of the table by kind of event, on seats, questions, agreements and chat."""
EFFECTS: dict[type[Event], Rule] = {}
"""Updates of the state outside the table, by kind, made after the record is folded."""


def log_rule(*kinds: type[Event]) -> Callable[[Rule], Rule]:
    """Register a rule of the log for these kinds."""
    return _declaring(LOG_RULES, *kinds)


def table_rule(*kinds: type[Event]) -> Callable[[Rule], Rule]:
    """Register a rule in `TABLE_RULES`, for these kinds of event."""
    return _declaring(TABLE_RULES, *kinds)


def effect(*kinds: type[Event]) -> Callable[[Rule], Rule]:
    """Register an update of the state for these kinds."""
    return _declaring(EFFECTS, *kinds)


def _declaring(rules: dict[type[Event], Rule], *kinds: type[Event]) -> Callable[[Rule], Rule]:
    def declare(function: Rule) -> Rule:
        for kind in kinds:
            if kind in rules:
                raise ValueError(f"two rules for {kind.__name__}")
            rules[kind] = function
        return function

    return declare
