"""Viewers: with whose knowledge a room is shown, and how late."""

import attrs

from protocol.common.observers import observer_of
from protocol.common.table import Observer, RoomTable, Settings
from protocol.event import Cut, Stored, cut, cut_for_observer


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

    def cut(self, stored: Stored, since: int) -> Cut:
        """
        Return what they may see of a record.

        Args:
            stored: the record.
            since: the sequence from which they have had their seat.
        """
        if self.seats:
            seen = dict(pair for seat in self.seats for pair in cut(stored, seat).openings)
            return Cut(stored.public, tuple(sorted(seen.items(), key=lambda pair: pair[0])))
        if self.seat is None and self.observer is not None:
            return cut_for_observer(stored)
        return cut(stored, self.seat, since=since)


def viewer_of(room: RoomTable, key: bytes) -> Viewer:
    """Return how a room is shown to a key. Whoever has a seat observes nothing beyond it."""
    seat = room.seat_of(key)
    if seat is not None and room.source is not None:
        return Viewer(seat, seats=tuple(room.seats))
    return Viewer(seat, observer_of(room.settings, key) if seat is None else None)
