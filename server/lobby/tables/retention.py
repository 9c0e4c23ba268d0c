"""
Retention: how long tables are kept after their last record.

A running server removes old tables once a day; `manse store prune` removes those of a stopped
server.
"""

from collections.abc import Callable, Collection, Iterator

import attrs
from twisted.logger import Logger

from protocol.common.table import Stage
from protocol.seams import DelayedCall
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.removal import invitations_by_room
from server.lobby.rooms.summary import Summary
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.lost_seats import LostSeats
from server.storage import StorageError

DAY_MS = 86_400_000
FIRST_SECONDS = 600.0
"""Seconds from the start of the server to the first round."""
EVERY_SECONDS = 86_400.0
MAX_QUIET_MS = 60 * DAY_MS
"""
Maximum milliseconds from the newest record to the start of a server that removes old tables.

A start on a clock years ahead would find every table old.
"""


@attrs.frozen
class Retention:
    """Days after which tables are removed; 0 keeps them for ever."""

    finished_days: int = 0
    abandoned_days: int = 0
    """Days without a record after which unfinished tables are removed; 0 for never."""
    campaigns: bool = False
    """True if finished parts of campaigns are removed too, which ends their campaigns."""


def has_passed(
    summary: Summary, now: int, retention: Retention, of_campaigns: Collection[str]
) -> bool:
    """
    Return True if a table is due for removal.

    Args:
        summary: the summary of the table.
        now: milliseconds since 1970.
        retention: how long tables are kept.
        of_campaigns: scenarios that are parts of a campaign.
    """
    is_over = summary.stage is Stage.OVER
    days = retention.finished_days if is_over else retention.abandoned_days
    if days <= 0 or now - summary.when < days * DAY_MS:
        return False
    return not is_over or retention.campaigns or summary.scenario not in of_campaigns


@attrs.define(eq=False)
class Retaining:
    """Removes the old tables of a running server every day."""

    services: LobbyServices
    registry: Registry
    retention: Retention
    parts_of_campaigns: Callable[[], Collection[str]]
    """Returns the scenarios that are parts of a campaign."""
    lost: LostSeats
    """Stores the loss of each seat for its owner."""
    _timer: DelayedCall | None = attrs.field(default=None, init=False)
    _is_stopped: bool = attrs.field(default=False, init=False)
    _log = Logger()

    def start(self) -> None:
        """Run a round after `FIRST_SECONDS`, then once a day."""
        if self.retention.finished_days > 0 or self.retention.abandoned_days > 0:
            self._run_in(FIRST_SECONDS)

    def apply_settings(self, retention: Retention) -> None:
        self.retention = retention
        if self._timer is None:
            self.start()

    def stop(self) -> None:
        self._is_stopped = True
        if self._timer is not None and self._timer.active():
            self._timer.cancel()

    def _run_in(self, seconds: float) -> None:
        if not self._is_stopped:
            call = self.services.clock.callLater
            self._timer = call(seconds, lambda: run_detached(self._run_round()))

    def _is_clock_trusted(self) -> bool:
        """
        Return False, and log a warning, if the newest record was suspiciously old at the start.

        This holds until the next start: records written meanwhile have the time of the same clock.
        """
        quiet = self.registry.quiet_ms
        if quiet > MAX_QUIET_MS:
            self._log.warn(
                "no old table is removed: by this machine's clock nothing was played in the"
                " {days} days before the start. If the clock is wrong, set it right and start the"
                " server again before anybody plays. If it is right, `manse store prune --yes"
                " --clock-is-right` removes them, and so does the server after the first start at"
                " which that is not so",
                days=quiet // DAY_MS,
            )
        return quiet <= MAX_QUIET_MS

    async def _run_round(self) -> None:
        try:
            passed = list(self._passed())
            # Warns only if something would be removed.
            if passed and not self._is_clock_trusted():
                passed = []
            codes = (
                await invitations_by_room(self.services.store, self.services.scheduler)
                if passed
                else {}
            )
            for room_id in passed:
                if self._is_stopped:
                    return
                # Its host may have removed it meanwhile.
                table = self.registry.summaries.get(room_id)
                if table is None or not await self.registry.remove(room_id, codes.get(room_id, ())):
                    continue
                # Only now: a table in use is not removed.
                await self.lost.note_expired(table)
                self._log.info("room {room} was kept long enough and is removed", room=room_id)
        except StorageError as error:
            self._log.warn("old tables stay for another day: {why}", why=str(error))
        self._run_in(EVERY_SECONDS)

    def _passed(self) -> Iterator[str]:
        of_campaigns, now = self.parts_of_campaigns(), self.services.now()
        for room_id, summary in self.registry.summaries.items():
            if has_passed(summary, now, self.retention, of_campaigns):
                yield room_id
