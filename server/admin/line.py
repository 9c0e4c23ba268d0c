"""The operator's end of the socket: sends requests and waits for each reply."""

import socket
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

import attrs

from protocol.errors import ProtocolError
from protocol.frames import LIMIT_AFTER_LOGIN, FrameDecoder
from server.admin.port import FILE_NAME
from server.admin.vocabulary import (
    AskBans,
    AskOpening,
    AskPeople,
    AskTables,
    BanLine,
    BanReport,
    No,
    OpeningReport,
    PeopleReport,
    PersonLine,
    Reply,
    Request,
    TableLine,
    TableReport,
    decode,
    encode,
)

R = TypeVar("R", bound=Reply)
PageT = TypeVar("PageT", TableReport, PeopleReport, BanReport, OpeningReport)
K = TypeVar("K")
L = TypeVar("L")

PATIENCE_SECONDS: Final = 60.0
_BYTES_AT_ONCE: Final = 65536


class NoServer(Exception):
    """The server cannot be reached. `kind` selects the words that explain why."""

    def __init__(self, kind: str, *params: object) -> None:
        super().__init__(kind, *params)
        self.kind, self.params = kind, params


class Refused(Exception):
    """The server replied `No`."""

    def __init__(self, no: No) -> None:
        super().__init__(no.code)
        self.no = no


@attrs.define(eq=False)
class Line:
    """A connection to a server that runs on this machine."""

    _socket: socket.socket
    _frames: FrameDecoder = attrs.field(init=False, factory=lambda: FrameDecoder(LIMIT_AFTER_LOGIN))

    @classmethod
    def to(cls, folder: Path) -> "Line":
        """Connect to the server of a folder. NoServer: none runs, or it cannot be reached."""
        path = folder / FILE_NAME
        if not hasattr(socket, "AF_UNIX"):
            raise NoServer("no_sockets")
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        link.settimeout(PATIENCE_SECONDS)
        try:
            link.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError) as error:
            link.close()
            raise NoServer("not_running", folder) from error
        except OSError as error:
            link.close()
            raise NoServer("unreachable", path, error) from error
        return cls(link)

    def close(self) -> None:
        self._socket.close()

    def ask(self, request: Request, kind: type[R], patience: float | None = PATIENCE_SECONDS) -> R:
        """
        Send a request and return its reply.

        Args:
            request: the request.
            kind: expected class of the reply.
            patience: seconds to wait for the answer; None waits for ever.

        Raises:
            Refused: the server replied `No`.
            NoServer: the server is gone, takes too long, or sends a malformed reply.
        """
        self._socket.settimeout(patience)
        try:
            self._socket.sendall(encode(request))
            payload = self._frames.feed_one()
            while payload is None:
                data = self._socket.recv(_BYTES_AT_ONCE)
                if not data:
                    raise ConnectionResetError("the server closed the connection")
                payload = self._frames.feed_one(data)
            reply = decode(payload)
        except ProtocolError as error:
            raise NoServer("garbled", error) from error
        except OSError as error:
            raise NoServer("gone", error) from error
        if isinstance(reply, No):
            raise Refused(reply)
        if not isinstance(reply, kind):
            raise NoServer("garbled", type(reply).__name__)
        return reply

    def tables(self, *, with_finished: bool = False) -> Iterator[TableLine]:
        """Yield tables by id; finished tables only if `with_finished`."""
        return self._all_pages(
            "",
            lambda after: self.ask(AskTables(after, with_finished), TableReport),
            lambda report: report.lines,
            lambda line: line.room_id,
        )

    def people(self) -> Iterator[PersonLine]:
        """Yield all sessions in the order of their logins."""
        return self._all_pages(
            -1,
            lambda after: self.ask(AskPeople(after), PeopleReport),
            lambda report: report.lines,
            lambda line: line.number,
        )

    def bans(self) -> Iterator[BanLine]:
        """Yield all bans, sorted by the banned fingerprint or network."""
        return self._all_pages(
            "",
            lambda after: self.ask(AskBans(after), BanReport),
            lambda report: report.lines,
            lambda line: line.whom,
        )

    def listed(self) -> Iterator[str]:
        """Yield the fingerprints of the keys that may open tables under every policy."""
        return self._all_pages(
            "",
            lambda after: self.ask(AskOpening(after), OpeningReport),
            lambda report: report.listed,
            lambda fingerprint: fingerprint,
        )

    @staticmethod
    def _all_pages(
        first: K,
        fetch: Callable[[K], PageT],
        lines_of: Callable[[PageT], Sequence[L]],
        key_of: Callable[[L], K],
    ) -> Iterator[L]:
        """
        Yield the lines of a report, which is fetched in pages.

        The first page is requested from the key `first` on, each later one after the last line.
        """
        after, is_last = first, False
        while not is_last:
            page = fetch(after)
            lines = lines_of(page)
            yield from lines
            # An empty page ends the list, so that a faulty server cannot keep us asking.
            is_last = page.is_last or not lines
            after = key_of(lines[-1]) if lines else after
