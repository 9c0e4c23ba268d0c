"""Tidying: finds old tables, removes them, and saves finished games as archive files."""

import datetime as dt
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from protocol.archive import FILE_SUFFIX, MAX_FILE_BYTES, BadArchive, load
from protocol.audit import audit
from protocol.common.table import Stage
from protocol.file_names import file_stem
from protocol.keys import SigningKey
from server.kernel.errors import Refused
from server.kernel.room import Room
from server.lobby.finished.export import ArchiveMaker, ExportRequest, export_parts, may_be_whole
from server.lobby.rooms.loading import RoomLoader, UnreadableRoom
from server.lobby.rooms.registry import FUTURE_MS
from server.lobby.rooms.removal import invitations_by_room, remove_room
from server.lobby.rooms.snapshots import Snapshots
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.lost_seats import LostSeats
from server.lobby.tables.retention import DAY_MS, MAX_QUIET_MS, Retention, has_passed
from server.lobby.views.followers import catalogs_of
from server.packs.shelf import KIND as PACK
from server.packs.shelf import PackShelf
from server.storage import LogDamaged, Store
from server.storage.copying import PARTIAL, copy_errors, sync_file, sync_folder
from server.upkeep.opened import result_of
from server.upkeep.rooms import parts_of_campaigns, summaries_in


@attrs.frozen
class OldTable:
    """A table whose retention has ended."""

    room_id: str
    scenario: str
    names: tuple[str, ...]
    is_finished: bool
    days: int
    """Days since its last record."""
    events: int
    when: int
    """Time of its last record, in milliseconds since 1970."""


@attrs.frozen
class ClockDoubt:
    """An implausible difference between the clock and the newest record; nothing may be removed."""

    is_behind: bool
    """True if the newest record is later than the present; else it is implausibly old."""
    newest: int
    """Time of the newest record, in milliseconds since 1970."""
    now: int

    @property
    def days(self) -> int:
        """Days between the newest record and the present."""
        return abs(self.now - self.newest) // DAY_MS


def clock_doubt(services: LobbyServices) -> ClockDoubt | None:
    """
    Compare the clock with the newest record; return None if it is plausible.

    As in `Retaining`, a start on a clock years ahead would find every table old.
    """
    now = services.now()
    newest = max((one.when for one in summaries_in(services.store).values()), default=now)
    if newest > now + FUTURE_MS:
        return ClockDoubt(is_behind=True, newest=newest, now=now)
    return ClockDoubt(False, newest, now) if now - newest > MAX_QUIET_MS else None


def old_tables(services: LobbyServices, retention: Retention) -> list[OldTable]:
    """Return the tables whose retention has ended, oldest first."""
    of_campaigns, now = parts_of_campaigns(services), services.now()
    lengths = {info.room_id: info.next_sequence for info in result_of(services.store.rooms())}
    found = [
        OldTable(
            room_id,
            summary.scenario,
            summary.names,
            summary.stage is Stage.OVER,
            (now - summary.when) // DAY_MS,
            lengths[room_id],
            summary.when,
        )
        for room_id, summary in summaries_in(services.store).items()
        if room_id in lengths and has_passed(summary, now, retention, of_campaigns)
    ]
    return sorted(found, key=lambda table: (-table.days, table.room_id))


def spared(services: LobbyServices, retention: Retention) -> int:
    """Return the number of old tables that stay because they are parts of campaigns."""
    everything = attrs.evolve(retention, campaigns=True)
    return len(old_tables(services, everything)) - len(old_tables(services, retention))


def prune(services: LobbyServices, tables: Sequence[OldTable]) -> None:
    """Delete tables one after another. StorageError: the tables after the failed one are kept."""
    codes = result_of(invitations_by_room(services.store, services.scheduler))
    summaries, lost = summaries_in(services.store), LostSeats(services.store, services.now)
    for table in tables:
        remove(services.store, table, codes.get(table.room_id, ()))
        result_of(lost.note_expired(summaries[table.room_id]))


def prune_packs(services: LobbyServices) -> int | None:
    """
    Delete stored packs that no table plays and no game bundles.

    Returns:
        The number of deleted packs; None, with nothing deleted, if a table cannot be read:
        its pack is then unknown.

    Raises:
        StorageError: the packs after the failed one are kept.
    """
    needed = _needed_packs(services)
    # Without the pack of every room no pack is known to be needless.
    if needed is None:
        return None
    kept = [key for key, _ in result_of(services.store.scan(PACK))]
    needless = [key for key in kept if key not in needed]
    for key in needless:
        result_of(services.store.delete(PACK, key))
    return len(needless)


def _needed_packs(services: LobbyServices) -> set[str] | None:
    """Return the keys of packs that must stay; None if a table cannot be read."""
    assert isinstance(services.shelf, PackShelf)
    needed = {pack.digest.hex() for pack in services.shelf.newest.values()}
    loader = RoomLoader(services, Snapshots(services))
    for info in result_of(services.store.rooms()):
        try:
            room = result_of(loader.load(info.room_id))
        except (LogDamaged, UnreadableRoom, Refused):
            return None
        needed.add(room.table.room.content_hash.hex())
    return needed


def remove(store: Store, table: OldTable, codes: Sequence[str]) -> None:
    """Delete one table."""
    result_of(remove_room(store, table.room_id, codes))


@attrs.frozen
class Archived:
    """A finished game, with its archive file, or with the reason why it stays in the store."""

    table: OldTable
    path: Path | None
    """Path of the archive file; None if the game stays in the store."""
    why_not: str = ""
    """Reason for staying: `closed`, `unreadable`, `wrong`, `exists`; empty if archived."""


def archive(
    services: LobbyServices, tables: Sequence[OldTable], folder: Path, identity: SigningKey
) -> Iterator[Archived]:
    """
    Write finished games as whole archives, and remove each from the store once its file is safe.

    A file is read back and audited as by `manse verify`, and must have the same log as the store.
    A file of an interrupted run is accepted if it passes the same audit.

    Args:
        services: read the store.
        tables: tables of finished games.
        folder: folder of the files; if new, only its owner can read it.
        identity: key that signs the files.

    Raises:
        StorageError: a file or the store cannot be written.
    """
    codes = result_of(invitations_by_room(services.store, services.scheduler))
    loader = RoomLoader(services, Snapshots(services))
    with copy_errors(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for table in tables:
        # The day on which it was played here, also if the run is repeated on a later day.
        day = dt.datetime.fromtimestamp(table.when / 1000, dt.UTC).astimezone().date()
        scenario = "".join(letter if letter.isalnum() else "-" for letter in table.scenario)
        path = folder / f"{day.isoformat()}-{scenario}-{file_stem(table.room_id)}{FILE_SUFFIX}"
        why_not = _write(services, loader, table.room_id, path, identity)
        if not why_not:
            remove(services.store, table, codes.get(table.room_id, ()))
        yield Archived(table, None if why_not else path, why_not)


def _write(
    services: LobbyServices, loader: RoomLoader, room_id: str, path: Path, identity: SigningKey
) -> str:
    """Write the file of one game; return the reason if that fails, as `Archived.why_not`."""
    try:
        room = result_of(loader.load_whole(room_id))
    except (LogDamaged, UnreadableRoom, Refused):
        return "unreadable"
    if not may_be_whole(room.table.room):
        return "closed"
    with copy_errors(path):
        if path.exists():
            return "" if _holds(path, room) else "exists"
        draft = path.with_name(path.name + PARTIAL)
        draft.unlink(missing_ok=True)
        try:
            maker = ArchiveMaker(
                ExportRequest.whole(room),
                catalogs_of(services.shelf, room),
                now=services.now(),
                sign=identity.sign,
                public=identity.public,
            )
            parts = export_parts(maker, result_of(services.store.read(room.room_id)))
            descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                for _, part in parts:
                    file.write(part)
            sync_file(draft)
            # Read back and audited before the game leaves the store.
            if not _holds(draft, room):
                return "wrong"
            draft.replace(path)
            sync_folder(path.parent)
        finally:
            draft.unlink(missing_ok=True)
    return ""


def _holds(path: Path, room: Room) -> bool:
    """True if a file is a valid, whole archive of the room's stored log."""
    if path.stat().st_size > MAX_FILE_BYTES:
        return False
    try:
        found = load(path.read_bytes())
        report = audit(found)
    except BadArchive:
        return False
    is_whole = report.is_whole and report.is_finished
    return is_whole and (found.header.room_id, found.head) == (room.room_id, room.head)
