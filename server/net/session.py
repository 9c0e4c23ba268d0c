"""
A session: one connection, from the TCP accept to its end.

A session connects Twisted with the machines that interpret bytes (`protocol.frames`,
`protocol.login`, `protocol.messages`) and with its own: `Incoming`, `Outgoing` and `Deadline`. It
passes through the phases of `SessionPhase` in order. A fault of the peer ends this connection and
affects no other. The scheduler decides when a message is handled, but limits count the message at
the time when it was read.
"""

import enum
from collections.abc import Callable, Iterable
from typing import Any, Final, cast

from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import IHandshakeListener, IPushProducer, ITCPTransport
from twisted.internet.protocol import Protocol, connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure
from zope.interface import implementer

from protocol.bounds import MAX_REASON
from protocol.errors import ProtocolError
from protocol.frames import LIMIT_AFTER_LOGIN, encode_frame
from protocol.login import NONCE_BYTES, ServerLogin, ServerState
from protocol.messages import (
    Goodbye,
    Ping,
    Pong,
    Sender,
    ServerMessage,
    decode_message,
    encode_message,
)
from server.net.context import SessionContext
from server.net.deadline import Deadline
from server.net.gate import Refusal
from server.net.handler import Account
from server.net.inbox import ReadTime
from server.net.incoming import Incoming
from server.net.limits import Bucket
from server.net.outgoing import Outgoing
from server.net.scheduling import Party
from server.net.seams import PausableTransport

BUSY_SECONDS: Final = 1.0
"""Grace period after a deadline while a message is still waiting to be handled."""


class SessionPhase(enum.Enum):
    """Phase of a session, from TLS handshake to closed."""

    HANDSHAKE = "handshake"
    """The TLS handshake is in progress."""
    LOGIN = "login"
    OPEN = "open"
    CLOSING = "closing"
    """The server has sent its goodbye and reads no more."""
    CLOSED = "closed"


@implementer(IHandshakeListener, IPushProducer)
class WireSession(Protocol):
    """A `Session` over a Twisted transport."""

    _log = Logger()

    def __init__(
        self,
        context: SessionContext,
        peer: str,
        *,
        network: str = "",
        when_lost: Callable[["WireSession"], None],
        when_secured: Callable[[], None] = lambda: None,
        admit: Callable[[bytes], Refusal | None] = lambda _: None,
    ) -> None:
        """
        Prepare for a connection.

        Args:
            context: shared with other sessions.
            peer: the address, for the log.
            network: the unit by which addresses are counted, such as a /64 of IPv6.
            when_lost: called once when the connection has ended.
            when_secured: called once after the TLS handshake.
            admit: called once with the key of a valid login; returns the refusal, or None.
        """
        self._context = context
        self._peer = peer
        self._network = network
        self._when_lost = when_lost
        self._when_secured = when_secured
        self._admit = admit
        self._phase = SessionPhase.HANDSHAKE
        self._party = Party(network, self)
        limits = context.limits
        self._incoming = Incoming(context, lambda: self._transport)
        self._outgoing = Outgoing(
            context, self._party, self._write, self._drop_slow, self._fail_stream
        )
        self._deadline = Deadline(context.clock, self._time_is_up)
        self._bucket = Bucket(limits.messages_per_second, limits.messages_at_once)
        self._login: ServerLogin | None = None
        self._account: Account | None = None
        self._is_scheduled = False
        """True if the scheduler was asked to handle received bytes."""
        self._accepted = self._heard = ReadTime(0.0)
        self.number = -1
        """Serial number since the start of the listener; operators see it."""

    def __repr__(self) -> str:
        return f"<WireSession {self._peer} {self._phase.value}>"

    # For the lobby -----------------------------------------------------------------------

    @property
    def phase(self) -> SessionPhase:
        return self._phase

    @property
    def account(self) -> Account:
        """Owner of the session. RuntimeError: nobody has logged in yet."""
        if self._account is None:
            raise RuntimeError("nobody has logged in here")
        return self._account

    @property
    def peer(self) -> str:
        """Address of the peer, as operators see it."""
        return self._peer

    @property
    def network(self) -> str:
        return self._network

    def in_turn(self, work: Callable[[], None]) -> None:
        """Run work for this session when the scheduler reaches its turn."""
        self._context.scheduler.urgent(self._party, work)

    def send(self, message: ServerMessage) -> None:
        self._outgoing.send(message)

    def stream(self, messages: Iterable[ServerMessage]) -> None:
        self._outgoing.stream(messages)

    def close(self, code: str, reason: str) -> None:
        if self._phase is SessionPhase.OPEN:
            self._end(encode_message(Goodbye(code, reason[:MAX_REASON])))
        elif self._phase in {SessionPhase.HANDSHAKE, SessionPhase.LOGIN}:
            if self._login is not None and self._login.state is ServerState.AWAITING_LOGIN:
                self._end(self._login.refuse(code, reason))
            else:
                self._abort()

    def drop(self) -> None:
        """End the connection now, without a goodbye: its place is needed."""
        self._log.info("{session}: makes way", session=self)
        self._abort()

    # From Twisted ------------------------------------------------------------------------

    def connectionMade(self) -> None:
        """Start the deadline of the TLS handshake: TCP is connected."""
        # Nagle's algorithm would hold back small frames.
        if ITCPTransport.providedBy(self.transport):
            cast("Any", self.transport).setTcpNoDelay(True)
        self._context.standstill.enter()
        self._accepted = self._heard = self._incoming.now()
        self._arm(self._context.limits.handshake_seconds)

    def handshakeCompleted(self) -> None:
        """Begin the login after the TLS handshake; the server sends first."""
        self._when_secured()
        self._transport.registerProducer(self, True)
        self._login = ServerLogin(
            self._context.identity,
            self._context.read_exporter(self.transport),
            self._context.new_bytes(NONCE_BYTES),
            self._context.server_name,
            self._context.public_address,
        )
        self._phase = SessionPhase.LOGIN
        # Counted from the accept: a slow handshake leaves less time for the login.
        elapsed = self._incoming.now().since(self._accepted)
        self._arm(max(0.0, self._context.limits.login_seconds - elapsed))
        self._write(encode_frame(self._login.hello()))

    def dataReceived(self, data: bytes) -> None:
        """Keep received bytes, and schedule a turn in which whole messages are handled."""
        if not self._is_listening:
            return
        self._incoming.put(data)
        self._schedule()
        self._incoming.pause_if_full()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        was_known = self._account is not None
        self._phase = SessionPhase.CLOSED
        self._deadline.disarm()
        self._context.standstill.leave()
        self._incoming.inbox.clear()
        self._outgoing.close()
        if not isinstance(reason.value, ConnectionDone):
            self._log.debug("{session}: {why}", session=self, why=reason.getErrorMessage())
        try:
            # The handler learns only of the end of sessions that it has served.
            if was_known:
                self._call_handler(lambda: self._context.handler.disconnected(self))
        # The gate counts the connection until this call, which must not be missed.
        finally:
            self._when_lost(self)

    def pauseProducing(self) -> None:
        self._outgoing.pause()

    def resumeProducing(self) -> None:
        self._outgoing.resume()

    def stopProducing(self) -> None:
        self._outgoing.pause()

    # Messages ----------------------------------------------------------------------------

    @property
    def _transport(self) -> PausableTransport:
        return cast("PausableTransport", self.transport)

    @property
    def _is_listening(self) -> bool:
        # Two comparisons: a set would hash the enum member, and this runs for each message.
        return self._phase is SessionPhase.OPEN or self._phase is SessionPhase.LOGIN

    def _write(self, frame: bytes) -> None:
        self._context.traffic.sent += len(frame)
        self._transport.write(frame)

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self.in_turn(self._work)

    def _work(self) -> None:
        """Handle one message, then let other sessions have their turn."""
        self._is_scheduled = False
        try:
            # After a goodbye nothing that was received counts.
            taken = self._incoming.inbox.take() if self._is_listening else None
            if taken is not None:
                self._handle(*taken)
        except ProtocolError as error:
            self._log.info(
                "{session}: {code}: {reason}", session=self, code=error.code, reason=str(error)
            )
            self._context.traffic.when_refused(error.code)
            self.close(error.code, str(error))
            return
        if taken is not None and self._is_listening:
            self._schedule()
        else:
            self._incoming.read_on()

    def _handle(self, payload: bytes, came: ReadTime) -> None:
        # The time of reading, not of handling: delays of the server harm no client.
        self._heard = came
        if self._phase is SessionPhase.LOGIN:
            self._bucket.begin(came.seconds, came.held)
            self._let_in(payload)
            return
        if not self._bucket.take(came.seconds, came.held):
            self.close("limit/messages", "too many messages; slow down")
            return
        message = decode_message(payload, Sender.CLIENT)
        if isinstance(message, Ping):
            self.send(Pong(message.serial))
        else:
            self._call_handler(lambda: self._context.handler.received(self, message))

    def _let_in(self, payload: bytes) -> None:
        assert self._login is not None
        claim = self._login.receive(payload)
        # After the proof of the key: otherwise anybody could use up the places of another's key.
        if (refusal := self._admit(claim.key)) is not None:
            self._log.info("{session}: {code}", session=self, code=refusal.code)
            self._context.traffic.when_refused(refusal.code)
            self._end(self._login.refuse(refusal.code, refusal.reason))
            return
        # Written before anything that the handler sends.
        self._write(encode_frame(self._login.welcome()))
        self._account = Account(claim.key, claim.name, claim.language)
        # Before the login only small frames are accepted.
        self._incoming.inbox.frames.raise_limit(LIMIT_AFTER_LOGIN)
        self._phase = SessionPhase.OPEN
        self._outgoing.is_open = True
        self._log.info("{session}: logged in", session=self)
        self._arm(self._context.limits.idle_seconds)
        self._call_handler(lambda: self._context.handler.connected(self))

    def _call_handler(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception:  # noqa: BLE001 (one session's fault must not end the server)
            self._log.failure("{session}: the handler raised", session=self)
            self.close("server/error", "the server made a mistake; its log says more")

    # The end -----------------------------------------------------------------------------

    def _drop_slow(self, why: str) -> None:
        self._log.info("{session}: too slow: {why}", session=self, why=why)
        self._abort()

    def _fail_stream(self) -> None:
        self._log.failure("{session}: a stream raised", session=self)
        self.close("server/error", "the server made a mistake; its log says more")

    def _end(self, last: bytes) -> None:
        self._phase = SessionPhase.CLOSING
        self._incoming.inbox.clear()
        self._outgoing.close()
        # TLS has to read the peer's last bytes to close.
        self._incoming.read_on()
        self._write(encode_frame(last))
        # With a producer registered, TLS would wait for more from it.
        self._transport.unregisterProducer()
        self._transport.loseConnection()
        self._arm(self._context.limits.close_seconds)

    def _abort(self) -> None:
        self._phase = SessionPhase.CLOSING
        self._outgoing.close()
        self._deadline.disarm()
        self._transport.abortConnection()

    def _arm(self, seconds: float) -> None:
        self._deadline.arm(seconds, self._incoming.now())

    def _time_is_up(self) -> None:
        """
        End the session if its deadline has passed; otherwise set the timer again.

        Messages only move the deadline: setting a timer for each message would cost too much.
        """
        left = self._seconds_left()
        if left > 0:
            self._arm(left)
        elif self._phase is SessionPhase.OPEN:
            idle_seconds = self._context.limits.idle_seconds
            self.close("limit/idle", f"nothing was heard for {idle_seconds:g} seconds")
        else:
            self._log.debug("{session}: out of time", session=self)
            self._abort()

    def _seconds_left(self) -> float:
        """Return the seconds that the peer has left; time without reading does not count."""
        if self._is_scheduled and self._is_listening:
            return BUSY_SECONDS
        now = self._incoming.now()
        if self._phase is SessionPhase.OPEN:
            return self._context.limits.idle_seconds - now.since(self._heard)
        return now.held - self._deadline.armed_at.held
