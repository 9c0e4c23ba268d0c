"""The pack of a game is fetched from its server, and the game is replayed with it.

Everything is real: the server's process, TLS over the loopback interface, the database file, a bot
that plays, and the commands that its player runs afterwards.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import attrs
import pytest

from content.reading.files import read_files
from protocol.plugs import games
from server.authoring import starter
from tests.kit import warm
from tests.kit.compiled import with_packs
from tests.server.test_kill import _BOT, running, serve

pytestmark = pytest.mark.issue(36)

_COMMAND = "import sys; from commands.main import main; sys.exit(main(sys.argv[1:]))"
_PACKS: Mapping[str, str] = {"harbour": "", "quay": "core"}
"""The bundled pack on which each private pack builds; empty for none."""


@attrs.frozen
class Club:
    """A server with packs of its own, and a player."""

    folder: Path
    reach: tuple[str, ...]

    def run(self, *arguments: str, status: int = 0) -> str:
        """Run a command of the player; return its output, or its complaint."""
        env = {
            **os.environ,
            "MANSE_HOME": str(with_packs(self.folder / "player")),
            "LC_ALL": "C.UTF-8",
        }
        process = warm.piped(warm.COMMANDS, _COMMAND, *arguments, env=env)
        printed, complaints = process.communicate(timeout=90)
        assert process.returncode == status, printed + complaints
        return complaints if status else printed

    def play(self, pack: str) -> str:
        """Have a bot with the player's key play a scenario of a pack; return its table."""
        home = self.folder / "player"
        more = ("--party", "1", "--seed", "3", "--identity", str(home), "--json", *self.reach)
        with running(_BOT, "--open", f"{pack}/first-night", *more, home=home) as bot:
            told: str = json.loads(bot.end()[-1])["table"]
        return told


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Yield a server that offers two packs of its own."""
    folder = tmp_path_factory.mktemp("club")
    options: list[str] = []
    for name, base in _PACKS.items():
        starter.begin(str(folder / name), games()[0], base)
        options += ["--pack", str(folder / name)]
    with ExitStack() as stack:
        _, told = serve(stack, folder / "server", 0, more=options)
        address = f"{told['host']}:{told['port']}"
        yield Club(folder, ("--server", address, "--fingerprint", told["fingerprint"]))


# A pack that builds on another needs all that one without a base needs.
@pytest.mark.parametrize("pack", [pytest.param("harbour", marks=pytest.mark.long), "quay"])
def test_a_game_is_played_again_with_the_pack_that_its_server_sends(
    pack: str, club: Club, tmp_path: Path
) -> None:
    game, zipped = tmp_path / "game.manse", tmp_path / "pack.zip"
    table = club.play(pack)
    exported = json.loads(
        club.run("export", table, str(game), "--pack", str(zipped), "--json", *club.reach)
    )
    assert exported["pack"] == str(zipped)
    assert zipped.stat().st_mode & 0o077 == 0

    told = json.loads(club.run("verify", "--rules", "--json", "--pack", str(zipped), str(game)))

    assert told["checked"] == ["shared", "laws", "rules"]
    assert told["rules"] == {"outcome": "same"}
    assert "the pack of this game is not here" in club.run("verify", "--rules", str(game), status=1)
    # What was sent is the pack of the operator, word for word.
    assert "Played again by the rules" in club.run(
        "verify", "--rules", "--pack", str(club.folder / pack), str(game)
    )
    assert read_files(club.folder / pack)


def test_nothing_is_written_where_the_pack_is_refused(club: Club, tmp_path: Path) -> None:
    game, zipped = tmp_path / "game.manse", tmp_path / "pack.zip"
    lines = "open 1\nclaim 1 2\nready\nstart\nquit\n"
    env = {
        **os.environ,
        "MANSE_HOME": str(with_packs(club.folder / "player")),
        "LC_ALL": "C.UTF-8",
    }
    playing = warm.piped(
        warm.COMMANDS, _COMMAND, "play", "--plain", "--name", "Ann", *club.reach, env=env
    )
    playing.communicate(lines)
    arguments = ("export", "--last", str(game), *club.reach)

    said = club.run(*arguments, "--pack", str(zipped), status=1)

    assert "Nothing was written, since the pack of this game could not be fetched" in said
    assert "once the game is over" in said
    assert list(tmp_path.iterdir()) == []
    club.run(*arguments)
    assert list(tmp_path.iterdir()) == [game]
    assert "cannot be both" in club.run(*arguments, "--pack", str(game), "--force", status=1)
