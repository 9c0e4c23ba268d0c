"""Settings of the relay and of the rate of mails."""

import enum
from pathlib import Path

import attrs

from server.identity.files import UnusableFile, read_secret


class Security(enum.Enum):
    """Encryption of the connection to the relay."""

    STARTTLS = "starttls"
    """Plain at first, then TLS; without TLS nothing is sent."""
    TLS = "tls"
    """TLS from the first byte."""
    NONE = "none"
    """Plain: for a relay on this machine."""


@attrs.frozen
class MailSettings:
    """The relay and the limits."""

    host: str = ""
    """Host of the relay; empty to send no mail."""
    port: int = 587
    security: Security = attrs.field(default=Security.STARTTLS, converter=Security)
    user: str = ""
    """User name at the relay; empty if the relay requires no login."""
    password_file: Path | None = None
    sender: str = ""
    """Address in the sender field of each mail."""
    after_minutes: int = 30
    """Minutes that a player must have been awaited and away before a mail is sent."""
    address_day: int = 6
    """
    Maximum number of codes to one inbox in a day; the same maximum holds for notices to one inbox,
    which are counted separately.
    """
    all_hour: int = 120
    """
    Maximum number of codes to all inboxes in an hour; the same maximum holds for notices to all
    players, which are counted separately.
    """

    @property
    def is_set(self) -> bool:
        return bool(self.host)

    def password(self) -> str:
        """Return the password. UnusableFile: it cannot be read, or others may read it."""
        if self.password_file is None:
            return ""
        try:
            # Editors may write a byte order mark.
            text = read_secret(self.password_file).decode("utf-8-sig", "replace")
            # Only ends of lines: a password may end in a blank.
            return text.strip("\r\n")
        except OSError as error:
            raise UnusableFile(
                f"{self.password_file} cannot be read: {error.strerror or error}",
                *("unreadable", self.password_file, error),
            ) from error
