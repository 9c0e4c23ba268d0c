"""Viewers: with whose knowledge a room is shown, and how late."""

import attrs

from protocol.common.observers import observer_of
from protocol.common.table import Observer, RoomTable, Settings
from protocol.event import Cut, Stored, cut, cut_for_observer


@attrs.frozen
class Viewer:
    """Somebody to whom a room is shown: a seat, an observer, or a spectator, who is neither."""

    seat: int | None = None
    observer: Observer | None = None

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
        """Return what they may see of a record; `since` is of the seat, as `protocol.event.cut`."""
        if self.seat is None and self.observer is not None:
            return cut_for_observer(stored)
        return cut(stored, self.seat, since=since)


def viewer_of(room: RoomTable, key: bytes) -> Viewer:
    """Return how a room is shown to a key. Whoever has a seat observes nothing beyond it."""
    seat = room.seat_of(key)
    return Viewer(seat, observer_of(room.settings, key) if seat is None else None)
