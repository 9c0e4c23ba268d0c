"""Durations use the monotonic clock; the wall clock is for people and for restarts.

The checks read the source with `ast`; tests/server/test_jumps.py makes the wall clock jump.
"""

import ast
from pathlib import Path
from typing import Any, Final

import pytest
from twisted.internet.epollreactor import EPollReactor

from commands.monotonic import elapsed_seconds, measure_by_monotonic
from tests.project.test_layering import ROOT, Tree, statements

pytestmark = pytest.mark.issue(37)

WALL: Final = {
    "client.cache.table_cache": "the times of files",
    "client.commands.cli": "the name of a crash report",
    "client.commands.notifier": "read by people",
    "client.commands.setups": "read by people",
    "client.journal.lost": "read by people",
    "client.terminal.app": "compared with a time of prompt_toolkit's",
    "server.process.app": "the validity of a certificate",
    "server.process.checking": "the validity of a certificate",
    "server.system.steady_time": "the start of the time on logs",
    "server.upkeep.rooms": "compared with the times on logs",
    "server.upkeep.saving": "read by people",
}
"""Modules that may read the wall clock, each with the purpose."""
CLOCKS: Final = {"time", "time_ns", "now", "utcnow", "today", "gmtime", "localtime"}
OWNERS: Final = {"time", "datetime", "dt"}


def attributes(tree: ast.Module) -> set[tuple[str, str]]:
    """Return the pairs `owner.name` in a module, by the last name of the owner."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value
            found.add((getattr(owner, "id", getattr(owner, "attr", "")), node.attr))
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            found |= {("time", alias.name) for alias in node.names}
    return found


def readers(tree: Tree) -> set[str]:
    """Return the modules that read the wall clock."""
    return {
        name
        for name, module in tree.modules.items()
        if any(owner in OWNERS and one in CLOCKS for owner, one in attributes(module))
    }


BORROWERS: Final = {"server.commands.looking_back": "the client's reactor, which runs already"}
"""Modules that use a reactor which another module runs, each with the reason."""


def takers(tree: Tree) -> dict[str, bool]:
    """Return the modules that run Twisted's reactor, and whether each makes it monotonic."""
    found = {}
    for name, module in tree.modules.items():
        froms = [node for node in statements(module) if isinstance(node, ast.ImportFrom)]
        if name not in BORROWERS and any(
            node.module == "twisted.internet" and any(one.name == "reactor" for one in node.names)
            for node in froms
        ):
            calls = [node.func for node in ast.walk(module) if isinstance(node, ast.Call)]
            found[name] = any(getattr(one, "id", "") == "measure_by_monotonic" for one in calls)
    return found


@pytest.fixture(scope="module")
def ours() -> Tree:
    """Return our modules, parsed once."""
    return Tree.read(ROOT)


def test_the_wall_clock_is_read_where_a_reason_is_named(ours: Tree) -> None:
    assert readers(ours) == set(WALL)


def test_every_reactor_that_runs_measures_by_the_monotonic_clock(ours: Tree) -> None:
    assert takers(ours) == {
        "client.commands.notifier": True,
        "client.terminal.runner": True,
        "server.process.serving": True,
    }


def test_planted_readers_are_found(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server/paces.py").write_text("import time\nbegan = time.time()\n")
    (tmp_path / "server/run.py").write_text("from twisted.internet import reactor\nreactor.run()\n")
    tree = Tree.read(tmp_path)

    assert readers(tree) == {"server.paces"}
    assert takers(tree) == {"server.run": False}


def test_twisteds_own_timers_follow() -> None:
    # Twisted declares no types here.
    made: Any = EPollReactor
    reactor = made()
    try:
        measure_by_monotonic(reactor)
        before = elapsed_seconds()
        call = reactor.callLater(5, lambda: None)
        assert before + 5 <= call.getTime() <= elapsed_seconds() + 5
        assert 0 < reactor.timeout() <= 5
        call.cancel()
    finally:
        reactor.removeAll()
        for reader in reactor._internalReaders:
            reader.connectionLost(None)
