"""TLS: every connection shakes hands in full, whatever the client kept from the last one."""

import contextlib
import datetime as dt
import ssl
from pathlib import Path

import pytest
from OpenSSL import SSL

from server.identity.certificate import own_certificate
from server.net.tls import ServerTls

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


@pytest.fixture
def tls(tmp_path: Path) -> ServerTls:
    """The server's end, with a certificate of its own."""
    return ServerTls.with_certificate(own_certificate(tmp_path, NOW))


def greeted(
    tls: ServerTls, context: ssl.SSLContext, session: ssl.SSLSession | None
) -> ssl.SSLObject:
    """Return the end of a client of another library, once the server has said something."""
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
    server.send(b"hello")
    heard.write(server.bio_read(1 << 16))
    assert client.read(5) == b"hello"
    return client


@pytest.mark.issue(10)
def test_a_ticket_of_an_earlier_connection_opens_nothing(tls: ServerTls) -> None:
    """OpenSSL sends tickets whatever we say; a client that shows one shakes hands in full."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    first = greeted(tls, context, None)
    assert first.session is not None
    assert first.session.has_ticket

    second = greeted(tls, context, first.session)

    assert second.version() == "TLSv1.3"
    assert not second.session_reused
