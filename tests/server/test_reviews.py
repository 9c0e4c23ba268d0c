"""Two players review their game together, in plain mode.

Everything is real: the server's process, TLS over the loopback interface, the database file, the
bots that play the game, and then two clients with the keys of these bots.
"""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.kit import warm
from tests.kit.compiled import with_packs
from tests.server.test_kill import _BOT, Process, running, serve

pytestmark = pytest.mark.issue(17)

_PLAY = "import sys; from client.commands.cli import play; sys.exit(play(sys.argv[1:]))"


@attrs.define(eq=False)
class Player:
    """A player who types lines."""

    client: warm.Piped
    told: Process

    def type(self, *lines: str) -> None:
        """Type lines; their effects come later."""
        for line in lines:
            self.client.stdin.write(line + "\n")
        self.client.stdin.flush()


def player(stack: ExitStack, reach: tuple[str, ...], home: Path, language: str) -> Player:
    """Start a client in plain mode, with the key in a folder."""
    env = {**os.environ, "MANSE_HOME": str(with_packs(home)), "LC_ALL": "C.UTF-8"}
    options = ("--plain", *reach, "--language", language)
    client = warm.piped(warm.COMMANDS, _PLAY, *options, env=env)
    told = Process(client, client.stdout)
    stack.callback(told.kill)
    stack.callback(client.stderr.close)
    stack.callback(client.stdin.close)
    return Player(client, told)


@attrs.frozen
class Evening:
    """Two players, and the server to which they are connected."""

    stack: ExitStack
    folder: Path
    server: Process
    where: dict[str, Any]
    ann: Player
    ben: Player


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """Have a game played; yield its players in the review, of whom one leads."""
    tmp_path = tmp_path_factory.mktemp("evening")
    with ExitStack() as stack:
        server, where = serve(stack, tmp_path / "server", 0)
        address = f"{where['host']}:{where['port']}"
        reach = ("--server", address, "--fingerprint", where["fingerprint"])
        homes = [tmp_path / name for name in ("Ann", "Ben")]
        keys = [("--name", home.name, "--identity", str(home), "--json") for home in homes]
        host = ("--open", "core/sluice-house", "--party", "2", *reach)
        first = stack.enter_context(running(_BOT, *host, *keys[0], home=homes[0]))
        invitation = json.loads(first.line_with("invitation"))["invitation"]
        second = stack.enter_context(running(_BOT, invitation, *keys[1], home=homes[1]))
        first.end()
        second.end()
        ann = player(stack, (*reach, "--name", "Ann"), homes[0], "en")
        ann.type("review 1", "together join")
        ann.told.line_with("Review: you lead")
        ben = player(stack, (*reach, "--name", "Ben"), homes[1], "fr")
        ben.type("ensemble", "ensemble 1")
        ben.told.line_with("vous suivez Ann")
        ann.told.line_with("With you: Ben")
        yield Evening(stack, tmp_path / "server", server, where, ann, ben)


def test_steps_and_words_go_from_one_client_to_the_other(evening: Evening) -> None:
    ann, ben = evening.ann, evening.ben

    ann.type("event 100")
    ben.told.line_with("événement 100 sur")
    ben.type("ensemble dire Je vois")
    ann.told.line_with("Ben says: Je vois")
    ann.type("together lead Ben")
    ben.told.line_with("vous menez")
    ben.type("événement 50")
    ann.told.line_with("event 50 of")


def test_a_review_goes_on_after_the_server_was_killed(evening: Evening) -> None:
    """A review is only in memory, so it begins anew, led by the first who comes back."""
    evening.server.kill()
    serve(evening.stack, evening.folder, evening.where["port"])

    evening.ann.told.line_with("The review was restarted")
    evening.ben.told.line_with("a recommencé")
    evening.ann.type("together say And again")
    evening.ben.told.line_with("And again")
