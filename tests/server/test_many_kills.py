"""The server is killed again and again while bots play, and keeps what it has shown.

Everything is as in `tests/server/test_kill.py`, whose game in every run is killed twice, with many
more kills. MANSE_SEED sets the seed,
which is printed.
"""

import json
import os
import queue
import random
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from protocol.archive import load
from protocol.audit import audit
from protocol.event import Stored
from tests.server.test_kill import _BOT, PATIENCE, SERVE, Process, running, serve, stored_in

pytestmark = pytest.mark.issue(15)

KILLS: Final = 1000
"""Number of kills in a long run."""
MOST_LINES: Final = 40
"""Maximum number of lines that a bot prints between two kills."""
SHOWS_TOO_EARLY: Final = """
from twisted.internet import reactor
from twisted.internet.defer import succeed
from server.storage.sqlite import SqliteStore
append = SqliteStore.append
def later(self, room_id, first, *given):
    if first < 60:
        return append(self, room_id, first, *given)
    reactor.callLater(0.2, append, self, room_id, first, *given)
    return succeed(None)
SqliteStore.append = later
"""
"""Planted fault: the server shows records before they are stored."""


@attrs.define(eq=False)
class Game:
    """Two bots at a table, and the log that their server held at the last kill."""

    stack: ExitStack
    folder: Path
    path: Path
    bots: tuple[Process, Process]
    held: list[Stored] = attrs.field(factory=list)

    @classmethod
    def begin(cls, outer: ExitStack, folder: Path, reach: tuple[str, ...], seed: int) -> "Game":
        """Open a table and have two bots sit down; `outer` stops them at the latest."""
        stack, path = outer.enter_context(ExitStack()), folder / "game.manse"
        folder.mkdir()
        options = ("--json", "--verbose", "--seed", str(seed))
        host = ("--open", "core/sluice-house", "--party", "2", "--export", str(path), *reach)
        first = stack.enter_context(running(_BOT, *host, *options, home=folder / "first"))
        invitation = json.loads(first.line_with("invitation"))["invitation"]
        second = stack.enter_context(running(_BOT, invitation, *options, home=folder / "second"))
        # Whoever cannot reach the server at first gives up.
        assert second.lines.get(timeout=60) is not None
        return cls(stack, folder, path, (first, second))

    def go_on(self, lines: int, server: Path) -> bool:
        """Play for a number of lines. Returns True unless the game has ended."""
        return all(self._next_line(server) is not None for _ in range(lines))

    def _next_line(self, server: Path) -> str | None:
        # A bot that has seen more than the server has does not play on; the server says why.
        for _ in range(PATIENCE):
            with suppress(queue.Empty):
                return self.bots[0].lines.get(timeout=1)
            _must_not_complain(server)
        raise AssertionError("nobody plays on, and the server does not say why")

    def must_hold(self, records: list[Stored]) -> None:
        """Check that the log on the disk begins with all that was there before, unchanged."""
        assert records[: len(self.held)] == self.held
        self.held = records

    def end(self) -> str:
        """Check the finished game as its players have it; return its room."""
        assert [bot.popen.wait(60) for bot in self.bots] == [0, 0]
        archive = load(self.path.read_bytes())
        assert audit(archive).is_finished
        # The last kill may have come before the end of the game, or after the export.
        both = zip(self.held, archive.cuts, strict=False)
        assert all(record.public == cut.public for record, cut in both)
        self.stack.close()
        return archive.header.room_id


def kill_often(folder: Path, kills: int, seed: int, code: str = SERVE) -> dict[str, Any]:
    """Kill a server many times while games are played; return the results."""
    rng, ended = random.Random(seed), set[str]()
    told = {"kills": 0, "games": 0, "records": 0}
    with ExitStack() as stack:
        server, where = serve(stack, folder / "server", 0, code)
        address = f"{where['host']}:{where['port']}"
        reach = ("--server", address, "--fingerprint", where["fingerprint"])
        game = Game.begin(stack, folder / "game-0", reach, seed)
        while told["kills"] < kills:
            if not game.go_on(rng.randint(1, MOST_LINES), folder / "server"):
                ended.add(game.end())
                told["games"] += 1
                name = f"game-{told['games']}"
                game = Game.begin(stack, folder / name, reach, seed + told["games"])
                continue
            server.kill()
            told["kills"] += 1
            game.must_hold(stored_in(folder / "server", ended))
            server, _ = serve(stack, folder / "server", where["port"], code)
            _must_not_complain(folder / "server")
        told["records"] = len(game.held)
        game.stack.close()
    _must_not_complain(folder / "server")
    return told


def _must_not_complain(server: Path) -> None:
    # The server says so where a client comes back with more than it has, or with something else.
    complaints = (server / "complaints.txt").read_text("utf-8")
    assert "the client of seat" not in complaints
    assert "Traceback" not in complaints


@pytest.mark.long
def test_nothing_that_was_shown_is_lost_in_a_few_kills(tmp_path: Path) -> None:
    assert kill_often(tmp_path, 3, 1)["kills"] == 3


@pytest.mark.long
def test_a_server_that_shows_before_it_stores_is_found_out(tmp_path: Path) -> None:
    """With this planted fault, clients come back with more than the server has."""
    with pytest.raises(AssertionError, match="the client of seat"):
        kill_often(tmp_path, 20, 1, SHOWS_TOO_EARLY + SERVE)


@pytest.mark.long
@pytest.mark.timeout(3 * 3600)
def test_nothing_that_was_shown_is_lost_in_a_thousand_kills(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each run has a new seed, unless MANSE_SEED gives one."""
    seed = int(os.environ.get("MANSE_SEED") or random.SystemRandom().randrange(10**6))
    with capsys.disabled():
        sys.stdout.write(f"\nseed {seed}: {kill_often(tmp_path, KILLS, seed)}\n")
