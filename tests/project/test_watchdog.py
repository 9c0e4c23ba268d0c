"""Tests that hang end the process that runs them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_CONFTEST: Final = """\
from tests.kit.watchdog import Watchdog

def pytest_configure(config):
    config.pluginmanager.register(Watchdog())
"""
_TESTS: Final = """\
import time

def test_that_ends():
    pass

def test_that_hangs():
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
"""


def test_hanging_test_ends_the_process_and_shows_where_it_was(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(_CONFTEST)
    (tmp_path / "test_hanging.py").write_text(_TESTS)
    pytest = [sys.executable, "-m", "pytest", "-pno:cacheprovider", "--timeout-method=thread"]

    ended = subprocess.run(
        [*pytest, "-v", "--timeout=0.2", "-n1", "--max-worker-restart=0", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert ended.returncode == 1
    assert "PASSED test_hanging.py::test_that_ends" in ended.stdout
    assert "crashed while running 'test_hanging.py::test_that_hangs'" in ended.stdout
    assert "in test_that_hangs" in ended.stderr
