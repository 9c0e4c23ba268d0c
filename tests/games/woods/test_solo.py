"""One person alone plays either side of the woods to the end: the commands, bots and a server."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs
import pytest

from protocol.plugs import games
from server.authoring import starter
from tests.games.woods import programs
from tests.games.woods.programs import PATIENCE_SECONDS
from tests.kit import warm

pytestmark = pytest.mark.issue(39)

MOST_LINES = 2000
"""More lines than a whole game prints."""
KEEPERS, ANIMALS = (
    # The keeper moves the snare as soon as possible, so that no animal has to wait again.
    ("Where does the snare lie?", "Move the snare?"),
    tuple(f"Where does {name} go?" for name in ("Badger", "Crane", "Deer", "Ermine", "Finch")),
)
ENDS = ("the keeper has won.", "the animals have won.", "nobody has won.")


@attrs.define(eq=False)
class Played:
    """Output of a person's client in plain mode."""

    process: warm.Piped
    lines: list[str] = attrs.field(factory=list)

    def read_until(self, *texts: str) -> str:
        """Read lines until one contains one of the texts; return that text."""
        for _ in range(MOST_LINES):
            line = self.process.stdout.readline()
            assert line, "\n".join(self.lines)
            self.lines.append(line.rstrip())
            found = next((text for text in texts if text in line), "")
            if found:
                return found
        raise AssertionError("\n".join(self.lines))

    def type(self, line: str) -> None:
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def play(self, questions: Sequence[str]) -> None:
        """Answer these questions each time they are asked, until the game is over."""
        while self.read_until(*questions, *ENDS) not in ENDS:
            self.type("1")

    def leave(self) -> int:
        """Leave once the result is final; return the status of the command."""
        self.read_until("The game is over.")
        self.type("quit")
        self.lines += self.process.stdout.read().splitlines()
        return self.process.wait(PATIENCE_SECONDS)


@contextmanager
def started(home: Path, *arguments: str) -> Iterator[Played]:
    """Start a command in plain mode where the woods are installed."""
    with programs.started(home, *arguments, "--plain", "--language", "en") as process:
        yield Played(process)


def test_the_keeper_plays_against_bots_to_the_end(tmp_path: Path) -> None:
    with started(tmp_path, "solo", "--game", "woods", "--as", "keeper") as game:
        game.read_until("Type start to begin.")
        game.type("start")

        game.play(KEEPERS)
        assert game.leave() == 0
    assert any("(you, host): Keeper" in line for line in game.lines)
    assert any("it is a bot." in line for line in game.lines)


def test_an_animal_plays_against_bots_to_the_end(tmp_path: Path) -> None:
    """Who is alone with the keeper plays two animals."""
    with started(tmp_path, "solo", "--game", "woods", "--as", "animal") as game:
        game.read_until("Choose whom you play", "With so few at the table")
        game.type("claim Badger Crane")
        game.read_until("plays Badger, Crane.")
        game.type("ready")
        game.read_until("Type start to begin.")
        game.type("start")

        game.play(ANIMALS)
        assert game.leave() == 0
    assert any("(bot, ready): Keeper" in line for line in game.lines)
    assert any("The keeper lays the snare, unseen." in line for line in game.lines)


@pytest.mark.parametrize(("role", "questions"), [("keeper", KEEPERS), ("animal", ANIMALS)])
def test_each_role_has_a_tutorial(role: str, questions: Sequence[str], tmp_path: Path) -> None:
    with started(tmp_path, "tutorial", "--game", "woods", "--as", role) as game:
        game.read_until("Coach: This is a table before its game.")
        game.type("start")

        game.play(questions)
        assert game.leave() == 0
    assert any(
        f"Coach: You are {'the' if role == 'keeper' else 'an'} {role}." in line
        for line in game.lines
    )
    assert any("Coach: That was a whole game." in line for line in game.lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("solo", "--game", "woods", "--as", "owl"),
            "manse solo: woods has no role 'owl'; its roles: animal, keeper",
        ),
        (
            ("tutorial", "--game", "woods", "--as", "owl"),
            (
                "manse tutorial: woods has no tutorial for the role 'owl'; it has one for: "
                "animal, keeper"
            ),
        ),
    ],
)
def test_a_role_that_is_not_there_is_refused(
    arguments: Sequence[str], said: str, tmp_path: Path
) -> None:
    with started(tmp_path, *arguments) as refused:
        assert refused.process.stderr.read() == f"{said}\n"
        assert refused.process.wait(PATIENCE_SECONDS) == 2


def test_a_pack_of_another_game_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    starter.begin(str(folder), games()[0])

    pack = ("--pack", str(folder))
    with started(tmp_path, "solo", "--game", "woods", "--as", "keeper", *pack) as refused:
        told = refused.process.stderr.read()
        assert told == "manse solo: The pack harbour is not for the game woods.\n"
        assert refused.process.wait(PATIENCE_SECONDS) == 2
