"""Presence: keeps the seats that are present on the log equal to the seats that follow."""

import functools
from collections.abc import Callable, Mapping

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocol.common.events import PresenceChanged
from protocol.common.table import RoomTable, Table
from protocol.event import Event
from server.kernel.errors import Refused, RuleFailed
from server.lobby.views.viewer import Viewer
from server.lobby.views.words import Wordsmith
from server.net.handler import Session
from server.storage import StorageError

MAX_REFUSED_NOTES = 64
"""Number of refused changes of presence after which a call of `Presence.note` gives up."""


@attrs.define(eq=False)
class Follower:
    """A session that follows the room."""

    session: Session
    viewer: Viewer
    key: bytes
    """
    Public key of the seat's owner when the session began to follow; empty without a seat. When the
    seat changes its owner, the session sees that record as a spectator, and is then removed.
    """
    words: Wordsmith
    next_sequence: int
    """Sequence of the first record that was not sent yet."""
    is_behind: bool = False
    """True while the server reads older records for the follower."""
    when_shown: list[Deferred[None]] = attrs.field(factory=list)
    """Fire once the follower is no longer behind."""
    until: int | None = None
    """Sequence of the first record not to be sent, once the seat has another owner."""

    @property
    def seat(self) -> int | None:
        """Seat of the follower; None for spectators and observers."""
        return self.viewer.seat


@attrs.define(eq=False)
class Presence:
    """Submits changes of presence of a room's seats as inputs."""

    followers: Mapping[Session, Follower]
    """The followers of the room; the dict changes as they come and go."""
    room: Callable[[], RoomTable]
    is_going: Callable[[], bool]
    """Returns True if the room takes inputs."""
    submit: Callable[[Callable[[RoomTable], Event], int], Deferred[Table]]
    """Submits an input, made at its turn, with its origin."""
    is_noting: bool = attrs.field(default=False, init=False)
    """True while a change is being submitted."""
    _log = Logger()

    def seats(self) -> tuple[int, ...]:
        """Return the seats that follow."""
        viewers = (one.viewer for one in self.followers.values() if one.seat is not None)
        return tuple(sorted({seat for one in viewers for seat in one.seats or (one.name,)}))

    async def note(self, origin: int | None = None) -> None:
        """
        Submit changes of presence until the log and the followers agree.

        If another call is running already, that call submits the changes.

        Args:
            origin: the origin of the changes: CLOCK at the start of a server; None to give each
                change the seat that it is about as its origin.
        """
        if self.is_noting:
            return
        self.is_noting = True
        patience = MAX_REFUSED_NOTES
        try:
            while patience and self.is_going():
                room = self.room()
                seat = next((one for one in room.seats if self._is_wrong(room, one)), None)
                if seat is None:
                    return
                try:
                    decide = functools.partial(self._change, seat)
                    await self.submit(decide, seat if origin is None else origin)
                except Refused:
                    # For example the seat was left meanwhile; other seats still have to be noted.
                    patience -= 1
        except (RuleFailed, StorageError) as error:
            self._log.debug("presence: {why}", why=str(error))
        finally:
            self.is_noting = False

    def _is_wrong(self, room: RoomTable, seat: int) -> bool:
        one = room.seats[seat]
        # A bot comes and goes with the room in memory, which tells players nothing.
        if one.is_bot and one.is_present:
            return False
        return one.is_present != (seat in self.seats())

    def _change(self, seat: int, room: RoomTable) -> Event:
        """Return the change of a seat's presence. Refused: the log has the right value by now."""
        if seat not in room.seats or not self._is_wrong(room, seat):
            raise Refused("answer/stale")
        return PresenceChanged(seat, is_present=not room.seats[seat].is_present)
