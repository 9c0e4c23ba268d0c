"""
Restoring: replaces a server's data by a backup, or by the copy made before a migration.

Replaced files stay beside the new ones under another name. `lost_by` lists the records that a
restore would lose, so that the caller can ask first.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import apsw
import attrs

from protocol.errors import ProtocolError
from server.identity import identity
from server.lobby.rooms import summary
from server.lobby.rooms.summary import read_summary
from server.storage import BackupDamaged, BackupInUse, StorageError, StoreLocked, schema
from server.storage.backups import must_be_whole, open_unchanging
from server.storage.copying import PARTIAL, copy_errors, must_have_room, sync_file, sync_folder
from server.storage.database import FILE_NAME as DATABASE
from server.storage.database import open_database
from server.storage.driver_errors import storage_errors
from server.storage.mark import SUFFIX
from server.storage.rewriting import SPARE

REPLACED = ".replaced"
"""Suffix of files that were replaced."""

_PART_BYTES = 1024 * 1024


@attrs.frozen
class LostTable:
    """A table whose last records are not in the backup."""

    room_id: str
    scenario: str
    names: tuple[str, ...]
    events: int
    """Number of the table's last events that are missing in the backup."""


@attrs.frozen
class Source:
    """Files of a backup that replace the files of a server."""

    files: Mapping[str, Path]
    """Files by their names in the server's folder."""

    @property
    def database(self) -> Path:
        """Path of the database file."""
        return self.files[DATABASE]


def source_at(path: Path) -> Source:
    """
    Return the files of a backup folder, or of a single copied database.

    Raises:
        BackupUnreadable: the folder is no backup.
        BackupDamaged: a file differs from the one that was backed up.
        BackupInUse: the database is in use, so it is no copy.
        StorageError: the database is damaged, or another program's.
    """
    if path.is_dir():
        manifest = must_be_whole(path)
        files = {name: path / name for name in manifest.files if name != manifest.database}
        source = Source({DATABASE: path / manifest.database, **files})
    else:
        log = path.with_name(f"{path.name}-wal")
        # An empty log holds no commits.
        if log.exists() and log.stat().st_size:
            raise BackupInUse(path)
        source = Source({DATABASE: path})
    with storage_errors():
        connection = open_unchanging(source.database)
        try:
            if not schema.version_of(connection) or connection.pragma("integrity_check") != "ok":
                raise BackupDamaged(source.database)
        finally:
            connection.close()
    return source


def has_server(folder: Path) -> bool:
    """True if the folder has files that a restore would replace."""
    return any((folder / name).exists() for name in (DATABASE, identity.FILE_NAME))


def lost_by(source: Source, folder: Path) -> list[LostTable] | None:
    """
    Return the tables that would lose records; None if the present store cannot be read.

    Raises:
        StoreLocked: the server runs.
    """
    if not (folder / DATABASE).exists():
        return []
    backup = open_unchanging(source.database)
    try:
        database = open_database(folder / DATABASE, keeps_schema=True)
        try:
            return database.read(partial(_lost, backup))
        finally:
            database.close()
    except StoreLocked:
        raise
    except StorageError:
        return None
    finally:
        backup.close()


def _lost(backup: apsw.Connection, now: apsw.Connection) -> list[LostTable]:
    kept, lost = schema.lengths(backup), []
    for room_id, length in schema.lengths(now).items():
        # Two logs of a room share a prefix, whose length a binary search finds.
        low, high = 0, min(length, kept.get(room_id, 0))
        while low < high:
            middle = (low + high + 1) // 2
            one, other = (schema.public_of(each, room_id, middle - 1) for each in (backup, now))
            low, high = (middle, high) if one == other else (low, middle - 1)
        if low < length:
            scenario, names = _told(now, room_id)
            lost.append(LostTable(room_id, scenario, names, length - low))
    return lost


def _told(now: apsw.Connection, room_id: str) -> tuple[str, tuple[str, ...]]:
    packed = schema.unchecked_value(now, summary.KIND, room_id)
    with contextlib.suppress(ProtocolError):
        found = read_summary(packed or b"")
        return found.scenario, found.names
    return "", ()


def restore(source: Source, folder: Path) -> list[Path]:
    """
    Replace the files of a server by the files of a backup.

    Returns:
        The replaced files, under their new names.

    Raises:
        StorageError: restoring failed; files that were moved aside keep their new names.
    """
    with copy_errors(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        must_have_room(folder, sum(path.stat().st_size for path in source.files.values()))
        # All copies are complete before the first old file is moved.
        for name, path in source.files.items():
            target = folder / (name + PARTIAL)
            target.unlink(missing_ok=True)
            descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with path.open("rb") as file, os.fdopen(descriptor, "wb") as copy:
                while part := file.read(_PART_BYTES):
                    copy.write(part)
            sync_file(target)
        beside = (f"{DATABASE}-wal", f"{DATABASE}-wal{SPARE}", f"{DATABASE}{SUFFIX}")
        replaced = list(_set_aside(folder, [*source.files, *beside]))
        for name in source.files:
            (folder / (name + PARTIAL)).replace(folder / name)
        # An empty mark: no write-ahead log belongs to this database.
        os.close(os.open(folder / f"{DATABASE}{SUFFIX}", os.O_CREAT | os.O_WRONLY, 0o600))
        sync_folder(folder)
    return replaced


def _set_aside(folder: Path, names: list[str]) -> Iterator[Path]:
    if (folder / DATABASE).exists():
        # Files replaced by an earlier restore are deleted. If that one was interrupted, there is no
        # database now, and they are all that is left of it.
        for name in names:
            (folder / _aside_name(name)).unlink(missing_ok=True)
    for name in names:
        path, aside = folder / name, folder / _aside_name(name)
        if path.exists():
            path.replace(aside)
            yield aside
    sync_folder(folder)


def _aside_name(name: str) -> str:
    # A write-ahead log belongs to the database that has its name without the ending.
    return name.replace(DATABASE, DATABASE + REPLACED) if DATABASE in name else name + REPLACED
