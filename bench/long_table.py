"""
The row about a long game: the CPU time to load a table of 10,000 events.

One table is played on the server of `bench.within`. At intervals, all players agree to return to a
checkpoint, so that the log can grow to any length by play alone.
"""

import statistics
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import apsw
import attrs
import msgpack
from twisted.internet.defer import Deferred

from bench.lines import Line
from bench.players import Numbers, PlayedTable, Table
from bench.rows import Row
from bench.rules import collected_by_plan, cpu_seconds
from bench.within import Within, within
from protocol import messages
from protocol.keys import SigningKey

NAMES: Final = ("wake_ms_10000",)
LATE: Final = 10_000
"""The number of events on the log."""
ANSWERS_A_LEG: Final = 40
"""The number of answers between two returns to a checkpoint."""
PACE_SECONDS: Final = 2.0
"""The seconds that a server requires between two proposals."""


@attrs.define
class _Stopwatch:
    """Measures the CPU time of the server's work."""

    seconds: float = 0.0
    _depth: int = 0

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Measure during the block; blocks may be nested."""
        self._depth += 1
        began = time.thread_time()
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self.seconds += time.thread_time() - began


def rows(rounds: int, late: int = LATE) -> Iterable[Row]:
    """Yield the row; `late` is the number of events on the log of the table."""
    with TemporaryDirectory(prefix="manse-bench-") as name, collected_by_plan():
        folder = Path(name)
        watch = _Stopwatch()
        with within(folder, watch.measuring) as server:
            table = _open_table(server, watch)
            table.grow(late)
            count, woken = table.played.events, table.wake(rounds)
            room_id = table.played.room_id
        plain = statistics.median(
            cpu_seconds(lambda: _read_plainly(folder, room_id)) for _ in range(rounds)
        )
    what = f"CPU to wake a table of {count:,} events"
    beside = "SQLite and msgpack read its records"
    yield Row("wake_ms_10000", woken, "ms", what, 1000 * plain, beside)


def _open_table(server: Within, watch: _Stopwatch) -> "_LongTable":
    """Open a table of the first scenario."""
    guest = Line(server.outside, "Ann", SigningKey.from_seed(bytes(32)))
    server.wait(guest.connect(server, 0))
    told = server.wait(guest.ask(messages.ListScenarios))
    assert isinstance(told, messages.Scenarios)
    played = PlayedTable(server.outside, server, Numbers(), scenario=told.lines[0])
    server.wait(Deferred.fromCoroutine(played.open()))
    return _LongTable(server, watch, played)


@attrs.define(eq=False)
class _LongTable:
    """The table of the benchmark, whose log grows by returns to checkpoints."""

    server: Within
    watch: _Stopwatch
    played: PlayedTable

    def grow(self, events: int) -> None:
        """Play on until the log has `events` events."""
        while self.played.events < events:
            self._play(ANSWERS_A_LEG)
            self._back()

    def _play(self, answers: int) -> None:
        done: Deferred[None] = Deferred()
        left = [answers]

        def shown(_: Table, __: float) -> None:
            left[0] -= 1
            if left[0]:
                self.server.outside.callLater(0, self.played.answer)
            else:
                done.callback(None)

        self.played.when_shown = shown
        self.played.answer()
        self.server.wait(done)

    def _back(self) -> None:
        if self.played.can_go_back:
            self.server.pass_seconds(PACE_SECONDS)
            self.server.wait(Deferred.fromCoroutine(self.played.go_back()))
            self.server.pass_seconds(PACE_SECONDS)

    def wake(self, rounds: int) -> float:
        """
        Unload the room, and let the players return.

        Returns:
            The median CPU time in milliseconds until the first player is back.
        """
        took = []
        for _ in range(rounds):
            self._sleep()
            before = self.watch.seconds
            self._enter(0)
            took.append(self.watch.seconds - before)
            for seat in range(1, len(self.played.lines)):
                self._enter(seat)
            self.server.pass_seconds(PACE_SECONDS)
        return 1000 * statistics.median(took)

    def _sleep(self) -> None:
        for line in self.played.lines:
            self.server.wait(line.ask(messages.LeaveTable, self.played.room_id))
        self.server.pass_seconds(PACE_SECONDS)
        if self.played.room_id in self.server.lobby.registry.hosts:
            raise AssertionError("a table that nobody follows does not sleep")

    def _enter(self, seat: int) -> None:
        last = self.played.held[seat] - 1
        line = self.played.lines[seat]
        entered = self.server.wait(line.ask(messages.EnterTable, self.played.room_id, last))
        if not isinstance(entered, messages.Entered):
            raise TypeError(f"{entered} in place of a table")


def _read_plainly(folder: Path, room_id: str) -> None:
    connection = apsw.Connection(str(folder / "rooms.sqlite"))
    query = "SELECT public, openings FROM record WHERE room = ? ORDER BY sequence"
    for public, openings in connection.execute(query, (room_id,)):
        msgpack.unpackb(public, use_list=False)
        msgpack.unpackb(openings, use_list=False)
    connection.close()
