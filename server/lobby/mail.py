"""Requests about the mail that this server sends to a player."""

from protocol import messages
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import Visitor
from server.lobby.services.mailing import Mail


@handles(messages.SetMail, needs=Needs.SERVER, cost=Cost.MAILED, is_private=True)
async def set_mail(visitor: Visitor, message: messages.SetMail, mail: Mail) -> None:
    await mail.mailing.set_address(visitor.session, message.address)


@handles(messages.ConfirmMail, needs=Needs.SERVER, cost=Cost.MAILED, is_private=True)
async def confirm_mail(visitor: Visitor, message: messages.ConfirmMail, mail: Mail) -> None:
    await mail.mailing.confirm(visitor.key, message.code)


@handles(messages.StopMail, needs=Needs.SERVER, cost=Cost.MAILED, is_private=True)
async def stop_mail(_: Visitor, message: messages.StopMail, mail: Mail) -> None:
    await mail.mailing.stop_by(message.code)
