"""
The mark: the WAL position of the last commit, in a small file beside the log.

SQLite takes a write-ahead log for ended at the first page that is not what was written. After a
power cut that is right: the last commit was under way. Where a disk has changed a page in the
middle, or the whole log is gone, all commits from there on would be missing without a word. So the
number of pages that are in commits is written after each of them. That is not synced: after a
power cut it may be an older mark, and no mark is ahead of what was durable when it was written.
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
"""Position of the salts in the header of a write-ahead log."""

_log = Logger()


@frozen
class Reached:
    """How far a write-ahead log has come."""

    salts: bytes
    """They change each time the log restarts."""
    pages: int
    """In commits."""


def read_mark(path: Path) -> Reached | None:
    """Return what a mark says; None where there is none, or none that is whole."""
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
    """Return the salts of a write-ahead log; fewer bytes where there is no header."""
    try:
        with log.open("rb") as file:
            file.seek(_SALTS_AT)
            return file.read(_SALTS_BYTES)
    except OSError:
        return b""


class CommitMark:
    """Writes the mark of one open database."""

    def __init__(self, database: Path) -> None:
        """Open the file of the mark, made for the owner alone if there is none."""
        self._log_path = database.with_name(database.name + "-wal")
        path = database.with_name(database.name + SUFFIX)
        self._file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        self._log: int | None = None
        self._has_failed = False

    def note(self, pages: int) -> None:
        """Note that so many pages of the log are in commits that are durable."""
        try:
            if self._log is None:
                self._log = os.open(self._log_path, os.O_RDONLY)
            salts = os.pread(self._log, _SALTS_BYTES, _SALTS_AT)
            os.pwrite(self._file, _sealed(_FORM.pack(_MAGIC, salts, pages)), 0)
        except OSError as error:
            # An older mark is as true as before.
            if not self._has_failed:
                self._has_failed = True
                _log.warn("how far the database has come cannot be noted: {why}", why=str(error))

    def clear(self) -> bool:
        """Expect nothing of the log, which is in the database proper; whether that is durable."""
        try:
            os.ftruncate(self._file, 0)
            os.fsync(self._file)
        except OSError as error:
            _log.warn("the mark of the database cannot be cleared: {why}", why=str(error))
            return False
        return True

    def close(self) -> None:
        """Let go of the files."""
        os.close(self._file)
        if self._log is not None:
            os.close(self._log)
