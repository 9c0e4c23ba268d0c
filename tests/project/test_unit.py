"""The unit for systemd needs nothing that a minimal Debian lacks: no NSS module, no home."""

import os
import re
import subprocess
import sys
from typing import Final

import pytest

from tests.project.test_docs import ROOT, UNIT

PAGE: Final = (ROOT / "docs" / "operating.md").read_text("utf-8")
TEXT: Final = UNIT.read_text("utf-8")
FOLDERS: Final = """
import os, platformdirs, platformdirs.unix, sys
from commands.own_folders import NoHome
from server.system.command_line import cache_folder, default_folder
os.setgroups([])
os.setgid(64999)
os.setuid(64999)
try:
    print(default_folder(), cache_folder())
except NoHome:
    print("no home")
"""

pytestmark = pytest.mark.issue(37)


def folders_of(environment: dict[str, str]) -> str:
    """Return the folders of a process whose user is in no list of users."""
    done = subprocess.run(
        [sys.executable, "-c", FOLDERS],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_page_creates_the_user_of_the_unit() -> None:
    (user,) = re.findall(r"^User=(\w+)$", TEXT, re.MULTILINE)

    assert len(re.findall(rf"^# useradd --system .* {user}$", PAGE, re.MULTILINE)) == 2


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can run as another user"
)
def test_the_unit_names_the_home_that_systemd_does_not_know() -> None:
    """The server of an unlisted user does not start without that line."""
    (given,) = re.findall(r"^Environment=(.*)$", TEXT, re.MULTILINE)
    text = given.replace("%S", "/var/lib").replace("%C", "/var/cache")
    environment = dict(one.split("=", 1) for one in text.split())

    assert "no home" not in folders_of(environment)
    del environment["HOME"]
    assert folders_of(environment) == "no home"
