"""Signals that end a server."""

import io
import signal
from collections.abc import Callable, Iterator

import pytest
from twisted.internet.error import ReactorNotRunning
from twisted.internet.task import Clock

from server.commands import cli
from server.process import serving

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
