"""
The rows about answers: medians over rounds of what `bench.load` measured, ours beside the bare.

`python -m bench.answers`; a line of JSON for each row.
"""

import argparse
import json
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

Phases = Sequence[Mapping[str, Any]]

ROWS: Final = (
    ("answer_cpu_ms", "many", "cpu_ms", "ms"),
    ("answers_per_core_s", "many", "answers_per_s", "1/s"),
    ("one_table_p50_ms", "one_table", "p50_ms", "ms"),
    ("one_table_p99_ms", "one_table", "p99_ms", "ms"),
    ("saturated_p99_ms", "busy", "p99_ms", "ms"),
    ("paced_answer_cpu_ms", "paced", "cpu_ms", "ms"),
    ("paced_p50_ms", "paced", "p50_ms", "ms"),
    ("paced_p99_ms", "paced", "p99_ms", "ms"),
    ("paced_p999_ms", "paced", "p999_ms", "ms"),
)
"""Name, phase, which of its figures, unit."""


def rows(phases: Phases) -> Iterable[dict[str, Any]]:
    """Yield a row for each measure; `ratio` is ours by what stands beside it."""
    for name, phase, figure, unit in ROWS:
        yield _row(
            name, _median(phases, phase, figure), _median(phases, phase, figure, "bare"), unit
        )
    watched, alone = (_median(phases, phase, "cpu_ms") for phase in ("watched", "unwatched"))
    yield _row("spectators_cpu_ratio", watched, alone, "ms")
    sent = [p["received_bytes"] / p["events"] / 4 for p in phases if _is(p, "many", "ours")]
    yield {"name": "event_bytes_seat", "ours": statistics.median(sent), "unit": "bytes"}


def _is(phase: Mapping[str, Any], name: str, kind: str) -> bool:
    return bool(phase["phase"] == name and phase["kind"] == kind)


def _median(phases: Phases, name: str, figure: str, kind: str = "ours") -> float:
    return statistics.median(_figure(p, figure) for p in phases if _is(p, name, kind))


def _figure(phase: Mapping[str, Any], figure: str) -> float:
    if figure == "answers_per_s":
        return float(phase["answers"] / phase["seconds"])
    return float(phase[figure])


def _row(name: str, ours: float, beside: float, unit: str) -> dict[str, Any]:
    return {"name": name, "ours": ours, "beside": beside, "ratio": ours / beside, "unit": unit}


def main(argv: Sequence[str]) -> int:
    """Measure and print. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.answers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--paced-seconds", type=float, default=60.0)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--busy", type=int, default=20)
    parser.add_argument("--rate", type=float, default=200.0)
    load = [f"--{k.replace('_', '-')}={v}" for k, v in vars(parser.parse_args(argv)).items()]
    ran = subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, "-m", "bench.load", *load], stdout=subprocess.PIPE, text=True, check=False
    )
    if ran.returncode:
        return ran.returncode
    machine = {"machine": platform.platform(), "python": platform.python_version()}
    for row in rows([json.loads(line) for line in ran.stdout.splitlines()]):
        sys.stdout.write(json.dumps(row | machine) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
