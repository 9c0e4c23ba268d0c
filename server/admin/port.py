"""
The socket through which operators reach a running server.

`admin.sock` is in the server's folder, which only the user who runs the server may enter; the peer
must be that user or root. A connection sends requests one after another, and each is answered
before the next is read. A frame outside `server.admin.vocabulary` ends the connection.
"""

import contextlib
import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, cast

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.error import CannotListenError
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure

from protocol.errors import ProtocolError
from protocol.frames import LIMIT_AFTER_LOGIN, FrameDecoder
from server.admin.peer import UnknownPeer, user_of
from server.admin.vocabulary import No, Reply, Request, decode, encode

FILE_NAME: Final = "admin.sock"
MAX_CONNECTIONS: Final = 16
"""Maximum number of connections; a further one is closed at once."""
_ROOT: Final = 0
_MODE: Final = 0o600

AnswerRequest = Callable[[Request, int], Awaitable[Reply]]
"""
Function that answers a request. The number is the user id of the operator in the operating system.
"""


class AdminConnection(Protocol):
    """Connection of one operator: authenticates the peer, reads requests, sends replies."""

    _log = Logger()

    def __init__(
        self, answer: AnswerRequest, when_lost: Callable[["AdminConnection"], None]
    ) -> None:
        self._answer_request = answer
        self._when_lost = when_lost
        self._frames = FrameDecoder(LIMIT_AFTER_LOGIN)
        self._user = -1
        self._early = b""
        """Bytes received while a request was being answered."""
        self._is_busy = False
        self._is_open = False

    def connectionMade(self) -> None:
        """Authenticate the peer; abort the connection unless it is our own user or root."""
        try:
            self._user = user_of(cast("Any", self.transport).getHandle())
        except (UnknownPeer, OSError) as error:
            self._log.warn("admin socket: who connects is not known: {why}", why=str(error))
            self._abort()
            return
        if self._user not in {os.geteuid(), _ROOT}:
            self._log.warn("admin socket: user {user} is refused", user=self._user)
            self._abort()
            return
        self._is_open = True

    def dataReceived(self, data: bytes) -> None:
        if self._is_open:
            self._handle_next(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: ARG002 (Twisted's)
        self._is_open = False
        self._when_lost(self)

    def close(self) -> None:
        """Close the connection once pending replies are sent."""
        self._is_open = False
        cast("Any", self.transport).loseConnection()

    def _handle_next(self, data: bytes = b"") -> None:
        try:
            # One request at a time, so that replies come in the order of requests.
            if self._is_busy:
                self._early += data
                # A peer that does not wait for replies must not fill the memory.
                if len(self._early) > LIMIT_AFTER_LOGIN:
                    raise ProtocolError("too much is asked at once")  # noqa: TRY301
                return
            payload = self._frames.feed_one(data)
            request = None if payload is None else read_request(payload)
        except ProtocolError as error:
            self._say(No("malformed", str(error)[:200]))
            self.close()
            return
        if request is not None:
            self._is_busy = True
            _ = Deferred.fromCoroutine(self._answer(request))

    async def _answer(self, request: Request) -> None:
        try:
            reply = await self._answer_request(request, self._user)
        except Exception:  # noqa: BLE001 (every request gets its reply)
            self._log.failure("an operator's request failed")
            reply = No("failed")
        self._is_busy = False
        if self._is_open:
            self._say(reply)
            # Bytes that came during the request may hold the next one.
            early, self._early = self._early, b""
            self._handle_next(early)

    def _say(self, reply: Reply) -> None:
        cast("Any", self.transport).write(encode(reply))

    def _abort(self) -> None:
        cast("Any", self.transport).abortConnection()


def read_request(payload: bytes) -> Request:
    """Parse a request. ProtocolError: the payload is no request."""
    request = decode(payload)
    if not isinstance(request, Request):
        raise ProtocolError("that is nothing to ask")
    return request


class AdminPort(Factory):
    """Listens on `admin.sock` and keeps the connections of operators."""

    noisy = False
    _log = Logger()

    def __init__(self, folder: Path, reactor: Any, answer: AnswerRequest) -> None:
        self.path = folder / FILE_NAME
        self._reactor = reactor
        self._answer_request = answer
        self._port: Any = None
        self._connections: set[AdminConnection] = set()

    def start(self) -> None:
        """
        Listen on the socket.

        If the system has no Unix sockets, or listening fails, a warning is logged and nobody can
        connect. The caller holds the lock of the store, so a socket in the folder is stale.
        """
        if not hasattr(self._reactor, "listenUNIX"):
            self._log.warn("no admin socket: this system has none, so manse admin cannot be used")
            return
        try:
            with contextlib.suppress(FileNotFoundError):
                # Only a stale socket is removed, never another file of this name.
                if not stat.S_ISSOCK(self.path.lstat().st_mode):
                    raise FileExistsError(f"{self.path} is something else")
                self.path.unlink()
            self._port = self._reactor.listenUNIX(str(self.path), self, mode=_MODE)
        except (OSError, CannotListenError) as error:
            self._log.warn("no admin socket: {why}", why=str(error))

    def buildProtocol(self, addr: Any) -> AdminConnection | None:  # noqa: ARG002 (Twisted's)
        """Return a new connection; None at MAX_CONNECTIONS."""
        if len(self._connections) >= MAX_CONNECTIONS:
            return None
        connection = AdminConnection(self._answer_request, self._connections.discard)
        self._connections.add(connection)
        return connection

    async def stop(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            await maybeDeferred(port.stopListening)
        for connection in tuple(self._connections):
            connection.close()
