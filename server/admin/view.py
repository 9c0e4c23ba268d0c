"""
Reports for an operator: the server, its tables, its sessions.

Reports read no game: the line of a table consists of its summary, which the lobby's list shows too,
and of the sessions that follow the table.
"""

import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, Protocol

import attrs

from protocol.common.table import Stage
from protocol.keys import fingerprint, fingerprint_text
from server.admin.vocabulary import (
    MAX_LINES,
    AskPeople,
    AskTables,
    PeopleReport,
    PersonLine,
    State,
    TableLine,
    TableReport,
)
from server.lobby.lobby import Lobby
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.summary import Summary
from server.net.gate import Gate
from server.net.session import WireSession

MAX_TABLES_OF_PERSON: Final = 8
_MAC_OS: Final = "Darwin"


class Connected(Protocol):
    """The part of the listener that reports need."""

    @property
    def gate(self) -> Gate:
        """The server's limits on connections."""

    def people(self) -> list[WireSession]:
        """Return all logged-in sessions, in arbitrary order."""


@attrs.define(eq=False)
class View:
    """Makes the reports on a server."""

    name: str
    """Name of the server."""
    fingerprint: str
    """Fingerprint of the server's identity."""
    lobby: Lobby
    listener: Connected
    database: Path
    address: str = ""
    """HOST:PORT at which the server listens."""
    seconds_left: Callable[[], int] = lambda: -1
    """Returns the seconds until a draining server ends; -1 if it is not draining."""
    _began: float = attrs.field(factory=time.monotonic, init=False)

    def state(self) -> State:
        registry = self.lobby.registry
        stages = Counter(summary.stage for summary in registry.summaries.values())
        hosts = registry.hosts.values()
        files = (self.database, self.database.with_name(f"{self.database.name}-wal"))
        return State(
            name=self.name,
            release=version("manse"),
            address=self.address,
            fingerprint=self.fingerprint,
            up_seconds=int(time.monotonic() - self._began),
            cpu_ms=int(time.process_time() * 1000),
            peak_memory_kib=peak_memory_kib(),
            store_bytes=sum(path.stat().st_size for path in files if path.exists()),
            disk_free_bytes=shutil.disk_usage(self.database.parent).free,
            sessions=self.listener.gate.session_count,
            waiting=self.listener.gate.waiting_count,
            tables_waiting=stages[Stage.LOBBY] + stages[Stage.STARTING],
            tables_playing=stages[Stage.PLAYING],
            tables_over=stages[Stage.OVER],
            tables_loaded=len(registry.hosts),
            tables_stopped=sum(bool(host.stopped) for host in hosts),
            tables_halted=sum(host.room.halted is not None for host in hosts),
            ends_in_seconds=self.seconds_left(),
        )

    def tables(self, asked: AskTables) -> TableReport:
        registry = self.lobby.registry
        # In the order of ids, so that pages stay right while tables come and go.
        ids = sorted(
            room_id
            for room_id, summary in registry.summaries.items()
            if room_id > asked.after and (asked.with_finished or summary.stage is not Stage.OVER)
        )
        lines = (
            table_line(registry.summaries[room_id], registry.hosts.get(room_id))
            for room_id in ids[:MAX_LINES]
        )
        return TableReport(tuple(lines), is_last=len(ids) <= MAX_LINES)

    def people(self, asked: AskPeople) -> PeopleReport:
        """Return the page of sessions after the number `asked.after`, by their logins."""
        sessions = [one for one in self.sessions() if one.number > asked.after]
        lines = tuple(
            PersonLine(
                number=one.number,
                name=one.account.name,
                fingerprint=fingerprint_text(fingerprint(one.account.key)),
                address=one.peer,
                tables=tuple(sorted(self.lobby.visitors.followed_by(one))[:MAX_TABLES_OF_PERSON]),
            )
            for one in sessions[:MAX_LINES]
        )
        return PeopleReport(lines, is_last=len(sessions) <= MAX_LINES)

    def sessions(self) -> Sequence[WireSession]:
        """Return all sessions in the order of their logins."""
        return sorted(self.listener.people(), key=lambda one: one.number)


def table_line(summary: Summary, host: RoomHost | None) -> TableLine:
    """Return the line of a table; `host` is None if the table is not in memory."""
    present, watching = (0, 0) if host is None else _followers(host)
    return TableLine(
        room_id=summary.room_id,
        scenario=summary.scenario,
        stage=summary.stage,
        names=summary.names,
        present=present,
        watching=watching,
        when=summary.when,
        is_loaded=host is not None,
        is_stopped=host is not None and bool(host.stopped),
        is_halted=host is not None and host.room.halted is not None,
        is_paused=summary.is_paused,
    )


def _followers(host: RoomHost) -> tuple[int, int]:
    seats = host.room.table.room.seats
    at = [one.seat for one in host.followers.by_session.values()]
    people = {seat for seat in at if seat is not None and seat in seats and not seats[seat].is_bot}
    return len(people), at.count(None)


def peak_memory_kib() -> int:
    """Return the peak memory of this process; 0 if the system does not report it."""
    try:
        import resource  # noqa: PLC0415 (not on every system)
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux gives kibibytes, macOS bytes.
    return peak // 1024 if os.uname().sysname == _MAC_OS else peak
