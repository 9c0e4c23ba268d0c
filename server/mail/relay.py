"""The relay: hands letters to the operator's mail server."""

from email.message import EmailMessage
from io import BytesIO
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.ssl import optionsForClientTLS
from twisted.mail.smtp import ESMTPSenderFactory
from twisted.protocols.tls import TLSMemoryBIOFactory

from server.mail.settings import MailSettings, Security

SECONDS: Final = 30.0
"""Maximum seconds that the relay may take for a letter."""


@attrs.define(eq=False)
class Relay:
    """Hands letters to the operator's relay."""

    settings: MailSettings
    reactor: Any
    trust: Any = None
    """Trusted certificate authorities of the relay; None for those of this machine."""

    def send(self, letter: EmailMessage, address: str) -> Deferred[object]:
        """
        Pass a letter to the relay.

        Args:
            letter: complete, with its headers.
            address: the recipient; ASCII.

        Returns:
            Fires once the relay has accepted the letter; fails if relay or network fail.

        Raises:
            UnusableFile: the password cannot be read.
        """
        settings, sent = self.settings, Deferred[object]()
        has_login = bool(settings.user)
        tls = optionsForClientTLS(settings.host, trustRoot=self.trust)
        # Twisted does not say what types it takes.
        make: Any = ESMTPSenderFactory
        factory = make(
            settings.user.encode() if has_login else None,
            settings.password().encode() if has_login else None,
            settings.sender.encode("ascii"),
            address.encode("ascii"),
            # Twisted makes the ends of lines itself.
            BytesIO(letter.as_bytes(policy=letter.policy.clone(linesep="\n"))),
            sent,
            # The postman itself tries notices again, later.
            retries=0,
            timeout=SECONDS,
            contextFactory=tls,
            # HELO offers no TLS, so it is allowed only without TLS.
            heloFallback=settings.security is Security.NONE,
            requireAuthentication=has_login,
            requireTransportSecurity=settings.security is Security.STARTTLS,
            hostname=settings.host,
        )
        factory.noisy = False
        whole: Any = factory
        if settings.security is Security.TLS:
            whole = TLSMemoryBIOFactory(tls, True, factory, self.reactor)
            whole.noisy = False
        self.reactor.connectTCP(settings.host, settings.port, whole, timeout=SECONDS)
        return sent
