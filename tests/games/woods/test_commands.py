"""The commands themselves on the woods: real processes, a real server, TLS, a real end."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.games.woods.test_installed import INSTALLED
from tests.kit.compiled import with_packs

MANSE = "import sys; from commands.main import main; sys.exit(main())"
PATIENCE_SECONDS = 200
"""Bound for a machine that is busy; each of these programs is done in some ten seconds."""

pytestmark = pytest.mark.issue(39)


def manse(home: Path, arguments: Sequence[str], typed: str = "") -> str:
    """Run `manse` where the woods are installed, with typed lines; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", MANSE, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
        env={
            **os.environ,
            "PYTHONPATH": str(INSTALLED),
            "PYTHONIOENCODING": "utf-8",
            "MANSE_HOME": str(with_packs(home)),
        },
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout


def test_bots_of_both_roles_play_a_demonstration_that_is_verified(tmp_path: Path) -> None:
    told, _, checked = manse(tmp_path, ["demo", "--game", "woods"]).partition("The finished log:")

    assert "has the role Keeper." in told
    assert told.count("has the role Animal.") == 2
    assert "the keeper has won." in told or "the animals have won." in told
    assert "Played again by the rules of this release" in checked
    assert checked.rstrip().endswith("OK")
