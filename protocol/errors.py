"""
Errors of the protocol: faults of bytes from elsewhere.

Each has a stable code for machines. The net layer reports a fault of its peer once and closes the
connection; readers of files and stores report it to the person who opened them.
"""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar


class ProtocolError(Exception):
    """
    Bytes from a peer or a file that violate the protocol.

    Args:
        reason: one sentence for a person; never quotes a secret.
        code: a stable code more exact than that of the class.
    """

    code = "protocol/error"

    def __init__(self, reason: str, *, code: str | None = None) -> None:
        super().__init__(reason)
        self.code = code or type(self).code


class Malformed(ProtocolError):
    """Bytes that are not the canonical encoding of a value of the expected shape."""

    code = "protocol/malformed"


_LAWS_LATER: ContextVar[bool] = ContextVar("laws_later", default=False)


@contextlib.contextmanager
def laws_later() -> Iterator[None]:
    """
    Accept values that only a law of their game forbids, until the context ends.

    For audits, which check the laws after all other rules.
    """
    token = _LAWS_LATER.set(True)
    try:
        yield
    finally:
        _LAWS_LATER.reset(token)


def are_laws_later() -> bool:
    """Return whether values that only a law of their game forbids are accepted now."""
    return _LAWS_LATER.get()


class ImpossibleValue(ValueError):
    """A value that breaks a rule of its class which types cannot express."""

    code = "protocol/broken_piece"


class UnknownTag(ProtocolError):
    """A tag that this version does not know."""

    code = "protocol/unknown_tag"


class UnknownGame(ProtocolError):
    """The log belongs to a game that is not installed."""

    code = "protocol/unknown_game"

    def __init__(self, game: str) -> None:
        super().__init__(f"no game {game!r} is installed here")
        self.game = game


class OverLimit(ProtocolError):
    """Something longer, deeper or more numerous than the protocol allows."""

    code = "protocol/over_limit"


class BadCommitment(ProtocolError):
    """An opening that does not fit its commitment."""

    code = "protocol/bad_commitment"


class BrokenChain(ProtocolError):
    """Records of a log that cannot follow one another."""

    code = "protocol/broken_chain"


class SealedError(Exception):
    """A bug: code read the value of a secret that is sealed here."""
