"""
Why there is no connection to a server.

The usual causes are keys of the client's own words: what the network layer says of them is English,
and not meant for players.
"""

from OpenSSL import SSL
from twisted.internet import error
from twisted.python.failure import Failure

from client.locale import Locale
from client.model.status import GaveUp
from protocol.login import VERSIONS, LoginRefused, WrongIdentity

_CAUSE = "cause."
"""Begins the key of every cause; none of their words has anything to fill in."""

SLOW = "cause.slow"
"""The server was reached and did not let us in in time."""
SILENT = "cause.silent"
"""The server was not heard of for too long."""

_CAUSES: tuple[tuple[type[Exception], str], ...] = (
    (SSL.Error, "cause.no_tls"),
    (error.ConnectionRefusedError, "cause.refused"),
    (error.DNSLookupError, "cause.unknown_host"),
    (error.TimeoutError, "cause.no_answer"),
    (error.TCPTimedOutError, "cause.no_answer"),
    (error.NoRouteError, "cause.no_way"),
    (error.ConnectionLost, "cause.lost"),
    (error.ConnectionDone, "cause.lost"),
)

_GOODBYES = frozenset(
    {
        "server/stopping",
        "server/error",
        "limit/idle",
        "limit/messages",
        "limit/connections",
        "limit/logins",
    }
)
"""Codes of a server's goodbye, or of a login that it refused, for which there are words."""

_OURS = frozenset({"stopped", "login/trust", WrongIdentity.code})
"""Codes of an end that the client gives itself, with words of its own."""


def cause_of(failure: Failure) -> str:
    """Return the key of the cause; what the failure says of itself where it is an unusual one."""
    for kind, cause in _CAUSES:
        if isinstance(failure.value, kind):
            return cause
    return failure.getErrorMessage() or type(failure.value).__name__


def cause_said(code: str, reason: str) -> str:
    """
    Return the key of the cause that a server gave when it closed the line.

    Args:
        code: of its goodbye, or of its refusal.
        reason: what it said in English; returned as it is where the code is an unusual one.
    """
    return f"cause.{code}" if code in _GOODBYES else reason


def code_of(refused: LoginRefused) -> str:
    """
    Return the code of a login that a server refused.

    Where the two speak no version in common it is one of our own that says which of them is older.
    """
    if refused.code != "login/version":
        return refused.code
    return "login/old_server" if max(refused.versions) < max(VERSIONS) else "login/old_client"


def refusal_in_words(locale: Locale, status: GaveUp) -> str:
    """
    Return why a connection has ended for good, as a sentence.

    What we found out ourselves stands in the status in the player's language already. A code that
    has no words is told with what the server says of it, as a quotation.
    """
    if status.code in _OURS:
        return status.reason
    area = status.code.partition("/")[0]
    for key in (f"refused.{status.code}", f"refused.{area}"):
        if locale.has(key):
            return locale.say(key, status.code)
    return locale.say("refused.other", status.code, status.reason.rstrip("."))


def in_words(locale: Locale, reason: str) -> str:
    """Return a reason that is the key of a cause in the words of a language, any other as it is."""
    # What a server says may be a key as well, by chance or to do harm.
    is_cause = reason.startswith(_CAUSE) and locale.has(reason)
    return (locale.say(reason) if is_cause else reason).rstrip(".")
