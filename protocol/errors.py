"""
The errors of the protocol: what can be wrong with bytes that somebody else sent.

Each has a stable code for machines. The net layer closes the connection on any of them and says
so once; nothing behind it has seen the input.
"""


class ProtocolError(Exception):
    """The peer sent something that is not our protocol. The connection is over."""

    code = "protocol/error"

    def __init__(self, reason: str, *, code: str | None = None) -> None:
        """
        Say what is wrong.

        Args:
            reason: one sentence for a person; never quotes a secret.
            code: a more exact stable code than the class's own.
        """
        super().__init__(reason)
        self.code = code or type(self).code


class Malformed(ProtocolError):
    """Bytes that are not the canonical encoding of a value of the expected shape."""

    code = "protocol/malformed"


class ImpossibleValue(ValueError):
    """A value of a game breaks a rule of its class that no type can say."""

    code = "protocol/broken_piece"


class UnknownTag(ProtocolError):
    """A tag that this version does not know."""

    code = "protocol/unknown_tag"


class UnknownGame(ProtocolError):
    """A log of a game that is not installed here."""

    code = "protocol/unknown_game"

    def __init__(self, game: str) -> None:
        """Keep the name, which may be a stranger's."""
        super().__init__(f"no game {game!r} is installed here")
        self.game = game


class OverLimit(ProtocolError):
    """Something longer, deeper or more numerous than the protocol allows."""

    code = "protocol/over_limit"


class BadCommitment(ProtocolError):
    """An opening that does not fit the commitment made before."""

    code = "protocol/bad_commitment"


class BrokenChain(ProtocolError):
    """A log whose records do not follow one another."""

    code = "protocol/broken_chain"


class SealedError(Exception):
    """Our own mistake: code looked at a secret that its holder does not have."""
