"""
Copies a database while it is in use, in short steps between which it may change.

SQLite's online backup includes commits made through the same connection meanwhile, so the copy
equals the database at the end. The copy appears under its name whole or not at all.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

import apsw

from server.storage.driver_errors import storage_errors
from server.storage.errors import CopyFailed, DiskTooFull

T = TypeVar("T")

Steps: TypeAlias = Generator[None, None, T]
"""Generator of long work in the storage thread, which runs other tasks between two steps."""

Progress: TypeAlias = Callable[[int, int], None]
"""Function that is called with the bytes done and the total."""

PAGES_AT_ONCE: Final = 128
"""Pages copied in one step: half a megabyte, a few milliseconds of work."""

STEPS_BETWEEN_SYNCS: Final = 16

SPARE_BYTES: Final = 16 * 1024 * 1024
"""Bytes that have to stay free on the disk beside a copy."""

PARTIAL: Final = ".partial"
"""Suffix of a copy that is still being written."""


def no_progress(_done: int, _total: int) -> None:
    pass


def size_of(connection: apsw.Connection) -> int:
    """Return the total bytes of a database's pages."""
    return int(connection.pragma("page_count")) * int(connection.pragma("page_size"))


def must_have_room(folder: Path, needed: int) -> None:
    """Raise `DiskTooFull` if less than `needed` plus `SPARE_BYTES` bytes are free."""
    free = shutil.disk_usage(folder).free
    if free < needed + SPARE_BYTES:
        raise DiskTooFull(folder, needed + SPARE_BYTES, free)


def copying(
    connection: apsw.Connection, target: Path, progress: Progress = no_progress
) -> Steps[None]:
    """
    Copy a database to a file, in steps; an existing file is replaced.

    Only the owner may read the file (0600). The copy needs no other file beside it, and is durable.

    Args:
        connection: connection to the database; no transaction lasts from one step to the next.
        target: the file, in a folder that exists.
        progress: called after each step.

    Raises:
        DiskTooFull: there is no room for the copy.
        StorageError: the database cannot be read, or the copy cannot be written.
    """
    draft = target.with_name(target.name + PARTIAL)
    with copy_errors(target):
        must_have_room(target.parent, size_of(connection))
        # Left by an interrupted run.
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        try:
            with storage_errors():
                yield from _copying_pages(connection, draft, progress)
            # Durable before it has its name.
            sync_file(draft)
            draft.replace(target)
            sync_folder(target.parent)
        finally:
            draft.unlink(missing_ok=True)


@contextmanager
def copy_errors(path: Path) -> Iterator[None]:
    """Turn errors of the operating system during a copy into `CopyFailed`."""
    try:
        yield
    except OSError as error:
        raise CopyFailed(path, error) from error


def _copying_pages(connection: apsw.Connection, draft: Path, progress: Progress) -> Steps[None]:
    copy = apsw.Connection(str(draft))
    try:
        # A partial copy is worthless, so it needs no rollback journal.
        copy.pragma("journal_mode", "off")
        copy.pragma("synchronous", "off")
        page_bytes = int(connection.pragma("page_size"))
        with copy.backup("main", connection, "main") as backup:
            for step in count(1):
                if backup.done:
                    break
                backup.step(PAGES_AT_ONCE)
                if step % STEPS_BETWEEN_SYNCS == 0:
                    # Else the last sync would block commits while the whole copy is written.
                    sync_file(draft)
                total = backup.page_count
                progress((total - backup.remaining) * page_bytes, total * page_bytes)
                yield
        # A copy in WAL mode could not be read in a read-only folder.
        copy.pragma("journal_mode", "delete")
    finally:
        copy.close(force=True)


def sync_file(path: Path) -> None:
    """Flush the content of a file to the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
