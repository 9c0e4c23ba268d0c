"""Background load: exports, rooms that are loaded again, tables that are opened and left."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import attrs
from twisted.internet import task
from twisted.internet.defer import Deferred

from bench.players import PlayedTable, Table
from protocol import messages

EXPORT_SECONDS: Final = 5.0
WAKE_SECONDS: Final = 2.0
OPEN_SECONDS: Final = 5.0
SLEEPERS: Final = 3
"""The number of tables without followers, which are entered one at a time at intervals."""


@attrs.define(eq=False)
class Background:
    """Runs the three kinds of load; at the bare server, only the opening of tables."""

    reactor: Any
    make: Callable[[], Table]
    tables: Sequence[Table]
    """The tables where games are played."""
    done: dict[str, int] = attrs.field(factory=dict, init=False)
    """The number of completed tasks, by kind of load."""
    _is_running: bool = attrs.field(default=True, init=False)
    _loops: list[Deferred[None]] = attrs.field(factory=list, init=False)

    def start(self) -> None:
        loops = [self._open]
        if isinstance(self.tables[0], PlayedTable):
            loops += [self._export, self._wake]
        self._loops = [Deferred.fromCoroutine(loop()) for loop in loops]

    async def stop(self) -> None:
        """Stop after the current step of each kind of load."""
        self._is_running = False
        for loop in self._loops:
            await loop

    async def _wait(self, seconds: float) -> None:
        await task.deferLater(self.reactor, seconds, lambda: None)

    def _count(self, what: str) -> None:
        self.done[what] = self.done.get(what, 0) + 1

    async def _open(self) -> None:
        while self._is_running:
            table = self.make()
            await table.open()
            table.close()
            self._count("opened")
            await self._wait(OPEN_SECONDS)

    async def _export(self) -> None:
        at = 0
        while self._is_running:
            table = self.tables[at % len(self.tables)]
            assert isinstance(table, PlayedTable)
            await table.lines[0].ask(messages.ExportTable, table.room_id)
            self._count("exported")
            at += 1
            await self._wait(EXPORT_SECONDS)

    async def _wake(self) -> None:
        sleepers = [self.make() for _ in range(SLEEPERS)]
        for table in sleepers:
            await table.open()
            assert isinstance(table, PlayedTable)
            await table.sleep()
        at = 0
        while self._is_running:
            table = sleepers[at % SLEEPERS]
            assert isinstance(table, PlayedTable)
            host = table.lines[0]
            await host.ask(messages.EnterTable, table.room_id, -1)
            await host.ask(messages.LeaveTable, table.room_id)
            self._count("woken")
            at += 1
            await self._wait(WAKE_SECONDS)
        for table in sleepers:
            table.close()
