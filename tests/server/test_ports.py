"""Every port of a running server withstands endless data and endless connections.

The tests use the real `manse serve`, with its port for players, its metrics and the socket of its
operator.
"""

import contextlib
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from server.admin.line import Line
from server.admin.port import FILE_NAME
from server.admin.port import MAX_CONNECTIONS as MAX_OPERATORS
from server.admin.vocabulary import AskOpening, OpeningReport
from server.net.limits import PlaceLimits
from server.process.pages import MAX_CONNECTIONS, MAX_HEAD, SECONDS, Page, PageConnection, PagePort
from tests.server.test_metrics import free_port, page
from tests.server.test_reloading import connected, served

pytestmark = pytest.mark.issue(36)

PATIENCE = 30.0
TAKEN = 16 << 20
"""More bytes than both ends of a connection on one machine buffer for a peer that reads nothing."""
PIECE = 1 << 16


@attrs.frozen
class Ports:
    """A running server."""

    home: Path
    game: int
    metrics: int

    def open(self, name: str) -> socket.socket:
        """Return a connection to one of its ports."""
        if name == "admin":
            link = socket.socket(socket.AF_UNIX)
            link.settimeout(PATIENCE)
            link.connect(str(self.home / "server" / FILE_NAME))
            return link
        if name == "players":
            return connected(self.game)
        port = self.metrics if name == "metrics" else self.game
        return socket.create_connection(("127.0.0.1", port), PATIENCE)

    def answers(self) -> None:
        """Check that each port still works."""
        assert page(self.metrics, "/health") == (200, "ok\n")
        with connected(self.game) as player:
            assert player.recv(1)
        line = Line.to(self.home / "server")
        try:
            line.ask(AskOpening(""), OpeningReport)
        finally:
            line.close()


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ports]:
    """Run a server with everything that listens."""
    # A short path: the name of a socket has a bound.
    home, metrics = tmp_path_factory.mktemp("ports"), free_port()
    (home / "server").mkdir(mode=0o700)
    (home / "server" / "serve.toml").write_text(
        f"[server]\nhost = '127.0.0.1'\nport = 0\n[metrics]\nport = {metrics}\n"
    )
    with served(home) as (_, game):
        yield Ports(home, game, metrics)


def test_a_player_who_sends_without_end_is_cut_off(ports: Ports) -> None:
    """The server reads on while it says goodbye, so that the goodbye arrives."""
    with ports.open("players") as link:
        assert taken(link, b"", b"\0\0\0\1x" * 100, pause=0.01) < TAKEN

    ports.answers()


def taken(link: socket.socket, first: bytes, more: bytes, *, pause: float = 0.0) -> int:
    """Send `first`, then `more` again and again; return how many bytes of `more` were sent.

    It stops when the other side ends the connection, or after 4 * `TAKEN` bytes.
    """
    sent = 0
    with contextlib.suppress(OSError):
        link.sendall(first)
        while sent < 4 * TAKEN:
            link.sendall(more)
            sent += len(more)
            time.sleep(pause)
    return sent


POSTED = b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n"
CHUNKED = b"GET /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
ENDLESS = {
    "a body": ("metrics", POSTED, b"x" * PIECE),
    "chunks": ("metrics", CHUNKED, b"10000\r\n" + b"x" * PIECE + b"\r\n"),
    "a head": ("metrics", b"GET /metrics HTTP/1.1\r\n", b"X-Header: x\r\n" * 5000),
    "one line": ("metrics", b"GET /", b"x" * PIECE),
    "requests": ("metrics", b"", b"GET /health HTTP/1.1\r\n\r\n" * 2000),
    "no TLS": ("game", b"", b"x" * PIECE),
    "an act": ("admin", b"\0\0\xff\xff", b"x" * PIECE),
    "acts": ("admin", b"", b"\0\0\0\1x" * 10_000),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_whoever_sends_without_end_is_cut_off(ports: Ports, what: str) -> None:
    name, first, more = ENDLESS[what]

    with ports.open(name) as link:
        assert taken(link, first, more) < TAKEN

    ports.answers()


def is_open(link: socket.socket) -> bool:
    """True if the other side has not ended the connection."""
    link.settimeout(0.02)
    try:
        while link.recv(PIECE):
            pass
    except (TimeoutError, ssl.SSLWantReadError):
        return True
    except OSError:
        return False
    return False


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("metrics", MAX_CONNECTIONS),
        ("admin", MAX_OPERATORS),
        ("game", PlaceLimits().waiting_per_address),
    ],
)
def test_whoever_opens_without_end_holds_so_many(ports: Ports, name: str, most: int) -> None:
    with contextlib.ExitStack() as links:
        opened = []
        for _ in range(most + 20):
            with contextlib.suppress(OSError):
                opened.append(links.enter_context(ports.open(name)))
        # The last may not have been accepted yet.
        assert any(sum(map(is_open, opened)) <= most for _ in range(20))

    ports.answers()


def test_nothing_else_listens(ports: Ports) -> None:
    """A new port has to be added to these tests."""
    if not Path("/proc/net/tcp").exists():
        pytest.skip("no list of sockets on this system")
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    here = {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A"}
    assert {ports.game, ports.metrics} <= here
    root = Path(__file__).parents[2] / "server"
    listening = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if any(f".{call}(" in path.read_text("utf-8") for call in LISTEN)
    }
    assert listening == {"admin/port.py", "net/listener.py", "process/serving.py"}


LISTEN = ("listenTCP", "listenUNIX", "listenSSL", "adoptStreamPort", "listen")
"""Functions with which Twisted and Python open a port."""


new_transport: Any = StringTransport


def asked(request: bytes) -> bytes:
    """Return the reply to a request."""
    # Twisted does not say what types it has.
    transport: Any = new_transport()
    one: Any = PageConnection({"/x": lambda: Page(200, b"text")}, Clock(), lambda _: None)
    one.makeConnection(transport)
    one.dataReceived(request)
    said: bytes = transport.value()
    return said


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /x HTTP/1.1", b"200"),
        (b"GET /x?query HTTP/1.0", b"200"),
        (b"HEAD /x HTTP/1.1", b"200"),
        (b"GET /y HTTP/1.1", b"404"),
        (b"POST /x HTTP/1.1", b"405"),
        (b"PUT /x HTTP/1.1", b"405"),
        (b"GET /x", b"400"),
        (b"GET /x HTTP/2", b"400"),
        (b"", b"400"),
        (b"\xff\xfe\0", b"400"),
        (b"GET /x HTTP/1.1\r\ncontent-LENGTH: 5", b"413"),
        (b"GET /x HTTP/1.1\r\nA: " + b"a" * MAX_HEAD, b"431"),
    ],
)
def test_a_request_is_answered_or_refused(request_line: bytes, status: bytes) -> None:
    said = asked(request_line + b"\r\n\r\n")

    assert said.startswith(b"HTTP/1.1 " + status)
    is_shown = status == b"200" and request_line.startswith(b"GET")
    assert said.endswith(b"\r\n\r\ntext") == is_shown


def test_what_follows_a_request_is_refused() -> None:
    assert asked(b"GET /x HTTP/1.1\r\n\r\nbody").startswith(b"HTTP/1.1 413")


def test_a_connection_ends_in_time() -> None:
    for pieces in ([], [b"GET"], [b"GET /x HTTP/1.1\r\n\r\n"]):
        clock, transport = Clock(), new_transport()
        one: Any = PageConnection({"/x": lambda: Page(200, b"text")}, clock, lambda _: None)
        one.makeConnection(transport)
        for piece in pieces:
            clock.advance(SECONDS / 4)
            one.dataReceived(piece)
        clock.advance(SECONDS)
        assert transport.disconnected


def test_only_so_many_are_connected() -> None:
    port = PagePort({}, Clock())
    made = [port.buildProtocol(None) for _ in range(MAX_CONNECTIONS)]
    assert port.buildProtocol(None) is None
    assert made[0] is not None

    made[0].connectionLost()

    assert port.buildProtocol(None) is not None
