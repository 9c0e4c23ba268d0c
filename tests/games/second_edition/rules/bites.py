"""
Bites: whether the tests that bear the mark of a rule see a fault in what the rule's functions do.

For each rule of the catalogue faults are planted, one after another, in the functions whose
docstrings name it (`faults`), and the tests with its mark are run until one fails. The first fault
that is seen is stored in `bites.json`, with the digests of the functions and the commit. A rule
that shows no fault has its reason in the catalogue (`unbitten`).

    python -m tests.games.second_edition.rules.bites            plants faults where rules changed
    python -m tests.games.second_edition.rules.bites --all      plants them for every rule
    python -m tests.games.second_edition.rules.bites --print    says what is stored
    python -m tests.games.second_edition.rules.bites --check    fails where a result is missing
"""

import argparse
import ast
import functools
import importlib
import json
import os
import signal
import subprocess
import sys
import types
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from _pytest.runner import runtestprotocol

from server.games.second_edition.rules.play import Outcome
from tests.games.second_edition.rules import catalogue
from tests.games.second_edition.rules.faults import ROOT, Fault, Function, faults, functions

STORED = Path(__file__).with_name("bites.json")
TESTS = ROOT / "tests/games/second_edition"
SECONDS = 8
"""Of CPU time: a test that takes longer with a fault in it runs for good; the fault is seen."""
SLOW = ("twins", "client", "authoring", "content", "lobby")
"""The folders whose tests are run only for a rule that none in the folder of the rules pins."""

_SEEN, _UNSEEN, _FAILED_TO_PLANT = 1, 0, 3


@attrs.frozen
class Bite:
    """What was found for one rule."""

    functions: Mapping[str, str]
    """The functions that it belongs to, with their digests."""
    fault: str | None
    """The first fault that was seen, by function, line and change; None where none was."""


@attrs.frozen
class Result:
    """What is stored."""

    commit: str
    bites: Mapping[str, Bite]


@functools.cache
def _beside() -> Mapping[str, frozenset[str]]:
    """Return for each worked example the rules that the same tests are marked with."""
    beside: dict[str, frozenset[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                alone = f"rule = pytest.mark.rule\n{ast.unparse(node)}"
                ids = frozenset(mark.id for mark in catalogue.marks_in(alone, file.name))
                for id_ in ids:
                    if id_.startswith("EX-"):
                        beside[id_] = beside.get(id_, frozenset()) | (ids - {id_})
    return beside


def _pinned_beside(id_: str) -> frozenset[str]:
    return _beside().get(id_, frozenset())


# What is stored ------------------------------------------------------------------------------


def load(path: Path = STORED) -> Result:
    """Return the stored result; an empty one where there is none."""
    if not path.exists():
        return Result("", {})
    data = json.loads(path.read_text("utf-8"))
    bites = {id_: Bite(one["functions"], one["fault"]) for id_, one in data["rules"].items()}
    return Result(data["commit"], bites)


def save(result: Result, path: Path = STORED) -> None:
    """Store a result, a line for each rule."""
    rules = [
        f" {json.dumps(id_)}: {json.dumps(attrs.asdict(bite), sort_keys=True)}"
        for id_, bite in sorted(result.bites.items(), key=_by_number)
    ]
    lines = ["{", f'"commit": {json.dumps(result.commit)},', '"rules": {', ",\n".join(rules), "}}"]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _by_number(one: tuple[str, Any]) -> tuple[str, int]:
    section, _, number = one[0].rpartition("-")
    return section, int(number)


# What there is -------------------------------------------------------------------------------


def belonging(known: Sequence[Function], id_: str) -> list[Function]:
    """
    Return the functions of a rule: those that name it, else those of modules that do.

    Those that name the fewest others come first: a fault in them is the most its own. A worked
    example has those of the rules that its tests pin besides.
    """
    ids = _pinned_beside(id_) if id_.startswith("EX-") else frozenset([id_])
    named = [one for one in known if ids & one.names]
    all_ = named or [one for one in known if id_ in one.is_named_by_module]
    return sorted(all_, key=lambda one: len(one.names))


def digests(known: Sequence[Function], id_: str) -> dict[str, str]:
    """Return the functions of a rule with their digests."""
    return {one.called: one.digest for one in belonging(known, id_)}


def stale(
    rules: catalogue.Catalogue, known: Sequence[Function], bites: Mapping[str, Bite]
) -> list[str]:
    """Return the rules that are due and have no result for their functions as they are now."""
    return [
        id_
        for id_, rule in rules.items()
        if rule.later is None and (id_ not in bites or bites[id_].functions != digests(known, id_))
    ]


def unexplained(rules: catalogue.Catalogue, bites: Mapping[str, Bite]) -> list[str]:
    """Return the rules that show no fault and give no reason, or give one and show a fault."""
    return [
        id_
        for id_, bite in bites.items()
        if id_ in rules and (bite.fault is None) is not (rules[id_].unbitten is not None)
    ]


def told(rules: catalogue.Catalogue, result: Result) -> list[str]:
    """Return what `make rules` says of the stored result."""
    found = [bite for id_, bite in result.bites.items() if id_ in rules]
    seen = sum(bite.fault is not None for bite in found)
    missing = unexplained(rules, result.bites)
    reasons = sum(rule.unbitten is not None for rule in rules.values())
    lines = [f"marks that bite {seen} of {len(found)}, {reasons} with a reason; at {result.commit}"]
    return [*lines, *([f"without a reason: {' '.join(missing)}"] if missing else [])]


# Planting ------------------------------------------------------------------------------------


@attrs.define
class Planter:
    """Runs as a plugin of pytest in place of its loop: plants faults, and runs marked tests."""

    todo: Sequence[str]
    known: Sequence[Function]
    found: dict[str, Bite] = attrs.field(factory=dict)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try each rule in turn, in the one process that has loaded everything."""
        marked: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            if item.get_closest_marker("long") is None:
                for mark in item.iter_markers("rule"):
                    for id_ in mark.args:
                        marked.setdefault(id_, []).append(item)
        for number, id_ in enumerate(self.todo, start=1):
            self.found[id_] = self._try(id_, _quick(marked.get(id_, [])))
            sys.stderr.write(f"\r{number} of {len(self.todo)}: {id_:16}")
        sys.stderr.write("\n")
        return True

    def _try(self, id_: str, items: Sequence[pytest.Item]) -> Bite:
        own = belonging(self.known, id_)
        seen = None
        if items and own:
            if _outcome(None, items) != _UNSEEN:
                raise pytest.UsageError(f"tests of {id_} fail without any fault")
            seen = next((one for part in own for one in faults(part) if _is_seen(one, items)), None)
        line = None if seen is None else f"{seen.function.called}:{seen.line} {seen.change}"
        return Bite(digests(self.known, id_), line)


def _quick(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the tests in the folder of the rules, if there are any; else all."""
    near = [item for item in items if not set(item.path.parts) & set(SLOW)]
    return near or list(items)


def _is_seen(fault: Fault, items: Sequence[pytest.Item]) -> bool:
    return _outcome(fault, items) not in {_UNSEEN, _FAILED_TO_PLANT}


def _outcome(fault: Fault | None, items: Sequence[pytest.Item]) -> int:
    """Return what a child process ends with that plants the fault and runs the tests."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # From here on this is the child, which must end here whatever happens.
    code = _FAILED_TO_PLANT
    try:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        if fault is not None:
            plant(fault)
        code = _UNSEEN if all(_passes(item) for item in items) else _SEEN
    finally:
        os._exit(code)


def _passes(item: pytest.Item) -> bool:
    return not any(report.failed for report in runtestprotocol(item, nextitem=None, log=False))


def plant(fault: Fault) -> None:
    """
    Give a function that is loaded the code of the fault, wherever it is referred to.

    Raises:
        LookupError: nothing of this name is a function with code of its own.
    """
    module = importlib.import_module(fault.function.module)
    place: Any = module
    for part in fault.function.name.split("."):
        place = vars(place).get(part)
    live = getattr(place, "fget", None) or getattr(place, "__func__", None) or place
    live = getattr(live, "__wrapped__", live)
    code = compiled(fault, vars(module))
    if not isinstance(live, types.FunctionType) or code is None or code.co_freevars:
        raise LookupError(fault.function.called)
    # A call that is not made gives an `Outcome`, which its module need not have imported.
    live.__globals__.setdefault("Outcome", Outcome)
    live.__code__ = code


def compiled(fault: Fault, names: Mapping[str, Any]) -> types.CodeType | None:
    """Return the code of the function with the fault."""
    node = fault.node
    node.decorator_list = []
    tree = ast.fix_missing_locations(ast.Module([node], []))
    made = dict(names)
    exec(compile(tree, fault.function.module, "exec"), made)  # noqa: S102 (our own source, changed)
    function = made[node.name]
    return function.__code__ if isinstance(function, types.FunctionType) else None


def plant_all(todo: Sequence[str], known: Sequence[Function]) -> dict[str, Bite]:
    """Plant faults for some rules; return what was found."""
    planter = Planter(todo, known)
    options = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist"]
    code = pytest.main([*options, str(TESTS)], plugins=[planter])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"the tests could not be collected: {code}")
    return planter.found


# Commands ------------------------------------------------------------------------------------


def _commit() -> str:
    asked = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()


def _lacking(rules: catalogue.Catalogue, known: Sequence[Function], result: Result) -> list[str]:
    lines = [f"{id_} has no result: `make rules-bite`" for id_ in stale(rules, known, result.bites)]
    wrong = unexplained(rules, result.bites)
    return lines + [f"{id_}: its tests see no fault, or do and it says why not" for id_ in wrong]


def main(words: Iterable[str]) -> int:
    """Plant faults and store what was found, or say or check what is stored."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("rules", nargs="*")
    asked = parser.parse_args(list(words))
    rules, known, result = catalogue.load(), functions(), load()
    if asked.print:
        sys.stdout.write("\n".join(told(rules, result)) + "\n")
        return 0
    if not asked.check:
        due = [id_ for id_, rule in rules.items() if rule.later is None]
        todo = asked.rules or (due if asked.all else stale(rules, known, result.bites))
        kept = {id_: bite for id_, bite in result.bites.items() if id_ in due}
        result = Result(_commit(), {**kept, **plant_all(todo, known)})
        save(result)
    sys.stdout.write("\n".join([*told(rules, result), *_lacking(rules, known, result)]) + "\n")
    return int(bool(_lacking(rules, known, result)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
