"""Presence: who follows a room, and what its log says of it."""

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
"""How often what is noted of who is here may be out of date by the time its turn comes."""


@attrs.define(eq=False)
class Follower:
    """One session that follows the room."""

    session: Session
    viewer: Viewer
    key: bytes
    """Of the seat's owner when they began to follow; another owner's secrets are not theirs."""
    words: Wordsmith
    next_sequence: int
    """Of the first record that they were not shown yet."""
    is_behind: bool = False
    """Whether older records are being read for them."""
    until: int | None = None
    """Once the seat is not theirs any more: the sequence of the first record they are not shown."""

    @property
    def seat(self) -> int | None:
        """The seat that they follow from; None for those who have none."""
        return self.viewer.seat


@attrs.define(eq=False)
class Presence:
    """Brings what the log says about who is here up to date."""

    followers: Mapping[Session, Follower]
    """Those of the room, as they come and go."""
    room: Callable[[], RoomTable]
    is_going: Callable[[], bool]
    """Whether the room takes inputs."""
    submit: Callable[[Event, int], Deferred[Table]]
    """Gives the room an input, and who gives it."""
    is_noting: bool = attrs.field(default=False, init=False)
    """Whether a change is on its way to the log."""
    _log = Logger()

    def seats(self) -> tuple[int, ...]:
        """Return the seats that somebody follows from."""
        viewers = (one.viewer for one in self.followers.values() if one.seat is not None)
        return tuple(sorted({seat for one in viewers for seat in one.seats or (one.name,)}))

    async def note(self, origin: int | None = None) -> None:
        """
        Submit what has changed since the log said who is here.

        Whoever comes or goes meanwhile is noted by the one who is at it, so that the last word
        is always what is true.

        Args:
            origin: CLOCK where a server that starts says it; None for the seats themselves.
        """
        if self.is_noting:
            return
        self.is_noting = True
        patience = MAX_REFUSED_NOTES
        try:
            while patience and self.is_going():
                change = self._change()
                if change is None:
                    return
                try:
                    await self.submit(change, change.seat if origin is None else origin)
                except Refused:
                    # Such as a seat that was left meanwhile; the others are still to be noted.
                    patience -= 1
        except (RuleFailed, StorageError) as error:
            self._log.debug("presence: {why}", why=str(error))
        finally:
            self.is_noting = False

    def _change(self) -> PresenceChanged | None:
        present = self.seats()
        for seat in self.room().seats.values():
            if seat.is_bot and seat.is_present:
                # It comes and goes with the room in memory, which is nothing to tell anybody.
                continue
            if seat.is_present != (seat.seat in present):
                return PresenceChanged(seat.seat, is_present=seat.seat in present)
        return None
