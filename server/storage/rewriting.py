"""
Makes a write-ahead log durable by rewriting it in place, with a spare copy beside it meanwhile.

After a failed sync the operating system may show pages that it will never write. Writing and
syncing these pages again makes them durable. But a power cut may tear that write, and the log may
be the only copy of acknowledged commits. So a spare copy comes first, in these steps, each of which
proves that those before it are durable:

1. The content is written to the spare and synced.
2. The *seal*, which has length and digest of the content, is written to the spare and synced.
3. The spare is *opened*: a flag is written to it, which needs no sync.
4. The log is overwritten with the content and synced. The spare is emptied and synced.

The next start (`mend`) looks at spare and log before SQLite reads either. A spare without a seal is
ignored: its sync may have failed, and the log was not touched. A seal without the flag may be seen
although its sync failed. If the log still has the same content, it was not touched either, and is
the copy to trust; if it differs, it was torn in an earlier run of the machine, from which only
durable things are left. A flag proves a durable seal, so the log is overwritten from the spare, and
nothing is written to the spare until the log is durable.

While a database is made, the spare says so by a seal of another kind, so that a start after a power
cut begins again with an empty file, instead of taking the torn first page for a damaged database. A
file of zeros without a log counts as empty too: earlier releases announced nothing.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw
from attrs import frozen

SPARE: Final = "-again"
"""Suffix of the spare copy, after the name of the log."""

# SQLite's own file layer masks lengths to 17 bits: a call for 128 KiB would write nothing.
PART_BYTES: Final = 64 * 1024

_BLOCK: Final = 4096
"""Seal, flag and content begin at multiples of this number of bytes, so that a torn write of one
does not damage the others."""
_FLAG_AT: Final = _BLOCK
_CONTENT_AT: Final = 2 * _BLOCK
_SEAL: Final = struct.Struct(">8sQ32s")
_OF_LOG: Final = b"mnsspare"
_OF_NEW: Final = b"mnsmakes"
_FLAG: Final = b"mnsopen1"

_FIRST_PAGE_BYTES: Final = 8192
"""Maximum bytes of a database that may be half made; a database with tables is larger."""

_LOG_FLAGS: Final = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
_DATABASE_FLAGS: Final = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READWRITE


@frozen
class _Spare:
    """Content and state of a sealed spare copy."""

    content: bytes | None
    """Content of the log; None while a database is made."""
    is_open: bool
    """True if the flag is set: the log may be torn."""


def mend(path: Path, vfs: str) -> None:
    """
    Undo what a power cut during an earlier start has left, before SQLite reads the database.

    The database is locked during this call. If it is empty, the spare is marked as that of a
    database that is being made.

    Args:
        path: the database, which exists.
        vfs: name of the file layer; empty for the real disk.

    Raises:
        apsw.Error: the lock is taken, or a file cannot be read or written.
    """
    log_name = f"{path}-wal"
    with _locked(path, vfs) as database:
        size = database.xFileSize()
        # Zeros count as empty: a power cut can keep the length of a write and lose its content.
        is_empty = size <= PART_BYTES and not (size and any(database.xRead(size, 0)))
        if not (vfs or is_empty or Path(log_name + SPARE).exists()):
            # Not opened, since that would make it, perhaps beside another program's database.
            return
        with _opened(vfs, log_name) as (log, spare):
            found = _read(spare)
            if found is None:
                pass
            elif found.content is None:
                # A larger database was finished; only its seal is left.
                if database.xFileSize() <= _FIRST_PAGE_BYTES:
                    _empty(log)
                    is_empty = True
            elif found.is_open or _content(log) != found.content:
                _overwrite(log, spare, found.content)
                _empty(spare)
            if is_empty and not log.xFileSize():
                _empty(spare)
                _seal(spare, _OF_NEW, b"")
                _empty(database)


def has_spare(connection: apsw.Connection) -> bool:
    """Return True if another process left a sealed copy of the log after `mend` looked."""
    with _opened_beside(connection) as (log, spare):
        found = _read(spare)
        if found is None or found.content is None:
            return False
        return found.is_open or _content(log) != found.content


def write_again(connection: apsw.Connection) -> None:
    """Rewrite the log of a connection that holds its database exclusively."""
    with _opened_beside(connection) as (log, spare):
        content = _content(log)
        if not content:
            return
        # An older seal must not be taken for that of this content.
        _empty(spare)
        _write(spare, content, _CONTENT_AT)
        _seal(spare, _OF_LOG, content)
        _overwrite(log, spare, content)
        _empty(spare)


def finish(connection: apsw.Connection) -> None:
    """Empty the spare durably, even if it seems empty: an earlier attempt may have failed."""
    with _opened_beside(connection) as (_, spare):
        _empty(spare)


@contextmanager
def _locked(path: Path, vfs: str) -> Iterator[apsw.VFSFile]:
    """Open a database file and lock it exclusively, as SQLite does, without reading it."""
    file = apsw.VFSFile(vfs, str(path), [_DATABASE_FLAGS, 0])
    try:
        file.xLock(apsw.SQLITE_LOCK_SHARED)
        try:
            file.xLock(apsw.SQLITE_LOCK_EXCLUSIVE)
            yield file
        finally:
            file.xUnlock(apsw.SQLITE_LOCK_NONE)
    finally:
        file.xClose()


@contextmanager
def _opened(vfs: str, log_name: str) -> Iterator[tuple[apsw.VFSFile, apsw.VFSFile]]:
    log = apsw.VFSFile(vfs, log_name, [_LOG_FLAGS, 0])
    try:
        spare = apsw.VFSFile(vfs, log_name + SPARE, [_LOG_FLAGS, 0])
        try:
            yield log, spare
        finally:
            spare.xClose()
    finally:
        log.xClose()


@contextmanager
def _opened_beside(connection: apsw.Connection) -> Iterator[tuple[apsw.VFSFile, apsw.VFSFile]]:
    with _opened(connection.open_vfs, connection.filename_wal) as files:
        yield files


def _read(spare: apsw.VFSFile) -> _Spare | None:
    """Return the parsed spare; None if its seal is missing or does not match its content."""
    content = _content(spare)
    if len(content) < _SEAL.size:
        return None
    kind, length, digest = _SEAL.unpack_from(content)
    kept = content[_CONTENT_AT : _CONTENT_AT + length]
    if len(kept) != length or digest != _digest(kind, kept) or kind not in {_OF_LOG, _OF_NEW}:
        return None
    is_open = content[_FLAG_AT : _FLAG_AT + len(_FLAG)] == _FLAG
    return _Spare(kept if kind == _OF_LOG else None, is_open)


def _seal(spare: apsw.VFSFile, kind: bytes, content: bytes) -> None:
    _write(spare, _SEAL.pack(kind, len(content), _digest(kind, content)), 0)


def _overwrite(log: apsw.VFSFile, spare: apsw.VFSFile, content: bytes) -> None:
    spare.xWrite(_FLAG, _FLAG_AT)
    # Writing alone would leave the end of a longer log.
    if log.xFileSize() != len(content):
        log.xTruncate(len(content))
    _write(log, content, 0)


def _content(file: apsw.VFSFile) -> bytes:
    size = file.xFileSize()
    return b"".join(file.xRead(min(PART_BYTES, size - at), at) for at in range(0, size, PART_BYTES))


def _write(file: apsw.VFSFile, content: bytes, offset: int) -> None:
    for at in range(0, len(content), PART_BYTES):
        file.xWrite(content[at : at + PART_BYTES], offset + at)
    file.xSync(apsw.SQLITE_SYNC_FULL)


def _empty(file: apsw.VFSFile) -> None:
    file.xTruncate(0)
    file.xSync(apsw.SQLITE_SYNC_FULL)


def _digest(kind: bytes, content: bytes) -> bytes:
    return hashlib.sha256(kind + content).digest()
