"""
Summaries: the state of a room that lists show, and the time when the room must act next.

A summary is stored beside the log of its room, from which it is derived: if they differ, the log is
right.
"""

import contextlib
import functools
import sys
from typing import Any

import attrs

from protocol import codec
from protocol.common.events.start import ROLE_BEFORE_ROLES
from protocol.common.observers import MAX_DELAY_SECONDS, longest_delay
from protocol.common.patience import asked_at, goes_by_calendar, limit_seconds
from protocol.common.table import GameEnd, RoomTable, Stage, Table
from protocol.errors import ProtocolError
from protocol.event import read_own
from protocol.messages import GameResult
from server.kernel.batch_writer import Batch
from server.kernel.room import Room

KIND = "summary"
"""Namespace of summaries in the store."""


@attrs.frozen
class Summary:
    """State of a room for lists."""

    room_id: str
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    keys: tuple[bytes, ...]
    waiting_for: tuple[int, ...]
    """Indices into `keys` of the players that the room waits for."""
    due: int
    """Deadline of the room, even without followers, in milliseconds since 1970; 0 for none."""
    when: int = attrs.field(eq=False)
    """
    Time of the last batch, in milliseconds since 1970. A change of this field alone is not stored.
    """
    setup_id: str = ""
    """Id of the fixed setup of the game; empty for none."""
    has_shut_setup: bool = False
    """True if the game has a fixed setup that its log will open and has not opened yet."""
    ask_id: int = attrs.field(default=-1, eq=False)
    """Id of the open question; -1 for none."""
    since: int = attrs.field(default=0, eq=False)
    """
    Time of the open question, in milliseconds since 1970. After a restart it may be too early: the
    stored value may belong to an earlier question to the same seats.
    """
    is_paused: bool = False
    """True if an operator has paused the game."""
    over_at: int = 0
    """End of the game, in milliseconds since 1970; 0 before the end."""
    end: GameEnd | None = None
    """Common result of the game; None before its end, or if the result is unknown."""
    won: tuple[bool, ...] = ()
    """True for each of `keys` that has won, which can differ from `end`; empty without `end`."""
    observers: tuple[bytes, ...] | None = None
    """Fingerprints of the observers; None in a summary of release 0.1.0 or 0.2.0."""
    source_id: str = ""
    """Source of a practice game: the room of the finished game; empty for other games."""
    begun_at: int = 0
    """Time when the game began, in milliseconds since 1970; 0 before the game."""
    delay_seconds: int = 0
    """The longest delay of the game's spectators and observers, in seconds."""
    sides: tuple[str, ...] = ()
    """Side of each of `keys`; empty without `end`."""

    @property
    def has_sides(self) -> bool:
        """True if the seats were on several sides; some of these may win."""
        return len(set(self.sides)) > 1

    @property
    def is_practice(self) -> bool:
        """True for a practice game: a branch of a finished game, with one player for all seats."""
        return bool(self.source_id)

    def stage_for(self, key: bytes, now: int) -> Stage:
        """
        Return the stage that a key may know at a time.

        The owners of seats know the stage at once. Everybody else learns it after the longest
        delay, since a spectator could ask under another key for what the delay holds back.

        Args:
            key: public key of the asker.
            now: milliseconds since 1970.
        """
        if not self.delay_seconds or (key and key in self.keys):
            return self.stage
        shown_until = now - self.delay_seconds * 1000
        if self.stage is Stage.OVER and self.over_at <= shown_until:
            return Stage.OVER
        has_begun = self.stage in {Stage.PLAYING, Stage.OVER} and self.begun_at <= shown_until
        # Until its start is shown, the table looks as if it waited for players.
        return Stage.PLAYING if has_begun else Stage.LOBBY

    @property
    def winners(self) -> tuple[str, ...]:
        """The sides that won; none in a game with one side, whose result says it."""
        return self.end.winners if self.end is not None and self.has_sides else ()

    def result_for(self, key: bytes) -> GameResult:
        """
        Return the result for lists that a key reads.

        In a game with one side, players read their own result, which can differ from the common one
        of their table.
        """
        if self.stage is not Stage.OVER:
            return GameResult.RUNNING
        if self.end is None:
            return GameResult.NONE
        if self.has_sides:
            return GameResult.SIDES
        has_won = (
            self.won[self.keys.index(key)]
            if key in self.keys and self.won
            else bool(self.end.winners)
        )
        return GameResult.WON if has_won else GameResult.LOST


# Earlier forms: `manse store` prunes and archives stores that have them.


@attrs.frozen
class _End1:
    """A result before games came out by sides."""

    is_won: bool
    rounds: int


@attrs.frozen
class _Summary3:
    """A summary before games came out by sides."""

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
    end: _End1 | None
    won: tuple[bool, ...]
    observers: tuple[bytes, ...] | None
    source_id: str
    begun_at: int
    delay_seconds: int


@attrs.frozen
class _Summary2:
    """A summary as release 0.2.0 stored it."""

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
    """A summary as release 0.1.0 stored it."""

    room_id: str
    scenario: str
    stage: Stage
    names: tuple[str, ...]
    keys: tuple[bytes, ...]
    waiting_for: tuple[int, ...]
    has_alarm: bool
    when: int


def read_summary(packed: bytes) -> Summary:
    """
    Decode a stored summary.

    Raises:
        ProtocolError: no released version wrote bytes of this form. The caller has to derive the
            summary from the log.
    """
    summary = _decode(packed)
    # Interned: thousands of tables have a few scenarios, and the same people play at many.
    return attrs.evolve(
        summary,
        scenario=sys.intern(summary.scenario),
        names=_shared_names(summary.names),
        waiting_for=_shared_positions(summary.waiting_for),
    )


def _decode(packed: bytes) -> Summary:
    for form in (Summary, _Summary3, _Summary2):
        with contextlib.suppress(ProtocolError):
            found: Any = codec.decode(packed, form)
            break
    else:
        found = codec.decode(packed, _Summary1)
    if isinstance(found, Summary):
        return found
    fields = attrs.asdict(found, recurse=False)
    if isinstance(found, _Summary3):
        if found.end is None:
            return Summary(**fields)
        # The only game with a result had one role, in which all players won or lost.
        side = (ROLE_BEFORE_ROLES,)
        fields |= {"end": GameEnd(side if found.end.is_won else (), found.end.rounds)}
        return Summary(**fields, sides=side * len(found.keys))
    # Release 0.1.0 loaded all rooms with an alarm at the start, in place of those that are due.
    fields.pop("has_alarm", None)
    over_at = found.when if found.stage is Stage.OVER else 0
    # Of these, the log alone tells the delay: it may be the longest.
    has_begun = found.stage in {Stage.PLAYING, Stage.OVER}
    fields |= {"begun_at": found.when if has_begun else 0, "delay_seconds": MAX_DELAY_SECONDS}
    return Summary(**{"due": 0, **fields}, since=found.when, over_at=over_at)


@functools.lru_cache(maxsize=1024)
def _shared_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names; equal names of all summaries are one object in memory."""
    return tuple(map(sys.intern, names))


@functools.lru_cache(maxsize=256)
def _shared_positions(waiting_for: tuple[int, ...]) -> tuple[int, ...]:
    """Return one shared object for equal positions."""
    return waiting_for


def summary_of(
    room_id: str, table: Table, time: int, due: int, before: Summary | None = None
) -> Summary:
    """
    Return the summary of a room.

    Args:
        room_id: id of the room.
        table: the fold of its log.
        time: the time of its last batch, in milliseconds since 1970.
        due: when the room must act next, in milliseconds since 1970.
        before: the summary before that batch, if any.
    """
    room = table.room
    ask_id = room.ask.ask_id if room.ask is not None else -1
    seats = list(room.seats.values())
    # While the operator has paused a game it waits for nobody: no player could answer.
    is_waiting = room.ask is not None and not room.is_paused_by_operator
    waiting = room.ask.waiting_for if room.ask is not None and is_waiting else ()
    fixed = room.fixed_setup
    is_over = room.stage is Stage.OVER
    is_shut = fixed is not None and room.opened_setup is None
    game = table.game if is_over else None
    end = game.came_out() if game is not None else None
    return Summary(
        room_id=room_id,
        scenario=room.scenario,
        stage=room.stage,
        names=_shared_names(tuple([seat.name for seat in seats])),
        keys=tuple([seat.key for seat in seats]),
        waiting_for=_shared_positions(
            tuple([at for at, seat in enumerate(seats) if seat.seat in waiting])
        ),
        due=due,
        when=time,
        setup_id=fixed.setup_id if fixed is not None else "",
        # Where the settings keep the log closed, its setup is never opened.
        has_shut_setup=is_shut and room.settings.publish,
        ask_id=ask_id,
        since=before.since if before is not None and before.ask_id == ask_id else time,
        is_paused=room.is_paused_by_operator,
        over_at=_over_at(room, time, before),
        begun_at=_begun_at(room, time, before),
        delay_seconds=longest_delay(room.settings),
        end=end,
        won=tuple([game.has_won(room, seat.seat) for seat in seats]) if game and end else (),
        sides=tuple([game.side_of(room, seat.seat) for seat in seats]) if game and end else (),
        observers=tuple(one.fingerprint for one in room.settings.observers),
        source_id=room.source.room_id if room.source is not None else "",
    )


def _over_at(room: RoomTable, time: int, before: Summary | None) -> int:
    """
    Return the time when a game ended, in milliseconds since 1970; 0 if it has not ended.

    Later records do not change this time.
    """
    if room.stage is not Stage.OVER:
        return 0
    return before.over_at if before is not None and before.over_at else time


def _begun_at(room: RoomTable, time: int, before: Summary | None) -> int:
    if room.stage not in {Stage.PLAYING, Stage.OVER}:
        return 0
    return before.begun_at if before is not None and before.begun_at else time


def due_in(room: Room) -> int:
    """Return the time in milliseconds when a room must act next, by its log; 0 for never."""
    table = room.table.room
    # A halted game has no deadline: its rules cannot close the question.
    if room.halted is not None or table.ask is None or not goes_by_calendar(table):
        return 0
    records = (read_own(room.room_id, stored) for stored in reversed(room.log))
    asked = asked_at(table.ask, records)
    # If its record is not in memory, the later time of the last batch wrongs nobody.
    return (room.last_time if asked is None else asked) + limit_seconds(table) * 1000


def due_after(room_id: str, batch: Batch, before: int) -> int:
    """
    Return the time when a room must act next after a batch, in ms since 1970; 0 for never.

    Args:
        room_id: id of the room.
        batch: the batch.
        before: the time before that batch, by its summary; 0 for never or unknown.
    """
    table = batch.table.room
    if table.ask is None or not goes_by_calendar(table):
        return 0
    asked = asked_at(table.ask, (read_own(room_id, stored) for stored in reversed(batch.stored)))
    if asked is None and before:
        return before
    return (batch.time if asked is None else asked) + limit_seconds(table) * 1000
