"""TLS: every connection makes a full handshake, and uses little memory."""

import contextlib
import datetime as dt
import ssl
from pathlib import Path

import pytest
from OpenSSL import SSL

from server.identity.certificate import own_certificate
from server.net.tls import PIECE_BYTES, ServerTls

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


@pytest.fixture
def tls(tmp_path: Path) -> ServerTls:
    """Return the server's end, with a certificate of its own."""
    return ServerTls.with_certificate(own_certificate(tmp_path, NOW))


def connected(
    tls: ServerTls, context: ssl.SSLContext, session: ssl.SSLSession | None = None
) -> tuple[ssl.SSLObject, SSL.Connection, ssl.MemoryBIO]:
    """Return the end of a client of another library, the server's end, and the client's input."""
    heard, said = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(heard, said, session=session)
    server = tls.serverConnectionForTLS(None)
    server.set_accept_state()
    for _ in range(3):
        with contextlib.suppress(ssl.SSLWantReadError):
            client.do_handshake()
        if data := said.read():
            server.bio_write(data)
        with contextlib.suppress(SSL.WantReadError):
            server.do_handshake()
        with contextlib.suppress(SSL.WantReadError):
            heard.write(server.bio_read(1 << 16))
    return client, server, heard


def greeted(
    tls: ServerTls, context: ssl.SSLContext, session: ssl.SSLSession | None
) -> ssl.SSLObject:
    """Return the client's end after the server's first message."""
    client, server, heard = connected(tls, context, session)
    server.send(b"hello")
    heard.write(server.bio_read(1 << 16))
    assert client.read(5) == b"hello"
    return client


@pytest.fixture
def trusting() -> ssl.SSLContext:
    """Return a client context that trusts any certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@pytest.mark.issue(10)
def test_a_ticket_of_an_earlier_connection_opens_nothing(
    tls: ServerTls, trusting: ssl.SSLContext
) -> None:
    """OpenSSL sends tickets in any case, so the server must ignore those that it is shown."""
    first = greeted(tls, trusting, None)
    assert first.session is not None
    assert first.session.has_ticket

    second = greeted(tls, trusting, first.session)

    assert second.version() == "TLSv1.3"
    assert not second.session_reused


@pytest.mark.issue(12)
def test_a_long_message_is_encrypted_in_small_pieces(
    tls: ServerTls, trusting: ssl.SSLContext
) -> None:
    """Small pieces bound the memory that a connection keeps."""
    client, server, heard = connected(tls, trusting)
    message = bytes(range(256)) * 300
    left, longest = message, 0
    while left:
        left = left[server.send(left) :]
        written = server.bio_read(1 << 20)
        longest = max(longest, len(written))
        heard.write(written)
    assert longest < PIECE_BYTES + 100
    arrived = b""
    while len(arrived) < len(message):
        arrived += client.read(1 << 16)
    assert arrived == message
