"""
A session: one connection, from the TCP accept to its end.

It moves bytes between Twisted and the machines that know what they mean (`protocol.frames`,
`protocol.login`, `protocol.messages`), keeps the limits, and passes messages to `SessionHandler`.
A fault of the peer ends this connection and affects no other. Each message is dealt with when the
scheduler says so, but held against its sender by the time at which it was read.
"""

import enum
from collections.abc import Callable, Iterable
from typing import Any, Final, cast

import attrs
from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import IHandshakeListener, IPushProducer, ITCPTransport
from twisted.internet.protocol import Protocol, connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure
from zope.interface import implementer

from protocol.bounds import MAX_REASON
from protocol.brief import BriefWriter, segments_of
from protocol.errors import ProtocolError
from protocol.frames import LIMIT_AFTER_LOGIN, encode_frame
from protocol.keys import SigningKey
from protocol.login import NONCE_BYTES, ServerLogin, ServerState
from protocol.messages import (
    Goodbye,
    Ping,
    Pong,
    Records,
    Sender,
    ServerMessage,
    decode_message,
    encode_message,
)
from protocol.seams import Clock, DelayedCall
from server.net.gate import Refusal
from server.net.handler import Account, PackedRecords, SessionHandler
from server.net.inbox import Inbox, ReadTime
from server.net.limits import Bucket, Limits
from server.net.outbox import Backlog, Outbox, Overflow
from server.net.scheduling import FairScheduler, Party
from server.net.seams import PausableTransport
from server.net.shared_encoding import SharedEncoding
from server.net.standstill import Standstill

BUSY_SECONDS: Final = 1.0
"""How long a session is left in peace whose time is up while something it said still waits."""


class SessionPhase(enum.Enum):
    """How far a session is."""

    HANDSHAKE = "handshake"
    """TLS is being negotiated."""
    LOGIN = "login"
    OPEN = "open"
    CLOSING = "closing"
    """We said goodbye and read no more."""
    CLOSED = "closed"


@attrs.define(eq=False)
class Traffic:
    """What went over all connections since the start: bytes of frames, before TLS."""

    received: int = 0
    sent: int = 0
    when_refused: Callable[[str], None] = lambda _: None
    """Is told the code of each login that is refused, and of each fault that ends a session."""


@attrs.frozen
class SessionContext:
    """What all sessions of one listener share."""

    identity: SigningKey
    handler: SessionHandler
    clock: Clock
    new_bytes: Callable[[int], bytes] = attrs.field(repr=False)
    """The entropy source: so many random bytes."""
    read_exporter: Callable[[object], bytes] = attrs.field(repr=False)
    server_name: str = "Manse"
    public_address: str = ""
    """Where others reach this server, for invitations; empty if unknown."""
    limits: Limits = attrs.field(factory=Limits)
    refusal_of: Callable[[bytes, str], Refusal | None] = lambda _key, _address: None
    """Why a key is not let in from an address, however much room there is; None where it is."""
    scheduler: FairScheduler = attrs.field()
    standstill: Standstill = attrs.field()
    traffic: Traffic = attrs.field(factory=Traffic, kw_only=True)
    encoding: SharedEncoding = attrs.field(factory=SharedEncoding, kw_only=True)

    @scheduler.default
    def _own_scheduler(self) -> FairScheduler:
        return FairScheduler(self.clock)

    @standstill.default
    def _new_standstill(self) -> Standstill:
        return Standstill(self.clock)

    backlog: Backlog = attrs.field()
    """What waits for all of them."""

    @backlog.default
    def _new_backlog(self) -> Backlog:
        return Backlog(self.limits.queue_bytes_in_all)

    def taking(self, limits: Limits, server_name: str, public_address: str) -> "SessionContext":
        """Return one for new sessions; what all sessions share, old and new, stays the same."""
        self.backlog.max_bytes = limits.queue_bytes_in_all
        return attrs.evolve(
            self, limits=limits, server_name=server_name, public_address=public_address
        )


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
            context: what it shares with other sessions.
            peer: the address, for the log.
            network: what counts as that address.
            when_lost: called once when the connection has ended.
            when_secured: called once when TLS is there.
            admit: called once with the key of a login that is good: why it is refused all the
                same, or None.
        """
        self._context = context
        self._peer = peer
        self._when_lost = when_lost
        self._when_secured = when_secured
        self._admit = admit
        self._phase = SessionPhase.HANDSHAKE
        self._inbox = Inbox()
        self._network = network
        self._party = Party(network, self)
        limits = context.limits
        self._outbox = Outbox(limits.queue_bytes, limits.queue_streams)
        self._brief = BriefWriter()
        self._bucket = Bucket(limits.messages_per_second, limits.messages_at_once)
        self._login: ServerLogin | None = None
        self._account: Account | None = None
        self._is_paused = False
        self._is_pumping = False
        self._is_called = False
        """Whether the scheduler was asked to deal with what came."""
        self._will_stream = False
        """Whether it was asked to go on with a stream."""
        self._unread_since: float | None = None
        """Since when we read no more, because enough waits; None while we read."""
        self._unread_seconds = 0.0
        """For how long that was so before."""
        self._accepted = self._heard = self._armed = ReadTime(0.0)
        self._deadline: DelayedCall | None = None
        self.number = -1
        """Of this connection since the start of the listener; operators name it by that."""

    def __repr__(self) -> str:
        return f"<WireSession {self._peer} {self._phase.value}>"

    # For the desk ------------------------------------------------------------------------

    @property
    def phase(self) -> SessionPhase:
        """How far it is."""
        return self._phase

    @property
    def account(self) -> Account:
        """Who it is. Known once the handler has been told of the session."""
        if self._account is None:
            raise RuntimeError("nobody has logged in here")
        return self._account

    @property
    def peer(self) -> str:
        """The address, as an operator sees it."""
        return self._peer

    @property
    def network(self) -> str:
        """See `Session.network`."""
        return self._network

    def in_turn(self, work: Callable[[], None]) -> None:
        """Have something done for this session when it is its turn."""
        self._context.scheduler.urgent(self._party, work)

    def send(self, message: ServerMessage) -> None:
        """See `Session.send`."""
        if self._phase is SessionPhase.OPEN:
            frame = encode_frame(self._payload(message, is_whole=self._outbox.has_streams))
            if self._outbox or self._is_pumping or not self._can_write:
                self._queue(lambda: self._outbox.put(frame))
            else:
                self._write_at_once(frame)

    def stream(self, messages: Iterable[ServerMessage]) -> None:
        """See `Session.stream`."""
        if self._phase is SessionPhase.OPEN:
            frames = (encode_frame(self._payload(one, is_whole=True)) for one in messages)
            self._queue(lambda: self._outbox.put_stream(frames))

    def close(self, code: str, reason: str) -> None:
        """See `Session.close`."""
        if self._phase is SessionPhase.OPEN:
            self._end(encode_message(Goodbye(code, reason[:MAX_REASON])))
        elif self._phase in {SessionPhase.HANDSHAKE, SessionPhase.LOGIN}:
            self._refuse(code, reason)

    def drop(self) -> None:
        """End the connection now, without a word: its place is needed."""
        self._log.info("{session}: makes way", session=self)
        self._abort()

    def _payload(self, message: ServerMessage, *, is_whole: bool) -> bytes:
        """
        Return what says this.

        What goes into a stream is made later than what is said after it: so neither that nor what
        is said meanwhile may lean on what was said before.
        """
        if not isinstance(message, Records):
            return self._context.encoding.payload(message)
        room_id, bodies = message.room_id, None
        if isinstance(message, PackedRecords):
            segments, bodies = message.segments, message.bodies
        else:
            segments = segments_of(message.cuts)
        if is_whole:
            return self._brief.whole(room_id, segments)
        return self._brief.payload(room_id, segments, bodies)

    # From Twisted ------------------------------------------------------------------------

    def connectionMade(self) -> None:
        """TCP is there; TLS begins. The clock runs from here."""
        if ITCPTransport.providedBy(self.transport):
            cast("Any", self.transport).setTcpNoDelay(True)
        self._context.standstill.enter()
        self._accepted = self._heard = self._now()
        self._arm(self._context.limits.handshake_seconds)

    def handshakeCompleted(self) -> None:
        """TLS is there: we speak first."""
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
        elapsed = self._now().since(self._accepted)
        self._arm(max(0.0, self._context.limits.login_seconds - elapsed))
        self._write(encode_frame(self._login.hello()))

    def dataReceived(self, data: bytes) -> None:
        """Bytes came; what is whole of them is dealt with when it is our turn."""
        if not self._is_listening:
            return
        self._context.traffic.received += len(data)
        self._inbox.put(data, self._now())
        self._call()
        if (
            self._unread_since is None
            and self._inbox.waiting_bytes > self._context.limits.unread_bytes
        ):
            self._unread_since = self._context.clock.seconds()
            self._transport.pauseProducing()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """It is over."""
        was_known = self._account is not None
        self._phase = SessionPhase.CLOSED
        self._disarm()
        self._context.standstill.leave()
        self._inbox.clear()
        self._empty_outbox()
        if not isinstance(reason.value, ConnectionDone):
            self._log.debug("{session}: {why}", session=self, why=reason.getErrorMessage())
        try:
            if was_known:
                self._call_handler(lambda: self._context.handler.disconnected(self))
        finally:
            self._when_lost(self)

    def pauseProducing(self) -> None:
        """Twisted's buffer is full: hold what comes."""
        self._is_paused = True

    def resumeProducing(self) -> None:
        """Twisted's buffer has room again."""
        self._is_paused = False
        self._pump()

    def stopProducing(self) -> None:
        """Nothing can be sent any more."""
        self._is_paused = True

    # Inside ------------------------------------------------------------------------------

    @property
    def _transport(self) -> PausableTransport:
        return cast("PausableTransport", self.transport)

    @property
    def _is_listening(self) -> bool:
        # One by one: to look for a member in a set, Python has to hash it.
        return self._phase is SessionPhase.OPEN or self._phase is SessionPhase.LOGIN

    def _write(self, frame: bytes) -> None:
        self._context.traffic.sent += len(frame)
        self._transport.write(frame)

    def _now(self) -> ReadTime:
        seconds = self._context.clock.seconds()
        unread = self._unread_seconds
        if self._unread_since is not None:
            unread += seconds - self._unread_since
        return ReadTime(seconds, self._context.standstill.seconds() + unread)

    def _call(self) -> None:
        if not self._is_called:
            self._is_called = True
            self.in_turn(self._work)

    def _work(self) -> None:
        """Deal with one message; then it is the turn of others."""
        self._is_called = False
        try:
            taken = self._inbox.take() if self._is_listening else None
            if taken is not None:
                self._take(*taken)
        except ProtocolError as error:
            self._log.info(
                "{session}: {code}: {reason}", session=self, code=error.code, reason=str(error)
            )
            self._context.traffic.when_refused(error.code)
            self.close(error.code, str(error))
            return
        if taken is not None and self._is_listening:
            self._call()
        else:
            self._read_on()

    def _read_on(self) -> None:
        """Read again, if we had stopped."""
        if self._unread_since is not None:
            self._unread_seconds += self._context.clock.seconds() - self._unread_since
            self._unread_since = None
            self._transport.resumeProducing()

    def _take(self, payload: bytes, came: ReadTime) -> None:
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
        if (refusal := self._admit(claim.key)) is not None:
            self._log.info("{session}: {code}", session=self, code=refusal.code)
            self._context.traffic.when_refused(refusal.code)
            self._end(self._login.refuse(refusal.code, refusal.reason))
            return
        self._write(encode_frame(self._login.welcome()))
        self._account = Account(claim.key, claim.name, claim.language)
        self._inbox.frames.raise_limit(LIMIT_AFTER_LOGIN)
        self._phase = SessionPhase.OPEN
        self._log.info("{session}: logged in", session=self)
        self._arm(self._context.limits.idle_seconds)
        self._call_handler(lambda: self._context.handler.connected(self))

    def _call_handler(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception:  # noqa: BLE001 (one session's fault must not end the server)
            self._log.failure("{session}: the handler raised", session=self)
            self.close("server/error", "the server made a mistake; its log says more")

    def _queue(self, put: Callable[[], None]) -> None:
        try:
            put()
        except Overflow as overflow:
            self._log.info("{session}: too slow: {why}", session=self, why=str(overflow))
            self._abort()
        else:
            self._pump()

    def _pump(self) -> None:
        """Write what waits until Twisted says stop. Not reentrant: write() may call back."""
        if self._is_pumping:
            return
        self._is_pumping = True
        try:
            while self._can_write:
                if self._outbox.has_stream_next:
                    self._stream_later()
                    return
                frame = self._outbox.take()
                if frame is None:
                    return
                self._write(frame)
        finally:
            self._is_pumping = False
            self._note_backlog()

    def _write_at_once(self, frame: bytes) -> None:
        """Write a frame before which nothing waits, and what is said while it is written."""
        self._is_pumping = True
        try:
            self._write(frame)
        finally:
            self._is_pumping = False
        if self._outbox:
            self._pump()

    @property
    def _can_write(self) -> bool:
        return self._phase is SessionPhase.OPEN and not self._is_paused

    def _stream_later(self) -> None:
        """Make the next message of a stream when nobody waits for anything else."""
        if not self._will_stream:
            self._will_stream = True
            self._context.scheduler.background(self._party, self._stream_on)

    def _stream_on(self) -> None:
        self._will_stream = False
        if not self._can_write:
            return
        try:
            frame = self._outbox.take()
        except Exception:  # noqa: BLE001 (a stream that raises is the handler's fault)
            self._log.failure("{session}: a stream raised", session=self)
            self.close("server/error", "the server made a mistake; its log says more")
            return
        if frame is not None:
            self._write(frame)
        self._pump()

    def _empty_outbox(self) -> None:
        self._outbox.clear()
        self._note_backlog()

    def _note_backlog(self) -> None:
        self._context.backlog.note(self._outbox, self._drop)

    def _drop(self) -> None:
        self._log.info("{session}: too slow: what waits for all is too much", session=self)
        self._abort()

    def _refuse(self, code: str, reason: str) -> None:
        if self._login is not None and self._login.state is ServerState.AWAITING_LOGIN:
            self._end(self._login.refuse(code, reason))
        else:
            self._abort()

    def _end(self, last: bytes) -> None:
        self._phase = SessionPhase.CLOSING
        self._inbox.clear()
        self._empty_outbox()
        # The peer's last bytes of TLS are to be read.
        self._read_on()
        self._write(encode_frame(last))
        # With a producer registered, TLS would wait for more from it.
        self._transport.unregisterProducer()
        self._transport.loseConnection()
        self._arm(self._context.limits.close_seconds)

    def _abort(self) -> None:
        self._phase = SessionPhase.CLOSING
        self._empty_outbox()
        self._disarm()
        self._transport.abortConnection()

    def _arm(self, seconds: float) -> None:
        self._disarm()
        self._armed = self._now()
        self._deadline = self._context.clock.callLater(seconds, self._time_is_up)

    def _disarm(self) -> None:
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        self._deadline = None

    def _time_is_up(self) -> None:
        """Look whether it really is; a timer for each message would cost more than it says."""
        self._deadline = None
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
        """Return how long the peer has yet; nothing that we did is held against it."""
        if self._is_called and self._is_listening:
            return BUSY_SECONDS
        now = self._now()
        if self._phase is SessionPhase.OPEN:
            return self._context.limits.idle_seconds - now.since(self._heard)
        return now.held - self._armed.held
