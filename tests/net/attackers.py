"""Attackers on real sockets: what a stranger with TLS can do to a login, at either end.

All calls block, with a limit of seconds for each read; run them in a thread beside the reactor.
"""

import contextlib
import datetime as dt
import functools
import socket
import struct
from collections.abc import Callable, Iterator, Mapping

import attrs
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from OpenSSL import SSL

from protocol import login
from protocol.frames import LIMIT_AFTER_LOGIN, FrameDecoder, encode_frame
from protocol.keys import SigningKey
from protocol.login import EXPORTER_BYTES, EXPORTER_LABEL, VERSIONS, Hello, Login
from server.identity import certificate as certificates

NOTHING: Mapping[str, bytes] = {}
PATIENCE_SECONDS = 5
HOST = "127.0.0.1"
MALLORY = SigningKey.from_seed(b"m" * 32)
ANYBODYS_KEY = b"\x01" + bytes(31)
"""Public key that is the neutral element of the curve."""
ANYBODYS_SIGNATURE = ANYBODYS_KEY + bytes(32)
"""A signature that holds for any message with that key, unless the key is checked."""


def patient(raw: socket.socket) -> socket.socket:
    """Make a socket blocking, as pyOpenSSL needs it, with a limit for each wait."""
    raw.setblocking(True)
    limit = struct.pack("ll", PATIENCE_SECONDS, 0)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
    return raw


@functools.cache
def pem_of_own_certificate() -> bytes:
    """Return an attacker's key and certificate in the format of a server's `certificate.pem`."""
    return certificates._make(dt.datetime.now(dt.UTC))


def context_of(pem: bytes) -> SSL.Context:
    """Return a TLS server context with the key and certificate of a `certificate.pem`."""
    context = SSL.Context(SSL.TLS_SERVER_METHOD)
    key = serialization.load_pem_private_key(pem, password=None)
    context.use_privatekey(key)  # type: ignore[arg-type]  # of a kind that TLS can use
    context.use_certificate(x509.load_pem_x509_certificate(pem))
    return context


@attrs.define
class Wire:
    """One end of TLS, read frame by frame."""

    tls: SSL.Connection
    frames: FrameDecoder = attrs.field(factory=lambda: FrameDecoder(LIMIT_AFTER_LOGIN))
    heard_bytes: int = 0
    exporter: bytes = b""

    def shake(self) -> None:
        """Complete the handshake. Raises SSL.Error if the other end refuses."""
        self.tls.do_handshake()
        self.exporter = exporter_of(self.tls)

    def frame(self) -> bytes | None:
        """Return the next payload; None once the other end has closed."""
        payload = self.frames.feed_one()
        while payload is None:
            data = self.some()
            if not data:
                return None
            payload = self.frames.feed_one(data)
        return payload

    def some(self) -> bytes:
        """Return received bytes; empty once the other end has closed."""
        try:
            data = self.tls.recv(1 << 16)
        except (SSL.ZeroReturnError, SSL.SysCallError):
            return b""
        self.heard_bytes += len(data)
        return data

    def say(self, *payloads: bytes) -> None:
        """Send frames in one write; do nothing if the other end is gone."""
        with contextlib.suppress(SSL.SysCallError):
            self.tls.sendall(b"".join(map(encode_frame, payloads)))


def exporter_of(tls: SSL.Connection) -> bytes:
    """Return the exporter value of a connection; a planted fault replaces this function."""
    return tls.export_keying_material(EXPORTER_LABEL, EXPORTER_BYTES)


@contextlib.contextmanager
def dialled(
    port: int, highest: int | None = None, *, receive_bytes: int | None = None
) -> Iterator[Wire]:
    """Connect to a server.

    Args:
        port: port on this machine.
        highest: highest version of TLS.
        receive_bytes: size of the socket's receive buffer; None for the system's choice.
    """
    context = SSL.Context(SSL.TLS_CLIENT_METHOD)
    if highest is not None:
        context.set_max_proto_version(highest)
    with patient(socket.socket()) as raw:
        if receive_bytes is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        raw.connect((HOST, port))
        wire = Wire(SSL.Connection(context, raw))
        wire.tls.set_connect_state()
        yield wire


@attrs.define
class Door:
    """A port on which an attacker waits for one client."""

    listening: socket.socket

    @classmethod
    def open(cls) -> "Door":
        """Listen on a free port."""
        return cls(socket.create_server((HOST, 0)))

    @property
    def port(self) -> int:
        """The number of the port."""
        return int(self.listening.getsockname()[1])

    @contextlib.contextmanager
    def guest(self, context: SSL.Context) -> Iterator[Wire]:
        """Wait for a client, and accept no other."""
        self.listening.settimeout(PATIENCE_SECONDS)
        raw, _ = self.listening.accept()
        self.listening.close()
        with patient(raw):
            wire = Wire(SSL.Connection(context, raw))
            wire.tls.set_accept_state()
            yield wire


def relay(door: Door, port: int, pem: bytes) -> int:
    """Relay between client and server with TLS to each; return how many bytes the client sent."""
    with door.guest(context_of(pem)) as client, dialled(port) as server:
        server.shake()
        client.shake()
        client.say(server.frame() or b"-")
        answer = client.frame()
        if answer is not None:
            server.say(answer)
            client.say(server.frame() or b"-")
        return client.heard_bytes


def false_server(door: Door, identity: bytes, sign: Callable[[bytes], bytes]) -> int:
    """Send a hello as this identity; return how many bytes the client sent."""
    with door.guest(context_of(pem_of_own_certificate())) as client:
        client.shake()
        nonce = b"n" * 32
        signature = sign(login.hello_preimage(nonce, client.exporter))
        client.say(login.encode_login(Hello(nonce, identity, signature)))
        answer = client.frame()
        if answer is not None:
            client.say(login.encode_login(login.Welcome(max(VERSIONS), "False", "")))
        return client.heard_bytes


def old_server(door: Door) -> bool:
    """Serve TLS 1.2 alone. Returns True if a client completed the handshake."""
    context = context_of(pem_of_own_certificate())
    context.set_max_proto_version(SSL.TLS1_2_VERSION)
    with door.guest(context) as client:
        return has_shaken(client)


def has_shaken(wire: Wire) -> bool:
    """Try a handshake. Returns True if it was completed."""
    try:
        wire.tls.do_handshake()
    except SSL.Error:
        return False
    return True


def passed_on(door: Door, port: int) -> None:
    """Relay bytes unchanged, TLS included, until either end closes."""
    door.listening.settimeout(PATIENCE_SECONDS)
    one, _ = door.listening.accept()
    door.listening.close()
    with one, socket.create_connection((HOST, port)) as other:
        one.settimeout(0.02)
        other.settimeout(0.02)
        ends = ((one, other), (other, one))
        while True:
            for reader, writer in ends:
                try:
                    data = reader.recv(1 << 16)
                except TimeoutError:
                    continue
                except ConnectionResetError:
                    return
                if not data:
                    return
                writer.sendall(data)


def made(
    hello: Hello, exporter: bytes, key: SigningKey, changed: Mapping[str, bytes] = NOTHING
) -> bytes:
    """Return a signed login that answers a hello.

    Args:
        hello: the server's hello.
        exporter: exporter value of the connection.
        key: key that signs.
        changed: values signed in place of the server's `identity`, `nonce` or `exporter`, or the
            `public` key that the login claims.
    """
    signed = login.login_preimage(
        changed.get("identity", hello.identity),
        changed.get("nonce", hello.nonce),
        changed.get("exporter", exporter),
    )
    public = changed.get("public", key.public)
    return login.encode_login(Login(VERSIONS, public, "Mallory", "en", key.sign(signed)))
