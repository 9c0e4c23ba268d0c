"""The command `python -m bench`: measure, and print a table."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from bench.measures import FULL, QUICK, all_names, measures
from bench.timing import Result, measure

DESCRIPTION = (
    "Measure our own work beside the plain work that it is built on. A ratio of 3 means that it "
    "takes three times as long; compare ratios, not times, from one machine to another. Median and "
    "p99 are of the CPU time of single things, where they are timed one by one."
)


def main(argv: Sequence[str]) -> int:
    """Measure and print. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=DESCRIPTION)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(all_names())}")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: only shows that it runs")
    parser.add_argument("--json", action="store_true", help="one JSON object for each line")
    options = parser.parse_args(argv)
    unknown = [name for name in options.names if name not in all_names()]
    if unknown:
        parser.error(f"there is no measure {unknown[0]!r}")
    size = QUICK if options.quick else FULL
    with ExitStack() as stack:
        if not options.json:
            _say(HEAD)
        for of in measures(size, options.names or all_names(), stack):
            result = measure(of, size.rounds)
            _say(_as_json(result) if options.json else _as_row(result))
    return 0


HEAD = (
    f"{'':<8} {'ratio':>7}  {'time':>9}  {'beside':>9}  {'a second':>18}  {'median':>8}  {'p99':>8}"
)


def _as_row(result: Result) -> str:
    rate = f"{result.per_second:,.0f} {result.unit}"
    return (
        f"{result.name:<8} {result.ratio:>7.2f}  {_shown(result.work_seconds):>9}  "
        f"{_shown(result.yardstick_seconds):>9}  {rate:>18}  {_each(result.median_seconds):>8}  "
        f"{_each(result.p99_seconds):>8}  {result.what} / {result.beside}"
    )


def _as_json(result: Result) -> str:
    return json.dumps(
        {
            "name": result.name,
            "what": result.what,
            "beside": result.beside,
            "ratio": round(result.ratio, 4),
            "seconds": result.work_seconds,
            "yardstick_seconds": result.yardstick_seconds,
            "count": result.count,
            "unit": result.unit,
            "median_ms": _ms(result.median_seconds),
            "p99_ms": _ms(result.p99_seconds),
        }
    )


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 2)


def _each(seconds: float | None) -> str:
    return "" if seconds is None else _shown(seconds)


def _shown(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
