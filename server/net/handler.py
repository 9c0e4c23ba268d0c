"""
The interface between network and lobby: sessions, and the handler of their messages.

The lobby implements `SessionHandler`; the network implements `Session`. Each side knows only what
this module declares, so that tests can fake the other side.
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
    """Display name: printable, at most 40 characters. Names at one table must look different."""
    language: str
    """Preferred language, such as `fr`."""


@with_fields
class PackedRecords(Records):
    """Records for several sessions with equal views, which share the encoded parts."""

    segments: Segments = attrs.field(repr=False)
    bodies: Bodies = attrs.field(factory=dict, repr=False, eq=False)
    """Cache of payloads for sessions in the same state; see `BriefWriter.payload`."""


class Session(Protocol):
    """A connection after its login. Compared and hashed by identity."""

    @property
    def account(self) -> Account:
        pass

    @property
    def network(self) -> str:
        """Network whose limits count the session; empty within this process."""

    def send(self, message: ServerMessage) -> None:
        """
        Queue a message behind all messages sent before.

        The method never blocks, and never raises because of the peer: a reader that is too slow is
        disconnected, and after the end of the session nothing happens.
        """

    def stream(self, messages: Iterable[ServerMessage]) -> None:
        """
        Queue a lazy sequence of messages, each made only when the socket has room.

        Used for logs and exports, which may be longer than the queue. Messages sent later follow
        the last of the sequence.
        """

    def close(self, code: str, reason: str) -> None:
        """Send a goodbye and end the session; `disconnected` follows, never within this call."""


class SessionHandler(Protocol):
    """
    Handles the messages of sessions.

    The calls for one session are one `connected`, any number of `received`, one `disconnected`,
    never nested. An exception raised in a call is our own fault: the session is closed with the
    code `server/error`, and the exception is logged.
    """

    def connected(self, session: Session) -> None:
        """Begin to serve a session. Messages may be sent to it from now on."""

    def received(self, session: Session, message: ClientMessage) -> None:
        """Handle a message; never `Ping`, which the session answers itself."""

    def disconnected(self, session: Session) -> None:
        """Stop serving a session; later messages to it are dropped."""
