"""`manse solo` beside one that runs already."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands.speaking import LANGUAGES, words_of
from server.child import ServerChild

_RUN = "import sys; from server.{0} import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.parametrize("command", ["solo", "tutorial"])
def test_a_second_one_is_refused_in_a_players_words(command: str, tmp_path: Path) -> None:
    """What it means and what to do; in each language, and in one line, as this is a pipe."""
    with ServerChild(tmp_path / command):
        for language in LANGUAGES:
            done = subprocess.run(
                [sys.executable, "-c", _RUN.format(command), "--plain", "--language", language],
                env={**os.environ, "MANSE_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
                timeout=60,
            )

            said = words_of("server", language).say(f"{command}.running")
            assert done.returncode == 1
            assert done.stderr.replace("\N{NO-BREAK SPACE}", " ") == (
                f"manse {command}: {said}\n".replace("\N{NO-BREAK SPACE}", " ")
            )


def test_it_goes_on_with_what_was_begun_unless_another_game_is_wanted(tmp_path: Path) -> None:
    """The one begun last stays the one to go on with."""

    def played(typed: str, *arguments: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", _RUN.format("solo"), "--plain", "--language", "en", *arguments],
            env={**os.environ, "MANSE_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
            input=typed,
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=60,
        ).stdout

    chosen = "To be played: The Seventh Chair"
    assert chosen in played("scenario 2\nquit\n")
    assert chosen in played("quit\n")
    assert chosen not in played("quit\n", "--again")
    assert chosen not in played("quit\n")
