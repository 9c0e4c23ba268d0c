"""
The scrub: reads every log once a day, a part at a time, and checks it against the stored heads.

So damage by the disk is noticed while backups from before the damage still exist. A room whose log
fails the check is closed.
"""

from typing import Final

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocol.seams import DelayedCall
from server.lobby.rooms.registry import Registry
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.storage import LogDamaged, StorageError, StoreBroken, StoreClosed

RECORDS_AT_ONCE: Final = 256
"""Number of records read at once, at most three milliseconds of the storage thread."""

ROUND_SECONDS: Final = 86_400.0
"""Seconds between the beginnings of two rounds."""

LONGEST_PAUSE_SECONDS: Final = 5.0
"""Maximum seconds between two parts; less if a round would not fit into `ROUND_SECONDS`."""

FIRST_SECONDS: Final = 60.0
"""Seconds from the start of the server to the first round."""


@attrs.define(eq=False)
class Scrub:
    """Reads and checks the logs of all rooms, round after round."""

    services: LobbyServices
    registry: Registry
    rounds: int = attrs.field(default=0, init=False)
    """Number of completed rounds."""
    _timer: DelayedCall | None = attrs.field(default=None, init=False)
    _is_stopped: bool = attrs.field(default=False, init=False)
    _log = Logger()

    def start(self) -> None:
        """Begin the first round after `FIRST_SECONDS`, when returning players have been served."""
        run_detached(self._run())

    def stop(self) -> None:
        self._is_stopped = True
        if self._timer is not None and self._timer.active():
            self._timer.cancel()

    async def _run(self) -> None:
        await self._pause(FIRST_SECONDS)
        while True:
            begun = self.services.clock.seconds()
            try:
                rooms = await self.services.store.rooms()
                parts = sum(-(-info.next_sequence // RECORDS_AT_ONCE) for info in rooms)
                # Spread over the day, since the thread that reads also stores what players do.
                pause = min(LONGEST_PAUSE_SECONDS, ROUND_SECONDS / max(parts, 1))
                for info in rooms:
                    if info.room_id not in self.registry.damaged:
                        await self._compare(info.room_id, info.next_sequence, pause)
                self.rounds += 1
                self._log.info("the logs of {count} rooms were compared", count=len(rooms))
            except StoreClosed:
                return
            except StorageError as error:
                self._log.warn("the logs could not be compared today: {why}", why=str(error))
            took = self.services.clock.seconds() - begun
            await self._pause(max(LONGEST_PAUSE_SECONDS, ROUND_SECONDS - took))

    async def _compare(self, room_id: str, length: int, pause: float) -> None:
        for first in range(0, length, RECORDS_AT_ONCE):
            await self._pause(pause)
            try:
                # Reading a part checks its hash chain.
                await self.services.store.read(room_id, first, first + RECORDS_AT_ONCE)
            except (LogDamaged, StoreBroken) as error:
                self.registry.refuse(room_id, str(error))
                return

    def _pause(self, seconds: float) -> Deferred[None]:
        """Return a Deferred that fires after `seconds`, or never once the scrub is stopped."""
        waiting: Deferred[None] = Deferred()
        if not self._is_stopped:
            self._timer = self.services.clock.callLater(seconds, lambda: waiting.callback(None))
        return waiting
