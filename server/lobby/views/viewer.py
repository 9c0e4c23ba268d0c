"""Viewers: which secrets of a room somebody sees, and with which delay."""

import attrs

from protocol.common.observers import observer_of
from protocol.common.table import Observer, RoomTable, Settings
from protocol.event import Cut, Stored, cut, cut_for_observer


@attrs.frozen
class Viewer:
    """
    The view that a seat, an observer or a spectator has of a room.

    A spectator has no seat and is no observer. In a practice game the player has all seats, and
    spectators see what that player sees.
    """

    seat: int | None = None
    observer: Observer | None = None
    seats: tuple[int, ...] = ()
    """All seats, in a practice game; empty in other games."""

    @property
    def name(self) -> int:
        """Number of the seat in messages; -1 for none."""
        return -1 if self.seat is None else self.seat

    def delay_seconds(self, settings: Settings) -> int:
        """Return the seconds after which this viewer is shown a record; 0 for a seat."""
        if self.seat is not None:
            return 0
        if self.observer is not None:
            return self.observer.delay_seconds
        return settings.spectators_delay_seconds

    def cut(self, stored: Stored, since: int) -> Cut:
        """
        Return a record as this viewer may see it: with the secrets that are open to them.

        Args:
            stored: the record.
            since: the sequence from which the viewer has owned the seat.
        """
        if self.seats:
            seen = dict(pair for seat in self.seats for pair in cut(stored, seat).openings)
            return Cut(stored.public, tuple(sorted(seen.items(), key=lambda pair: pair[0])))
        if self.seat is None and self.observer is not None:
            return cut_for_observer(stored)
        return cut(stored, self.seat, since=since)


def viewer_of(room: RoomTable, key: bytes) -> Viewer:
    """Return the view of a key. A seat takes precedence over being an observer."""
    seat = room.seat_of(key)
    if seat is not None and room.source is not None:
        return Viewer(seat, seats=tuple(room.seats))
    return Viewer(seat, observer_of(room.settings, key) if seat is None else None)
