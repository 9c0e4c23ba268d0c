"""
Backups: a folder with a copy of the database, the files that belong to it, and a manifest.

The folder appears under its name whole or not at all. The manifest has the size and the digest of
every file, so that a restore can check each file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import apsw
from attrs import asdict, frozen

from server.storage import schema
from server.storage.copying import (
    PARTIAL,
    Progress,
    Steps,
    copy_errors,
    copying,
    no_progress,
    sync_file,
    sync_folder,
)
from server.storage.driver_errors import storage_errors
from server.storage.errors import BackupDamaged, BackupUnreadable, TargetExists

FORMAT: Final = "manse backup 1"
MANIFEST: Final = "manifest.json"
_PART_BYTES: Final = 1024 * 1024
_MANIFEST_BYTES: Final = 64 * 1024


@frozen
class FileFact:
    """Size and digest of one file of a backup."""

    bytes: int
    sha256: str


@frozen
class Manifest:
    """Manifest of a backup. It holds no secret."""

    database: str
    """The name of the database among the files."""
    schema: int
    rooms: int
    events: int
    about: Mapping[str, str]
    """Further facts from the maker, such as the time."""
    files: Mapping[str, FileFact]
    """Files by name; all are directly in the folder."""


def backing_up(
    connection: apsw.Connection,
    target: Path,
    *,
    database: str,
    files: Sequence[Path],
    about: Mapping[str, str],
    progress: Progress = no_progress,
) -> Steps[Manifest]:
    """
    Write a backup of a database that may be in use, in steps.

    Args:
        connection: connection to the database.
        target: the folder, which must not exist yet.
        database: the name of the copy in the folder.
        files: small files that belong to the database, and do not change.
        about: further facts for the manifest.
        progress: called with the progress of the copy.

    Returns:
        The manifest.

    Raises:
        TargetExists: a file or folder has the name of the target.
        StorageError: as `copying`.
    """
    if target.exists():
        raise TargetExists(target)
    draft = target.with_name(target.name + PARTIAL)
    names = [database, *(path.name for path in files), MANIFEST]
    with copy_errors(target):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _remove_draft(draft, names)
        draft.mkdir(mode=0o700)
        try:
            yield from copying(connection, draft / database, progress)
            for path in files:
                _write(draft / path.name, path.read_bytes())
            manifest = yield from _describing(draft, names[:-1], about)
            plain = json.dumps({"format": FORMAT, **asdict(manifest)}, indent=2)
            _write(draft / MANIFEST, plain.encode() + b"\n")
            # Everything in it is durable before the folder gets its name.
            sync_folder(draft)
            draft.rename(target)
            sync_folder(target.parent)
        finally:
            # Finds nothing after a success: the draft was renamed.
            _remove_draft(draft, names)
    return manifest


def _remove_draft(draft: Path, names: Sequence[str]) -> None:
    """
    Remove the files of an interrupted backup and its folder.

    OSError: the folder has other files.
    """
    if draft.is_dir():
        for name in (*names, *(name + PARTIAL for name in names)):
            (draft / name).unlink(missing_ok=True)
        draft.rmdir()


def _write(path: Path, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(content)
    sync_file(path)


def _describing(folder: Path, names: Sequence[str], about: Mapping[str, str]) -> Steps[Manifest]:
    facts = {}
    for name in names:
        facts[name] = yield from _measuring(folder / name)
    connection = open_unchanging(folder / names[0])
    try:
        with storage_errors():
            version = schema.version_of(connection)
            lengths = schema.lengths(connection)
    finally:
        connection.close()
    return Manifest(names[0], version, len(lengths), sum(lengths.values()), about, facts)


def _measuring(path: Path) -> Steps[FileFact]:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while part := file.read(_PART_BYTES):
            digest.update(part)
            size += len(part)
            yield
    return FileFact(size, digest.hexdigest())


def open_unchanging(path: Path) -> apsw.Connection:
    """
    Open a database read-only that no process writes, such as a database in a backup.

    No lock is taken and no file is made beside the database, so a write-ahead log is not read.
    """
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    with storage_errors():
        return apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags)


def read_manifest(folder: Path) -> Manifest:
    """
    Read the manifest of a backup.

    Raises:
        BackupUnreadable: the folder is no backup of this program.
    """
    try:
        with (folder / MANIFEST).open("rb") as file:
            # Another file of this name may be of any size.
            plain = json.loads(file.read(_MANIFEST_BYTES))
        if plain["format"] != FORMAT:
            raise BackupUnreadable(folder)
        manifest = Manifest(
            database=str(plain["database"]),
            schema=int(plain["schema"]),
            rooms=int(plain["rooms"]),
            events=int(plain["events"]),
            about={str(key): str(value) for key, value in plain["about"].items()},
            files={
                str(name): FileFact(int(fact["bytes"]), str(fact["sha256"]))
                for name, fact in plain["files"].items()
            },
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackupUnreadable(folder) from error
    # A name with a folder in it could lead a restore to files outside the backup.
    if manifest.database not in manifest.files or not all(map(_is_plain_name, manifest.files)):
        raise BackupUnreadable(folder)
    return manifest


def _is_plain_name(name: str) -> bool:
    return Path(name).name == name and name not in {"", ".", ".."}


def damaged_files(folder: Path, manifest: Manifest) -> Iterator[Path]:
    """Yield the files of a backup that differ from its manifest."""
    for name, fact in manifest.files.items():
        if not is_as_noted(folder / name, fact):
            yield folder / name


def is_as_noted(path: Path, fact: FileFact) -> bool:
    """Return True if a file exists with this size and digest."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return FileFact(os.fstat(file.fileno()).st_size, digest) == fact
    except OSError:
        return False


def must_be_whole(folder: Path) -> Manifest:
    """
    Return the manifest of a backup whose files have been checked.

    Raises:
        BackupUnreadable: the folder is no backup.
        BackupDamaged: a file differs from the manifest.
    """
    manifest = read_manifest(folder)
    for path in damaged_files(folder, manifest):
        raise BackupDamaged(path)
    return manifest
