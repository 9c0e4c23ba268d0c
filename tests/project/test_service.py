"""The systemd unit, checked by systemd's own tool if it is installed; the tool starts nothing."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from server.system.notifying import ServiceManager
from tests.project.test_docs import UNIT

TOOL: Final = shutil.which("systemd-analyze") or ""
WORST_EXPOSURE: Final = "15"
"""Maximum of 100 by the tool's own count: what the service could reach beyond its needs."""

pytestmark = [
    pytest.mark.issue(15),
    pytest.mark.skipif(not TOOL, reason="no systemd-analyze on this machine"),
]


def unit_in(folder: Path, *changes: tuple[str, str]) -> Path:
    """Return our unit as if it were installed here, with the given changes."""
    text = UNIT.read_text("utf-8")
    # The tool looks whether the command is there.
    for before, after in (("/opt/manse/.venv/bin/manse", sys.executable), *changes):
        assert before in text
        text = text.replace(before, after)
    path = folder / UNIT.name
    path.write_text(text)
    return path


def complaints(unit: Path) -> str:
    """Return the tool's complaints about a unit."""
    done = subprocess.run(
        [TOOL, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    # It reads what is installed on this machine too.
    return "\n".join(line for line in done.stderr.splitlines() if unit.name in line)


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    assert complaints(unit_in(tmp_path)) == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Type=notify", "Type=notfy"),
        ("WatchdogSec=60", "WatchdogSec=6x"),
        ("NoNewPrivileges=yes", "NoNewPrivilege=yes"),
    ],
)
def test_a_mistake_in_the_unit_is_found(tmp_path: Path, before: str, after: str) -> None:
    assert complaints(unit_in(tmp_path, (before, after)))


def test_the_service_reaches_little_beside_what_it_needs(tmp_path: Path) -> None:
    """Without its sandboxing lines, the unit would not pass."""

    def is_shut_in(unit: Path) -> bool:
        order = [TOOL, "security", "--offline=true", f"--threshold={WORST_EXPOSURE}", str(unit)]
        done = subprocess.run(order, capture_output=True, text=True, check=False)
        if "unrecognized option" in done.stderr:
            pytest.skip("this systemd-analyze cannot tell")
        return done.returncode == 0

    assert is_shut_in(unit_in(tmp_path))
    (tmp_path / "open").mkdir()
    assert not is_shut_in(unit_in(tmp_path / "open", ("CapabilityBoundingSet=\n", "")))


def test_the_server_feeds_the_watchdog_of_the_unit() -> None:
    """The server pings twice in the time after which systemd would restart it."""
    unit = UNIT.read_text("utf-8")
    [seconds] = re.findall(r"^WatchdogSec=(\d+)$", unit, re.MULTILINE)
    environment = {"WATCHDOG_USEC": f"{int(seconds)}000000"}

    found = ServiceManager(environment, None)._watchdog_seconds()

    assert re.search("^Type=notify$", unit, re.MULTILINE)
    assert found == int(seconds)
