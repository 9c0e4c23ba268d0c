"""
`make soak`: runs a real server with real players for a long time, to see whether anything grows.

Tables of four players each are played over TLS at the pace of people, game after game. At
intervals, the server reports what it holds, and a line is printed; at the end, the series that are
not flat. See `bench.flatness` for the rules and docs/performance.md for the results.
"""

import argparse
import json
import os
import random
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from twisted.internet import reactor as twisted_reactor
from twisted.internet import task
from twisted.internet.defer import Deferred
from twisted.python import log

from bench import soaked
from bench.flatness import GAMES, LEAST, growths
from bench.load import die_of, open_tables, table_maker
from bench.players import PlayedTable, Table
from bench.processes import Process, choose_cores, serving

SAYS_SECONDS: Final = 30.0
"""The maximum time that the server may take for a report."""
KINDS_SHOWN: Final = 8

_reactor: Any = twisted_reactor


@attrs.frozen
class SoakPlan:
    """Duration and load of a soak test, and the interval between its samples."""

    seconds: float
    tables: int
    rate: float
    """Answers per second at each table."""
    every: float
    """Seconds between two samples."""


@attrs.define(eq=False)
class Soak:
    """One run of the soak test."""

    server: Process
    plan: SoakPlan
    samples: list[dict[str, Any]] = attrs.field(factory=list)
    answers: int = 0
    _tables: list[Table] = attrs.field(factory=list, init=False)
    _rng: random.Random = attrs.field(factory=lambda: random.Random(3), init=False)

    async def run(self) -> None:
        """Play, and take samples."""
        make = await table_maker(self.server)
        self._tables += await open_tables(make, self.plan.tables)
        for table in self._tables:
            table.when_shown = self._shown
            self._think(table)
        began = _reactor.seconds()
        # On a busy machine each sample takes longer, and too few would tell nothing.
        while _reactor.seconds() - began < self.plan.seconds or len(self.samples) < LEAST:
            await _wait(self.plan.every)
            await self._sample(_reactor.seconds() - began)
        for table in self._tables:
            table.close()

    def _think(self, table: Table) -> None:
        _reactor.callLater(self._rng.expovariate(self.plan.rate), table.answer)

    def _shown(self, table: Table, _: float) -> None:
        self.answers += 1
        self._think(table)

    @property
    def _games(self) -> int:
        return sum(t.finished_games for t in self._tables if isinstance(t, PlayedTable))

    async def _sample(self, seconds: float) -> None:
        told = await _held(self.server, len(self.samples))
        told |= {
            "seconds": round(seconds),
            "answers": self.answers,
            GAMES: self._games,
            "memory_kib": self.server.memory_kib(),
            "cpu_seconds": round(self.server.cpu_seconds(), 1),
        }
        self.samples.append(told)
        names = ("answers", GAMES, "descriptors", "threads", "delayed_calls", "objects", "blocks")
        shown = ", ".join(f"{told[name]} {name.replace('_', ' ')}" for name in names)
        sys.stdout.write(f"{told['seconds']:>6} s: {told['memory_kib']} KiB, {shown}\n")
        sys.stdout.flush()


async def _held(server: Process, before: int) -> dict[str, Any]:
    """Make the server report what it holds; `before` is the number of earlier reports."""
    path = server.folder / "soak.jsonl"
    os.kill(server.pid, signal.SIGUSR2)
    for _ in range(int(SAYS_SECONDS / 0.1)):
        await _wait(0.1)
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        if len(lines) > before:
            told: dict[str, Any] = json.loads(lines[-1])
            return told
    raise RuntimeError("the server does not say what it holds")


def _wait(seconds: float) -> Deferred[None]:
    return task.deferLater(_reactor, seconds, lambda: None)


def _told(soak: Soak) -> int:
    """Print the series that grew, and the types with more objects; return the exit status."""
    found = list(growths(soak.samples))
    first, last = soak.samples[len(soak.samples) // 3], soak.samples[-1]
    more = {kind: n - first["kinds"].get(kind, 0) for kind, n in last["kinds"].items()}
    most = sorted(more.items(), key=lambda one: -one[1])[:KINDS_SHOWN]
    sys.stdout.write("objects: " + ", ".join(f"{kind} {n:+}" for kind, n in most) + "\n")
    for size, line in last.get("grown", ()):
        sys.stdout.write(f"{size / 1024:+.0f} KiB at {line}\n")
    for growth in found:
        sys.stdout.write(f"not flat: {growth}\n")
    sys.stdout.write("all is flat\n" if not found else "")
    return 1 if found else 0


def main(argv: Sequence[str]) -> int:
    """
    Play and report.

    Returns:
        0 if everything is flat, 1 if something grows.
    """
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600.0, help="how long (3600)")
    parser.add_argument("--tables", type=int, default=50, help="of four players each (50)")
    parser.add_argument("--rate", type=float, default=1.0, help="answers a second, each table (1)")
    parser.add_argument("--every", type=float, default=60.0, help="seconds between samples (60)")
    parser.add_argument("--json", type=Path, help="a file for the samples, a line each")
    parser.add_argument("--trace", action="store_true", help="name the code that holds more; slow")
    options = vars(parser.parse_args(argv))
    path, is_traced = options.pop("json"), options.pop("trace")
    # The first third of the samples is the warm-up (`bench.flatness`).
    warm = round(options["seconds"] / options["every"] / 3)
    environment = {soaked.TRACE: str(warm)} if is_traced else {}
    choose_cores()
    log.addObserver(die_of)
    status: list[int] = []

    async def run() -> None:
        try:
            with serving("soaked", environment=environment) as server:
                soak = Soak(server, SoakPlan(**options))
                await soak.run()
                if path is not None:
                    lines = (json.dumps(one) + "\n" for one in soak.samples)
                    path.write_text("".join(lines), "utf-8")
                status.append(_told(soak))
        except BaseException:  # noqa: BLE001 (told, and the end of the process)
            traceback.print_exc()
            os._exit(1)
        _reactor.stop()

    def begin() -> None:
        _ = Deferred.fromCoroutine(run())

    _reactor.callWhenRunning(begin)
    _reactor.run()
    return status[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
