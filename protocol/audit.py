"""
The audit of an archive: whether its log is valid, and whether its game kept its own laws.

`protocol.archive.load` has shown before that the records hang together and that each opening fits
its commitment. `protocol.validity` judges what every game shares; then the table is folded along,
and what the mechanics of this game promise is held against every record (`protocol.common.laws`).
The report says what was computed, and what a server could have done all the same.
"""

import enum

from protocol.archive import Archive, BadArchive
from protocol.common.laws import LawBroken, laws_of
from protocol.common.table import Stage, Table
from protocol.validity import Counts, State, judge
from protocol.values import frozen


class SetupSource(enum.Enum):
    """Where the seed of the house came from, and whether it is known."""

    OWN = "own"
    """The table had a house of its own."""
    PENDING = "pending"
    """The setup is fixed and not closed yet: what it decided can only be counted."""
    OPENED = "opened"
    """The setup was fixed, and is closed."""


@frozen
class AuditReport:
    """What was checked."""

    is_whole: bool
    record_count: int
    is_finished: bool
    """Whether the game in it is over."""
    version: int
    """Of the log. In one of version 1 the server could still turn the dice (PROTOCOL.md, 10)."""
    setup: SetupSource
    has_game_laws: bool
    """Whether the laws of its game were checked, beside what every game shares."""
    counts: Counts
    """The draws, by stream, and what a server can make happen."""

    @property
    def draw_count(self) -> int:
        """Draws computed again; 0 where the seeds are not known."""
        return self.counts.computed.total()

    @property
    def has_foreign_share(self) -> bool:
        """Whether a share of chance came from a seat that the server did not run."""
        return self.counts.shares > self.counts.shares_of_bots


def audit(archive: Archive) -> AuditReport:
    """
    Check all that can be checked.

    Raises:
        BadArchive: at the first event that is not what it should be: first of what every game
            shares, then of the game's own laws.
    """
    state = judge(archive)
    room = state.room
    has_laws = _keep_laws(archive, room.ruleset)
    return AuditReport(
        is_whole=archive.header.is_whole,
        record_count=len(archive.records),
        is_finished=room.stage is Stage.OVER,
        version=room.version,
        setup=_setup(state),
        has_game_laws=has_laws,
        counts=state.counts,
    )


def _setup(state: State) -> SetupSource:
    if state.room.fixed_setup is None:
        return SetupSource.OWN
    return SetupSource.PENDING if state.room.opened_setup is None else SetupSource.OPENED


def _keep_laws(archive: Archive, ruleset: str) -> bool:
    """Hold the log against the laws of its game; return whether they are known here."""
    laws = laws_of(ruleset)
    if laws is None:
        return False
    table = Table()
    for record in archive.records:
        try:
            table = laws.follow(table, record)
        except LawBroken as broken:
            raise BadArchive(str(broken), record.sequence, "law") from broken
        except (AssertionError, AttributeError, LookupError, StopIteration, TypeError) as error:
            raise BadArchive(
                "it does not fit what happened before", record.sequence, "impossible"
            ) from error
    return True
