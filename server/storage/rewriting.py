"""
Rewrites a write-ahead log in place, so that everything readable in it is durable.

After a failed sync the operating system may show pages that it will never write. Writing and
syncing these pages again makes them durable. But a power cut may tear that write, and the log may
be the only copy of acknowledged commits. So a spare copy of the log is made durable first, and is
emptied durably before anything else is written to the log. An opening that finds a whole spare copy
knows that an earlier rewrite was interrupted, and restores the log from the copy.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import apsw

SPARE: Final = "-again"
"""Suffix of the spare copy, behind the name of the log."""

# SQLite's own file layer masks lengths to 17 bits: a call for 128 KiB would write nothing.
PART_BYTES: Final = 64 * 1024

_DIGEST_BYTES: Final = 32
_FLAGS: Final = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE


def write_again(connection: apsw.Connection) -> None:
    """Rewrite the log of a connection that holds its database exclusively."""
    with _opened(connection) as (log, spare):
        content = _content(log)
        if not content:
            return
        _write(spare, content + _digest(content))
        _write(log, content)
        _empty(spare)


def put_back(connection: apsw.Connection) -> bool:
    """
    Restore the log from a whole spare copy; return whether there was one.

    After that the connection, which holds its database exclusively, has to be reopened: it may have
    seen a torn log.
    """
    with _opened(connection) as (log, spare):
        content = _content(spare)
        kept, digest = content[:-_DIGEST_BYTES], content[-_DIGEST_BYTES:]
        if not kept or digest != _digest(kept):
            return False
        log.xTruncate(len(kept))
        _write(log, kept)
        _empty(spare)
    return True


@contextmanager
def _opened(connection: apsw.Connection) -> Iterator[tuple[apsw.VFSFile, apsw.VFSFile]]:
    name = connection.filename_wal
    log = apsw.VFSFile(connection.open_vfs, name, [_FLAGS, 0])
    try:
        spare = apsw.VFSFile(connection.open_vfs, name + SPARE, [_FLAGS, 0])
        try:
            yield log, spare
        finally:
            spare.xClose()
    finally:
        log.xClose()


def _content(file: apsw.VFSFile) -> bytes:
    size = file.xFileSize()
    return b"".join(file.xRead(min(PART_BYTES, size - at), at) for at in range(0, size, PART_BYTES))


def _write(file: apsw.VFSFile, content: bytes) -> None:
    for at in range(0, len(content), PART_BYTES):
        file.xWrite(content[at : at + PART_BYTES], at)
    file.xSync(apsw.SQLITE_SYNC_FULL)


def _empty(file: apsw.VFSFile) -> None:
    file.xTruncate(0)
    file.xSync(apsw.SQLITE_SYNC_FULL)


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
