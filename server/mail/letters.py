"""Letters: builds the mails; no player's text can reach a header."""

from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

import attrs

from commands.speaking import words_of
from protocol.common.visible import visible
from server.lobby.rooms.summary import Summary

_MOST_TABLES = 5
"""Maximum number of tables that one letter names."""


@attrs.frozen
class Writer:
    """Writes letters of one server."""

    sender: str
    """Sender's address."""
    server: str
    """Name of the server."""
    address: str
    """Address of the server, as players type it."""
    fingerprint: str

    def code(self, to: str, language: str, code: str, now: int, message_id: str) -> EmailMessage:
        """Return the letter that brings a code to an address."""
        say = words_of("server", language).say
        body = say("mail.code_body", visible(self.server), code, self.address)
        return self._letter(to, say("mail.code_subject"), body, now, message_id)

    def awaited(
        self,
        to: str,
        language: str,
        tables: Sequence[Summary],
        stop: str,
        now: int,
        message_id: str,
    ) -> EmailMessage:
        """Return the letter that names the waiting tables."""
        say = words_of("server", language).say
        with_whom = [visible(", ".join(table.names)) for table in tables[:_MOST_TABLES]]
        lines = "\n".join(say("mail.table", names) for names in with_whom)
        body = say(
            "mail.awaited_body",
            *(visible(self.server), lines, self.address, f"{self.fingerprint} --stop-mail {stop}"),
        )
        return self._letter(to, say("mail.awaited_subject"), body, now, message_id)

    def _letter(self, to: str, subject: str, body: str, now: int, message_id: str) -> EmailMessage:
        letter = EmailMessage(policy=SMTP)
        letter["From"] = self.sender
        letter["To"] = to
        letter["Subject"] = subject
        letter["Date"] = format_datetime(datetime.fromtimestamp(now / 1000, UTC))
        letter["Message-ID"] = f"<{message_id}@{self.sender.rpartition('@')[2]}>"
        # Automatic responders ignore such mails (RFC 3834).
        letter["Auto-Submitted"] = "auto-generated"
        letter.set_content(body)
        return letter
