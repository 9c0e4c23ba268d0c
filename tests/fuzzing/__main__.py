"""`make fuzz`: look for inputs that raise unexpected errors. The exit status is 1 if any do."""

import argparse
import sys
import traceback

from tests.fuzzing.guided import Report, fuzz
from tests.fuzzing.targets import TARGETS, beginnings, coverage, keep, kept


def main() -> int:
    """Fuzz each target for its share of the time, and print the findings."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing")
    parser.add_argument("targets", nargs="*", help="all if none is named")
    parser.add_argument("--seconds", type=float, default=60, help="of CPU time, for all targets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="write what was new into the corpus")
    options = parser.parse_args()
    names = options.targets or list(TARGETS)
    found = 0
    for name in names:
        corpus = [*beginnings(name), *kept(name)]
        seconds = options.seconds / len(names)
        report = fuzz(TARGETS[name], corpus, coverage(), seed=options.seed, cpu_seconds=seconds)
        _tell(name, report)
        found += len(report.findings)
        if options.keep:
            keep(name, report.kept)
    return 1 if found else 0


def _tell(name: str, report: Report) -> None:
    line = f"{name}: {report.runs} runs, {report.reached} steps, {len(report.kept)} inputs kept"
    sys.stdout.write(line + "\n")
    for finding in report.findings:
        sys.stdout.write(f"  {finding.data.hex()}\n")
        sys.stdout.write("".join(traceback.format_exception(finding.error)))


if __name__ == "__main__":
    sys.exit(main())
