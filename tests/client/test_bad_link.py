"""A real client on a real terminal, and a real server, with a bad link in between."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import attrs
import pytest

from tests.client.test_server_goes import begin, line_at_cursor
from tests.kit.terminals.bad_link import BadLink, bad_link
from tests.kit.terminals.on_pty import Pty, on_pty
from tests.server.test_kill import serve

_PLAY = """
import sys
from functools import partial
from client.commands import cli
from client.terminal import runner
from client.net.connection import Connection, ConnectionTimes
pace = ConnectionTimes(ping_seconds=0.5, settled_seconds=0.5, silence_seconds=3)
runner.Connection = partial(Connection, pace=pace)
sys.exit(cli.play(sys.argv[1:]))
"""
"""`manse play` with short time limits: the tests check that it notices, not when."""
_DOWN = "\x1b[B"
_DELAY = re.compile(r"online (\d+) ms")


@attrs.define(eq=False)
class Player:
    """A client on a real terminal, with the second choice of a question under the cursor."""

    terminal: Pty
    link: BadLink

    def until(self, test: Callable[[], bool]) -> None:
        """Wait until a condition on the screen holds."""
        # Pings draw without end, so that reading alone never fails.
        end = time.monotonic() + 60
        while not test():
            is_in_time = time.monotonic() < end
            assert is_in_time and self.terminal.read(30), self.terminal.text  # noqa: PT018 (one)

    def delay(self) -> int:
        """Return the delay in milliseconds that the status line shows, or -1 if it shows none."""
        found = _DELAY.search(self.terminal.text)
        return int(found[1]) if found else -1

    def until_back_at(self, standing: tuple[str, str]) -> None:
        """Wait until the given question is shown again and the connection is back."""
        self.until(lambda: self.delay() >= 0 and self.standing == standing)

    def go_down(self) -> None:
        """Move the cursor to the second choice once the first is under it."""
        self.until(lambda: line_at_cursor(self.terminal).startswith(">1"))
        self.terminal.type(_DOWN)
        self.until(lambda: ">2" in line_at_cursor(self.terminal))

    def answer(self) -> None:
        """Choose what is under the cursor, and wait for the next question."""
        before = self.standing
        self.terminal.type("\r")
        self.until(lambda: self.standing[0] != "" and self.standing != before)

    @property
    def standing(self) -> tuple[str, str]:
        """Return the line below the heading of the choices, and the choice under the cursor."""
        _, _, below = self.terminal.text.partition("─ Your choice")
        asked = "".join(below.split("\n")[1:2]).split("│")[0].strip()
        return asked, line_at_cursor(self.terminal)


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    """Yield a player with an open question, over a link that works."""
    with ExitStack() as stack:
        _, told = serve(stack, tmp_path / "server", 0)
        link = stack.enter_context(bad_link(told["port"]))
        reach = ("--server", f"127.0.0.1:{link.port}", "--fingerprint", told["fingerprint"])
        terminal = stack.enter_context(on_pty(_PLAY, *reach, "--solo", home=tmp_path / "home"))
        begin(terminal)
        one = Player(terminal, link)
        one.go_down()
        yield one
        terminal.type("\x03")
        assert terminal.end() == 0
        assert terminal.is_restored()


def test_over_a_slow_link_a_question_is_answered_and_the_delay_is_shown(player: Player) -> None:
    player.link.delay = 0.15
    player.until(lambda: player.delay() >= 300)
    player.answer()

    player.link.is_crumbling = True
    player.go_down()
    player.answer()
    player.link.delay = 0.0
    player.until(lambda: 0 <= player.delay() < 300)


def test_after_a_break_the_client_comes_back_to_the_same_question(player: Player) -> None:
    standing = player.standing

    player.link.is_broken = True
    player.link.snap()
    player.terminal.wait_for("the connection was lost")
    player.until(lambda: player.standing == standing)
    player.terminal.wait_for("OFFLINE, again in 2 s")

    player.link.is_broken = False
    player.until_back_at(standing)
    player.answer()


def test_a_link_that_died_unnoticed_is_noticed_by_its_silence(player: Player) -> None:
    """An answer sent into the dead link is lost, so the question is open after reconnecting."""
    standing = player.standing

    player.link.is_dead = True
    player.terminal.type("\r")
    # What takes the next attempt says nothing either.
    player.terminal.wait_for("Trying to reach the server again")
    assert player.link.swallowed

    player.link.is_dead = False
    player.link.snap()
    player.until_back_at(standing)
    player.answer()
