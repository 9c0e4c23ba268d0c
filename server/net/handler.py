"""
The interface between network and lobby: sessions, and who handles what they say.

The lobby implements `SessionHandler`; the network implements `Session`. Neither knows more of the
other than this module declares, so that each is tested with a fake of the other.
"""

from collections.abc import Iterable
from typing import Protocol

import attrs

from protocol.brief import Bodies, Segments
from protocol.messages import ClientMessage, Records, ServerMessage
from protocol.vocabulary import with_fields


@attrs.frozen
class Account:
    """The identity of a login. All of it is public."""

    key: bytes
    """Ed25519 public key, 32 bytes; the only thing that identifies a player."""
    name: str
    """
    Display name: printable, at most 40 characters. The seats of one table have names that look
    different.
    """
    language: str
    """Preferred language, such as `fr`."""


@with_fields
class PackedRecords(Records):
    """Records for several sessions with equal views, with the encoded parts that they share."""

    segments: Segments = attrs.field(repr=False)
    bodies: Bodies = attrs.field(factory=dict, repr=False, eq=False)
    """Cache of payloads for sessions in the same state; see `BriefWriter.payload`."""


class Session(Protocol):
    """A connection after its login. Compared and hashed by identity."""

    @property
    def account(self) -> Account:
        """The owner of the session."""

    @property
    def network(self) -> str:
        """The network that the session counts against; empty within this process."""

    def send(self, message: ServerMessage) -> None:
        """
        Send a message after all that were sent before.

        Never blocks and never raises for the peer's sake: a reader that is too slow is
        disconnected, and after the end of the session nothing happens.
        """

    def stream(self, messages: Iterable[ServerMessage]) -> None:
        """
        Send many messages, each taken from the iterable only when the socket has room for it.

        For logs and exports, which may be longer than the queue. Messages sent later
        come after the last of them.
        """

    def close(self, code: str, reason: str) -> None:
        """Say goodbye and end the session; `disconnected` follows, never within this call."""


class SessionHandler(Protocol):
    """
    Handles the messages of sessions.

    For one session the calls are one `connected`, any number of `received`, one `disconnected`,
    each after the one before has returned. An exception raised here is our own fault: the
    session is closed with the code `server/error`, and logged.
    """

    def connected(self, session: Session) -> None:
        """Begin to serve a session; it may be sent messages from now on."""

    def received(self, session: Session, message: ClientMessage) -> None:
        """Handle a message; never `Ping`, which the session answers by itself."""

    def disconnected(self, session: Session) -> None:
        """End serving a session; messages sent to it are dropped."""
