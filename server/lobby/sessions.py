"""
Sessions: passes each message of a client, in order, to its handler.

The handler is looked up in the table of handlers (`server.lobby.requests.handlers`). Then the
budgets of the message are charged, its room is loaded and its seat is found, if the handler needs
them. A seat is found by the key of the session alone, so no message can speak for somebody else.
"""

from collections.abc import Mapping

import attrs
from twisted.logger import Logger

from protocol import messages
from server.kernel.errors import Refused, RuleFailed
from server.lobby.finished.access import Access
from server.lobby.finished.reviews import Reviews
from server.lobby.requests.after_input import AfterInput
from server.lobby.requests.handlers import ANSWERED, Handler, Needs, Reply
from server.lobby.requests.pace import Pace
from server.lobby.requests.replies import Replies
from server.lobby.requests.visitor import MAX_INBOX, RoomVisitor, SeatHolder, Visitor, Visitors
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.services.mailing import Mail
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.lobby.views.words import Wordsmith
from server.net.handler import Session
from server.storage import StorageError

QUIET_SECONDS = 1.0
"""Seconds without a message after which the server counts as idle."""


@attrs.define(eq=False)
class Sessions:
    """Implements `server.net.handler.SessionHandler`."""

    services: LobbyServices
    registry: Registry
    visitors: Visitors
    replies: Replies
    pace: Pace
    mail: Mail
    access: Access
    reviews: Reviews
    after: AfterInput
    handlers: Mapping[type[messages.ClientMessage], Handler] = attrs.field(factory=dict, init=False)
    """Handlers bound to their collaborators. Set last, since some collaborators hold this
    object."""
    _heard_at: float = attrs.field(default=-QUIET_SECONDS, init=False)
    _log = Logger()

    @property
    def are_quiet(self) -> bool:
        """True if no client has sent a message for `QUIET_SECONDS`."""
        return self.services.clock.seconds() - self._heard_at >= QUIET_SECONDS

    # From the network

    def connected(self, session: Session) -> None:
        visitor = Visitor(session, Wordsmith(session.account.language))
        self.visitors.by_session[session] = visitor

    def received(self, session: Session, message: messages.ClientMessage) -> None:
        """
        Queue a message of a session, or refuse it if too many wait.

        The messages of one session are handled in order.
        """
        self._heard_at = self.services.clock.seconds()
        visitor = self.visitors.by_session.get(session)
        if visitor is None:
            return
        if len(visitor.inbox) >= MAX_INBOX:
            self.replies.refuse(visitor, message, Refused("table/too_busy"))
            return
        visitor.inbox.append(message)
        if not visitor.is_busy:
            run_detached(self._work(visitor))

    def disconnected(self, session: Session) -> None:
        visitor = self.visitors.by_session.pop(session, None)
        if visitor is None:
            return
        visitor.is_gone = True
        self.reviews.disconnected(session)
        if visitor.following:
            self.mail.mailing.left(visitor.key)
        for room_id in visitor.following:
            host = self.registry.hosts.get(room_id)
            if host is not None and session in host.followers.by_session:
                host.followers.unfollow(session)
                run_detached(self._note_presence(host))

    async def _note_presence(self, host: RoomHost) -> None:
        host.users += 1
        try:
            await host.presence.note()
        finally:
            self.registry.release(host)

    # One message after another

    async def _work(self, visitor: Visitor) -> None:
        visitor.is_busy = True
        while visitor.inbox:
            message = visitor.inbox.popleft()
            since = self.replies.counts.now()
            is_done = await self._reply(visitor, message)
            handler = self.handlers.get(type(message))
            if is_done and handler is not None and not handler.is_private:
                self.replies.counts.replied(type(message).__name__, since)
            if visitor.inbox:
                # Messages that came while one waited for the store must not fill a single turn.
                await self.services.scheduler.turn_of(visitor.party)
        visitor.is_busy = False

    async def _reply(self, visitor: Visitor, message: messages.ClientMessage) -> bool:
        """Handle a message and send its reply; return True if the message was carried out."""
        try:
            reply = await self._handle(visitor, message)
        except Refused as refused:
            self.replies.refuse(visitor, message, refused)
        except RuleFailed as failed:
            self.replies.refuse(visitor, message, Refused("rule/failed"))
            self.replies.notice_failure(visitor, message, failed.report)
        except StorageError as error:
            self._log.error("the store refused: {why}", why=str(error))
            self.replies.refuse(visitor, message, Refused("table/stopped"))
        except Exception:  # noqa: BLE001 (every request gets its reply)
            self._log.failure("a request failed")
            self.replies.refuse(visitor, message, Refused("server/error"))
        else:
            if reply is not ANSWERED:
                visitor.session.send(reply or messages.Done(message.serial))
            return True
        return False

    async def _handle(self, visitor: Visitor, message: messages.ClientMessage) -> Reply:
        handler = self.handlers.get(type(message))
        if handler is None:
            raise Refused("table/unknown_input")
        room_id = message.room_id if isinstance(message, messages.RoomMessage) else ""
        summary = self.registry.summaries.get(room_id)
        is_seated = summary is not None and visitor.key in summary.keys
        now = self.services.clock.seconds()
        # Charged before the room is loaded, since loading is part of the cost.
        if not self.pace.allows(visitor.session, message, handler.cost, now, is_seated=is_seated):
            raise Refused("table/too_busy")
        if handler.needs is Needs.SERVER:
            return await handler.function(visitor, message)
        host = await self.registry.load(self.access.known_room(visitor, room_id))
        try:
            # Asked again: `known_room` cannot decide about a room without a summary.
            if not self.access.may_know(visitor, room_id):
                raise Refused("table/no_such_table")
            if handler.needs is Needs.ROOM:
                return await handler.function(RoomVisitor(visitor, host), message)
            seat = visitor.seat_in(host.room.table.room)
            holder = SeatHolder(visitor, host, seat)
            reply = await handler.function(holder, message)
            if holder.has_submitted:
                await self.after.run(host)
                # A session that has just entered may still be sent older records. Without its own
                # record the reply would make a client ask again, or leave too early.
                await host.followers.shown(visitor.session)
            return reply
        finally:
            self.registry.release(host)
