"""Statuses of the connection, shown on screens. No status may contain a secret."""

import attrs


@attrs.frozen
class Disconnected:
    """Not connected: the client has not started yet, or waits for a retry."""

    retry_seconds: float | None = None
    """Seconds from the start of this status to the next attempt; None for never."""
    reason: str = ""
    """
    Why the last attempt or connection ended: a key of the usual causes or a sentence, for
    `client.net.causes.in_words`; empty if there was none.
    """


@attrs.frozen
class Connecting:
    """Connecting: TCP and TLS are being set up."""

    attempt: int
    """Number of the attempt, from 1, since the last login."""


@attrs.frozen
class LoggingIn:
    """Connected, while both ends prove their identities."""


@attrs.frozen
class Online:
    """Logged in: messages can be sent."""

    server_name: str
    fingerprint: str
    """Fingerprint of the server's identity, as text."""
    public_address: str
    """Public address of the server, `host:port`; empty if it announces none."""
    delay_seconds: float | None = None
    """Round-trip time of the last ping; None before the first."""


@attrs.frozen
class GaveUp:
    """Ended: a retry would not help, or the connection was stopped on purpose."""

    code: str
    """The error code: `login/…` or `stopped`."""
    reason: str
    """
    The explanation of the server or the protocol in English, for
    `client.net.causes.refusal_in_words`.
    """


Status = Disconnected | Connecting | LoggingIn | Online | GaveUp
