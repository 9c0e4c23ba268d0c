"""
Mutants: the faults that `make mutants` planted in the rules, and which of them no test saw.

A fault that tests need not see has its reason in `survivors.yaml`, by the function it was planted
in (a star for any) and a part of the line as it was changed (a star for any change).

`python -m tests.games.second_edition.rules.mutants` prints what share was seen, and what has no
reason; with `--write` it also writes `mutants.md`, a line for each chapter.
"""

import importlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import yaml

ROOT = Path(__file__).parents[4]
RESULTS = ROOT / "mutants"
REASONS = Path(__file__).with_name("survivors.yaml")
PAGE = Path(__file__).with_name("mutants.md")

LEAST = 90
"""How many of a hundred faults tests must see."""

UNSEEN = {0: "survived", 5: "no tests", 33: "no tests"}
"""What the tool's exit codes say of a fault that was not seen; all others but None were."""


@attrs.frozen
class Mutant:
    """One fault."""

    name: str
    """As the tool calls it: module, function and a number."""
    path: str
    code: int | None
    """What its tests ended with; None where it was not tried."""

    @property
    def function(self) -> str:
        """The module and function that it was planted in, such as `clues.gain`."""
        dotted = self.name.partition("second_edition.rules.")[2].rpartition("__mutmut_")[0]
        return dotted.replace(".x_", ".").replace(".xǁ", ".").replace("ǁ", ".")

    @property
    def chapter(self) -> str:
        """The module, such as `clues` or `puzzles.code`."""
        return ".".join(Path(self.path).with_suffix("").parts[4:])


def mutants(results: Path) -> Iterator[Mutant]:
    """Yield what the tool has noted in its folder."""
    for noted in sorted(results.rglob("*.meta")):
        path = str(noted.relative_to(results)).removesuffix(".meta")
        codes: Mapping[str, int | None] = json.loads(noted.read_text("utf-8"))["exit_code_by_key"]
        yield from (Mutant(name, path, code) for name, code in codes.items())


def change_of(mutant: Mutant) -> str:
    """Return the line as it was changed, or all lines if several were."""
    tool: Any = importlib.import_module("mutmut.mutation.diff_apply")
    lines = tool.get_diff_for_mutant(mutant.name, path=mutant.path).splitlines()
    added = [line[1:].strip() for line in lines if line[:1] == "+" and line[:3] != "+++"]
    gone = [line[1:].strip() for line in lines if line[:1] == "-" and line[:3] != "---"]
    return " / ".join(added) or "without " + " / ".join(gone)


def _has_reason(function: str, change: str, reasons: Mapping[str, Mapping[str, str]]) -> bool:
    parts = {**reasons.get(function, {}), **reasons.get("*", {})}
    return any(part in {"*", change} or (len(part) > 1 and part in change) for part in parts)


def page(found: Sequence[Mutant], unexplained: Mapping[str, Sequence[str]]) -> str:
    """Return what is kept of a run: a line for each chapter, then what has no reason."""
    lines = [f"| {' | '.join(cells)} |" for cells in [_HEAD, ("---",) * len(_HEAD)]]
    for chapter in sorted({mutant.chapter for mutant in found}):
        own = [mutant for mutant in found if mutant.chapter == chapter]
        tried = [mutant for mutant in own if mutant.code is not None]
        unseen = sum(mutant.code in UNSEEN for mutant in tried)
        open_ = sum(
            len(changes)
            for function, changes in unexplained.items()
            if function.rpartition(".")[0].removesuffix(".SecondEdition") == chapter
        )
        cells = (len(own), len(tried), len(tried) - unseen, unseen - open_, open_)
        lines.append(f"| {' | '.join([f'`{chapter}`', *map(str, cells)])} |")
    listed = [f"- `{name}`: `{one}`" for name in unexplained for one in unexplained[name]]
    parts = [
        _ABOUT,
        "\n".join(lines),
        *(["Without a reason:", "\n".join(listed)] if listed else []),
    ]
    return "\n\n".join(parts) + "\n"


_HEAD = ("Chapter", "Faults", "Tried", "Seen", "Argued", "Open")
_ABOUT = """# What tests see of faults in the rules

Written by `make mutants`. Tried are the faults that the tool came to before it was stopped; argued
are those that no test sees and that have their reason in `survivors.yaml`."""


def main(words: Sequence[str] = ()) -> int:
    """Report on the last run. Returns 1 where too few were seen, or one lacks a reason."""
    reasons = yaml.safe_load(REASONS.read_text("utf-8")) or {}
    found = list(mutants(RESULTS))
    tried = [mutant for mutant in found if mutant.code is not None]
    unseen = [mutant for mutant in tried if mutant.code in UNSEEN]
    unexplained: dict[str, list[str]] = {}
    for mutant in unseen:
        change = change_of(mutant)
        if not _has_reason(mutant.function, change, reasons):
            unexplained.setdefault(mutant.function, []).append(change)
            print(f"{mutant.function}: {change}")
    if not tried:
        print("no faults were planted: see what `mutmut run` says")
        return 1
    if "--write" in words:
        PAGE.write_text(page(found, unexplained), "utf-8")
    count = sum(map(len, unexplained.values()))
    seen = 100 * (len(tried) - len(unseen)) / len(tried)
    print(f"{len(tried)} faults, {seen:.1f} % seen; {count} of the others without a reason")
    return int(seen < LEAST or count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
