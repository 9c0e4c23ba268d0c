"""A whole game alone in plain mode, from setup to a resolution, through the real command line."""

import os
from pathlib import Path

import pytest

from client.locale import LANGUAGES
from tests.kit import warm
from tests.kit.compiled import with_packs

pytestmark = pytest.mark.issue(42)
# The first finds the game before anything looks for games.
IMPORTS = ("tests.games.cards.at_seed", *warm.COMMANDS)
"""The first one is never imported here: it fixes the chance of its process."""
SEED = "CARDS_SEED"
"""The variable that it reads."""
CODE = (
    "import sys; from server.commands import child; from commands.main import main;"
    "from tests.kit import warm; child.subprocess = warm.with_servers(); sys.exit(main())"
)
"""`manse`, whose server is forked, too."""
SEED_OF_FIRST_GAME = "22"
"""
At this chance the first 28 lines win. The rest bring most other games to an end, too, also this one
after a change of rules or cards.
"""
TYPED = (Path(__file__).parent / "first_game.txt").read_text("utf-8")
FRENCH = {
    "claim ida": "choisir ida",
    "start": "commencer",
    "standard": "normal",
    "fight rat": "combattre rat",
    "fight clerk": "combattre commis",
    "investigate": "enquêter",
    "pass": "passer",
    "move reed": "aller roseaux",
    "move mud": "aller vasière",
    "evade clerk": "esquiver commis",
    "advance": "avancer",
    "end the turn": "finir le tour",
    "status": "état",
}
PATIENCE_SECONDS = 120
ENDS = {
    "en": ("You have won.", "You have lost."),
    "fr": ("Vous avez gagné.", "Vous avez perdu."),
}


def played(home: Path, language: str, seed: str) -> str:
    """Return what `manse solo` printed as the first game was typed to it."""
    lines = TYPED.splitlines()
    typed = lines if language == "en" else [FRENCH.get(line, line) for line in lines]
    env = {**os.environ, "MANSE_HOME": str(with_packs(home)), SEED: seed}
    arguments = ("solo", "--game", "cards", "--plain", "--language", language)
    process = warm.piped(IMPORTS, CODE, *arguments, env=env)
    printed, complaints = process.communicate("\n".join(typed) + "\n", timeout=PATIENCE_SECONDS)
    assert process.wait(0) == 0, complaints
    return printed


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_typed_line_by_line_comes_to_a_resolution(tmp_path: Path, language: str) -> None:
    """A stranger reads every line of it: no subject and no slot is without words."""
    lines = played(tmp_path, language, SEED_OF_FIRST_GAME).splitlines()

    assert any(end in lines for end in ENDS[language])
    assert [line for line in lines if "<" in line or "{" in line] == []
