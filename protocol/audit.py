"""
Audits an archive: is its log valid, and did its game keep its own laws?

`protocol.archive.load` has checked the chain and each opening before. `protocol.validity` judges
the rules of all logs. Then the table is folded record by record, and the promises of this game's
mechanics are checked against each (`protocol.common.laws`). The report says what was computed, and
what a server could still have influenced.
"""

import enum

from protocol.archive import Archive, BadArchive
from protocol.common.laws import LawBroken, laws_of
from protocol.common.table import Stage, Table
from protocol.validity import Counts, State, judge
from protocol.values import frozen


class SetupSource(enum.Enum):
    """Source of the setup's seed, and whether the seed is known."""

    OWN = "own"
    """The table drew its own setup."""
    PENDING = "pending"
    """
    The table plays a fixed setup whose seed the log does not open yet: its draws are counted, but
    not recomputed.
    """
    OPENED = "opened"
    """The table played a fixed setup whose seed the log opens, so its draws are recomputed."""


@frozen
class AuditReport:
    """Result of an audit that found no fault."""

    is_whole: bool
    record_count: int
    is_finished: bool
    """True if the game is over."""
    has_begun: bool
    """True if the log has a game; False for a table that still waits for its start."""
    version: int
    """Version of the log. In version 1 the server could still influence the dice (PROTOCOL.md, 10).
    """
    setup: SetupSource
    has_game_laws: bool
    """True if this program has the laws of the game and checked them."""
    counts: Counts
    """Numbers of draws, by stream, and of events that a server can cause at will."""

    @property
    def has_foreign_share(self) -> bool:
        """True if a seat that the server did not run gave a share of chance."""
        return self.counts.shares > self.counts.shares_of_bots


def audit(archive: Archive) -> AuditReport:
    """
    Check a log against the rules of all logs, then against the laws of its game.

    Raises:
        BadArchive: names the first event that breaks a rule of all logs; if there is none, the
            first that breaks a law of its game.
    """
    state = judge(archive)
    room = state.room
    has_laws = _keep_laws(archive, room.ruleset)
    return AuditReport(
        is_whole=archive.header.is_whole,
        record_count=len(archive.records),
        is_finished=room.stage is Stage.OVER,
        has_begun=room.stage not in {Stage.LOBBY, Stage.STARTING},
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
    """
    Check a log against the laws of its game; return False if this program has no laws for it.

    Raises as `audit`.
    """
    laws = laws_of(ruleset)
    if laws is None:
        return False
    table = Table()
    for record in archive.records:
        try:
            table = laws.follow(table, record)
        except LawBroken as broken:
            raise BadArchive(str(broken), record.sequence, "law") from broken
        # Laws and folds assume a log of their own game. What a forged one makes them raise means
        # the same: the record is impossible at this place.
        except (AssertionError, AttributeError, LookupError, StopIteration, TypeError) as error:
            raise BadArchive(
                "it does not fit what happened before", record.sequence, "impossible"
            ) from error
    return True
