"""Viewers: with whose knowledge a room is shown, and how late."""

import attrs

from protocol.common.observers import observer_of
from protocol.common.table import Observer, RoomTable, Settings
from protocol.event import Audiences, stays_shut


@attrs.frozen
class Viewer:
    """
    Somebody to whom a room is shown: a seat, an observer, or a spectator, who is neither.

    Whoever practises has all seats; those who look on there are shown what that player is shown.
    """

    seat: int | None = None
    observer: Observer | None = None
    seats: tuple[int, ...] = ()
    """In a practice game, those with all of whose knowledge it is shown; else nothing."""

    @property
    def name(self) -> int:
        """The seat as messages have it: -1 for none."""
        return -1 if self.seat is None else self.seat

    def delay_seconds(self, settings: Settings) -> int:
        """Return how much later than the seats each record is shown."""
        if self.seat is not None:
            return 0
        if self.observer is not None:
            return self.observer.delay_seconds
        return settings.spectators_delay_seconds

    def slots(self, audiences: Audiences, tag: str, since: int) -> tuple[int, ...]:
        """
        Return the slots of a record that they may see, as `cut` and `cut_for_observer` say it.

        Args:
            audiences: of the record's secrets.
            tag: of the record's kind.
            since: the sequence from which they have had their seat.
        """
        if self.seats:
            known = enumerate(audiences.by_slot)
            return tuple([slot for slot, of in known if not set(of).isdisjoint(self.seats)])
        if self.seat is None and self.observer is not None:
            return () if stays_shut(tag) else tuple(range(len(audiences.by_slot)))
        return audiences.slots_for(self.seat, since=since)


def viewer_of(room: RoomTable, key: bytes) -> Viewer:
    """Return how a room is shown to a key. Whoever has a seat observes nothing beyond it."""
    seat = room.seat_of(key)
    if seat is not None and room.source is not None:
        return Viewer(seat, seats=tuple(room.seats))
    return Viewer(seat, observer_of(room.settings, key) if seat is None else None)
