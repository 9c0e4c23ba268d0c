"""
The interface between network and lobby: sessions, and who handles what they say.

The lobby implements `SessionHandler`; the network implements `Session`. Neither knows more of the
other than stands here, so that each is tested with a stand-in for the other.
"""

from collections.abc import Iterable
from typing import Protocol

import attrs

from protocol.brief import Bodies, Segments
from protocol.messages import ClientMessage, Records, ServerMessage
from protocol.vocabulary import with_fields


@attrs.frozen
class Account:
    """Who logged in. All of it is public."""

    key: bytes
    """The Ed25519 public key: 32 bytes. This alone is who they are."""
    name: str
    """
    What they want to be called; printable, at most 40 characters. At one table no two look the
    same.
    """
    language: str
    """What they read, such as `fr`."""


@with_fields
class PackedRecords(Records):
    """Records for several sessions that see the same, with what all of them are sent."""

    segments: Segments = attrs.field(repr=False)
    bodies: Bodies = attrs.field(factory=dict, repr=False, eq=False)
    """What sessions that are told the same share; see `BriefWriter.payload`."""


class Session(Protocol):
    """One connection of somebody who has logged in. Compared and hashed by identity."""

    @property
    def account(self) -> Account:
        """Who it is."""

    @property
    def network(self) -> str:
        """What counts as its address; empty for who is in this process."""

    def send(self, message: ServerMessage) -> None:
        """
        Say something, in the order of the calls.

        Never blocks and never raises for the peer's sake: a reader that is too slow is
        disconnected, and after the end of the session nothing happens.
        """

    def stream(self, messages: Iterable[ServerMessage]) -> None:
        """
        Say many things, each taken from the iterable only when the peer has room for it.

        For logs and exports, which may be longer than the queue. What `send` is given later
        comes after the last of them.
        """

    def close(self, code: str, reason: str) -> None:
        """Say goodbye and end the session; `disconnected` follows, never within this call."""


class SessionHandler(Protocol):
    """
    Who deals with what sessions say.

    For one session the calls are one `connected`, any number of `received`, one `disconnected`,
    each after the one before has returned. An exception raised here is our own fault: the
    session is closed with the code `server/error`, and logged.
    """

    def connected(self, session: Session) -> None:
        """Somebody has logged in; they may be sent messages from now on."""

    def received(self, session: Session, message: ClientMessage) -> None:
        """They said something, other than `Ping`, which the session answers by itself."""

    def disconnected(self, session: Session) -> None:
        """They are gone; what is sent now goes nowhere."""
