"""Mailing: what the desk needs of whoever writes mails to players who are awaited and away."""

from typing import Protocol

from protocol import messages
from protocol.messages import MailState
from server.kernel.errors import Refused
from server.net.handler import Session


class Mailing(Protocol):
    """Keeps addresses by key, and writes to them."""

    def state(self, key: bytes) -> MailState:
        """Return whether mails are written to a key."""

    async def set_address(self, session: Session, address: str) -> None:
        """
        Send a code to an address that somebody gives as theirs; forget it where that is empty.

        Raises:
            Refused: it is no address, or mails were asked for too often.
        """

    async def confirm(self, key: bytes, code: str) -> None:
        """Take the code that came to the address of a key. Refused: it is another, or too late."""

    async def stop_by(self, code: str) -> None:
        """Forget the address to which a mail with this code went. Refused: no mail had it."""

    def present(self, key: bytes) -> None:
        """Note that a client of this key shows a table: an absence is over."""

    def left(self, key: bytes) -> None:
        """Note that a client of this key shows a table no more."""


async def deal_with_mail(
    mailing: Mailing | None,
    session: Session,
    message: messages.SetMail | messages.ConfirmMail | messages.StopMail,
) -> None:
    """Do what somebody asked of the mails to them. Refused: it cannot be, or none are sent."""
    if mailing is None:
        raise Refused("mail/none")
    match message:
        case messages.SetMail():
            await mailing.set_address(session, message.address)
        case messages.ConfirmMail():
            await mailing.confirm(session.account.key, message.code)
        case messages.StopMail():
            await mailing.stop_by(message.code)
