"""
The time of each room: the wall clock, but never behind the room's own log.

Times on a log never decrease, and limits and delays count from them. When a server is started on a
clock that was set back, its logs are ahead of that clock, for minutes or for years. The time of
such a room continues from the end of its log, as fast as the clock goes, so nobody waits longer.
"""

from collections.abc import Callable

import attrs


@attrs.define(eq=False)
class LogTimes:
    """The times of the rooms of one server, in milliseconds since 1970."""

    now: Callable[[], int]
    """The wall clock; it does not go back while the server runs."""
    _leads: dict[str, int] = attrs.field(factory=dict, init=False)
    """Milliseconds by which rooms are ahead of the clock, by id. Nearly always empty."""

    def of(self, room_id: str, latest: int) -> int:
        """
        Return the time of a room, in milliseconds since 1970.

        Args:
            room_id: the room.
            latest: the time of its latest known record.
        """
        now = self.now()
        lead = self._leads.get(room_id, 0)
        if latest > now + lead:
            # Kept while the room is unloaded: else its time would stand still between two loads.
            lead = self._leads[room_id] = latest - now
        return now + lead

    def forget(self, room_id: str) -> None:
        """Forget a room that is removed."""
        self._leads.pop(room_id, None)
