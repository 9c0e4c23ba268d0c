"""
Summaries: what a list shows of a room, and when the room is due, kept beside its log.

A summary is only ever a copy; the log is what counts.
"""

import contextlib
import functools
import sys

import attrs

from protocol import codec
from protocol.common.patience import asked_at, goes_by_calendar, limit_seconds
from protocol.common.table import GameEnd, RoomTable, Stage, Table
from protocol.errors import ProtocolError
from protocol.event import read_own
from server.kernel.batch_writer import Batch
from server.kernel.room import Room

KIND = "summary"
"""The namespace of summaries in the store."""


@attrs.frozen
class Summary:
    """One room as a list shows it."""

    room_id: str
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    keys: tuple[bytes, ...]
    waiting_for: tuple[int, ...]
    """Positions among the keys of those who are waited for."""
    due: int
    """When the room has something to do with nobody there, in milliseconds since 1970; 0: never."""
    when: int = attrs.field(eq=False)
    """Milliseconds since 1970. Alone it is no reason to store a summary again."""
    setup_id: str = ""
    """Of the fixed setup that it plays; empty for none."""
    has_shut_setup: bool = False
    """Whether that is still to be opened here, once it is closed and the game is over."""
    ask_id: int = attrs.field(default=-1, eq=False)
    """Of the question that is open; -1 for none."""
    since: int = attrs.field(default=0, eq=False)
    """Since when it is open, in milliseconds since 1970. What is stored may be of a question before
    it, whenever the same seats are waited for: so after a restart it may be too early."""
    is_paused: bool = False
    """Whether the operator has paused the game."""
    over_at: int = 0
    """When the game ended, in milliseconds since 1970; 0 before that."""
    end: GameEnd | None = None
    """How it came out; None before its end, and where that is not known."""
    observers: tuple[bytes, ...] | None = None
    """The fingerprints of the keys that observe it; None where that is not known yet."""
    source_id: str = ""
    """Of a practice game, the room that it branches off; empty for a game of its own."""

    @property
    def is_practice(self) -> bool:
        """Whether it is a branch of another game, all of whose seats are one player's."""
        return bool(self.source_id)


@attrs.frozen
class _Summary5:
    """A summary as it was before there were practice games."""

    room_id: str
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    keys: tuple[bytes, ...]
    waiting_for: tuple[int, ...]
    due: int
    when: int
    setup_id: str
    has_shut_setup: bool
    ask_id: int
    since: int
    is_paused: bool
    over_at: int
    end: GameEnd | None
    observers: tuple[bytes, ...] | None


@attrs.frozen
class _Summary4:
    """A summary as it was before it said how a game came out."""

    room_id: str
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    keys: tuple[bytes, ...]
    waiting_for: tuple[int, ...]
    due: int
    when: int
    setup_id: str
    has_shut_setup: bool
    ask_id: int
    since: int
    is_paused: bool


@attrs.frozen
class _Summary3:
    """A summary as it was before it said since when somebody is awaited."""

    room_id: str
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    keys: tuple[bytes, ...]
    waiting_for: tuple[int, ...]
    due: int
    when: int
    setup_id: str
    has_shut_setup: bool


@attrs.frozen
class _Summary1:
    """A summary as release 0.1.0 kept it, with no fixed setup."""

    room_id: str
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    keys: tuple[bytes, ...]
    waiting_for: tuple[int, ...]
    has_alarm: bool
    when: int


@attrs.frozen
class _Summary2(_Summary1):
    """A summary as it was when each room with a limit or a bot was loaded at the start."""

    setup_id: str
    has_shut_setup: bool


def read_summary(packed: bytes) -> Summary:
    """Return a summary of this version or an earlier one. ProtocolError for any other."""
    summary = _read_any(packed)
    # Thousands of tables have a few scenarios, and the same people play at many.
    return attrs.evolve(
        summary,
        scenario=sys.intern(summary.scenario),
        names=_one_of_all(summary.names),
        waiting_for=_positions(summary.waiting_for),
    )


@functools.lru_cache(maxsize=1024)
def _one_of_all(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the same object for the same names."""
    return tuple(map(sys.intern, names))


@functools.lru_cache(maxsize=256)
def _positions(waiting_for: tuple[int, ...]) -> tuple[int, ...]:
    """Return the same object for the same positions."""
    return waiting_for


def _read_any(packed: bytes) -> Summary:
    for form in (Summary, _Summary5, _Summary4, _Summary3, _Summary2):
        with contextlib.suppress(ProtocolError):
            return _as_it_is_now(codec.decode(packed, form))
    return _as_it_is_now(codec.decode(packed, _Summary1))


def _as_it_is_now(
    found: Summary | _Summary5 | _Summary4 | _Summary3 | _Summary1,
) -> Summary:
    if isinstance(found, Summary):
        return found
    fields = attrs.asdict(found, recurse=False)
    if isinstance(found, _Summary5):
        return Summary(**fields)
    fields["over_at"] = found.when if found.stage is Stage.OVER else 0
    if isinstance(found, _Summary4):
        return Summary(**fields)
    if isinstance(found, _Summary3):
        return Summary(**fields, since=found.when)
    # No table went by the calendar.
    del fields["has_alarm"]
    return Summary(**fields, due=0, since=found.when)


def summary_of(
    room_id: str, table: Table, time: int, due: int, before: Summary | None = None
) -> Summary:
    """
    Return what a list shows of a room.

    Args:
        room_id: the room.
        table: what lies there.
        time: of its last batch, in milliseconds since 1970.
        due: when the room is due.
        before: the summary before that batch, if there is one.
    """
    room = table.room
    ask_id = room.ask.ask_id if room.ask is not None else -1
    seats = list(room.seats.values())
    # While the operator has paused a game nobody can do anything for it.
    is_waiting = room.ask is not None and not room.is_paused_by_operator
    waiting = room.ask.waiting_for if room.ask is not None and is_waiting else ()
    fixed = room.fixed_setup
    is_over = room.stage is Stage.OVER
    is_shut = fixed is not None and room.opened_setup is None
    return Summary(
        room_id=room_id,
        scenario=room.scenario,
        stage=room.stage,
        names=_one_of_all(tuple([seat.name for seat in seats])),
        keys=tuple([seat.key for seat in seats]),
        waiting_for=_positions(
            tuple([at for at, seat in enumerate(seats) if seat.seat in waiting])
        ),
        due=due,
        when=time,
        setup_id=fixed.setup_id if fixed is not None else "",
        # Where the settings keep the log, nothing of it is opened at all.
        has_shut_setup=is_shut and room.settings.publish,
        ask_id=ask_id,
        since=before.since if before is not None and before.ask_id == ask_id else time,
        is_paused=room.is_paused_by_operator,
        over_at=_over_at(room, time, before),
        end=table.game.came_out() if table.game is not None and is_over else None,
        observers=tuple(one.fingerprint for one in room.settings.observers),
        source_id=room.source.room_id if room.source is not None else "",
    )


def _over_at(room: RoomTable, time: int, before: Summary | None) -> int:
    """Return when a game ended. What comes on a log after that moves it no more."""
    if room.stage is not Stage.OVER:
        return 0
    return before.over_at if before is not None and before.over_at else time


def due_in(room: Room) -> int:
    """Return when a room is due, as its log tells."""
    table = room.table.room
    if room.halted is not None or table.ask is None or not goes_by_calendar(table):
        return 0
    records = (read_own(room.room_id, stored) for stored in reversed(room.log))
    asked = asked_at(table.ask, records)
    return (room.last_time if asked is None else asked) + limit_seconds(table) * 1000


def due_after(room_id: str, batch: Batch, before: int) -> int:
    """Return when a room is due after a batch, before which it was due at `before`."""
    table = batch.table.room
    if table.ask is None or not goes_by_calendar(table):
        return 0
    asked = asked_at(table.ask, (read_own(room_id, stored) for stored in reversed(batch.stored)))
    if asked is None and before:
        return before
    return (batch.time if asked is None else asked) + limit_seconds(table) * 1000
