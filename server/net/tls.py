"""
TLS of this server: version 1.3 only, no resumption, no early data.

OpenSSL sends two session tickets after each handshake, and its bindings cannot switch that off. The
server keeps no sessions, so no ticket resumes any.
"""

from contextlib import suppress
from typing import Any, cast

import attrs
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from OpenSSL import SSL
from twisted.internet.interfaces import IOpenSSLServerConnectionCreator
from zope.interface import implementer

from protocol.login import EXPORTER_BYTES, EXPORTER_LABEL
from server.identity.certificate import Certificate


@implementer(IOpenSSLServerConnectionCreator)
@attrs.define(eq=False)
class ServerTls:
    """Makes the TLS end of each accepted connection."""

    _context: SSL.Context

    @classmethod
    def with_certificate(cls, certificate: Certificate) -> "ServerTls":
        """Return the TLS of a server that presents this checked certificate."""
        return cls(_context(certificate))

    def renew(self, certificate: Certificate) -> None:
        """Use another certificate for new connections; present connections keep theirs."""
        self._context = _context(certificate)

    def serverConnectionForTLS(self, _: object) -> SSL.Connection:  # noqa: N802 (Twisted's name)
        """Return the TLS end of one connection. Twisted calls this method once per connection."""
        return _SmallPieces(self._context, None)


PIECE_BYTES = 4096
"""Maximum bytes encrypted at a time."""


class _SmallPieces(SSL.Connection):
    """
    Encrypts small pieces at a time.

    OpenSSL's buffer of encrypted bytes never shrinks, and a whole TLS record of 16 KiB would take
    22 KiB. Twisted empties the buffer after each piece, so small pieces keep the buffer small.
    """

    def send(self, buf: Any, flags: int = 0) -> int:
        """Encrypt at most `PIECE_BYTES`, and return how many bytes were encrypted."""
        piece = buf if len(buf) <= PIECE_BYTES else buf[:PIECE_BYTES]
        return super().send(piece, flags)


def _context(certificate: Certificate) -> SSL.Context:
    context = SSL.Context(SSL.TLS_SERVER_METHOD)
    context.set_min_proto_version(SSL.TLS1_3_VERSION)
    context.set_options(SSL.OP_NO_TICKET | SSL.OP_NO_COMPRESSION)
    context.set_session_cache_mode(SSL.SESS_CACHE_OFF)
    # An idle connection then keeps no record buffers (34 KiB).
    context.set_mode(SSL.MODE_RELEASE_BUFFERS)
    # Players prove their key in the login, not by a certificate.
    context.set_verify(SSL.VERIFY_NONE)
    leaf, *above = x509.load_pem_x509_certificates(certificate.chain_pem)
    context.use_certificate(leaf)
    for issuer in above:
        context.add_extra_chain_cert(issuer)
    key = serialization.load_pem_private_key(certificate.key_pem, password=None)
    context.use_privatekey(cast("Any", key))
    context.check_privatekey()
    return context


def tls_fault(certificate: Certificate) -> str | None:
    """
    Return why no client could connect with a certificate; None if a handshake in memory succeeds.

    OpenSSL refuses some keys at once, such as short ones, and others only in each handshake.
    """
    try:
        context = SSL.Context(SSL.TLS_CLIENT_METHOD)
        context.set_min_proto_version(SSL.TLS1_3_VERSION)
        client, server = SSL.Connection(context, None), SSL.Connection(_context(certificate), None)
        client.set_connect_state()
        server.set_accept_state()
        # The hello, the answer with the certificate, and the end of the handshake.
        _hand_over(client, server)
        _hand_over(server, client)
        _hand_over(client, server)
        server.do_handshake()
    except SSL.Error as error:
        # The innermost reason of OpenSSL comes last.
        return str(error.args[0][-1][-1]) if error.args and error.args[0] else type(error).__name__
    except (UnsupportedAlgorithm, ValueError, TypeError) as error:
        return str(error)
    return None


def _hand_over(sender: SSL.Connection, receiver: SSL.Connection) -> None:
    """Let one end take its next step of a handshake, and give its bytes to the other end."""
    with suppress(SSL.WantReadError):
        sender.do_handshake()
    with suppress(SSL.WantReadError):
        while True:
            receiver.bio_write(sender.bio_read(1 << 16))


def read_exporter(transport: object) -> bytes:
    """Return the 32-byte exporter value of a connection whose TLS handshake is complete."""
    handle: SSL.Connection = cast("Any", transport).getHandle()
    return handle.export_keying_material(EXPORTER_LABEL, EXPORTER_BYTES)
