"""
A line: one connection to a server, from TCP to its end.

It moves bytes between Twisted and the machines that know what they mean; what follows from them
is for its owner, the `client.net.connection`, to say.
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
    """Who is told what happens on a line. After `line_lost` nothing more comes."""

    def line_secured(self, line: "LineProtocol") -> None:
        """TLS is there; the login begins."""

    def line_ready(self, line: "LineProtocol", login: ClientLogin) -> None:
        """The login is done: `login.welcomed` and `login.identity` are known."""

    def line_said(self, line: "LineProtocol", message: ServerMessage) -> None:
        """The server said something."""

    def line_lost(self, line: "LineProtocol", code: str, reason: str) -> None:
        """It is over; the code is empty where the network alone is to blame."""

    def line_refused(self, line: "LineProtocol", wrong: WrongIdentity) -> None:
        """Another server answered than the pinned one; nothing was sent to it."""


@implementer(IHandshakeListener)
class LineProtocol(TwistedProtocol):
    """One connection, over a Twisted transport."""

    def __init__(self, owner: Owner, start_login: Callable[[object], ClientLogin]) -> None:
        """
        Prepare for a connection.

        Args:
            owner: is told what happens.
            start_login: makes the machine of the login, given the transport with TLS on it.
        """
        self._owner = owner
        self._start_login = start_login
        self._login: ClientLogin | None = None
        self._frames = FrameDecoder()
        self._brief = BriefReader()
        self._is_open = False
        self._end = ("", "")

    def send(self, message: ClientMessage) -> None:
        """Say something; only once the line is ready."""
        self._transport.write(encode_frame(encode_message(message)))

    def close(self) -> None:
        """End the connection once everything said is sent."""
        self._is_open = False
        if self.transport is not None:
            self._transport.loseConnection()

    def abort(self, code: str, reason: str) -> None:
        """End the connection now; `line_lost` follows with this reason."""
        self._is_open = False
        self._end = (code, reason)
        if self.transport is not None:
            self._transport.abortConnection()

    def connectionMade(self) -> None:
        """TCP is there; TLS begins."""
        if ITCPTransport.providedBy(self.transport):
            cast("Any", self.transport).setTcpNoDelay(True)

    def handshakeCompleted(self) -> None:
        """TLS is there; the server speaks first."""
        self._login = self._start_login(self.transport)
        self._is_open = True
        self._owner.line_secured(self)

    def dataReceived(self, data: bytes) -> None:
        """Bytes came; take what is whole."""
        try:
            payload = self._frames.feed_one(data) if self._is_open else None
            while payload is not None:
                self._take(payload)
                payload = self._frames.feed_one() if self._is_open else None
        except ProtocolError as error:
            if isinstance(error, WrongIdentity):
                self._owner.line_refused(self, error)
            if self._is_open:
                self.abort(error.code, str(error))

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """It is over."""
        self._is_open = False
        code, why = self._end
        self._owner.line_lost(self, code, why or cause_of(reason))

    @property
    def _transport(self) -> Transport:
        return cast("Transport", self.transport)

    def _take(self, payload: bytes) -> None:
        if self._login is None:
            return
        if self._login.state is not ClientState.WELCOMED:
            self._go_on_with(self._login, payload)
            return
        message = self._brief.read(decode_message(payload, Sender.SERVER))
        if isinstance(message, Goodbye):
            self._end = (message.code, cause_said(message.code, message.reason))
            self.close()
        else:
            self._owner.line_said(self, message)

    def _go_on_with(self, login: ClientLogin, payload: bytes) -> None:
        answer = login.receive(payload)
        if answer is not None:
            self._transport.write(encode_frame(answer))
        elif login.refused is not None:
            code = code_of(login.refused)
            self._end = (code, cause_said(code, login.refused.reason))
            self.close()
        else:
            self._frames.raise_limit(LIMIT_AFTER_LOGIN)
            self._owner.line_ready(self, login)
