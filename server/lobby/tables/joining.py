"""
Joining: gives a seat to the holder of an invitation.

Before a game, players who know its fixed setup confirm that when they get ready. In a running game
the board is shown at once, so such players have to confirm before they get the seat. Until then
nothing is written, and nobody at the table learns of them.
"""

import attrs

from protocol import messages
from protocol.bounds import MAX_SEATS
from protocol.common import events
from protocol.common.hosts import acts_as_host
from protocol.common.kept_apart import is_kept_out
from protocol.common.table import RoomTable, Stage
from protocol.event import Event
from server.identity.invitations import InvitationKind, Invitations, InvitationTarget
from server.kernel.errors import Refused
from server.lobby.requests.after_input import AfterInput
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import Visitor
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.tables.campaigns import bring_along
from server.lobby.tables.known_setups import BARRED, ELSEWHERE, KnownSetups
from server.lobby.tables.seating_bots import free_seat
from server.net.handler import Account

KEPT_OUT = "table/role_apart"
"""Code of the refusal of a seat to somebody who had one of another role in the game."""


@attrs.frozen(eq=False)
class Joining:
    """Redeems the codes of invitations to seats."""

    registry: Registry
    invitations: Invitations
    known: KnownSetups

    async def find(self, code: str) -> InvitationTarget:
        """Return the target of a code. Refused: the code is for no seat."""
        target = await self.invitations.find(code)
        if target is None or target.place is InvitationKind.WATCH:
            raise Refused("invitation/unknown")
        return target

    async def sit_down(
        self,
        host: RoomHost,
        target: InvitationTarget,
        account: Account,
        *,
        wants_known: bool = False,
    ) -> int:
        """
        Give an account the invited seat or a free one; return the number of the seat.

        An account that has a seat keeps it.

        Args:
            host: the host of the target's room.
            target: the target of the invitation.
            account: the account that redeems the invitation.
            wants_known: True if the account agrees to play a fixed setup that it knows.

        Raises:
            Refused: there is no free seat, or the account knows the setup, and has to confirm that
                or may not have the seat.
        """
        # Each further attempt follows the loss of a seat to somebody else, so these are enough.
        for _ in range(MAX_SEATS):
            await host.turn()
            room = host.room.table.room
            seat = room.seat_of(account.key)
            # Using a code twice gives the same seat.
            if seat is not None:
                return seat
            is_filling = target.place is InvitationKind.SEAT
            seat = target.seat if is_filling else free_seat(room)
            try:
                happened: Event = events.SeatTaken(seat, account.name, account.key, is_bot=False)
                if is_filling:
                    happened = self._filled(room, seat, account, wants_known=wants_known)
                await host.submit(happened, seat)
            except Refused as refused:
                if refused.code == KEPT_OUT:
                    _tell_who_invites(host)
                # Somebody else took that seat meanwhile: try the next one.
                was_faster = refused.code in {"table/seat_taken", "table/already_seated"}
                if not was_faster or host.room.table.room == room:
                    raise
            else:
                await bring_along(self.registry, host, [seat])
                return seat
        raise Refused("table/full")

    def _filled(self, room: RoomTable, seat: int, account: Account, *, wants_known: bool) -> Event:
        """Return the event that fills a seat. Refused: the account has to confirm first."""
        fixed, vacated = room.fixed_setup, room.seats.get(seat)
        # First: nobody has to confirm that they know the setup for a seat that they cannot have.
        if vacated is not None and not vacated.key and is_kept_out(room, seat, account.key):
            raise Refused(KEPT_OUT)
        is_joinable = room.stage is Stage.PLAYING and vacated is not None and not vacated.key
        # `knows` is asked last, since it may go through all tables of the server.
        is_known = is_joinable and fixed and self.known.knows(account.key, fixed.setup_id)
        if vacated is None or not is_known:
            return events.SeatFilled(seat, account.name, account.key)
        informed = self.known.informed_roles(room)
        if informed is not None and vacated.role not in informed:
            # Who comes back must not have met the setup at another table, even if they left it.
            had_it = vacated.role in room.past_roles.get(account.key, ())
            if not had_it or self.known.met_elsewhere(account.key, room):
                raise Refused(BARRED)
        elif informed is not None and self.known.plays_elsewhere(account.key, room):
            raise Refused(ELSEWHERE)
        if not wants_known:
            raise Refused("setup/known_game")
        return events.SeatFilledKnowing(seat, account.name, account.key)


def _tell_who_invites(host: RoomHost) -> None:
    """Tell those who can give seats away that an invitation was used by somebody kept out."""
    room = host.room.table.room
    for follower in list(host.followers.by_session.values()):
        if acts_as_host(room, follower.seat):
            host.followers.tell(follower, "table/apart_refused")


@handles(messages.JoinTable, needs=Needs.SERVER, cost=Cost.STORED)
async def join_table(
    visitor: Visitor, message: messages.JoinTable, joining: Joining, after: AfterInput
) -> messages.Joined:
    return await _join(visitor, message, joining, after, wants_known=False)


@handles(messages.JoinKnownTable, needs=Needs.SERVER, cost=Cost.STORED)
async def join_known_table(
    visitor: Visitor, message: messages.JoinKnownTable, joining: Joining, after: AfterInput
) -> messages.Joined:
    return await _join(visitor, message, joining, after, wants_known=True)


async def _join(
    visitor: Visitor,
    message: messages.JoinTable | messages.JoinKnownTable,
    joining: Joining,
    after: AfterInput,
    *,
    wants_known: bool,
) -> messages.Joined:
    target = await joining.find(message.code)
    host = await joining.registry.load(target.room_id)
    try:
        account = visitor.session.account
        seat = await joining.sit_down(host, target, account, wants_known=wants_known)
        await after.run(host)
    finally:
        joining.registry.release(host)
    return messages.Joined(message.serial, target.room_id, seat)
