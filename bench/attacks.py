"""
The latency of an innocent client during each attack, on a server with a finished game.

Each attack gives one line: the ping times of an otherwise idle client, the server's CPU time, and
the number of reactor turns over 10 ms, by the clock and by CPU.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
from twisted.internet import reactor as twisted_reactor
from twisted.internet import task
from twisted.internet.defer import Deferred

from bench.attackers import ATTACKS
from bench.lines import Line, Remote
from bench.load import table_maker
from bench.players import SEATS, PlayedTable, Table
from bench.processes import Process, choose_cores, serving
from bench.timing import at_most
from protocol import messages
from protocol.keys import SigningKey

STALL_MS: Final = 10.0
TURN: Final = re.compile(r"a turn of the reactor took ([\d.]+) ms, ([\d.]+) ms of them CPU")
"""The line that `server.system.loop_monitor` logs for a long turn."""
PROBERS: Final = 8
PAUSE_SECONDS: Final = 0.025
"""Pause between the pings of one prober. A server accepts 50 messages a second from a prober."""
AFTER_SECONDS: Final = 0.5
"""Seconds of probing after the attack."""
NOTHING: Final = "nothing"
HEAD: Final = (
    f"{'attack':<18} {'pings':>6} {'p50':>8} {'p99':>8} {'p99.9':>8} {'most':>8} ms"
    f" {'CPU':>7} s {'of':>6} s   turns over {STALL_MS:.0f} ms: clock, CPU"
)

_reactor: Any = twisted_reactor


@attrs.define
class Outcome:
    """Measurements of one attack."""

    name: str
    latencies: list[float]
    cpu_seconds: float
    seconds: float
    turns: list[tuple[float, float]]
    """Long turns of the reactor: milliseconds of wall time and of CPU."""

    def as_line(self) -> str:
        parts = (1000 * at_most(self.latencies, part) for part in (0.5, 0.99, 0.999, 1.0))
        shown = " ".join(f"{ms:8.2f}" for ms in parts)
        by_cpu = sum(cpu > STALL_MS for _, cpu in self.turns)
        return (
            f"{self.name:<18} {len(self.latencies):>6} {shown}   "
            f" {self.cpu_seconds:7.2f}   {self.seconds:6.1f}     {len(self.turns)}, {by_cpu}"
        )


@attrs.define(eq=False)
class Prober:
    """Pings a server and records the latency of each reply."""

    lines: list[Line]
    latencies: list[float] = attrs.field(factory=list)
    _is_running: bool = False

    async def run_beside(self, attack: Deferred[None]) -> list[float]:
        """Ping until an attack is over, and a little longer; return the latencies in seconds."""
        self._is_running, self.latencies = True, []
        loops = [Deferred.fromCoroutine(self._ping(line)) for line in self.lines]
        await attack
        await _wait(AFTER_SECONDS)
        self._is_running = False
        for loop in loops:
            await loop
        return self.latencies

    async def _ping(self, line: Line) -> None:
        while self._is_running:
            line.stamps.expect()
            await line.ask(messages.Ping)
            self.latencies.append(line.stamps.came - line.stamps.left)
            await _wait(PAUSE_SECONDS)


async def _wait(seconds: float) -> None:
    await task.deferLater(_reactor, seconds, lambda: None)


async def _played(server: Process) -> tuple[PlayedTable, Mapping[str, str]]:
    """Play a game to its end; return its table and the options for the attackers."""
    table = (await table_maker(server))()
    assert isinstance(table, PlayedTable)
    seeds = _seeds_of(table)
    await table.open()
    told = {"--room": table.room_id, "--watch-code": table.watch_code}
    over: Deferred[None] = Deferred()

    def shown(_: Table, __: float) -> None:
        # A game that is over is followed by another, at a table of its own.
        if table.room_id == told["--room"]:
            _reactor.callLater(0, table.answer)
        elif not over.called:
            over.callback(None)

    table.when_shown = shown
    table.answer()
    await over
    return table, told | {"--scenario": table.scenario.scenario, **seeds}


def _seeds_of(table: PlayedTable) -> Mapping[str, str]:
    """Return the options that pass the keys of a table's players."""
    rng = random.Random()
    # A table draws the keys of its players first, so this copy draws the same.
    rng.setstate(table.rng_state)
    return {f"--seed={rng.randbytes(32).hex()}": "" for _ in range(SEATS)}


async def _attack(name: str, server: Process, told: Mapping[str, str], seconds: float) -> None:
    if name == NOTHING:
        await _wait(seconds)
        return
    options = [part for option, value in told.items() for part in (option, value) if part]
    command = [sys.executable, "-m", "bench.attackers", name, "--port", str(server.port), *options]
    command += ["--seconds", f"{seconds:g}"]
    with subprocess.Popen(command) as attackers:  # noqa: ASYNC220, S603 (ours; to start it is quick)
        while attackers.poll() is None:
            await _wait(0.02)
        if attackers.returncode:
            raise RuntimeError(f"the attackers of {name} failed")


async def _measured(name: str, server: Process, prober: Prober, attack: Deferred[None]) -> Outcome:
    lines, cpu, began = len(server.log_lines()), server.cpu_seconds(), time.perf_counter()
    latencies = await prober.run_beside(attack)
    seconds, used = time.perf_counter() - began, server.cpu_seconds() - cpu
    found = (TURN.search(line) for line in server.log_lines()[lines:])
    turns = [(float(one[1]), float(one[2])) for one in found if one]
    return Outcome(name, latencies, used, seconds, turns)


async def _all(names: Sequence[str], seconds: float) -> None:
    with serving("ours") as server:
        table, told = await _played(server)
        table.close()
        lines = []
        for number in range(PROBERS):
            line = Line(_reactor, f"Prober {number}", SigningKey.from_seed(os.urandom(32)))
            await line.connect(Remote(server), number)
            lines.append(line)
        prober = Prober(lines)
        _say(f"a server with a game of {table.finished_events} events")
        _say(HEAD)
        for name in names:
            attack = Deferred.fromCoroutine(_attack(name, server, told, seconds))
            _say((await _measured(name, server, prober, attack)).as_line())
        for line in lines:
            line.close()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def _or_end(names: Sequence[str], seconds: float) -> None:
    try:
        await _all(names, seconds)
    except BaseException:  # noqa: BLE001 (told, and the end of the process)
        traceback.print_exc()
        os._exit(1)
    _reactor.stop()


def main(argv: Sequence[str]) -> int:
    """Run each attack and print its measurements; return the exit status."""
    every = (NOTHING, *ATTACKS)
    parser = argparse.ArgumentParser(prog="python -m bench.attacks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(every)}")
    parser.add_argument("--seconds", type=float, default=5.0, help="of what could go on for ever")
    options = parser.parse_args(argv)
    unknown = [name for name in options.names if name not in every]
    if unknown:
        parser.error(f"there is no attack {unknown[0]!r}")
    choose_cores()

    def begin() -> None:
        _ = Deferred.fromCoroutine(_or_end(options.names or every, options.seconds))

    _reactor.callWhenRunning(begin)
    _reactor.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
