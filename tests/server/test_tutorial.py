"""`manse tutorial` as it is typed: a server's process, a client's, and a game that is kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.locale import load
from tests.kit import warm
from tests.kit.compiled import with_packs
from tests.kit.terminals.on_pty import on_pty

_RUN = "import sys; from server.commands.tutorial import main; sys.exit(main(sys.argv[1:]))"
_WARM = (
    "from server.commands import child; from tests.kit import warm;"
    "child.subprocess = warm.with_servers();" + _RUN
)
"""Program of the tutorial, whose server is forked from a warm process."""
KEYS_TO_THE_END = (
    ("press Enter to start", "\r"),
    ("Who carries", "p"),
    ("Give the game up", "\x1b[B\r"),
    ("y: yes", "y"),
    ("n begins a real one", "n"),
)
"""Texts on the screen, each with the keys pressed once it appears."""
PLAIN_END = (
    ("Type start to begin", "start"),
    ("Who carries", "concede agree"),
    ("Type again", "again"),
)
"""Texts in plain mode, each with the line typed once it appears."""
ANSWERS = 600
"""
Number of answers, more than the game asks: a player who always takes the first answer is sent home
after eight rounds.
"""


def run(home: Path, *arguments: str, lines: list[str]) -> str:
    """Run the command with typed lines; return its output."""
    env = {**os.environ, "MANSE_HOME": str(with_packs(home)), "LC_ALL": "C.UTF-8"}
    process = warm.piped(warm.COMMANDS, _WARM, "--plain", *arguments, env=env)
    told, complaints = process.communicate("".join(f"{line}\n" for line in lines))
    assert (process.wait(0), complaints) == (0, "")
    return told


def test_it_is_left_gone_on_with_and_finished(tmp_path: Path) -> None:
    say = load("en").say

    begun = run(tmp_path, lines=["start", "1"])
    assert "Gallows Hill" in begun
    assert begun.endswith(say("coach.kept", "manse tutorial") + "\n")
    assert (tmp_path / "tutorial" / "rooms.sqlite").exists()
    assert not (tmp_path / "solo").exists()

    ended = run(tmp_path, "--language", "en", lines=["1"] * ANSWERS)
    assert "Type start to begin" not in ended
    assert ended.endswith(say("coach.next", "manse solo") + "\n")


@pytest.mark.issue(14)
@pytest.mark.parametrize("is_plain", [False, True])
def test_its_end_leads_to_a_real_game(tmp_path: Path, *, is_plain: bool) -> None:
    home = with_packs(tmp_path)
    arguments = ("--language", "en", *(["--plain"] if is_plain else []))
    with on_pty(_WARM, *arguments, home=home, imports=warm.COMMANDS) as terminal:
        if is_plain:
            for shown, typed in PLAIN_END:
                terminal.wait_for(shown)
                terminal.type(f"{typed}\r")
        else:
            for shown, keys in KEYS_TO_THE_END:
                terminal.wait_for(shown)
                terminal.type(keys)
        terminal.wait_for("claim NUMBER" if is_plain else "─ Seats")
        assert (tmp_path / "solo" / "rooms.sqlite").exists()
        terminal.type("quit\r" if is_plain else "q")
        if not is_plain:
            terminal.wait_for("Your tables")
            terminal.type("q")

        assert terminal.end() == 0
        assert terminal.is_restored()


def test_a_wrong_word_is_refused_before_anything_starts(tmp_path: Path) -> None:
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
