"""Mailing: mails to awaited players who are away, where the operator has set a relay."""

from typing import Protocol

import attrs

from protocol.messages import MailState
from server.kernel.errors import Refused
from server.net.handler import Session


class Mailing(Protocol):
    """Mail addresses by key, and the mails to them."""

    def state(self, key: bytes, /) -> MailState:
        """Return the state of the mails to a key."""

    async def set_address(self, session: Session, address: str, /) -> None:
        """
        Send a code to the address that somebody gives; forget their address if it is empty.

        Raises:
            Refused: the address is not valid, or mails were asked for too often.
        """

    async def confirm(self, key: bytes, code: str, /) -> None:
        """Confirm the address of a key by the code sent there. Refused: it is wrong or too old."""

    async def stop_by(self, code: str, /) -> None:
        """Forget the address to which a mail with this code went. Refused: no mail had it."""

    def present(self, key: bytes, /) -> None:
        """Note that a client of this key shows a table: an absence is over."""

    def left(self, key: bytes, /) -> None:
        """Note that a client of this key shows a table no more."""


class NoMailing:
    """Implements `Mailing` where the operator has set no relay."""

    def state(self, _key: bytes, /) -> MailState:
        """See `Mailing.state`."""
        return MailState.NONE

    async def set_address(self, _session: Session, _address: str, /) -> None:
        """See `Mailing.set_address`."""
        raise Refused("mail/none")

    async def confirm(self, _key: bytes, _code: str, /) -> None:
        """See `Mailing.confirm`."""
        raise Refused("mail/none")

    async def stop_by(self, _code: str, /) -> None:
        """See `Mailing.stop_by`."""
        raise Refused("mail/none")

    def present(self, _key: bytes, /) -> None:
        """See `Mailing.present`."""

    def left(self, _key: bytes, /) -> None:
        """See `Mailing.left`."""


@attrs.define(eq=False)
class Mail:
    """Holds the mailing of a lobby, which reads the lobby's tables and so is made after it."""

    mailing: Mailing = attrs.field(factory=NoMailing)
