"""
The crowd: plays at many tables on a server and prints the memory that each table took.

`bench.memory` runs this module as a separate process, which prints one line of JSON.
"""

import argparse
import json
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import attrs
from twisted.internet import defer, task
from twisted.internet import reactor as twisted_reactor
from twisted.internet.defer import Deferred
from twisted.python import log

from bench.load import die_of, open_tables, scenarios, table_maker
from bench.players import Numbers, PlayedTable, Table
from bench.processes import Process, choose_cores, serving

SETTLE_SECONDS = 0.5
"""Seconds until the temporary memory of a login is free again."""

_reactor: Any = twisted_reactor


@attrs.frozen
class CrowdPlan:
    """The number of tables, and the length of their games."""

    tables: int
    events: int
    """The number of events per table."""


async def _memory(server: Process) -> int:
    await task.deferLater(_reactor, SETTLE_SECONDS, lambda: None)
    return server.memory_kib()


async def _of_tables(server: Process, plan: CrowdPlan) -> float:
    """Return the KiB that one more table takes during its game, with its four connections."""
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
    """Let each table play until its log has `events` events."""
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
    with serving("ours") as server:
        kib = await _of_tables(server, plan)
    sys.stdout.write(json.dumps({"table": kib}) + "\n")
    sys.stdout.flush()


async def _or_end(plan: CrowdPlan) -> None:
    try:
        await _all(plan)
    except BaseException:  # noqa: BLE001 (told, and the end of the process)
        traceback.print_exc()
        os._exit(1)
    _reactor.stop()


def main(argv: Sequence[str]) -> int:
    """Measure and print; return the exit status."""
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
