"""
Rest points: moments at which no rule runs, so that a room can be built from them.

Loading a room folds its log to the last rest point; the rules replay the later records.
"""

from collections.abc import Callable, Iterable, Mapping

import attrs

from protocol.commitments import first_head, next_head
from protocol.common import events
from protocol.common.table import Branch, RoomTable, Table, fold, know_game
from protocol.event import Event, Record, Stored, read_own
from protocol.values import frozen
from server.kernel.chance import NO_CHANCES, Chances
from server.kernel.errors import TruncatedLog

CHECKPOINTS = (events.GameStarted, events.CheckpointReached, events.TakenBack, events.BranchStarted)
"""Kinds of events after which the rules begin a new procedure."""


@frozen
class RestPoint:
    """A room at a moment at which no rule runs."""

    end: int
    """Number of records before the rest point."""
    table: Table
    head: bytes
    time: int
    """Time of the last record, in milliseconds since 1970."""
    chances: Chances = attrs.field(default=NO_CHANCES, repr=False)
    has_gone_back: bool = False
    """True if the last record goes back to a checkpoint; the room then shuffles unknown piles."""

    @classmethod
    def first(cls, room_id: str) -> "RestPoint":
        """Return the rest point of an empty log."""
        return cls(0, Table(), first_head(room_id), 0)

    def after(self, stored: Stored, record: Record, chances: Chances) -> "RestPoint":
        """Return the state after a record, which is a rest point only if `is_rest_after` holds."""
        return RestPoint(
            self.end + 1,
            fold(self.table, record),
            next_head(self.head, stored.public),
            record.time,
            chances,
            goes_back(record.event),
        )


def goes_back(happened: Event) -> bool:
    """Return True if unknown piles are shuffled next: after going back or starting a branch."""
    return type(happened) in _GOES_BACK


def is_rest_after(happened: Event) -> bool:
    # Exact type check: these classes are final and this runs per event.
    return type(happened) in _RESTS


_RESTS = frozenset((*CHECKPOINTS, events.RoomClosed))
_GOES_BACK = frozenset((events.TakenBack, events.BranchStarted))


def repeated_end(source: Branch) -> int:
    """
    Return the number of a branch's records before its ceremony of chance.

    These are the records of its source, then `Branched` and `SeedsCommitted`.
    """
    # The source's records 0 to `sequence`, then `Branched` and `SeedsCommitted`.
    return source.sequence + 3


class Folding:
    """Folds a log, record by record, and keeps the records after the last rest point."""

    def __init__(
        self,
        rest: RestPoint,
        chances_of: Callable[[RoomTable, bytes], Chances],
        *,
        read: Callable[[str, Stored], Record] = read_own,
    ) -> None:
        """
        Begin at a rest point.

        Args:
            rest: rest point before the first record to be folded.
            chances_of: makes the chance of a room that starts, given the head of its log.
            read: reads a record, given the id of its room.
        """
        self.rest = rest
        self.tail: list[tuple[Stored, Record]] = []
        """Records after the last rest point."""
        self.recalled: dict[int, Stored] = {}
        """Earlier records that the room needs in order to continue, by sequence."""
        self.now = rest
        """State after the last record, which need not be a rest point."""
        self._chances_of = chances_of
        self._read = read

    @property
    def end(self) -> int:
        """Number of records folded or skipped so far: the length of the log."""
        return self.now.end

    @property
    def head(self) -> bytes:
        return self.now.head

    def add(self, room_id: str, records: Iterable[Stored]) -> None:
        """
        Fold the next records of the log.

        Raises:
            TruncatedLog: a record is out of sequence.
            ProtocolError: a record is malformed.
        """
        for stored in records:
            record = self._read(room_id, stored)
            if record.sequence != self.end:
                raise TruncatedLog(self.end, f"its record says {record.sequence}")
            happened = record.event
            if isinstance(happened, events.RoomOpened):
                # The records from here on may hold events of this game.
                know_game(happened.ruleset)
            chances = self.now.chances
            room = self.now.table.room
            # A branch repeats the source's `GameStarted`; its own chance begins at `BranchStarted`.
            is_start = isinstance(happened, events.GameStarted) and room.source is None
            if is_start or isinstance(happened, events.BranchStarted):
                # Nobody draws by the chance of a source any more.
                chances = self._chances_of(room, self.now.head)
            self.now = self.now.after(stored, record, chances)
            self.tail.append((stored, record))
            # The rules never write the records of the source, so no replay begins before their end.
            is_at_ceremony = room.source is not None and self.end == repeated_end(room.source)
            if is_at_ceremony or is_rest_after(happened):
                self.rest = self.now
                self.tail.clear()


def sequences_of_seeds(room: RoomTable) -> Mapping[int, None]:
    """Return the sequences of the commitments to the seeds that are opened after the game."""
    seeds = (room.play_seed, room.house_seed)
    return {seed.ref[0]: None for seed in seeds if seed is not None}
