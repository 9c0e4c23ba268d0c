"""Root installs and runs the program with an umask of 077; the service runs it as another user."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("commands", "protocol", "content", "server", "client")
USER: Final = 64999
# Imports come first: this machine's Python may be root's alone.
PRINT: Final = """
import importlib.readers, importlib.resources, os, sys, zipfile
from protocol.plugs import PLACES
from server.lobby.rooms import snapshots
user = int(sys.argv[1])
if user:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
print(snapshots.code_of(next(iter(PLACES))))
"""

pytestmark = [
    pytest.mark.issue(37),
    pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can run as another user"
    ),
]


@pytest.fixture
def installed() -> Iterator[Path]:
    """Yield a copy of the program that other users may read, as `make setup` leaves it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for package in PACKAGES:
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / package, folder / package, ignore=ignore)
        subprocess.run(["chmod", "-R", "go+rX", folder], check=True)
        yield folder


def code_read_by(user: int, installed: Path) -> str:
    """Return the paths of the code files that a user's process runs."""
    env = {**os.environ, "PYTHONPATH": str(installed)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    env.pop("PYTHONPYCACHEPREFIX", None)
    done = subprocess.run(
        [sys.executable, "-c", PRINT, str(user)],
        cwd="/",
        env=env,
        umask=0o077,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_roots_bytecode_hides_no_code_from_the_service(installed: Path) -> None:
    """Snapshots name the code that wrote them, so every user must run the same code."""
    of_root = code_read_by(0, installed)
    kept = installed / "protocol" / "__pycache__"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700

    assert code_read_by(USER, installed) == of_root != "None\n"


def test_no_snapshot_is_tried_where_the_code_cannot_be_read(installed: Path) -> None:
    (installed / "server/kernel/room.py").chmod(0o700)

    assert code_read_by(USER, installed) == "None\n"
