"""Visitors: sessions as handlers see them, of the server, of a room, or for a seat."""

from collections import deque
from collections.abc import Collection, Iterator

import attrs

from protocol import messages
from protocol.common.table import RoomTable
from protocol.event import Event
from server.kernel.errors import Refused
from server.lobby.rooms.host import Decision, RoomHost
from server.lobby.views.words import Wordsmith
from server.net.handler import Session
from server.net.scheduling import Party

MAX_INBOX = 256
"""Messages of one session that may wait for the one before."""


@attrs.define(eq=False)
class Visitor:
    """State that the lobby has of one session."""

    session: Session
    words: Wordsmith
    following: set[str] = attrs.field(factory=set)
    """Rooms that it entered."""
    watching: set[str] = attrs.field(factory=set)
    """Rooms that this session was invited to spectate."""
    speaking_for: dict[str, int] = attrs.field(factory=dict)
    """Seat that it speaks for in each practice game."""
    inbox: deque[messages.ClientMessage] = attrs.field(factory=deque)
    """Messages received but not yet handled, oldest first."""
    is_busy: bool = False
    """Whether one of its messages is being handled."""
    is_gone: bool = False

    @property
    def key(self) -> bytes:
        """The public key that it logged in with."""
        return self.session.account.key

    @property
    def party(self) -> Party:
        """The party under which the scheduler queues work for this session."""
        return Party(self.session.network, self.session)

    def seat_in(self, room: RoomTable, chosen: int | None = None) -> int:
        """
        Return the seat that this visitor speaks for: the chosen one, or their own.

        Raises:
            Refused: it is not theirs.
        """
        if chosen is None:
            chosen = self.speaking_for.get(room.room_id)
        if chosen is None:
            chosen = room.seat_of(self.key)
        if chosen is None or chosen not in room.seats or room.seats[chosen].key != self.key:
            raise Refused("table/no_seat")
        return chosen


@attrs.define(eq=False)
class RoomVisitor:
    """A visitor who asks something of a room that is loaded."""

    visitor: Visitor
    host: RoomHost

    @property
    def room(self) -> RoomTable:
        """The room as it is now."""
        return self.host.room.table.room

    @property
    def session(self) -> Session:
        """The connection of the visitor."""
        return self.visitor.session

    @property
    def key(self) -> bytes:
        """The public key of the visitor."""
        return self.visitor.key


@attrs.define(eq=False)
class SeatHolder(RoomVisitor):
    """A visitor who asks something for a seat of theirs."""

    seat: int
    has_submitted: bool = False
    """Whether the room took an input from them: then bots and setups may have something to do."""

    def must_be_host(self) -> None:
        """Refuse what only the host of the table may ask."""
        if self.seat != self.room.host:
            raise Refused("table/host_only")

    async def submit(self, event: Event | Decision) -> RoomTable:
        """
        Give the room an input of this seat; return the room once it is stored and shown.

        Whatever depends on the table goes into a `Decision`: `self.room` is older than the inputs
        that wait in the queue.

        Raises:
            Refused: it cannot be now, or the seat has another owner by now.
            RuleFailed, StorageError: as `RoomHost.submit`.
        """
        table = await self.host.submit(event, self.seat, key=self.key)
        self.has_submitted = True
        return table.room

    async def submit_as_host(self, event: Event | Decision) -> RoomTable:
        """Like `submit`, for what only the host may do when the turn of the input comes."""
        self.must_be_host()

        def decide(room: RoomTable) -> Event:
            if self.seat != room.host:
                raise Refused("table/host_only")
            return event if isinstance(event, Event) else event(room)

        return await self.submit(decide)


@attrs.define(eq=False)
class Visitors:
    """All sessions that are connected."""

    by_session: dict[Session, Visitor] = attrs.field(factory=dict)

    def followed_by(self, session: Session) -> frozenset[str]:
        """Return the rooms that a session follows."""
        visitor = self.by_session.get(session)
        return frozenset() if visitor is None else frozenset(visitor.following)

    def shown_to(self, key: bytes) -> frozenset[str]:
        """Return the rooms that clients of this key show."""
        shown = (one.following for one in self.by_session.values() if one.key == key)
        return frozenset().union(*shown)

    def sessions_of(self, keys: Collection[bytes]) -> Iterator[Session]:
        """Yield the sessions of some keys."""
        return (one for one in self.by_session if one.account.key in keys)
