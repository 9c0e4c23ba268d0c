"""
Reasons for a missing connection to a server.

Common causes are keys of the client's own words, because the messages of the network layer are
English and not meant for players.
"""

from OpenSSL import SSL
from twisted.internet import error
from twisted.python.failure import Failure

from client.locale import Locale
from client.model.status import GaveUp
from protocol.login import VERSIONS, LoginRefused, WrongIdentity

_CAUSE = "cause."
"""The prefix of the key of every cause. The words of causes have no parameters."""

SLOW = "cause.slow"
SILENT = "cause.silent"

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
"""Codes of goodbyes and of refused logins that have words here."""

_OURS = frozenset({"stopped", "login/trust", WrongIdentity.code})
"""Codes for reasons of the client itself, which have their own words."""


def cause_of(failure: Failure) -> str:
    """Return the key of a failure's cause; for an unusual failure, its message."""
    for kind, cause in _CAUSES:
        if isinstance(failure.value, kind):
            return cause
    return failure.getErrorMessage() or type(failure.value).__name__


def cause_said(code: str, reason: str) -> str:
    """
    Return the key of the cause that a server gave when it closed the connection.

    Args:
        code: the code of the server's goodbye, or of its refusal.
        reason: the server's explanation in English, returned unchanged for an unusual code.
    """
    return f"cause.{code}" if code in _GOODBYES else reason


def code_of(refused: LoginRefused) -> str:
    """
    Return the code of a refused login.

    If client and server share no protocol version, return a code that tells whether the client or
    the server is older.
    """
    if refused.code != "login/version":
        return refused.code
    return "login/old_server" if max(refused.versions) < max(VERSIONS) else "login/old_client"


def refusal_in_words(locale: Locale, status: GaveUp) -> str:
    """
    Return a sentence about the reason why a connection has ended for good.

    A reason found by the client itself is already in the player's language. For a code without
    words, quote the server's explanation.
    """
    if status.code in _OURS:
        return status.reason
    area = status.code.partition("/")[0]
    for key in (f"refused.{status.code}", f"refused.{area}"):
        if locale.has(key):
            return locale.say(key, status.code)
    return locale.say("refused.other", status.code, status.reason.rstrip("."))


def in_words(locale: Locale, reason: str) -> str:
    """Translate a reason that is a cause's key; drop the final full stop of any reason."""
    # Only these keys: a server's text may look like any key, by chance or to do harm.
    is_cause = reason.startswith(_CAUSE) and locale.has(reason)
    return (locale.say(reason) if is_cause else reason).rstrip(".")
