"""The command `python -m bench`: measures, and prints a table or lines of JSON."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import attrs

from bench import answers, cards, long_table, memory, rules, screens, starting
from bench.crowd import CrowdPlan
from bench.load import Plan
from bench.rows import HEAD, Row

DESCRIPTION: Final = (
    "Measure what we do beside the same of plain Twisted, SQLite, msgpack and prompt-toolkit. "
    "Compare ratios, not times, from one machine to another; see docs/performance.md."
)


@attrs.frozen
class Size:
    """Extent of the measurements: rounds, tables, events and key presses."""

    load: Plan
    rounds: int
    late: int
    """The number of events on the log of the long table."""
    presses: int
    """The number of repetitions of each action on the screen in a round."""
    crowd: CrowdPlan


FULL: Final = Size(
    load=Plan(rounds=5, seconds=5.0, tables=100, paced_seconds=60.0, rate=200.0),
    rounds=5,
    late=long_table.LATE,
    presses=60,
    crowd=CrowdPlan(tables=30, events=600),
)
QUICK: Final = Size(
    load=Plan(rounds=1, seconds=0.3, tables=4, paced_seconds=0.5, rate=20.0),
    rounds=1,
    late=150,
    presses=2,
    crowd=CrowdPlan(tables=1, events=60),
)

Names = Sequence[str]
GROUPS: Final[Sequence[tuple[Names, Callable[[Names, Size], Iterable[Row]]]]] = (
    (rules.NAMES, lambda names, size: rules.rows(names, size.rounds)),
    (cards.NAMES, lambda names, size: cards.rows(names, size.rounds)),
    (long_table.NAMES, lambda _, size: long_table.rows(size.rounds, size.late)),
    (starting.NAMES, lambda names, size: starting.rows(names, size.rounds)),
    (screens.NAMES, lambda _, size: screens.rows(size.rounds, size.presses)),
    (memory.NAMES, lambda _, size: memory.rows(size.crowd)),
    (answers.NAMES, lambda names, size: answers.rows(names, size.load)),
)
"""
Rows that are measured together, with their function. The rows most sensitive to load come last.
"""
NAMES: Final = tuple(name for names, _ in GROUPS for name in names)


def main(argv: Sequence[str]) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=DESCRIPTION)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: only shows that it runs")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write a line of JSON for each row"
    )
    parser.add_argument("--rounds", type=int, help="of each measure (5)")
    parser.add_argument("--paced-seconds", type=float, help="of each round at people's pace (60)")
    options = parser.parse_args(argv)
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no row {unknown[0]!r}")
    size = _size(QUICK if options.quick else FULL, options)
    found = []
    _say(HEAD)
    for row in rows(options.names or NAMES, size):
        found.append(row)
        _say(row.as_line())
    if options.json is not None:
        options.json.write_text("".join(row.as_json() + "\n" for row in found), "utf-8")
    return 0


def rows(names: Names, size: Size) -> Iterable[Row]:
    """Yield the rows with these names, group by group."""
    for of_group, measure in GROUPS:
        wanted = [name for name in of_group if name in names]
        if wanted:
            yield from measure(wanted, size)


def _size(size: Size, options: argparse.Namespace) -> Size:
    load = size.load
    if options.rounds is not None:
        size = attrs.evolve(size, rounds=options.rounds)
        load = attrs.evolve(load, rounds=options.rounds)
    if options.paced_seconds is not None:
        load = attrs.evolve(load, paced_seconds=options.paced_seconds)
    return attrs.evolve(size, load=load)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
