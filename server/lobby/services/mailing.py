"""Mailing: mail to awaited players who are away, if the operator has set a relay."""

from typing import Protocol

import attrs

from protocol.messages import MailState
from server.kernel.errors import Refused
from server.net.handler import Session


class Mailing(Protocol):
    """Interface to the mail addresses of players and the mail to them."""

    def state(self, key: bytes, /) -> MailState:
        pass

    async def set_address(self, session: Session, address: str, /) -> None:
        """
        Send a code to a new address of a player; an empty address deletes the stored one.

        Raises:
            Refused: the address is not valid, or the player requested mail too often.
        """

    async def confirm(self, key: bytes, code: str, /) -> None:
        """Confirm the address of a key by the code sent there. Refused: it is wrong or too old."""

    async def stop_by(self, code: str, /) -> None:
        """
        Delete the address to which a mail with this code went.

        Refused: no mail had this code.
        """

    def present(self, key: bytes, /) -> None:
        """Note that a client of this key shows a table: an absence is over."""

    def left(self, key: bytes, /) -> None:
        """Note that a client of this key no longer shows a table."""


class NoMailing:
    """Mailing of a server without a relay."""

    def state(self, _key: bytes, /) -> MailState:
        return MailState.NONE

    async def set_address(self, _session: Session, _address: str, /) -> None:
        raise Refused("mail/none")

    async def confirm(self, _key: bytes, _code: str, /) -> None:
        raise Refused("mail/none")

    async def stop_by(self, _code: str, /) -> None:
        raise Refused("mail/none")

    def present(self, _key: bytes, /) -> None:
        pass

    def left(self, _key: bytes, /) -> None:
        pass


@attrs.define(eq=False)
class Mail:
    """Holder of the lobby's mailing, which is created later since it reads the lobby's tables."""

    mailing: Mailing = attrs.field(factory=NoMailing)
