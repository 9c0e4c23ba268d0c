"""
The mark: the WAL position of the last commit, in a small file beside the log.

SQLite ends a write-ahead log at the first page with a wrong checksum. After a power cut that is
right: the last commit was in progress. But if the disk damages a page in the middle, or the log
disappears, all later commits would silently be missing. So the number of committed pages is written
after each commit. The mark is not synced: after a power cut it may be an older one, but it never
counts more than the durable commits.

Before a log restarts, when all of it is in the database proper, the mark is cleared durably.
"""

from __future__ import annotations

import hashlib
import os
import struct
from pathlib import Path
from typing import Final

from attrs import frozen
from twisted.logger import Logger

SUFFIX: Final = "-mark"

_FORM: Final = struct.Struct(">8s8sI")
_MAGIC: Final = b"mnsmark1"
_DIGEST_BYTES: Final = 12
_BYTES: Final = _FORM.size + _DIGEST_BYTES
_SALTS_AT: Final = 16
_SALTS_BYTES: Final = 8
"""Bytes of the salts, which begin at `_SALTS_AT` in the header of a write-ahead log."""

_log = Logger()


@frozen
class Reached:
    """Position in a write-ahead log."""

    salts: bytes
    """Salts in the header of the log, which change each time the log restarts."""
    pages: int
    """Number of pages in durable commits."""


def read_mark(path: Path) -> Reached | None:
    """Read a mark; return None if there is none, or it is damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if len(content) != _BYTES or content != _sealed(content[: _FORM.size]):
        return None
    magic, salts, pages = _FORM.unpack_from(content)
    return Reached(salts, pages) if magic == _MAGIC else None


def _sealed(content: bytes) -> bytes:
    return content + hashlib.sha256(content).digest()[:_DIGEST_BYTES]


def salts_of(log: Path) -> bytes:
    """Return the salts of a write-ahead log; fewer bytes if it has no header."""
    try:
        with log.open("rb") as file:
            file.seek(_SALTS_AT)
            return file.read(_SALTS_BYTES)
    except OSError:
        return b""


class CommitMark:
    """Writes the mark of one open database."""

    def __init__(self, database: Path) -> None:
        """Open the file of the mark, created for the owner alone if missing."""
        self._log_path = database.with_name(database.name + "-wal")
        path = database.with_name(database.name + SUFFIX)
        self._file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        self._log: int | None = None
        self._has_failed = False

    def note(self, pages: int) -> None:
        """Record that the first `pages` pages of the log are durably committed."""
        try:
            if self._log is None:
                self._log = os.open(self._log_path, os.O_RDONLY)
            salts = os.pread(self._log, _SALTS_BYTES, _SALTS_AT)
            os.pwrite(self._file, _sealed(_FORM.pack(_MAGIC, salts, pages)), 0)
        except OSError as error:
            # The older mark stays valid: it only promises less.
            if not self._has_failed:
                self._has_failed = True
                _log.warn("how far the database has come cannot be noted: {why}", why=str(error))

    def clear(self) -> bool:
        """Clear the mark once the log is in the database proper; return True if that is durable."""
        try:
            os.ftruncate(self._file, 0)
            os.fsync(self._file)
        except OSError as error:
            _log.warn("the mark of the database cannot be cleared: {why}", why=str(error))
            return False
        return True

    def close(self) -> None:
        os.close(self._file)
        if self._log is not None:
            os.close(self._log)
