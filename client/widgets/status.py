"""The state of a connection, in a few words or, while the connection is down, as a banner."""

import math

from client.locale import Locale
from client.model.status import Connecting, Disconnected, GaveUp, LoggingIn, Online, Status
from client.net.causes import in_words, refusal_in_words


def connection_line(
    locale: Locale, status: Status, elapsed: float = 0.0, *, is_short: bool = False
) -> str:
    """
    Return the state of the connection; online, with the delay in milliseconds if known.

    Args:
        locale: the words.
        status: the status of the connection.
        elapsed: seconds in this status.
        is_short: whether the delay alone shows that the connection is online.
    """
    match status:
        case Online(delay_seconds=None):
            return locale.say("connection.online")
        case Online(delay_seconds=float(delay)):
            key = "connection.delay.short" if is_short else "connection.delay"
            return locale.say(key, round(delay * 1000))
        case Connecting(attempt=attempt):
            return locale.say("connection.connecting", attempt)
        case LoggingIn():
            return locale.say("connection.login")
        case Disconnected(retry_seconds=float(retry)):
            return locale.say("connection.retry", seconds_left(retry, elapsed))
        case GaveUp():
            return locale.say("connection.gave_up")
        case _:
            return locale.say("connection.away")


def banner(locale: Locale, status: Status, elapsed: float = 0.0) -> str:
    """Return the banner for a missing connection to the server; empty if there is a connection."""
    match status:
        case Online():
            return ""
        case Connecting(attempt=attempt):
            return locale.say("banner.connecting", attempt)
        case LoggingIn():
            return locale.say("banner.login")
        case Disconnected(retry_seconds=float(retry), reason=reason):
            left = seconds_left(retry, elapsed)
            if not reason:
                return locale.say("banner.retry_bare", left)
            return locale.say("banner.retry", in_words(locale, reason), left)
        case GaveUp():
            return locale.say("banner.gave_up", refusal_in_words(locale, status))
        case _:
            return locale.say("banner.away")


def changes_in(status: Status, elapsed: float) -> float | None:
    """Return the seconds until the words of a status change by time alone; None for never."""
    match status:
        case Disconnected(retry_seconds=float(retry)) if (left := retry - elapsed) > 0:
            # The shown number of seconds changes at the next whole second.
            return left - (seconds_left(retry, elapsed) - 1)
        case _:
            return None


def seconds_left(retry: float, elapsed: float) -> int:
    """Return the rounded-up seconds until a retry; 0 once the wait is over."""
    return math.ceil(max(0.0, retry - elapsed))
