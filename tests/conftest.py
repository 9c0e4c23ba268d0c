"""Hooks for every test run: order, garbage collection, read-back of records, and the summary."""

import gc
import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import PurePath
from typing import Final

import hypothesis
import pytest

from protocol import sealing
from tests.kit import known_packs
from tests.kit.fewer_messages import spare_messages
from tests.kit.left_out import LEFT_OUT
from tests.kit.rewriting import prepare_share
from tests.kit.sealing import ReadingBack, read_back
from tests.kit.watchdog import Watchdog

THRESHOLDS: Final = (50_000, 20, 10)
"""
Arguments of `gc.set_threshold`: new objects before a young collection, young collections before a
middle one, middle collections before a full one.
"""
SLOW_FIRST: Final = ("whole", "twins", "second_edition", "verifying", "server", "client")
"""
Folders whose test files take longest and run first: at the end of a run they would leave a worker
idle.
"""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return one worker more than there are cores: some tests wait for clocks and processes.

    Long runs compute all the time, and have xdist's own number.
    """
    return None if config.option.markexpr == "long" else (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    """Read back every record that this process seals, so that a wrong type is found."""
    config.pluginmanager.register(Watchdog())
    sealing.after_seal = read_back if config.option.markexpr == "long" else ReadingBack()
    known_packs.remember_compiled()
    known_packs.remember_files()
    # No test depends on wall time: on a busy machine an example may take many times as long.
    hypothesis.settings.register_profile("ours", deadline=None)
    hypothesis.settings.load_profile("ours")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect no garbage while tests are found, and exempt what exists afterwards.

    Modules, packs and thousands of tests stay until the end of the run; walking them repeatedly
    took a fifth of its time.
    """
    gc.disable()
    prepare_share(session.config)
    spare_messages(session.config)
    # Some modules ask for the stories of a pack while they are imported.
    known_packs.remember()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*THRESHOLDS)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow files first; workers take whole files in the order of collection."""
    order = {folder: place for place, folder in enumerate(SLOW_FIRST)}
    items.sort(key=lambda item: order.get(item.path.parent.name, len(order)))


def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Collect all garbage after the last test, so that unclosed resources fail it.

    What is found only at a worker's exit would be reported to nobody.
    """
    if nextitem is None:
        gc.collect()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the duration of each folder's tests, the number of twins compared, and new seeds."""
    seconds, pairs = defaultdict[str, float](float), 0
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[PurePath(report.nodeid.partition("::")[0]).parent.name] += report.duration
                counted = dict(report.user_properties).get("twin_pairs", 0)
                left_out = dict(report.user_properties).get(LEFT_OUT)
                if left_out is not None and report.when == "call":
                    terminalreporter.write_line(f"left out: {left_out}")
                seeds = dict(report.user_properties).get("new_seeds")
                if seeds is not None and report.when == "call":
                    terminalreporter.write_line(f"new seeds: {seeds}")
                pairs += counted if isinstance(counted, int) and report.when == "call" else 0
    if pairs:
        terminalreporter.write_line(f"{pairs} pairs of twin games were compared")
    if len(seconds) > 1:
        ordered = sorted(seconds.items(), key=lambda pair: -pair[1])
        told = ", ".join(f"{folder} {took:.0f}" for folder, took in ordered)
        terminalreporter.write_line(f"seconds by folder: {told}")
