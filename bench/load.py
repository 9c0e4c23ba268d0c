"""
The load generator: plays against one server after another, and prints the figures of each phase.

`bench.answers` runs this module as a separate process, which prints a line of JSON for each phase.
Our server and the bare server take turns, so that other load of the machine affects both.
"""

import argparse
import gc
import itertools
import json
import os
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import attrs
from twisted.internet import defer, task
from twisted.internet import reactor as twisted_reactor
from twisted.internet.defer import Deferred
from twisted.python import log

from bench.background import Background
from bench.lines import Line, Remote
from bench.players import SEATS, BareTable, Numbers, PlayedTable, Table, with_one_role
from bench.processes import Process, choose_cores, serving
from bench.timing import at_most
from protocol import messages
from protocol.common.table import Settings
from protocol.keys import SigningKey

OPENING_AT_ONCE: Final = 10

_reactor: Any = twisted_reactor


@attrs.frozen
class Plan:
    """The number of rounds and tables, and the duration and pace of the phases."""

    rounds: int
    seconds: float
    """Duration of the phase in which all tables answer as fast as possible."""
    tables: int
    paced_seconds: float
    """Duration of the phase at the pace of people."""
    rate: float
    """Answers per second at the pace of people, over all tables."""


@attrs.define
class Phase:
    """CPU times, latencies, events and bytes that were measured in one phase of the load."""

    name: str
    kind: str
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    """CPU time of the server."""
    own_seconds: float = 0.0
    """CPU time of the load generator."""
    latencies: list[float] = attrs.field(factory=list)
    events: int = 0
    received_bytes: int = 0
    event_bytes: list[float] = attrs.field(factory=list)
    """Bytes per event sent to a seat, with one entry for each answer at our own tables."""

    def as_json(self) -> str:
        told: dict[str, object] = {
            "phase": self.name,
            "kind": self.kind,
            "answers": len(self.latencies),
            "seconds": self.seconds,
            "server_busy": self.cpu_seconds / self.seconds,
            "generator_busy": self.own_seconds / self.seconds,
            "cpu_ms": 1000 * self.cpu_seconds / max(1, len(self.latencies)),
            "events": self.events,
            "received_bytes": self.received_bytes,
            "event_bytes": at_most(self.event_bytes, 0.5) if self.event_bytes else 0.0,
        }
        for name, part in (("p50", 0.5), ("p99", 0.99)):
            told[f"{name}_ms"] = 1000 * at_most(self.latencies, part) if self.latencies else 0.0
        return json.dumps(told)


@attrs.define(eq=False)
class _Driver:
    """Lets tables give one answer after another for some time."""

    tables: Sequence[Table]
    phase: Phase
    think: Callable[[], float]
    """Returns the pause in seconds before the next answer."""
    _is_running: bool = attrs.field(default=True, init=False)
    _counted: dict[Table, tuple[int, int]] = attrs.field(factory=dict, init=False)
    """Events and bytes up to the last answer, by table."""
    _busy: int = attrs.field(default=0, init=False)
    _rested: Deferred[None] = attrs.field(factory=Deferred, init=False)

    async def run(self, server: Process, seconds: float) -> None:
        """Answer for a number of seconds, then wait until every answer was shown."""
        # Garbage collection is off in a phase: answers that wait for it would leave in one burst.
        gc.collect()
        gc.freeze()
        gc.disable()
        cpu, own, began = server.cpu_seconds(), time.process_time(), time.perf_counter()
        before = _counts(self.tables)
        self._busy = len(self.tables)
        for table in self.tables:
            self._counted[table] = _counts([table])
            table.when_shown = self._shown
            _reactor.callLater(self.think(), table.answer)
        await task.deferLater(_reactor, seconds, lambda: None)
        self._is_running = False
        await self._rested
        gc.enable()
        phase = self.phase
        phase.seconds = time.perf_counter() - began
        phase.cpu_seconds = server.cpu_seconds() - cpu
        phase.own_seconds = time.process_time() - own
        after = _counts(self.tables)
        phase.events, phase.received_bytes = after[0] - before[0], after[1] - before[1]

    def _shown(self, table: Table, seconds: float) -> None:
        self.phase.latencies.append(seconds)
        self._count_bytes(table)
        if self._is_running:
            _reactor.callLater(self.think(), table.answer)
            return
        self._busy -= 1
        if not self._busy:
            self._rested.callback(None)

    def _count_bytes(self, table: Table) -> None:
        before, after = self._counted[table], _counts([table])
        self._counted[table] = after
        events = after[0] - before[0]
        if events:
            self.phase.event_bytes.append((after[1] - before[1]) / events / SEATS)


def _counts(tables: Sequence[Table]) -> tuple[int, int]:
    """Return the numbers of events and bytes that our own tables were sent."""
    played = [table for table in tables if isinstance(table, PlayedTable)]
    return sum(t.events for t in played), sum(t.bytes_received() for t in played)


async def scenarios(server: Process, numbers: Numbers) -> tuple[messages.ScenarioLine, ...]:
    """Return the scenarios that a server offers in which all seats have one role."""
    line = Line(_reactor, "Ann", SigningKey.from_seed(bytes(32)))
    await line.connect(Remote(server), numbers.connection())
    told = await line.ask(messages.ListScenarios)
    line.close()
    assert isinstance(told, messages.Scenarios)
    return with_one_role(told.lines)


async def table_maker(server: Process) -> Callable[[], Table]:
    """Return a function that makes tables for a server; ours play the scenarios in turn."""
    numbers = Numbers()
    if server.kind == "bare":
        return lambda: BareTable(_reactor, Remote(server), numbers)
    lines = itertools.cycle(await scenarios(server, numbers))
    # `bench.attacks` has spectators at these tables.
    settings = Settings(spectators=True)
    return lambda: PlayedTable(
        _reactor, Remote(server), numbers, scenario=next(lines), settings=settings
    )


async def open_tables(make: Callable[[], Table], count: int) -> list[Table]:
    """Open `count` tables, several at a time."""
    tables = [make() for _ in range(count)]
    waiting = iter(tables)

    async def open_some(some: Iterator[Table]) -> None:
        # All of them draw from one row.
        for table in some:
            await table.open()

    # The bare server groups connections into tables in the order of their arrival.
    at_once = 1 if isinstance(tables[0], BareTable) else OPENING_AT_ONCE
    rows = [Deferred.fromCoroutine(open_some(waiting)) for _ in range(at_once)]
    await defer.gatherResults(rows, consumeErrors=True)
    return tables


async def _round(server: Process, plan: Plan) -> None:
    """Run both phases against a new server."""
    make = await table_maker(server)
    tables = await open_tables(make, plan.tables)

    async def drive(name: str, think: Callable[[], float], seconds: float) -> None:
        phase = Phase(name, server.kind)
        await _Driver(tables, phase, think).run(server, seconds)
        sys.stdout.write(phase.as_json() + "\n")
        sys.stdout.flush()

    await drive("many", lambda: 0.0, plan.seconds)
    rng, pace = random.Random(7), plan.rate / plan.tables
    background = Background(_reactor, make, tables)
    background.start()
    await drive("paced", lambda: rng.expovariate(pace), plan.paced_seconds)
    await background.stop()
    for table in tables:
        table.close()


def die_of(told: dict[str, Any]) -> None:
    """End the process at the first error, because later measurements would mean nothing."""
    if told.get("isError"):
        sys.stderr.write((log.textFromEventDict(told) or "an error") + "\n")
        sys.stderr.flush()
        os._exit(1)


async def _all(plan: Plan) -> None:
    for _ in range(plan.rounds):
        for kind in ("bare", "ours"):
            with serving(kind) as server:
                try:
                    await _round(server, plan)
                except BaseException:  # noqa: BLE001 (told, and the end of the process)
                    # At once: when the server ends, each connection fails in its turn.
                    traceback.print_exc()
                    os._exit(1)


def main(argv: Sequence[str]) -> int:
    """Run all phases; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.load")
    for field in attrs.fields(Plan):
        option = "--" + field.name.replace("_", "-")
        parser.add_argument(option, type=field.type, required=True)  # type: ignore[arg-type]  # int, float
    plan = Plan(**vars(parser.parse_args(argv)))
    choose_cores()
    log.addObserver(die_of)

    def begin() -> None:
        _ = Deferred.fromCoroutine(_all(plan)).addCallback(lambda _: _reactor.stop())

    _reactor.callWhenRunning(begin)
    _reactor.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
