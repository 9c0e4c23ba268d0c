"""The state of a connection, in a few words."""

from client.locale import Locale
from client.status import Connecting, Disconnected, GaveUp, LoggingIn, Online, Status


def connection_line(locale: Locale, status: Status) -> str:
    """Return how the connection fares; the delay in milliseconds where it is known."""
    match status:
        case Online(delay_seconds=None):
            return locale.say("connection.online")
        case Online(delay_seconds=float(delay)):
            return locale.say("connection.delay", round(delay * 1000))
        case Connecting(attempt=attempt):
            return locale.say("connection.connecting", attempt)
        case LoggingIn():
            return locale.say("connection.login")
        case Disconnected(retry_seconds=float(retry)):
            return locale.say("connection.retry", round(retry))
        case GaveUp():
            return locale.say("connection.gave_up")
        case _:
            return locale.say("connection.away")
