"""
Playing again: one next table for the people of a finished table.

The id of the next table is stored beside the log of the finished one, so that everybody who asks
comes to the same table.
"""

import contextlib

import attrs

from protocol import messages
from protocol.common import events
from protocol.common.table import RoomTable, Stage
from server.identity.invitations import InvitationKind, Invitations, InvitationTarget
from server.kernel.errors import Refused
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import RoomVisitor, Visitor
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.removal import AGAIN
from server.lobby.services.one_by_one import OneByOne
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.bots import Bots
from server.lobby.tables.campaigns import bring_along, next_part
from server.lobby.tables.joining import Joining
from server.lobby.tables.new_tables import NewTables
from server.lobby.tables.scenarios import must_be_on
from server.lobby.tables.seating_bots import seat_bot
from server.net.handler import Session

CODE = "table/again"
"""Code of the notice that a next table is open."""


@attrs.frozen
class PlayingAgain:
    """Opens the tables that follow finished ones, and brings the people to them."""

    services: LobbyServices
    registry: Registry
    bots: Bots
    tables: NewTables
    joining: Joining
    invitations: Invitations
    _one_by_one: OneByOne = attrs.field(factory=OneByOne, init=False)
    """Serialises requests: players who ask at the same time must come to the same table."""

    async def bring(
        self, visitor: Visitor, finished: RoomHost, message: messages.PlayAgain
    ) -> messages.TableOpened | messages.Joined:
        """
        Bring a player to the next table; open that table if there is none.

        Raises:
            Refused: the game is not over or was practice, the next table is full or may not be
                opened, or the requested scenario is of another game or switched off.
        """
        if finished.room.table.room.source is not None:
            raise Refused("table/in_practice")
        if finished.room.table.room.stage is not Stage.OVER:
            raise Refused("table/not_over")
        async with self._one_by_one:
            room_id = await self.next_of(finished)
            if room_id is None:
                return await self._open(visitor, finished, message)
        host = await self.registry.load(room_id)
        try:
            target = InvitationTarget(room_id, InvitationKind.ANY_SEAT)
            seat = await self.joining.sit_down(host, target, visitor.session.account)
            await self._bring_role(host, finished.room.table.room, seat)
        finally:
            self.registry.release(host)
        return messages.Joined(message.serial, room_id, seat)

    async def lead(self, watcher: RoomVisitor, serial: int) -> messages.TableOpened:
        """
        Lead a spectator to the next table, with an invitation of their own to spectate it.

        Raises:
            Refused: the visitor does not follow the game, has not been shown its end, or nobody has
                opened the next table yet.
        """
        finished = watcher.host
        if watcher.session not in finished.followers.by_session:
            raise Refused("table/no_seat")
        # Asked first: a delayed spectator must not learn by the time of a reply that it is over.
        if not self._is_shown_over(finished, watcher.key):
            raise Refused("table/not_over")
        room_id = await self.next_of(finished)
        if room_id is None:
            raise Refused("table/no_next")
        code = await self.invitations.make(InvitationTarget(room_id, InvitationKind.WATCH))
        watcher.visitor.watching.add(room_id)
        return messages.TableOpened(serial, room_id, "", code)

    def _is_shown_over(self, finished: RoomHost, key: bytes) -> bool:
        """Return True if a key has been shown the game's end, which a delay may hold back."""
        summary = self.registry.summaries.get(finished.room.room_id)
        return summary is not None and summary.stage_for(key, self.services.now()) is Stage.OVER

    async def next_of(self, finished: RoomHost) -> str | None:
        """Return the id of the table that follows a finished one; None if there is none."""
        stored = await self.services.store.get(AGAIN, finished.room.room_id)
        room_id = None if stored is None else stored.decode()
        # The next table may have been removed.
        return room_id if room_id in self.registry.summaries else None

    async def remind(self, finished: RoomHost, session: Session) -> None:
        """Notify a session at a finished table if its next table is open."""
        follower = finished.followers.by_session.get(session)
        # Asked first: for spectators the time of a reply must not reveal that the game is over.
        if follower is None or not self._is_shown_over(finished, session.account.key):
            return
        if await self.next_of(finished) is not None:
            finished.followers.tell(follower, CODE)

    async def _open(
        self, visitor: Visitor, finished: RoomHost, message: messages.PlayAgain
    ) -> messages.TableOpened:
        before = finished.room.table.room
        scenario = message.scenario or before.scenario
        must_be_on(self.services.shelf, before, scenario)
        wished = messages.OpenTable(message.serial, before.settings, scenario)
        opened = await self.tables.open(visitor, wished)
        room_id = finished.room.room_id
        await self.services.store.put(AGAIN, room_id, opened.room_id.encode())
        host = await self.registry.load(opened.room_id)
        try:
            # Scenario and settings came with the wish to open; the campaign, products and bots
            # follow.
            going_on = next_part(self.services.shelf, finished, scenario)
            if going_on is not None:
                await host.submit(going_on, 0)
                await bring_along(self.registry, host, list(host.room.table.room.seats))
            if before.products_off:
                await host.submit(events.ProductsSwitched(before.products_off), 0)
            await self._bring_role(host, before, 0)
            await self._bring_bots(host, before)
        finally:
            self.registry.release(host)
        for follower in list(finished.followers.by_session.values()):
            key = follower.session.account.key
            if follower.session is not visitor.session and self._is_shown_over(finished, key):
                finished.followers.tell(follower, CODE)
        return opened

    async def _bring_role(self, host: RoomHost, before: RoomTable, seat: int) -> None:
        """Give a player the role that they had at the last table, if it is still free."""
        there = host.room.table.room.seats[seat]
        last = before.seat_of(there.key)
        role = "" if last is None else before.seats[last].role
        if role not in self._roles_of(host) or there.role or there.is_ready:
            return
        # Somebody else at the next table may have the role, and who sat down has a seat anyway.
        with contextlib.suppress(Refused):
            await host.submit(events.RoleClaimed(seat, role), seat, key=there.key)

    def _roles_of(self, host: RoomHost) -> list[str]:
        """Return the roles that can be claimed; a game with one role leaves it unsaid."""
        room, shelf = host.room.table.room, self.services.shelf
        roster = shelf.ruleset(room.ruleset).roster(shelf.content(room))
        return [role.name for role in roster.roles] if len(roster.roles) > 1 else []

    async def _bring_bots(self, host: RoomHost, before: RoomTable) -> None:
        """Seat as many bots as the last table had, each in its role if the scenario has it."""
        roles = self._roles_of(host)
        for seat in before.seats.values():
            if seat.is_bot:
                role = seat.role if seat.role in roles else ""
                await seat_bot(
                    host, lambda event: host.submit(event, 0), self.services, self.bots, role
                )


@handles(messages.PlayAgain, needs=Needs.ROOM, cost=Cost.STORED | Cost.OPENED)
async def play_again(
    visitor: RoomVisitor, message: messages.PlayAgain, again: PlayingAgain
) -> messages.TableOpened | messages.Joined:
    if visitor.room.seat_of(visitor.key) is None:
        return await again.lead(visitor, message.serial)
    return await again.bring(visitor.visitor, visitor.host, message)
