"""
Bots that this server runs, on the same terms as people.

A bot is a session that plays by itself. It is connected to the lobby like any other session and
receives its own cut of the log, so the bot knows no more than a person in its seat would.
"""

import hashlib
from typing import Any

import attrs

from protocol.common.table import RoomTable, Seat, Stage
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.lookalikes import is_confusable
from server.lobby.services.seams import LobbyServices
from server.net.handler import SessionHandler

_LABEL = b"manse bot 1"


def bot_key(room_id: str, number: int) -> bytes:
    """
    Return the 32 bytes that stand for the public key of a bot; no login can prove them.

    The bytes are computed from room and number, so that a restarted server recognises its bots.
    """
    return hashlib.sha256(_LABEL + room_id.encode() + bytes([number])).digest()


def bot_keys(room_id: str) -> frozenset[bytes]:
    """Return the keys of all bots that a room can have."""
    return frozenset(bot_key(room_id, number) for number in range(1, 256))


@attrs.define(eq=False)
class Bots:
    """Runs a bot for each seat of this server's bots until the seat is gone or the game is over."""

    handler: SessionHandler
    """Handles the messages of bots in the same way as those of people."""
    services: LobbyServices
    _running: dict[bytes, Any] = attrs.field(factory=dict, init=False)
    """Running bots by key."""

    def new_name(self, room: RoomTable) -> tuple[str, bytes]:
        """Return a name and a key that no bot at this table has yet."""
        keys = {seat.key for seat in room.seats.values()}
        names = {seat.name for seat in room.seats.values()}
        number = next(
            n
            for n in range(1, 256)
            # A name that looks like a player's would be refused.
            if bot_key(room.room_id, n) not in keys and not is_confusable(f"Bot {n}", names)
        )
        return f"Bot {number}", bot_key(room.room_id, number)

    def is_ours(self, room: RoomTable, seat: Seat) -> bool:
        """Return True if a seat belongs to a bot of this server."""
        if seat.key in self._running:
            return seat.is_bot
        return seat.is_bot and seat.key in bot_keys(room.room_id)

    def tend(self, host: RoomHost) -> None:
        """
        Start a bot for each seat of our bots in a room; stop its bots without a seat.

        If the game is over, stop all its bots.
        """
        room = host.room.table.room
        seats = {seat.key: seat for seat in room.seats.values() if self.is_ours(room, seat)}
        if room.stage is Stage.OVER:
            seats = {}
        for key, bot in list(self._running.items()):
            if bot.room_id == room.room_id and key not in seats:
                del self._running[key]
                bot.stop()
        if self.services.make_bot is None:
            return
        for key, seat in seats.items():
            if key not in self._running:
                bot = self.services.make_bot(key, seat.name, room.room_id, self.handler)
                self._running[key] = bot
                bot.start()

    def leave(self, room_id: str) -> None:
        """Stop the bots of an unloaded room; loading the room starts them again."""
        for key, bot in list(self._running.items()):
            if bot.room_id == room_id:
                del self._running[key]
                bot.stop()

    def close(self) -> None:
        """Stop all bots."""
        running, self._running = self._running, {}
        for bot in running.values():
            bot.stop()
