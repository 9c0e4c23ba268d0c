"""Statuses of the connection, shown on screens. No status may contain a secret."""

import attrs


@attrs.frozen
class Disconnected:
    """The status before the start, and while the client waits for a retry."""

    retry_seconds: float | None = None
    """Seconds from the start of this status to the next attempt; None if the client will not
    retry."""
    reason: str = ""
    """Why the last attempt or connection ended: a key of the usual causes or a sentence, for
    `client.net.causes.in_words`; empty if nothing failed."""


@attrs.frozen
class Connecting:
    """The status while TCP and TLS are being set up."""

    attempt: int
    """The number of the attempt since the last login, from 1."""


@attrs.frozen
class LoggingIn:
    """The status while both ends prove their identities over TLS."""


@attrs.frozen
class Online:
    """The status after the login: messages can be sent."""

    server_name: str
    fingerprint: str
    """The fingerprint of the server's identity, as text."""
    public_address: str
    """The server's public address as `host:port`; empty if the server announces none."""
    delay_seconds: float | None = None
    """The round-trip time of the last ping; None before the first reply to a ping."""


@attrs.frozen
class GaveUp:
    """The final status: a retry would not help, or the player stopped the connection."""

    code: str
    """The error code: `login/…` or `stopped`."""
    reason: str
    """
    The explanation of the server or the protocol in English, for
    `client.net.causes.refusal_in_words`.
    """


Status = Disconnected | Connecting | LoggingIn | Online | GaveUp
