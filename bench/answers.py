"""Rows about answers: medians over the rounds of `bench.load`, for our and the bare server."""

import json
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
    ("answer_cpu_ms", "many", "cpu_ms", "ms", "server CPU per answer, many busy tables"),
    ("paced_p50_ms", "paced", "p50_ms", "ms", "answer shown to the last seat, at people's pace"),
    ("paced_p99_ms", "paced", "p99_ms", "ms", "the same, 99th percentile"),
)
"""Rows of the benchmark: name, phase, figure of the phase, unit, and description."""
NAMES: Final = (*(row[0] for row in _ROWS), "event_bytes_seat")
SPARE_SECONDS: Final = 300.0
"""Seconds beyond its phases after which a round counts as hung."""


def rows(names: Sequence[str], plan: Plan) -> Iterable[Row]:
    """Run the load generator, and yield the rows with these names."""
    phases = measured(plan)
    return (row for row in rows_of(phases) if row.name in names)


def measured(plan: Plan) -> Phases:
    """Run the load generator in a separate process, and return its phases."""
    options = attrs.asdict(plan).items()
    ran = subprocess.run(  # noqa: S603 (our own program)
        [
            *(sys.executable, "-m", "bench.load"),
            *(f"--{name.replace('_', '-')}={value}" for name, value in options),
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=plan.rounds * 2 * (plan.seconds + plan.paced_seconds + SPARE_SECONDS),
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def rows_of(phases: Phases) -> Iterable[Row]:
    for name, phase, figure, unit, what in _ROWS:
        beside = _median(phases, phase, figure, "bare")
        yield Row(name, _median(phases, phase, figure), unit, what, beside, BARE)
    bytes_sent = _median(phases, "many", "event_bytes")
    what = "bytes sent to a seat per event, without TLS, the median answer"
    yield Row("event_bytes_seat", bytes_sent, "bytes", what)


def _median(phases: Phases, name: str, figure: str, kind: str = "ours") -> float:
    found = [p for p in phases if p["phase"] == name and p["kind"] == kind]
    return statistics.median(float(phase[figure]) for phase in found)
