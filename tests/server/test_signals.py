"""Signals that end a server."""

import io
import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from twisted.internet.error import ReactorNotRunning
from twisted.internet.task import Clock

from server.commands import cli
from server.process import serving
from tests.server.test_kill import _BOT, PATIENCE, running, serve, stored_in

QUICK_SECONDS = 20.0
"""Far less than systemd waits (`TimeoutStopSec`), and far more than it takes."""

pytestmark = pytest.mark.issue(38)


class _Reactor(Clock):
    """A reactor that can be stopped once, like Twisted's."""

    running = True
    stops = 0

    def callFromThread(self, do: Callable[[], object]) -> None:  # noqa: N802 (Twisted's name)
        do()

    def stop(self) -> None:
        if self.stops:
            raise ReactorNotRunning("Can't stop reactor that isn't running.")
        self.stops += 1


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Begin with Python's own signal handlers, and restore those of this process."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    # A shell starts what runs in its background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_while_a_server_stops_is_no_error(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service manager, or an impatient operator, may send several."""

    async def open_nothing(*_: object, **__: object) -> object:
        raise RuntimeError("there is nothing to open")

    monkeypatch.setattr(serving, "open_server", open_nothing)
    parser, reactor = cli._parser([]), _Reactor()
    options = cli.options_of(parser, [])
    chosen = serving.configured(options)
    life = serving._Life(options, chosen, io.StringIO(), parser.words, reactor)
    life._begin()
    reactor.stops, life._is_stopping = 0, False

    for _ in range(3):
        signal.raise_signal(number)

    assert reactor.stops == 1


# A real server ----------------------------------------------------------------------------------


def test_two_signals_in_a_game_end_the_server_at_once_and_lose_nothing(tmp_path: Path) -> None:
    options = ("--json", "--verbose", "--seed", "1")
    with ExitStack() as stack:
        server, told = serve(stack, tmp_path / "server", 0)
        reach = ("--server", f"{told['host']}:{told['port']}", "--fingerprint", told["fingerprint"])
        table = ("--open", "core/sluice-house", "--party", "2")
        host = stack.enter_context(running(_BOT, *table, *reach, *options, home=tmp_path / "host"))
        invitation = json.loads(host.line_with("invitation"))["invitation"]
        guest = stack.enter_context(running(_BOT, invitation, *options, home=tmp_path / "guest"))
        host.line_with("Round 1")
        began = time.monotonic()
        for _ in range(2):
            server.popen.send_signal(signal.SIGTERM)

        assert server.popen.wait(PATIENCE) == 0
        assert time.monotonic() - began < QUICK_SECONDS
        assert (tmp_path / "server" / "complaints.txt").read_text() == ""
        before = stored_in(tmp_path / "server")
        server, _ = serve(stack, tmp_path / "server", told["port"])
        for bot in (host, guest):
            bot.line_with("Round 2")
        server.kill()
        after = stored_in(tmp_path / "server")

    assert len(after) > len(before)
    assert after[: len(before)] == before
