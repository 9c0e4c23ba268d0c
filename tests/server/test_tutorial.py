"""`manse tutorial` as it is typed: a server's process, a client's, and a game that is kept."""

import os
import subprocess
import sys
from pathlib import Path

from client.locale import load
from tests import warm
from tests.compiled import with_packs

_RUN = "import sys; from server.tutorial import main; sys.exit(main(sys.argv[1:]))"
ANSWERS = 600
"""More than the game asks: who always takes the first answer is sent home after eight rounds."""


def run(home: Path, *arguments: str, lines: list[str]) -> str:
    """Run the command with lines to type; return what it printed."""
    env = {**os.environ, "MANSE_HOME": str(with_packs(home)), "LC_ALL": "C.UTF-8"}
    process = warm.piped(warm.COMMANDS, _RUN, "--plain", *arguments, env=env)
    told, complaints = process.communicate("".join(f"{line}\n" for line in lines))
    assert (process.wait(0), complaints) == (0, "")
    return told


def test_it_is_left_gone_on_with_and_finished(tmp_path: Path) -> None:
    """In folders of its own, and each time it says how to go on from there."""
    say = load("en").say

    begun = run(tmp_path, lines=["start", "1"])
    assert "Gallows Hill" in begun
    assert begun.endswith(say("coach.kept") + "\n")
    assert (tmp_path / "tutorial" / "rooms.sqlite").exists()
    assert not (tmp_path / "solo").exists()

    ended = run(tmp_path, "--language", "en", lines=["1"] * ANSWERS)
    assert "Type start to begin" not in ended
    assert ended.endswith(say("coach.next") + "\n")


def test_a_wrong_word_is_refused_before_anything_starts(tmp_path: Path) -> None:
    """With status 2."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN, "--language", "tlh"],
        env={**os.environ, "MANSE_HOME": str(with_packs(tmp_path))},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "manse tutorial" in done.stderr
    assert not (tmp_path / "tutorial").exists()
