"""
Held logs: what players hold of a log, compared with what the store has of it.

A server that was set back to an older copy, or whose log was changed as a whole, is consistent in
itself. Only who was shown more, or something else, can know; so clients say which head they hold.
"""

import attrs
from twisted.logger import Logger

from protocol.messages import EnterTable
from server.lobby.views.viewer import Viewer
from server.storage.store import Store

MOST_TOLD = 1000
"""How many differing logs are written to the server's log: anybody can claim any head."""


@attrs.define(eq=False)
class HeldLogs:
    """Compares what players say that they hold."""

    _store: Store
    _told: set[tuple[str, int | None]] = attrs.field(factory=set, init=False)
    """Rooms and seats of which the operator has been told."""
    _log = Logger()

    async def is_other(self, viewer: Viewer, message: EnterTable) -> bool:
        """
        Return whether the records that somebody holds are not the beginning of the log.

        Only of a seat, which sees each record at once: others may be shown fewer records than
        before. Where the client names no head, nothing is compared.

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
                seat=seat,
                count=message.after + 1,
            )
        else:
            self._log.error(
                "room {room}: the client of seat {seat} holds {count} records that are not those"
                " in the store: the log has been changed, or the client is at fault",
                room=message.room_id,
                seat=seat,
                count=message.after + 1,
            )
