"""What holds for every run of the tests: their order, garbage, and what each folder took."""

import gc
from collections import defaultdict
from collections.abc import Generator
from pathlib import PurePath
from typing import Final

import pytest

THRESHOLDS: Final = (50_000, 20, 10)
"""After how many new objects, collections of these, and of those, the next one is due."""
SLOW_FIRST: Final = ("second_edition", "server", "client")
"""The folders whose files take longest: at the end of a run they would leave a worker idle."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """
    Collect no garbage while tests are found, and never look again at what is there afterwards.

    Modules, packs and thousands of tests stay to the end of the run; walking them over and over
    took a fifth of it.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*THRESHOLDS)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what is slow; workers take whole files, in the order in which they come."""
    order = {folder: place for place, folder in enumerate(SLOW_FIRST)}
    items.sort(key=lambda item: order.get(item.path.parent.name, len(order)))


def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """
    Collect all garbage when the last test is over, so that what any test left open fails it.

    A worker that comes to its end by itself tells nobody.
    """
    if nextitem is None:
        gc.collect()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many seconds the tests of each folder took, all workers together."""
    seconds = defaultdict[str, float](float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[PurePath(report.nodeid.partition("::")[0]).parent.name] += report.duration
    if len(seconds) > 1:
        ordered = sorted(seconds.items(), key=lambda pair: -pair[1])
        told = ", ".join(f"{folder} {took:.0f}" for folder, took in ordered)
        terminalreporter.write_line(f"seconds by folder: {told}")
