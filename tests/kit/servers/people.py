"""Doubles for the server's network tests: a recording handler, and a client that can misbehave."""

import itertools
from collections.abc import Callable

import attrs
from twisted.internet.task import Clock
from twisted.python.failure import Failure

from protocol.frames import LIMIT_AFTER_LOGIN, FrameDecoder, encode_frame
from protocol.keys import SigningKey
from protocol.login import VERSIONS, ClientLogin, ClientState
from protocol.messages import ClientMessage, Sender, ServerMessage, decode_message, encode_message
from server.net.context import SessionContext
from server.net.handler import Session, SessionHandler
from server.net.limits import Limits
from server.net.listener import SessionFactory
from tests.kit.servers.memory_network import End, MemoryNetwork, read_exporter

IDENTITY = SigningKey.from_seed(b"i" * 32)


def counted_bytes() -> Callable[[int], bytes]:
    """Return a deterministic entropy source that yields different bytes at each call."""
    numbers = itertools.count(1)
    return lambda length: next(numbers).to_bytes(length, "big")


@attrs.define
class RecordingDesk:
    """A session handler that records its calls and runs `on_message`."""

    sessions: list[Session] = attrs.field(factory=list)
    """The present sessions."""
    heard: list[ClientMessage] = attrs.field(factory=list)
    log: list[str] = attrs.field(factory=list)
    on_message: Callable[[Session, ClientMessage], None] | None = None

    def connected(self, session: Session) -> None:
        self.sessions.append(session)
        self.log.append(f"connected {session.account.name}")

    def received(self, session: Session, message: ClientMessage) -> None:
        self.heard.append(message)
        if self.on_message is not None:
            self.on_message(session, message)

    def disconnected(self, session: Session) -> None:
        self.sessions.remove(session)
        self.log.append(f"disconnected {session.account.name}")


@attrs.define(eq=False)
class RawClient:
    """A client that does only what the test says; a Twisted protocol by shape."""

    name: str = "Ann"
    frames: FrameDecoder = attrs.field(factory=lambda: FrameDecoder(LIMIT_AFTER_LOGIN))
    payloads: list[bytes] = attrs.field(factory=list)
    """Payloads received from the server, login included."""
    lost: Failure | None = None
    end: End | None = None

    def makeConnection(self, transport: End) -> None:
        self.end = transport

    def handshakeCompleted(self) -> None:
        pass

    def dataReceived(self, data: bytes) -> None:
        self.payloads += self.frames.feed(data)

    def connectionLost(self, reason: Failure) -> None:
        self.lost = reason

    def has_ended(self) -> bool:
        """True if the connection is over."""
        return self.lost is not None

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.end is not None
        self.end.write(data)

    def say(self, message: ClientMessage) -> None:
        self.write(encode_frame(encode_message(message)))

    def log_in(self, key: SigningKey | None = None, versions: tuple[int, ...] = VERSIONS) -> None:
        """Log in, as the reply to the hello."""
        self.write(encode_frame(self.login(key, versions)))

    def login(self, key: SigningKey | None = None, versions: tuple[int, ...] = VERSIONS) -> bytes:
        """Return the payload of a login, as the reply to the hello."""
        assert self.end is not None
        login = ClientLogin(
            key or SigningKey.from_seed(b"a" * 32),
            self.name,
            "en",
            self.end.exporter,
            None,
            versions,
        )
        answer = login.receive(self.payloads[0])
        assert login.state is ClientState.AWAITING_ANSWER
        assert answer is not None
        return answer

    @property
    def said(self) -> list[ServerMessage]:
        """The server's messages after the login."""
        return [decode_message(payload, Sender.SERVER) for payload in self.payloads[2:]]


@attrs.define(eq=False)
class Bench:
    """A server's sessions on a fake network."""

    clock: Clock
    network: MemoryNetwork
    desk: RecordingDesk
    factory: SessionFactory

    def client(self, name: str = "Ann") -> RawClient:
        """Return a client whose TLS handshake is done, with the server's hello."""
        client = RawClient(name)
        session = self.factory.buildProtocol(None)
        assert session is not None
        self.network.link(client, session)  # type: ignore[arg-type]  # a WireSession
        self.network.settle(0.1)
        return client

    def online(self, name: str = "Ann") -> RawClient:
        """Return a client that has logged in."""
        client = self.client(name)
        client.log_in()
        self.network.settle(0.1)
        return client


def bench(
    limits: Limits | None = None,
    *,
    behind: SessionHandler | None = None,
    clock: Clock | None = None,
) -> Bench:
    """
    Return a bench.

    Args:
        limits: limits of the sessions.
        behind: session handler in place of the recording one.
        clock: the clock that `behind` uses.
    """
    clock, desk = clock or Clock(), RecordingDesk()
    context = SessionContext(
        IDENTITY,
        behind or desk,
        clock,
        counted_bytes(),
        read_exporter,
        limits=limits or Limits(),
    )
    factory = SessionFactory(context)
    return Bench(clock, MemoryNetwork(clock, factory), desk, factory)
