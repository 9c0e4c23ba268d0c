"""The command `python -m bench`: measure, and print a table or lines of JSON."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import attrs

from bench import answers, counted, counts, long_table, memory, rules, screens, starting
from bench.crowd import CrowdPlan
from bench.load import Plan
from bench.rows import HEAD, Row

DESCRIPTION: Final = (
    "Measure what we do beside the same of plain Twisted, SQLite, msgpack and prompt-toolkit. "
    "Compare ratios, not times, from one machine to another; see docs/performance.md."
)


@attrs.frozen
class Size:
    """How much is done."""

    load: Plan
    rounds: int
    answers: int
    """That are counted at the table of each scenario."""
    late: int
    """Events at the table that is played for long."""
    presses: int
    """Keys, records and the like, each with a frame."""
    tables: int
    """In a store."""
    crowd: CrowdPlan


FULL: Final = Size(
    load=Plan(rounds=5, seconds=5.0, tables=100, busy=20, paced_seconds=60.0, rate=200.0),
    rounds=5,
    answers=counts.ANSWERS,
    late=long_table.LATE,
    presses=60,
    tables=1000,
    crowd=CrowdPlan(connections=100, tables=30, events=600),
)
QUICK: Final = Size(
    load=Plan(rounds=1, seconds=0.3, tables=4, busy=2, paced_seconds=0.5, rate=20.0),
    rounds=1,
    answers=3,
    late=150,
    presses=2,
    tables=2,
    crowd=CrowdPlan(connections=2, tables=1, events=60),
)

Names = Sequence[str]
GROUPS: Final[Sequence[tuple[Names, Callable[[Names, Size], Iterable[Row]]]]] = (
    (counted.NAMES, lambda names, size: counted.rows(names, size.answers)),
    (rules.NAMES, lambda names, size: rules.rows(names, size.rounds)),
    (long_table.NAMES, lambda names, size: long_table.rows(names, size.rounds, size.late)),
    (starting.NAMES, lambda names, size: starting.rows(names, size.rounds)),
    (screens.NAMES, lambda names, size: screens.rows(names, size.rounds, size.presses)),
    (
        memory.NAMES,
        lambda names, size: memory.rows(names, size.rounds, size.tables, size.crowd),
    ),
    (answers.NAMES, lambda names, size: answers.rows(names, size.load)),
)
"""What is measured together, and how; what needs quiet least comes first."""
NAMES: Final = tuple(name for names, _ in GROUPS for name in names)


def main(argv: Sequence[str]) -> int:
    """Measure and print. Returns the exit status."""
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
    """Yield the rows of these names, group by group."""
    for of_group, measure in GROUPS:
        wanted = [name for name in of_group if name in names]
        if wanted:
            yield from measure(wanted, size)


def _size(size: Size, options: argparse.Namespace) -> Size:
    load = size.load
    if options.rounds is not None:
        size, load = (
            attrs.evolve(size, rounds=options.rounds),
            attrs.evolve(load, rounds=options.rounds),
        )
    if options.paced_seconds is not None:
        load = attrs.evolve(load, paced_seconds=options.paced_seconds)
    return attrs.evolve(size, load=load)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
