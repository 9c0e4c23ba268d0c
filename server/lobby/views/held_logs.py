"""
Held logs: compares the log that a client holds with the stored one.

A server restored from an old copy, or whose log was changed as a whole, is consistent in itself.
Only a client that was shown more or other records can detect this fault; so clients send the head
of the log that they hold.
"""

import attrs
from twisted.logger import Logger

from protocol.messages import EnterTable
from server.lobby.views.viewer import Viewer
from server.storage.store import Store

MOST_TOLD = 1000
"""Maximum number of warnings in all; bounded because a client can claim any head."""


@attrs.define(eq=False)
class HeldLogs:
    """Compares the log heads that clients send, and warns the operator once for each seat."""

    _store: Store
    _told: set[tuple[str, int | None]] = attrs.field(factory=set, init=False)
    """Rooms and seats about which the operator was warned."""
    _log = Logger()

    async def is_other(self, viewer: Viewer, message: EnterTable) -> bool:
        """
        Return True, and warn the operator, if the client's log is not a prefix of the stored log.

        The logs of spectators are not compared: they may be shown fewer records than before. Nor is
        a log that is sent without its head.

        Raises:
            StorageError: the log cannot be read.
        """
        if viewer.seat is None or message.after < 0 or not message.head:
            return False
        stored = await self._store.head(message.room_id, message.after + 1)
        if stored == message.head:
            return False
        self._tell_operator(message, viewer.seat, is_shorter=stored is None)
        return True

    def _tell_operator(self, message: EnterTable, seat: int, *, is_shorter: bool) -> None:
        about = (message.room_id, seat)
        if about in self._told or len(self._told) >= MOST_TOLD:
            return
        self._told.add(about)
        if is_shorter:
            self._log.error(
                "room {room}: the client of seat {seat} holds {count} records, more than the"
                " store has: was an older copy of the database put back?",
                room=message.room_id,
                seat=seat + 1,
                count=message.after + 1,
            )
        else:
            self._log.error(
                "room {room}: the client of seat {seat} holds {count} records that are not those"
                " in the store: the log has been changed, or the client is at fault",
                room=message.room_id,
                seat=seat + 1,
                count=message.after + 1,
            )
