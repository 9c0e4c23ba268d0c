"""`manse tutorial` of the first edition as it is typed: a server's process and a client's."""

import os
from pathlib import Path

import pytest

from client.locale import load
from tests.kit import warm
from tests.kit.compiled import with_packs

pytestmark = pytest.mark.issue(40)

_WARM = (
    "import sys; from server.commands.tutorial import main;"
    "from server.commands import child; from tests.kit import warm;"
    "child.subprocess = warm.with_servers(); sys.exit(main(sys.argv[1:]))"
)


@pytest.mark.parametrize("role", ["keeper", "investigator"])
def test_tutorial_of_either_role_begins_and_is_kept(role: str, tmp_path: Path) -> None:
    env = {**os.environ, "MANSE_HOME": str(with_packs(tmp_path)), "LC_ALL": "C.UTF-8"}
    arguments = ("--plain", "--language", "en", "--game", "first-edition", "--as", role)
    process = warm.piped(warm.COMMANDS, _WARM, *arguments, env=env)
    told, complaints = process.communicate("start\n0\n")

    assert (process.wait(0), complaints) == (0, "")
    assert "A Short Night in Six Rooms" in told
    assert "Coach: This is a table before its game." in told
    kept = load("en").say("coach.kept", f"manse tutorial --game first-edition --as {role}")
    assert told.endswith(kept + "\n")
    assert (tmp_path / "tutorial-first-edition" / "rooms.sqlite").exists()
