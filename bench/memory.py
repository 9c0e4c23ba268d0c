"""Rows about many tables: their memory, awake and asleep, and how long their server starts."""

import gc
import json
import random
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import apsw
import attrs
import msgpack

from bench.crowd import CrowdPlan
from bench.processes import Process, serving
from bench.rows import Row
from bench.within import AtOnce, call_at_once, within
from protocol.common import events
from protocol.common.table import LOG_VERSION, Settings
from server.app import DATABASE
from server.kernel.room import Room
from server.storage.sqlite import SqliteStore
from tests.games.second_edition.simulate import CoreLibrary, SeededEntropy, Simulation, core

NAMES: Final = ("connection_kib", "table_kib", "asleep_kib", "start_1000_tables_s")
PLAYERS: Final = 4
LIMIT_SECONDS: Final = 86_400
CROWD_SECONDS: Final = 600.0
"""How long the crowd may take before it is taken to hang."""


def rows(names: Sequence[str], rounds: int, tables: int, crowd: CrowdPlan) -> Iterable[Row]:
    """
    Yield the rows of these names.

    Args:
        names: of `NAMES`.
        rounds: how often a server is started.
        tables: how many lie in the store.
        crowd: who connects and plays.
    """
    if {"connection_kib", "table_kib"} & set(names):
        yield from (row for row in _crowded(crowd) if row.name in names)
    if "asleep_kib" in names:
        yield _asleep(tables)
    if "start_1000_tables_s" in names:
        yield _start(rounds, tables)


def _crowded(plan: CrowdPlan) -> Iterator[Row]:
    options = [f"--{name}={value}" for name, value in attrs.asdict(plan).items()]
    ran = subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, "-m", "bench.crowd", *options],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=CROWD_SECONDS,
    )
    told: dict[str, float] = json.loads(ran.stdout)
    bare = told["connection_bare"]
    what = "memory of a connection that logged in"
    yield Row("connection_kib", told["connection_ours"], "KiB", what, bare, "the bare server")
    what = f"memory of a table of four after {plan.events} events, connections aside"
    yield Row("table_kib", told["table"], "KiB", what)


def _asleep(tables: int) -> Row:
    kib = (_memory(tables) - _memory(0)) / tables
    return Row("asleep_kib", kib, "KiB", f"memory of a table that sleeps, of {tables}")


def _memory(tables: int) -> float:
    """
    Return the KiB of a server that just began and has so many tables in its store.

    As Python counts what it gives out: what the process takes of the machine hardly changes, since
    loading the packs leaves free memory behind.
    """
    with TemporaryDirectory(prefix="manse-bench-") as name:
        folder = Path(name)
        _fill(folder, tables, limit_seconds=0)
        # The first start writes down what lists show of each table.
        with within(folder, nullcontext):
            pass
        tracemalloc.start()
        try:
            with within(folder, nullcontext):
                gc.collect()
                return tracemalloc.get_traced_memory()[0] / 1024
        finally:
            tracemalloc.stop()


def _start(rounds: int, tables: int) -> Row:
    with TemporaryDirectory(prefix="manse-bench-") as name:
        folder = Path(name)
        # A database with games belongs to the identity beside it.
        with serving("ours", folder):
            pass
        _fill(folder, tables, limit_seconds=LIMIT_SECONDS)
        with serving("ours", folder):
            pass
        took, plain = list[float](), list[float]()
        for _ in range(rounds):
            began = time.perf_counter()
            with serving("ours", folder) as server:
                took.append(time.perf_counter() - began)
                _check_log(server)
            plain.append(_seconds_to_read(folder))
    return Row(
        "start_1000_tables_s",
        statistics.median(took),
        "s",
        f"until a server listens that has {tables} tables with a time limit",
        statistics.median(plain),
        "SQLite and msgpack read all their records",
    )


def _check_log(server: Process) -> None:
    """Raise if a table could not be opened: what is measured then would mean nothing."""
    faults = [line for line in server.log_lines() if "cannot be" in line]
    if faults:
        raise AssertionError(faults[0])


def _seconds_to_read(folder: Path) -> float:
    began = time.perf_counter()
    connection = apsw.Connection(str(folder / DATABASE))
    for public, openings in connection.execute("SELECT public, openings FROM record"):
        msgpack.unpackb(public, use_list=False)
        msgpack.unpackb(openings, use_list=False)
    connection.close()
    return time.perf_counter() - began


# A store full of tables --------------------------------------------------------------------


@attrs.define(eq=False)
class _Begun(Simulation):
    """A game that has just begun, at a table with a time limit if one is given."""

    limit_seconds: int = 0

    def open_table(self) -> None:
        """See `Driver.open_table`."""
        settings = Settings(time_limit_seconds=self.limit_seconds)
        room_id, pack = self.room.room_id, self.pack
        opened = events.RoomOpened(
            *(room_id, pack.game, self.scenario, pack.digest, settings), LOG_VERSION, source=None
        )
        self.give(opened, 0)


def _fill(folder: Path, tables: int, *, limit_seconds: int) -> None:
    """Put so many tables into a store, each at its first question."""
    store = SqliteStore.open(folder / DATABASE, call_at_once, start_worker=AtOnce)
    for seed in range(tables):
        room = Room(f"room-{seed}", CoreLibrary(), SeededEntropy(seed))
        begun = _Begun(room, random.Random(seed), PLAYERS, core(), limit_seconds=limit_seconds)
        # Not of long ago, or all limits would be over.
        begun.time = time.time_ns() // 1_000_000
        begun.open()
        _ = store.append(room.room_id, 0, tuple(room.log))
    _ = store.close()
