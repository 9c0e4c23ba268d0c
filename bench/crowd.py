"""
The crowd: connects and plays against a server, and prints how much memory that took of it.

Run by `bench.memory` as a process of its own; one line of JSON.
"""

import argparse
import json
import os
import random
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import attrs
from twisted.internet import defer, task
from twisted.internet import reactor as twisted_reactor
from twisted.internet.defer import Deferred
from twisted.python import log

from bench.lines import Line, Remote, bare_line
from bench.load import die_of, open_tables, scenarios, table_maker
from bench.players import SEATS, Numbers, PlayedTable, Table
from bench.processes import Process, choose_cores, serving
from protocol.keys import SigningKey

SETTLE_SECONDS = 0.5
"""Until what a login leaves behind is gone."""

_reactor: Any = twisted_reactor


@attrs.frozen
class CrowdPlan:
    """How much is done."""

    connections: int
    tables: int
    events: int
    """At each table."""


async def _memory(server: Process) -> int:
    await task.deferLater(_reactor, SETTLE_SECONDS, lambda: None)
    return server.memory_kib()


async def _of_connections(server: Process, count: int) -> float:
    """Return the KiB of one more connection that does nothing."""
    rng = random.Random(5)
    # The first ones take memory that lay ready since the start.
    lines = [await _connected(server, number, rng) for number in range(count)]
    before = await _memory(server)
    lines += [await _connected(server, count + number, rng) for number in range(count)]
    after = await _memory(server)
    for line in lines:
        line.close() if isinstance(line, Line) else line.transport.loseConnection()
    return (after - before) / count


async def _connected(server: Process, number: int, rng: random.Random) -> Any:
    if server.kind == "bare":
        return await bare_line(_reactor, Remote(server), number, lambda: None)
    line = Line(_reactor, f"Guest {number}", SigningKey.from_seed(rng.randbytes(32)))
    await line.connect(Remote(server), number)
    return line


async def _of_tables(server: Process, plan: CrowdPlan) -> float:
    """Return the KiB of one more table that is played, its four connections included."""
    make = await table_maker(server)
    # What is kept once for all tables of a scenario is no table's own.
    warm = await open_tables(make, len(await scenarios(server, Numbers())))
    await _play(warm, plan.events)
    before = await _memory(server)
    tables = await open_tables(make, plan.tables)
    await _play(tables, plan.events)
    after = await _memory(server)
    for table in (*warm, *tables):
        table.close()
    return (after - before) / plan.tables


async def _play(tables: Sequence[Table], events: int) -> None:
    """Have each table play until it has so many events."""
    ended = [Deferred[None]() for _ in tables]

    def begin(table: Table, end: Deferred[None]) -> None:
        def shown(_: Table, __: float) -> None:
            assert isinstance(table, PlayedTable)
            if table.events >= events:
                end.callback(None)
            else:
                _reactor.callLater(0, table.answer)

        table.when_shown = shown
        table.answer()

    for table, end in zip(tables, ended, strict=True):
        begin(table, end)
    await defer.gatherResults(ended)


async def _all(plan: CrowdPlan) -> None:
    told: dict[str, float] = {}
    for kind in ("bare", "ours"):
        with serving(kind) as server:
            told[f"connection_{kind}"] = await _of_connections(server, plan.connections)
    with serving("ours") as server:
        told["table"] = await _of_tables(server, plan) - SEATS * told["connection_ours"]
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


async def _or_end(plan: CrowdPlan) -> None:
    try:
        await _all(plan)
    except BaseException:  # noqa: BLE001 (told, and the end of the process)
        traceback.print_exc()
        os._exit(1)
    _reactor.stop()


def main(argv: Sequence[str]) -> int:
    """Measure and print. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.crowd")
    for field in attrs.fields(CrowdPlan):
        parser.add_argument(f"--{field.name}", type=int, required=True)
    plan = CrowdPlan(**vars(parser.parse_args(argv)))
    choose_cores()
    log.addObserver(die_of)

    def begin() -> None:
        _ = Deferred.fromCoroutine(_or_end(plan))

    _reactor.callWhenRunning(begin)
    _reactor.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
