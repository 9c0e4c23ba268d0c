"""
Pages for programs that monitor the server, by a small part of HTTP.

Only GET and HEAD are answered. A connection is one request: a head of at most `MAX_HEAD` bytes, no
body, one answer, the end. Nothing beyond that head is kept, on disk or in memory, so nobody who
reaches the port can use up either.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

import attrs
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.python.failure import Failure

from protocol.seams import Clock, DelayedCall

MAX_HEAD: Final = 1024
"""Maximum bytes of a request: its first line, its headers and the empty line."""
MAX_CONNECTIONS: Final = 16
"""Maximum number of connections; a further one is closed at once."""
SECONDS: Final = 10.0
"""Seconds from the accept to the end of the connection, however slow the peer is."""

_END: Final = b"\r\n\r\n"
_PLAIN: Final = "text/plain; charset=utf-8"
_REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}


@attrs.frozen
class Page:
    """The answer to a request."""

    status: int
    text: bytes
    kind: str = _PLAIN


Pages = Mapping[str, Callable[[], Page]]
"""Functions that make a page, by path."""


def answer(head: bytes, pages: Pages) -> tuple[Page, bool]:
    """Return the page for the head of a request, and True if its body is sent (False for HEAD)."""
    line, *headers = head.decode("latin-1").split("\r\n")
    names = {header.partition(":")[0].strip().lower(): header for header in headers}
    words = line.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        return _wrong(400), True
    method, path = words[0], words[1].partition("?")[0]
    if method not in {"GET", "HEAD"}:
        return _wrong(405), True
    if {"content-length", "transfer-encoding"} & names.keys():
        return _wrong(413), True
    make = pages.get(path)
    return (_wrong(404) if make is None else make()), method == "GET"


def _wrong(status: int) -> Page:
    return Page(status, f"{_REASONS[status].lower()}\n".encode())


class PageConnection(Protocol):
    """One connection: one request, one answer."""

    def __init__(
        self, pages: Pages, clock: Clock, when_lost: Callable[["PageConnection"], None]
    ) -> None:
        """Wait for a request. `when_lost` is called at the end of the connection."""
        self._pages = pages
        self._clock = clock
        self._when_lost = when_lost
        self._head = b""
        self._is_answered = False
        self._timer: DelayedCall | None = None

    def connectionMade(self) -> None:
        self._timer = self._clock.callLater(SECONDS, self._abort)

    def dataReceived(self, data: bytes) -> None:
        """Answer once the head is complete; ignore everything after the head."""
        if self._is_answered:
            return
        # One byte beyond the limit shows that the head is too long; more would fill the memory.
        self._head += data[: MAX_HEAD + 1 - len(self._head)]
        head, end, more = self._head.partition(_END)
        if end:
            # Whatever follows is a body, or a second request on one connection.
            self._say(*((_wrong(413), True) if more else answer(head, self._pages)))
        elif len(self._head) > MAX_HEAD:
            self._say(_wrong(431), is_whole=True)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: ARG002 (Twisted's)
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._when_lost(self)

    def _say(self, page: Page, is_whole: bool) -> None:  # noqa: FBT001 (of `answer`)
        self._is_answered, self._head = True, b""
        lines = (
            f"HTTP/1.1 {page.status} {_REASONS[page.status]}",
            f"Content-Type: {page.kind}",
            f"Content-Length: {len(page.text)}",
            *(("Allow: GET, HEAD",) if page.status == 405 else ()),
            "Connection: close",
        )
        transport = cast("Any", self.transport)
        transport.write("\r\n".join(lines).encode("ascii") + _END)
        if is_whole:
            transport.write(page.text)
        transport.loseConnection()

    def _abort(self) -> None:
        cast("Any", self.transport).abortConnection()


class PagePort(Factory):
    """Makes the connections, up to `MAX_CONNECTIONS`."""

    noisy = False

    def __init__(self, pages: Pages, clock: Clock) -> None:
        self._pages = pages
        self._clock = clock
        self._connections: set[PageConnection] = set()

    def buildProtocol(self, addr: Any) -> PageConnection | None:  # noqa: ARG002 (Twisted's)
        """Return a new connection; None at MAX_CONNECTIONS."""
        if len(self._connections) >= MAX_CONNECTIONS:
            return None
        connection = PageConnection(self._pages, self._clock, self._connections.discard)
        self._connections.add(connection)
        return connection
