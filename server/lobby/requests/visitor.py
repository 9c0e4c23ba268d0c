"""Visitors: the forms of a session that handlers take, at the server, in a room or in a seat."""

from collections import deque
from collections.abc import Collection, Iterator

import attrs

from protocol import messages
from protocol.common.hosts import acts_as_host
from protocol.common.table import RoomTable
from protocol.event import Event
from server.kernel.errors import Refused
from server.lobby.rooms.host import Decision, RoomHost
from server.lobby.views.words import Wordsmith
from server.net.handler import Session
from server.net.scheduling import Party

MAX_INBOX = 256
"""Maximum number of messages of one session that wait to be handled."""


@attrs.define(eq=False)
class Visitor:
    """The lobby's state of one session."""

    session: Session
    words: Wordsmith
    following: set[str] = attrs.field(factory=set)
    """Rooms that the session has entered."""
    watching: set[str] = attrs.field(factory=set)
    """Rooms that the session may spectate by an invitation."""
    speaking_for: dict[str, int] = attrs.field(factory=dict)
    """Seat that the session speaks for, by practice game."""
    inbox: deque[messages.ClientMessage] = attrs.field(factory=deque)
    """Messages received but not yet handled, oldest first."""
    is_busy: bool = False
    """True while a message of the session is being handled."""
    is_gone: bool = False

    @property
    def key(self) -> bytes:
        return self.session.account.key

    @property
    def party(self) -> Party:
        """The scheduler's queue for the work of this session."""
        return Party(self.session.network, self.session)

    def seat_in(self, room: RoomTable, chosen: int | None = None) -> int:
        """
        Return the seat that this visitor speaks for: the chosen seat, or their own.

        Raises:
            Refused: the chosen seat is not theirs.
        """
        if chosen is None:
            chosen = self.speaking_for.get(room.room_id)
        if chosen is None:
            chosen = room.seat_of(self.key)
        # Nobody speaks for a seat of another key, whichever way it was chosen.
        if chosen is None or chosen not in room.seats or room.seats[chosen].key != self.key:
            raise Refused("table/no_seat")
        return chosen


@attrs.define(eq=False)
class RoomVisitor:
    """A visitor who requests something in a loaded room."""

    visitor: Visitor
    host: RoomHost

    @property
    def room(self) -> RoomTable:
        return self.host.room.table.room

    @property
    def session(self) -> Session:
        return self.visitor.session

    @property
    def key(self) -> bytes:
        return self.visitor.key


@attrs.define(eq=False)
class SeatHolder(RoomVisitor):
    """A visitor who requests something for their own seat."""

    seat: int
    has_submitted: bool = False
    """True if the room has accepted an input of this visitor; bots or setups may then have work."""

    async def turn(self) -> None:
        """
        Wait until the room has processed all inputs queued now; check the owner of the seat again.

        Called before a handler looks at the table outside a `Decision`.

        Raises:
            Refused: the seat has another owner by then, or too many inputs wait.
        """
        await self.host.turn()
        if self.room.seats.get(self.seat) is None or self.room.seats[self.seat].key != self.key:
            raise Refused("table/no_seat")

    def must_be_host(self) -> None:
        """Refuse everybody but the host of the table, or during a game the steward."""
        if not acts_as_host(self.room, self.seat):
            raise Refused("table/host_only")

    async def submit(self, event: Event | Decision) -> RoomTable:
        """
        Submit an input of this seat; return the room once the input is stored and shown.

        An input that depends on the table must be a `Decision`, since earlier inputs in the queue
        may still change the table that `self.room` shows.

        Raises:
            Refused: the input is not allowed now, or the seat has changed its owner.
            RuleFailed, StorageError: as `RoomHost.submit`.
        """
        table = await self.host.submit(event, self.seat, key=self.key)
        self.has_submitted = True
        return table.room

    async def submit_as_host(self, event: Event | Decision) -> RoomTable:
        """
        Submit an input that only the host may give. Raises as `submit`.

        When the input leaves the queue, it is refused if the seat is not the host's.
        """

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
        """Return the ids of the rooms that a session follows."""
        visitor = self.by_session.get(session)
        return frozenset() if visitor is None else frozenset(visitor.following)

    def shown_to(self, key: bytes) -> frozenset[str]:
        """Return the ids of the rooms that the clients of a key show."""
        shown = (one.following for one in self.by_session.values() if one.key == key)
        return frozenset().union(*shown)

    def sessions_of(self, keys: Collection[bytes]) -> Iterator[Session]:
        return (one for one in self.by_session if one.account.key in keys)
