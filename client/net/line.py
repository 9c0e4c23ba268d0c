"""
One connection to a server, from TCP to its end.

The line moves bytes between Twisted and the state machines of frames and login. Its owner,
`client.net.connection`, decides about everything else.
"""

from collections.abc import Callable
from typing import Any, Protocol, cast

from twisted.internet.interfaces import IHandshakeListener, ITCPTransport
from twisted.internet.protocol import Protocol as TwistedProtocol
from twisted.internet.protocol import connectionDone
from twisted.python.failure import Failure
from zope.interface import implementer

from client.net.causes import cause_of, cause_said, code_of
from protocol.brief import BriefReader
from protocol.errors import ProtocolError
from protocol.frames import LIMIT_AFTER_LOGIN, FrameDecoder, encode_frame
from protocol.login import ClientLogin, ClientState, WrongIdentity
from protocol.messages import (
    ClientMessage,
    Goodbye,
    Sender,
    ServerMessage,
    decode_message,
    encode_message,
)
from protocol.seams import Transport


class Owner(Protocol):
    """The receiver of the events of a line; the last event is `line_lost`."""

    def line_secured(self, line: "LineProtocol") -> None:
        """Handle the end of the TLS handshake; the login begins."""

    def line_ready(self, line: "LineProtocol", login: ClientLogin) -> None:
        """Handle a successful login; `login.welcomed` and `login.identity` are set."""

    def line_said(self, line: "LineProtocol", message: ServerMessage) -> None: ...

    def line_lost(self, line: "LineProtocol", code: str, reason: str) -> None:
        """Handle the end; the code is empty if the network failed."""

    def line_refused(self, line: "LineProtocol", wrong: WrongIdentity) -> None:
        """
        Handle the end of a connection whose server does not have the pinned identity.

        Nothing was sent to that server.
        """


@implementer(IHandshakeListener)
class LineProtocol(TwistedProtocol):
    """One connection, over a Twisted transport."""

    def __init__(self, owner: Owner, start_login: Callable[[object], ClientLogin]) -> None:
        """
        Prepare for a connection.

        Args:
            owner: receives the events.
            start_login: starts the login on a transport with TLS.
        """
        self._owner = owner
        self._start_login = start_login
        self._login: ClientLogin | None = None
        self._frames = FrameDecoder()
        self._brief = BriefReader()
        self._is_open = False
        self._end = ("", "")

    def send(self, message: ClientMessage) -> None:
        """Send a message, after `line_ready`."""
        self._transport.write(encode_frame(encode_message(message)))

    def close(self) -> None:
        """Close the connection after everything is sent."""
        self._is_open = False
        if self.transport is not None:
            self._transport.loseConnection()

    def abort(self, code: str, reason: str) -> None:
        """Abort the connection; `line_lost` follows with this reason."""
        self._is_open = False
        self._end = (code, reason)
        if self.transport is not None:
            self._transport.abortConnection()

    def connectionMade(self) -> None:
        if ITCPTransport.providedBy(self.transport):
            # Messages are small, and waiting to fill a packet would delay each of them.
            cast("Any", self.transport).setTcpNoDelay(True)

    def handshakeCompleted(self) -> None:
        """Start the login, in which the server speaks first."""
        self._login = self._start_login(self.transport)
        self._is_open = True
        self._owner.line_secured(self)

    def dataReceived(self, data: bytes) -> None:
        """Handle every complete frame."""
        try:
            payload = self._frames.feed_one(data) if self._is_open else None
            while payload is not None:
                self._handle_frame(payload)
                # A message may close the connection; nothing after it counts.
                payload = self._frames.feed_one() if self._is_open else None
        except ProtocolError as error:
            # First: the owner gives up on this line, so that its end causes no retry.
            if isinstance(error, WrongIdentity):
                self._owner.line_refused(self, error)
            if self._is_open:
                self.abort(error.code, str(error))

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        self._is_open = False
        code, why = self._end
        self._owner.line_lost(self, code, why or cause_of(reason))

    @property
    def _transport(self) -> Transport:
        return cast("Transport", self.transport)

    def _handle_frame(self, payload: bytes) -> None:
        if self._login is None:
            return
        if self._login.state is not ClientState.WELCOMED:
            answer = self._login.receive(payload)
            if answer is not None:
                self._transport.write(encode_frame(answer))
            elif self._login.refused is not None:
                code = code_of(self._login.refused)
                self._end = (code, cause_said(code, self._login.refused.reason))
                self.close()
            else:
                # Before the login, a stranger must not make us buffer large frames.
                self._frames.raise_limit(LIMIT_AFTER_LOGIN)
                self._owner.line_ready(self, self._login)
            return
        message = self._brief.read(decode_message(payload, Sender.SERVER))
        if isinstance(message, Goodbye):
            self._end = (message.code, cause_said(message.code, message.reason))
            self.close()
        else:
            self._owner.line_said(self, message)
