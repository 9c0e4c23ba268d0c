"""
TLS on the client's side: version 1.3 only.

The client does not check the certificate. Instead, the login proves the server's identity key, and
the exporter value binds that key to this connection.
"""

import ipaddress
from typing import Any, cast

import attrs
from OpenSSL import SSL
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import HostnameEndpoint
from twisted.internet.interfaces import IOpenSSLClientConnectionCreator
from twisted.protocols.tls import TLSMemoryBIOFactory
from zope.interface import implementer

from client.net.seams import ClientEndpoint
from protocol.invitation import Address
from protocol.login import EXPORTER_BYTES, EXPORTER_LABEL
from protocol.seams import Clock


@implementer(IOpenSSLClientConnectionCreator)
class ClientTls:
    """The factory of the TLS end of each connection to one host."""

    def __init__(self, host: str) -> None:
        """Prepare for a host, whose name is sent in the handshake, where a proxy may need it."""
        # A server name in TLS must be a host name: RFC 6066 forbids addresses.
        try:
            ipaddress.ip_address(host.partition("%")[0])
            self._name = None
        except ValueError:
            self._name = host.encode("ascii")
        self._context = SSL.Context(SSL.TLS_CLIENT_METHOD)
        self._context.set_min_proto_version(SSL.TLS1_3_VERSION)
        self._context.set_options(SSL.OP_NO_TICKET | SSL.OP_NO_COMPRESSION)
        self._context.set_verify(SSL.VERIFY_NONE)

    def clientConnectionForTLS(self, _: object) -> SSL.Connection:  # noqa: N802 (Twisted's name)
        """Return the TLS connection; Twisted calls this method once per connection."""
        connection = SSL.Connection(self._context, None)
        if self._name is not None:
            connection.set_tlsext_host_name(self._name)
        return connection


@attrs.frozen
class TlsEndpoint:
    """An endpoint that runs TLS over another endpoint."""

    _inner: ClientEndpoint
    _tls: ClientTls
    _clock: Clock

    def connect(self, protocolFactory: Any) -> Deferred[Any]:
        wrapped = TLSMemoryBIOFactory(
            cast("Any", self._tls), True, protocolFactory, clock=cast("Any", self._clock)
        )
        return self._inner.connect(wrapped)


def endpoint_for(reactor: Any, address: Address, *, timeout_seconds: float = 15) -> TlsEndpoint:
    """Return the endpoint of a server, by host name or IP address, with TLS."""
    tcp = HostnameEndpoint(reactor, address.host, address.port, timeout_seconds)
    return TlsEndpoint(cast("Any", tcp), ClientTls(address.host), reactor)


def read_exporter(transport: object) -> bytes:
    """Return the exporter value (32 bytes) of a connection whose TLS handshake is complete."""
    handle: SSL.Connection = cast("Any", transport).getHandle()
    return handle.export_keying_material(EXPORTER_LABEL, EXPORTER_BYTES)
