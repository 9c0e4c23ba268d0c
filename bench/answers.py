"""Rows about answers: medians over rounds of what `bench.load` measured, ours beside the bare."""

import json
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import attrs

from bench.load import Plan
from bench.rows import Row

Phases = Sequence[Mapping[str, Any]]

BARE: Final = "the bare server"
_ROWS: Final = (
    ("answer_cpu_ms", "many", "cpu_ms", "ms", "the server's CPU for an answer, many busy tables"),
    ("answers_per_core_s", "many", "per_cpu_s", "1/s", "answers in a second of the server's CPU"),
    ("one_table_p50_ms", "one_table", "p50_ms", "ms", "one table: until the last seat is shown it"),
    ("one_table_p99_ms", "one_table", "p99_ms", "ms", "the same, 99 of 100"),
    ("saturated_p99_ms", "busy", "p99_ms", "ms", "a few tables that answer at once, 99 of 100"),
    ("paced_answer_cpu_ms", "paced", "cpu_ms", "ms", "the server's CPU for an answer, paced"),
    ("paced_p50_ms", "paced", "p50_ms", "ms", "many tables at people's pace, background work"),
    ("paced_p99_ms", "paced", "p99_ms", "ms", "the same, 99 of 100"),
    ("paced_p999_ms", "paced", "p999_ms", "ms", "the same, 999 of 1,000"),
)
"""Name, phase, which of its figures, unit, what it is."""
NAMES: Final = (
    *(row[0] for row in _ROWS),
    *("helped_answer_cpu_ms", "worker_cpu_ms", "helped_answers_s"),
    *("spectators_cpu_ratio", "event_bytes_seat", "loop_stalls", "loop_stalls_wall"),
)
STALL_MS: Final = 10.0
TURN: Final = re.compile(r"a turn of the reactor took ([\d.]+) ms, ([\d.]+) ms of them CPU")
"""As `server.loop_monitor` logs it."""
SPARE_SECONDS: Final = 300.0
"""How long a round may take above its phases before the generator is taken to hang."""


def rows(names: Sequence[str], plan: Plan) -> Iterable[Row]:
    """Run the generator, and yield the rows of these names."""
    phases = measured(plan)
    return (row for row in rows_of(phases) if row.name in names)


def measured(plan: Plan) -> Phases:
    """Run the generator in a process of its own, and return its phases."""
    options = attrs.asdict(plan).items()
    ran = subprocess.run(  # noqa: S603 (our own program)
        [
            *(sys.executable, "-m", "bench.load"),
            *(f"--{name.replace('_', '-')}={value}" for name, value in options),
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=plan.rounds * 2 * (5 * plan.seconds + plan.paced_seconds + SPARE_SECONDS),
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def rows_of(phases: Phases) -> Iterable[Row]:
    """Yield all rows."""
    for name, phase, figure, unit, what in _ROWS:
        beside = _median(phases, phase, figure, "bare")
        yield Row(name, _median(phases, phase, figure), unit, what, beside, BARE)
    yield from _helped(phases)
    watched, alone = (_median(phases, phase, "cpu_ms") for phase in ("watched", "unwatched"))
    yield Row(
        "spectators_cpu_ratio",
        watched / alone,
        "",
        "the server's CPU for an answer with eight spectators, by that without",
    )
    yield Row(
        "event_bytes_seat",
        _median(phases, "many", "event_bytes"),
        "bytes",
        "what a seat is sent for an event, TLS aside, the median of all answers",
    )
    turns = _long_turns(phases)
    over = f"turns of the reactor over {STALL_MS:.0f} ms a round"
    yield Row("loop_stalls", _stalls(turns, 1), "", f"{over}, of CPU, collections aside")
    yield Row("loop_stalls_wall", _stalls(turns, 0), "", f"{over}, by the clock on the wall")


def _helped(phases: Phases) -> Iterable[Row]:
    """Yield what an answer takes where a worker process runs the rules."""
    server = _median(phases, "many", "cpu_ms", "helped")
    worker = _median(phases, "many", "worker_cpu_ms", "helped")
    alone = _median(phases, "many", "cpu_ms", "bare")
    what = "the server's CPU for an answer whose rules run in a worker process"
    yield Row("helped_answer_cpu_ms", server, "ms", what, alone, BARE)
    yield Row("worker_cpu_ms", worker, "ms", "the worker's CPU for it")
    both = "answers a second, where server and worker have a core each, by their CPU"
    yield Row("helped_answers_s", 1000 / max(server, worker), "1/s", both, 1000 / alone, BARE)


def _median(phases: Phases, name: str, figure: str, kind: str = "ours") -> float:
    found = [p for p in phases if p["phase"] == name and p["kind"] == kind]
    return statistics.median(_figure(phase, figure) for phase in found)


def _figure(phase: Mapping[str, Any], figure: str) -> float:
    return 1000 / phase["cpu_ms"] if figure == "per_cpu_s" else float(phase[figure])


Turn = tuple[float, float]
"""Milliseconds by the clock, and of CPU."""


def _long_turns(phases: Phases) -> list[list[Turn]]:
    """Return the long turns of each round."""
    rounds: list[list[Turn]] = []
    for phase in phases:
        if phase["kind"] != "ours":
            continue
        if phase["phase"] == "one_table":
            rounds.append([])
        found = (TURN.search(line) for line in phase["log"])
        rounds[-1] += [(float(one[1]), float(one[2])) for one in found if one]
    return rounds


def _stalls(rounds: Sequence[Sequence[Turn]], which: int) -> float:
    return statistics.median(sum(turn[which] > STALL_MS for turn in turns) for turns in rounds)
