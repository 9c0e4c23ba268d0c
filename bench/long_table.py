"""
Rows about a table that is played for long: what an answer costs late, waking, reading the log.

One table on the server of `bench.within`; whenever its game has gone on for a while, all agree to
go back to a checkpoint, so that its log grows to any length by play alone.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import apsw
import attrs
import msgpack
from twisted.internet.defer import Deferred

from bench import coming_back
from bench.lines import Line
from bench.players import Numbers, PlayedTable, Table
from bench.rows import Row
from bench.rules import collected_by_plan, cpu_seconds
from bench.within import Within, within
from protocol import messages
from protocol.event import cut
from protocol.keys import SigningKey

NAMES: Final = (
    *("cost_at_10000_ratio", "wake_ms_100", "wake_ms_10000", "read_log_events_s"),
    *coming_back.NAMES,
)
EARLY: Final = 100
LATE: Final = 10_000
"""Events on the log."""
ANSWERS_A_LEG: Final = 40
"""Between two times that all agree to go back."""
SAMPLE: Final = 400
"""Answers whose cost is taken."""
BESIDE: Final = "SQLite and msgpack read its records"
PACE_SECONDS: Final = 2.0
"""What a server wants between two proposals."""


@attrs.define
class _Stopwatch:
    """The CPU time of the server's work."""

    seconds: float = 0.0
    _depth: int = 0

    @contextmanager
    def look(self) -> Iterator[None]:
        """Count meanwhile; one piece of work may begin another."""
        self._depth += 1
        began = time.thread_time()
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self.seconds += time.thread_time() - began


def rows(names: Sequence[str], rounds: int, late: int = LATE) -> Iterable[Row]:
    """Yield the rows of these names; `late` is how long the table becomes."""
    with TemporaryDirectory(prefix="manse-bench-") as name, collected_by_plan():
        folder = Path(name)
        watch = _Stopwatch()
        sample = SAMPLE if late == LATE else ANSWERS_A_LEG
        with within(folder, watch.look) as server:
            open_table = _opener(server, watch)
            table = open_table()
            table.begin(EARLY)
            count_early, woken_early = table.played.events, table.wake(rounds)
            table.grow(late)
            count, woken = table.played.events, table.wake(rounds)
            came, came_back = table.coming(folder / "home", rounds)
            ratio = _late_by_early(table, open_table, sample)
            read = statistics.median(cpu_seconds(table.read) for _ in range(rounds))
            count_read, room_id = table.played.events, table.played.room_id
        plain = statistics.median(
            cpu_seconds(lambda: _read_plainly(folder, room_id)) for _ in range(rounds)
        )
    late_what = f"CPU of an event from event {count:,} on, by that from {count_early:,} on, in turn"
    wake = "CPU to wake a table of {:,} events"
    come = "CPU of server and client until {:,} events are drawn that had {} on its disk"
    log = "read the log from the store and cut it for a seat"
    made = (
        Row("cost_at_10000_ratio", ratio, "", late_what),
        Row("wake_ms_100", woken_early, "ms", wake.format(count_early)),
        Row("wake_ms_10000", woken, "ms", wake.format(count), 1000 * plain, BESIDE),
        Row("read_log_events_s", count_read / read, "1/s", log, count_read / plain, BESIDE),
        Row("catch_up_s_10000", came, "s", come.format(count, "nothing"), plain, BESIDE),
        Row("come_back_s_10000", came_back, "s", come.format(count, "them"), plain, BESIDE),
    )
    yield from (row for row in made if row.name in names)


def _late_by_early(
    table: "_LongTable", open_table: Callable[[], "_LongTable"], answers: int
) -> float:
    """
    Return the CPU of an event at a long table by that at new ones, over so many answers of each.

    Both go back to where the game began and play the same part of it, in turn: so all that differs
    is how much lies behind them, whatever else the machine does meanwhile.
    """
    early, late = list[float](), list[float]()
    for _ in range(max(1, answers // ANSWERS_A_LEG)):
        young = open_table()
        young.begin(EARLY)
        early.append(young.cost())
        young.close()
        late.append(table.cost())
    return statistics.median(late) / statistics.median(early)


def _opener(server: Within, watch: _Stopwatch) -> "Callable[[], _LongTable]":
    """Return what opens tables of the first scenario."""
    guest = Line(server.outside, "Ann", SigningKey.from_seed(bytes(32)))
    server.wait(guest.connect(server, 0))
    told = server.wait(guest.ask(messages.ListScenarios))
    assert isinstance(told, messages.Scenarios)
    numbers, scenario = Numbers(), told.lines[0]

    def opened() -> _LongTable:
        played = PlayedTable(server.outside, server, numbers, scenario=scenario)
        server.wait(Deferred.fromCoroutine(played.open()))
        return _LongTable(server, watch, played)

    return opened


@attrs.define(eq=False)
class _LongTable:
    """The table."""

    server: Within
    watch: _Stopwatch
    played: PlayedTable

    def begin(self, events: int) -> None:
        """Play up to so many events, without going back."""
        while self.played.events < events:
            self._play(1)

    def grow(self, events: int) -> None:
        """Play on until so many events have come."""
        while self.played.events < events:
            self._play(ANSWERS_A_LEG)
            self._back()

    def cost(self) -> float:
        """Go back; return the server's CPU seconds for an event of what is played from there."""
        self._back()
        before, count = self.watch.seconds, self.played.events
        self._play(ANSWERS_A_LEG)
        return (self.watch.seconds - before) / (self.played.events - count)

    def close(self) -> None:
        """Leave it."""
        self.played.close()
        self.server.pass_seconds(PACE_SECONDS)

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
        """Let it sleep; return the milliseconds of CPU until somebody is at it, the median."""
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
        if self.played.room_id in self.server.desk.registry.hosts:
            raise AssertionError("a table that nobody follows does not sleep")

    def _enter(self, seat: int) -> None:
        last = self.played.held[seat] - 1
        line = self.played.lines[seat]
        entered = self.server.wait(line.ask(messages.EnterTable, self.played.room_id, last))
        if not isinstance(entered, messages.Entered):
            raise TypeError(f"{entered} in place of a table")

    def coming(self, home: Path, rounds: int) -> tuple[float, float]:
        """
        Return the CPU seconds until a client has drawn the table, the medians.

        First of one that keeps nothing yet, then of one that kept what it was shown.
        """
        came, back = list[float](), list[float]()
        for at in range(rounds):
            came.append(self._come(home / str(at)))
            back.append(self._come(home / str(at)))
        return statistics.median(came), statistics.median(back)

    def _come(self, folder: Path) -> float:
        first = self.played.lines[0]
        comer = coming_back.Comer(self.server, first.name, first.key, folder)
        self.server.wait(comer.connect(self.server, len(self.played.lines)))
        took = comer.come(self.played.room_id)
        comer.port.leave_table()
        self.server.pass_seconds(PACE_SECONDS)
        comer.close()
        return took

    def read(self) -> None:
        """Read the whole log, and cut it for a seat."""
        for stored in self.server.wait(self.server.store.read(self.played.room_id)):
            cut(stored, 0)


def _read_plainly(folder: Path, room_id: str) -> None:
    connection = apsw.Connection(str(folder / "rooms.sqlite"))
    query = "SELECT public, openings FROM record WHERE room = ? ORDER BY sequence"
    for public, openings in connection.execute(query, (room_id,)):
        msgpack.unpackb(public, use_list=False)
        msgpack.unpackb(openings, use_list=False)
    connection.close()
