"""
Requests of programs that wait for readers, and reports of how far a player has read.

Nothing of this is on the log.
"""

from protocol import messages
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.visitor import SeatHolder


@handles(messages.AwaitReaders, needs=Needs.SEAT)
async def await_readers(holder: SeatHolder, _: messages.AwaitReaders) -> None:
    holder.host.followers.reading.wait(holder.session)


@handles(messages.HaveRead, needs=Needs.SEAT)
async def have_read(holder: SeatHolder, message: messages.HaveRead) -> None:
    holder.host.followers.reading.have_read(holder.session, message.until)
