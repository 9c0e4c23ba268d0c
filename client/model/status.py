"""What state a connection is in, for screens. No secret may ever sit in a status."""

import attrs


@attrs.frozen
class Disconnected:
    """Not connected; nobody has asked for it, or it will be tried again."""

    retry_seconds: float | None = None
    """How long until the next attempt, counted from when this status began; None for never."""
    reason: str = ""
    """
    Why the last attempt or connection ended: a key of the usual causes or a sentence, for
    `client.net.causes.in_words`; empty if there was none.
    """


@attrs.frozen
class Connecting:
    """On the way: TCP and TLS."""

    attempt: int
    """From 1; counted from the last time that a login was done."""


@attrs.frozen
class LoggingIn:
    """Connected; both ends are proving who they are."""


@attrs.frozen
class Online:
    """Logged in: messages can be sent."""

    server_name: str
    fingerprint: str
    """Of the server's identity, as text."""
    public_address: str
    """Where the server says that others reach it, `host:port`; empty if it did not say."""
    delay_seconds: float | None = None
    """How long the last ping took there and back; None before the first."""


@attrs.frozen
class GaveUp:
    """It cannot work, and trying again would not help; or somebody stopped it."""

    code: str
    """For machines: `login/…`, `stopped`."""
    reason: str
    """
    What happened: what the server or the protocol says of it in English; for
    `client.net.causes.refusal_in_words`.
    """


Status = Disconnected | Connecting | LoggingIn | Online | GaveUp
