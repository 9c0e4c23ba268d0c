"""
The connection to one server, which is retried until the caller stops it.

The connection is a state machine, and its states are the statuses of `client.model.status`. The
connection resends no messages: the layer above enters its tables again whenever the status becomes
`Online`. In any other status, sending fails. Endpoint, clock, trust and retry policy are arguments.
"""

from collections.abc import Callable
from typing import Protocol

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.protocol import Factory
from twisted.logger import Logger
from twisted.python.failure import Failure

from client.keyring.identity import IdentityProblem
from client.model.status import Connecting, Disconnected, GaveUp, LoggingIn, Online, Status
from client.net.causes import SILENT, SLOW, cause_of
from client.net.line import LineProtocol
from client.net.seams import ClientEndpoint
from protocol.keys import SigningKey, fingerprint, fingerprint_text
from protocol.login import ClientLogin, WrongIdentity
from protocol.messages import ClientMessage, Ping, Pong, ServerMessage
from protocol.seams import Clock, DelayedCall

MAX_BACKOFF_SECONDS = 60.0
"""The longest wait between two attempts."""
MAX_KNOWN_BACKOFF_SECONDS = 10.0
"""The longest wait between two attempts once the server has been reached."""


class NotOnline(Exception):
    """The message was not sent, because there is no connection to the server."""


class ConnectionListener(Protocol):
    """The receiver of status changes and messages of a connection."""

    def status_changed(self, status: Status) -> None: ...

    def received(self, message: ServerMessage) -> None:
        """Handle any message except a `Pong` to the connection's own pings."""


class Trust(Protocol):
    """The source of a server's expected fingerprint: `client.keyring.identity.ServerTrust`."""

    def pinned(self) -> bytes | None:
        """Return the expected fingerprint, or None to accept any. May raise IdentityProblem."""

    def learned(self, fingerprint: bytes) -> None:
        """Remember a server that has proved its identity. May raise IdentityProblem."""

    def explain(self, expected: bytes, met: bytes) -> str:
        """Explain in a sentence what a wrong fingerprint means, and what the player can do."""


@attrs.frozen
class Credentials:
    """The player's identity."""

    key: SigningKey
    name: str
    language: str


@attrs.frozen
class ConnectionTimes:
    """Timeouts of a connection, in seconds."""

    attempt_seconds: float = 20.0
    """Limit of one attempt, including the login."""
    # Well below the 75 s of silence that a server allows by default.
    ping_seconds: float = 20.0
    """Time between two pings."""
    settled_seconds: float = 3.0
    """Time between the first and second ping. The client's own start may distort the first ping."""
    # More than two pings, so that one late reply does not end a connection.
    silence_seconds: float = 45.0
    """Time of silence after which the connection counts as dead."""
    steady_seconds: float = 30.0
    """Time online after which attempts are counted from 1 again."""


def backoff_seconds(attempt: int, jitter: float) -> float:
    """
    Return the seconds to wait after a failed attempt.

    Args:
        attempt: the number of consecutive failures, from 1.
        jitter: from 0 to 1; spreads clients that lost the same server at the same time.

    Returns:
        Between half of the full wait and all of it. The full wait is 1 second, doubled with each
        attempt, up to 60 seconds.
    """
    # The exponent is bounded: the server may be away for weeks, and the power would overflow.
    full = min(MAX_BACKOFF_SECONDS, 2.0 ** min(attempt - 1, 10))
    return full * (0.5 + jitter / 2)


def is_final(code: str) -> bool:
    """Return whether a retry after an error with this code would end with the same error."""
    return code.partition("/")[0] in {"protocol", "login", "account", "session"}


class _OneLine(Factory):
    noisy = False

    def __init__(self, line: LineProtocol) -> None:
        self._line = line

    def buildProtocol(self, addr: object) -> LineProtocol:  # noqa: ARG002 (Twisted passes it)
        return self._line


class Connection:
    """A session with one server, which reconnects by itself."""

    _log = Logger()

    def __init__(
        self,
        *,
        endpoint: ClientEndpoint,
        clock: Clock,
        credentials: Credentials,
        trust: Trust,
        listener: ConnectionListener,
        read_exporter: Callable[[object], bytes],
        retry_after: Callable[[int], float],
        pace: ConnectionTimes | None = None,
    ) -> None:
        """
        Prepare the connection; `start` opens the connection.

        Args:
            endpoint: the endpoint of the server, with TLS.
            clock: a reactor, or `task.Clock`.
            credentials: the player's identity.
            trust: gives the expected fingerprint of the server.
            listener: receives status changes and messages.
            read_exporter: reads the exporter value off a transport.
            retry_after: back-off in seconds by number of failed attempts; see `backoff_seconds`.
            pace: timeouts; None for the usual timeouts.
        """
        self._endpoint = endpoint
        self._clock = clock
        self._credentials = credentials
        self._trust = trust
        self._listener = listener
        self._read_exporter = read_exporter
        self._retry_after = retry_after
        self._pace = pace or ConnectionTimes()
        self._status: Status = Disconnected()
        self._line: LineProtocol | None = None
        self._connecting: Deferred[object] | None = None
        self._timer: DelayedCall | None = None
        """The one timer: of the attempt, the next ping or the next retry."""
        self._attempt = 0
        self._is_started = False
        self._online_since: float | None = None
        self._was_reached = False
        """True if a login to this server ever succeeded."""
        self._heard_at = 0.0
        self._serial = 0
        self._ping: tuple[int, float] | None = None
        """Serial and time of the ping that is not answered yet."""

    # For the layer above -----------------------------------------------------------------

    @property
    def status(self) -> Status:
        return self._status

    def start(self) -> None:
        """Connect, and reconnect whenever needed. Do nothing if start or stop was called before."""
        if not self._is_started and not isinstance(self._status, GaveUp):
            self._is_started = True
            self._connect()

    def stop(self) -> None:
        """Close for good. The status becomes `GaveUp("stopped", …)` immediately."""
        if not isinstance(self._status, GaveUp):
            line = self._detach()
            if line is not None:
                line.close()
            self._become(GaveUp("stopped", "stopped"))

    def next_serial(self) -> int:
        """Return a serial that no message of this connection has used."""
        self._serial += 1
        return self._serial

    def send(self, message: ClientMessage) -> None:
        """Send a message. Raise NotOnline unless the status is `Online`."""
        if self._line is None or not isinstance(self._status, Online):
            raise NotOnline("there is no connection to the server")
        self._line.send(message)

    def try_again(self) -> None:
        """Retry immediately if a back-off is running."""
        if isinstance(self._status, Disconnected) and self._timer is not None:
            self._connect()

    def set_language(self, language: str) -> None:
        """Use this language from the next login on."""
        self._credentials = attrs.evolve(self._credentials, language=language)

    # From the line -----------------------------------------------------------------------

    def line_secured(self, line: LineProtocol) -> None:
        if line is self._line:
            self._become(LoggingIn())

    def line_ready(self, line: LineProtocol, login: ClientLogin) -> None:
        if line is not self._line or login.welcomed is None or login.identity is None:
            return
        shown = fingerprint(login.identity)
        try:
            self._trust.learned(shown)
        except IdentityProblem as problem:
            self._give_up("login/trust", str(problem))
            return
        welcome = login.welcomed
        self._was_reached = True
        self._online_since = self._heard_at = self._clock.seconds()
        self._become(Online(welcome.server_name, fingerprint_text(shown), welcome.public_address))
        self._send_ping()
        # Replaces the timer of `_send_ping`: the second ping comes sooner than the others.
        self._arm(self._pace.settled_seconds, self._send_ping)

    def line_said(self, line: LineProtocol, message: ServerMessage) -> None:
        if line is not self._line:
            return
        self._heard_at = self._clock.seconds()
        if isinstance(message, Pong) and self._ping is not None and message.serial == self._ping[0]:
            delay, self._ping = self._heard_at - self._ping[1], None
            if isinstance(self._status, Online):
                self._become(attrs.evolve(self._status, delay_seconds=delay))
            return
        self._listener.received(message)

    def line_refused(self, line: LineProtocol, wrong: WrongIdentity) -> None:
        if line is self._line:
            self._give_up(wrong.code, self._trust.explain(wrong.expected, wrong.met))

    def line_lost(self, line: LineProtocol, code: str, reason: str) -> None:
        if line is not self._line:
            return
        if is_final(code):
            self._give_up(code, reason)
        else:
            self._try_again(reason)

    # The machine -------------------------------------------------------------------------

    def _connect(self) -> None:
        self._attempt += 1
        try:
            pinned = self._trust.pinned()
        except IdentityProblem as problem:
            self._give_up(WrongIdentity.code, str(problem))
            return
        line = LineProtocol(self, lambda transport: self._start_login(transport, pinned))
        self._line = line
        self._arm(self._pace.attempt_seconds, lambda: self._drop(SLOW))
        self._become(Connecting(self._attempt))
        if self._line is not line:
            # The listener has stopped or restarted us.
            return

        def not_reached(failure: Failure) -> None:
            # Nobody waits any more for a line that was let go.
            if line is self._line:
                self._try_again(cause_of(failure))

        self._connecting = connecting = self._endpoint.connect(_OneLine(line))
        _ = connecting.addErrback(not_reached)

    def _start_login(self, transport: object, pinned: bytes | None) -> ClientLogin:
        mine = self._credentials
        exporter = self._read_exporter(transport)
        return ClientLogin(mine.key, mine.name, mine.language, exporter, pinned)

    def _drop(self, reason: str) -> None:
        line = self._detach()
        if line is not None:
            line.abort("", reason)
        self._try_again(reason)

    def _try_again(self, reason: str) -> None:
        now = self._clock.seconds()
        since = self._online_since
        self._detach()
        # Not after a short session: a server that drops every login needs the back-off.
        if since is not None and now - since >= self._pace.steady_seconds:
            self._attempt = 0
        delay = self._retry_after(max(1, self._attempt))
        if self._was_reached:
            # A known server is usually restarting, and people sit there and wait.
            delay = min(delay, MAX_KNOWN_BACKOFF_SECONDS)
        # Armed first: the listener may call `try_again` or `stop`, which use the timer.
        self._arm(delay, self._connect)
        self._become(Disconnected(delay, reason))

    def _give_up(self, code: str, reason: str) -> None:
        line = self._detach()
        if line is not None:
            line.abort(code, reason)
        self._become(GaveUp(code, reason))

    def _detach(self) -> LineProtocol | None:
        """Forget the line, the attempt and the timer, so that their late events are ignored."""
        line, self._line = self._line, None
        connecting, self._connecting = self._connecting, None
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = self._online_since = self._ping = None
        # Last: this may call `not_reached` at once, which must find the line forgotten.
        if connecting is not None:
            connecting.cancel()
        return line

    def _send_ping(self) -> None:
        if self._line is None:
            return
        now = self._clock.seconds()
        # Our process may have been suspended: a server that was sent no ping was not silent.
        if self._ping is not None and now - self._heard_at >= self._pace.silence_seconds:
            self._drop(SILENT)
            return
        # One ping at a time: a second one would hide how late the first reply is.
        if self._ping is None:
            self._ping = (self.next_serial(), now)
            self._line.send(Ping(self._ping[0]))
        self._arm(self._pace.ping_seconds, self._send_ping)

    def _arm(self, seconds: float, call: Callable[[], None]) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = self._clock.callLater(seconds, call)

    def _become(self, status: Status) -> None:
        self._status = status
        self._log.debug("now {status}", status=status)
        self._listener.status_changed(status)
