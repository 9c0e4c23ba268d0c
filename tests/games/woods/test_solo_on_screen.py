"""One person alone plays the woods on the full screen, by the command as it is typed."""

from pathlib import Path

import pytest

from tests.games.woods.programs import CODE, IMPORTS
from tests.games.woods.test_installed import INSTALLED
from tests.kit.compiled import with_packs
from tests.kit.terminals.on_pty import on_pty

pytestmark = pytest.mark.issue(39)

BEFORE = {
    "keeper": ("Press Enter to begin.",),
    # With the keeper alone a person plays two animals.
    "animal": ("Choose your first character", "> [ ] Badger", "Enter begins with Badger and Crane"),
}
"""Texts in the waiting room after each of which Enter takes the next step."""
INTERRUPTING = "s to interrupt"
ASKED = {"keeper": ("Where does the snare lie?", INTERRUPTING), "animal": ("1 Walk: ",)}
"""Texts of which one is on the screen while a role may choose."""
MOST_CHOICES = 100


@pytest.mark.parametrize("role", BEFORE)
def test_a_role_is_played_to_the_end_by_a_single_key(role: str, tmp_path: Path) -> None:
    """Enter begins the game, takes the first choice each time, and closes the story.

    The keeper goes to the first choice by its number to interrupt, so that no animal waits again.
    """
    arguments = ("solo", "--game", "woods", "--as", role, "--language", "en")
    home = with_packs(tmp_path)
    installed = {"PYTHONPATH": str(INSTALLED)}
    with on_pty(CODE, *arguments, home=home, imports=IMPORTS, **installed) as terminal:
        for text in BEFORE[role]:
            terminal.wait_for(text)
            terminal.type("\r")
        for _ in range(MOST_CHOICES):
            terminal.wait_for_any(*ASKED[role], "won.")
            if "won." in terminal.text:
                break
            terminal.type("1\r" if INTERRUPTING in terminal.text else "\r")
            terminal.read(0.5)
        while "Enter close" in terminal.text:
            # Keys in the first moment of a story are ignored.
            terminal.type("\r")
            terminal.read(0.5)
        terminal.wait_for("─ The end")
        terminal.type("q")
        terminal.wait_for("y: yes")
        assert f"manse solo --game woods --as {role} begins another." in terminal.text
        terminal.type("y")

        assert terminal.end() == 0
        assert terminal.is_restored()
