"""
The one place where errors of the SQLite driver become ours.

An error that is not listed means a mistake of ours or a damaged file: `StoreBroken`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

import apsw

from server.storage.errors import (
    BatchTooLarge,
    StorageError,
    StoreBroken,
    StoreClosed,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreOutOfMemory,
    StoreUnwritable,
)

_WORDS: Final[Mapping[type[StorageError], str]] = {
    BatchTooLarge: "this is larger than the database takes",
    StoreBroken: (
        "the database cannot be read or written reliably; check the disk, "
        "then start the server again, from a backup if this goes on"
    ),
    StoreClosed: "the store is closed",
    StoreForeign: "the file is not a Manse database; name another file, or move this one away",
    StoreFull: "no space is left for the database; free some, then try again",
    StoreLocked: (
        "another server is using this database; stop it first, or give this one a file of its own"
    ),
    StoreOutOfMemory: (
        "no memory is left to read or write the database; give the server more, then try again"
    ),
    StoreUnwritable: (
        "the database cannot be opened for writing; "
        "check who owns the file and its folder, and that the disk is not read-only"
    ),
}

PAIRS: Final[Mapping[type[apsw.Error], type[StorageError]]] = MappingProxyType(
    {
        apsw.AuthError: StoreUnwritable,
        apsw.BusyError: StoreLocked,
        apsw.CantOpenError: StoreUnwritable,
        apsw.ConnectionClosedError: StoreClosed,
        apsw.FormatError: StoreForeign,
        apsw.FullError: StoreFull,
        apsw.LockedError: StoreLocked,
        apsw.NoLFSError: StoreUnwritable,
        apsw.NoMemError: StoreOutOfMemory,
        apsw.NotADBError: StoreForeign,
        apsw.PermissionsError: StoreUnwritable,
        apsw.ProtocolError: StoreLocked,
        apsw.ReadOnlyError: StoreUnwritable,
        apsw.TooBigError: BatchTooLarge,
    }
)
"""The store's error for each error of the driver; unlisted errors become `StoreBroken`."""


def as_storage_error(error: BaseException) -> StorageError:
    """
    Return the `StorageError` that stands for an error.

    The result is a new error on each call, with the error of the driver as its cause: several
    callers may receive one failure, and each of them adds to the traceback of its own copy. A
    StorageError without a cause is returned as it is.
    """
    if isinstance(error, StorageError) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, StorageError):
        return error
    family: type[StorageError] = StoreBroken
    if isinstance(error, apsw.Error):
        # The file layer of SQLite reports a failed allocation as an error of the disk.
        is_memory = getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_NOMEM
        family = StoreOutOfMemory if is_memory else PAIRS.get(type(error), StoreBroken)
    elif isinstance(error, MemoryError):
        family = StoreOutOfMemory
    ours = family(f"{_WORDS[family]} ({type(error).__name__}: {error})")
    ours.__cause__ = error
    return ours


@contextmanager
def storage_errors() -> Iterator[None]:
    """
    Turn driver errors, damaged text and `MemoryError` into `StorageError`s; others propagate.

    The driver decodes text as it reads it, and a flipped bit may leave no UTF-8.
    """
    try:
        yield
    except (apsw.Error, MemoryError, UnicodeDecodeError) as error:
        raise as_storage_error(error) from error
