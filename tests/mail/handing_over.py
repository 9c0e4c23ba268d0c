"""A Twisted mail server on the loopback interface, and one letter delivered to it.

python -m tests.mail.handing_over none|starttls|tls [--without-tls] [--untrusted] [--refusing]

Prints what the server received, then `sent`, or `failed` with the reason.
"""

# ruff: noqa: T201 (its output is what the test reads)
# ruff: noqa: N802 (Twisted names what it calls)

import argparse
import datetime as dt
import email
import ipaddress
import tempfile
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from twisted.cred.checkers import InMemoryUsernamePasswordDatabaseDontUse
from twisted.cred.portal import Portal
from twisted.internet import reactor as chosen
from twisted.internet import ssl
from twisted.internet.defer import Deferred, succeed
from twisted.internet.protocol import Factory
from twisted.mail import smtp
from twisted.mail.imap4 import LOGINCredentials
from zope.interface import implementer

from server.mail.relay import Relay
from server.mail.settings import MailSettings, Security
from tests.mail.office import WRITER
from tests.mail.test_letters import NOW, table

PASSWORD = "secret of the relay"
HOST = "127.0.0.1"
reactor: Any = chosen


def certificate() -> tuple[Any, Any]:
    """Return a certificate for the loopback address: for the server, and as a root to trust."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(HOST))]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    # Twisted does not say what types it takes.
    its: Any = ssl
    own = its.PrivateCertificate.loadPEM(pem + secret)
    return own.options(), its.trustRootFromCertificates([its.Certificate.loadPEM(pem)])


@implementer(smtp.IMessage)
class Taken:
    """A received letter."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def lineReceived(self, line: bytes) -> None:
        self.lines.append(line)

    def eomReceived(self) -> Deferred[None]:
        letter = email.message_from_bytes(b"\r\n".join(self.lines))
        print("subject", letter["Subject"])
        return succeed(None)

    def connectionLost(self) -> None:
        pass


@implementer(smtp.IMessageDelivery)
class Delivery:
    """A delivery that accepts letters, or refuses all of them."""

    def __init__(self, login: str, *, is_refusing: bool) -> None:
        self.sender = b""
        self.is_refusing = is_refusing
        print("login", login, PASSWORD)

    def receivedHeader(self, *_: object) -> bytes:
        return b"Received: here"

    def validateFrom(self, _helo: object, origin: Any) -> Any:
        self.sender = bytes(origin)
        return origin

    def validateTo(self, user: Any) -> Any:
        if self.is_refusing:
            refusal: Any = smtp.SMTPBadRcpt
            raise refusal(user)
        print("envelope", self.sender.decode(), str(user.dest))
        return Taken


class Realm:
    """A realm that gives a delivery to everybody who logs in."""

    def __init__(self, *, is_refusing: bool) -> None:
        self.is_refusing = is_refusing

    def requestAvatar(self, avatar: Any, *_: object) -> Any:
        delivery = Delivery(avatar.decode(), is_refusing=self.is_refusing)
        return smtp.IMessageDelivery, delivery, lambda: None


class Server(Factory):
    """A mail server."""

    noisy = False

    def __init__(self, options: argparse.Namespace, tls: Any) -> None:
        checker: Any = InMemoryUsernamePasswordDatabaseDontUse(manse=PASSWORD.encode())
        realm: Any = Realm(is_refusing=options.refusing)
        self.portal = Portal(realm, [checker])
        self.tls = None if options.without_tls or options.security == "none" else tls

    def buildProtocol(self, _: object) -> Any:
        # Twisted does not say what types it takes.
        make: Any = smtp.ESMTP
        protocol = make({b"LOGIN": LOGINCredentials}, self.tls)
        protocol.portal = self.portal
        protocol.factory = self
        return protocol


def main() -> None:
    """Deliver one letter."""
    parser = argparse.ArgumentParser()
    parser.add_argument("security", choices=[one.value for one in Security])
    for name in ("--without-tls", "--untrusted", "--refusing"):
        parser.add_argument(name, action="store_true")
    options = parser.parse_args()
    tls, trust = certificate()
    server: Any = Server(options, tls)
    listen = reactor.listenTCP(0, server, interface=HOST)
    if options.security == "tls":
        _ = listen.stopListening()
        listen = reactor.listenSSL(0, server, tls, interface=HOST)
    with tempfile.TemporaryDirectory() as folder:
        password = Path(folder) / "password"
        password.write_text(PASSWORD + "\n")
        password.chmod(0o600)
        settings = MailSettings(
            *(HOST, listen.getHost().port, Security(options.security), "manse", password),
            sender="manse@example.org",
        )
        letter = WRITER.awaited("ada@example.org", "en", [table("Ada")], "stop", NOW, "id")
        relay = Relay(settings, reactor, None if options.untrusted else trust)
        sent = relay.send(letter, "ada@example.org")
        told = sent.addCallbacks(
            lambda _: print("sent"), lambda failure: print("failed", failure.type.__name__)
        )
        _ = told.addBoth(lambda _: reactor.callLater(0.1, reactor.stop))
        reactor.run()


if __name__ == "__main__":
    main()
