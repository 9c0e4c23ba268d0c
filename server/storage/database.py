"""
The database file: one exclusive connection, and recovery from failed commits.

This module knows no threads or Deferreds: the owner of a `Database` calls it from one thread at a
time. Three decisions need explaining.

**One connection, exclusive.** The file is opened with `locking_mode=EXCLUSIVE` before it enters WAL
mode. So a second process cannot open the file at all (`StoreLocked`), no shared-memory file exists
beside it, and tests can use a file layer written in Python. Readers use the same connection between
transactions, so they see what is committed and nothing else.

**A failed commit is fenced off.** SQLite commits by appending pages to the write-ahead log, the
last one marked as a commit, and then syncing. When that sync fails, the marked pages may have
reached the disk all the same. The connection has forgotten them, but the next opening of the file
would find a valid commit there and resurrect what we had refused. Reopening the file to check does
not help: after a failed sync the operating system may show pages that it will never write, so
nothing may be built on top of them. Instead the same connection, which still appends where the last
good commit ended, at once commits one small transaction of its own, the *fence*. The fence
overwrites the first of the forgotten pages. Since the checksum of each page covers all pages before
it, the other forgotten pages can never become valid again. Only when the fence is durable is the
batch called refused. If the fence fails too, the answer is `OutcomeUnknown`. Every later write then
first tries the fence again, and is itself refused, untried, while the fence fails. Reads remain
possible: they show only records from before the doubtful batch, which are valid in either case.

**Opening makes durable what it found.** After a crash of the process the log may hold commits that
were written and never synced, even some that a failed sync has left readable for now. If they were
shown before a power cut, what was shown would be lost; if they were copied into the database
proper, they would damage it. So opening writes the log over itself, byte for byte, and syncs it
(`server.storage.rewriting`). Then it copies the log into the database proper, which SQLite syncs
too, and passes a fence. What a power cut in the middle of all this has torn is mended at the next
start before SQLite reads anything: it could not read a database that was being copied into while
the log was torn.

All this leans on what SQLite calls powersafe overwrite: a write harms no byte beside it. SQLite's
own file layers promise that of every disk.

Left out: page checksums by the extension `cksumvfs` of apsw. Damage by the disk is found by the
heads of the hash chain, by the commitments in the records, by the digests of values, and by the
mark of the write-ahead log (`server.storage.mark`). A program without the extension, even
`sqlite3`, would make such a file unreadable by writing to it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

import apsw
from twisted.logger import Logger

from server.storage import schema
from server.storage.copying import (
    Steps,
    copying,
    must_have_room,
    size_of,
    sync_folder,
)
from server.storage.driver_errors import as_storage_error, storage_errors
from server.storage.errors import (
    OutcomeUnknown,
    StorageError,
    StoreBroken,
    StoreMoved,
    StoreShortened,
    StoreUnwritable,
)
from server.storage.mark import SUFFIX, CommitMark, read_mark, salts_of
from server.storage.rewriting import SPARE, finish, has_spare, mend, write_again

FILE_NAME: Final = "rooms.sqlite"
"""Name of the file with all rooms, in the folder of a server."""

T = TypeVar("T")

_log = Logger()

Change: TypeAlias = Callable[[apsw.Connection], None]
"""
Function that reads and writes through the given connection, within a transaction of the caller.
"""

Query: TypeAlias = Callable[[apsw.Connection], T]
"""Function that reads through the given connection."""


class Database:
    """An open database file of ours."""

    commit_count: int
    """Number of commits that have become durable since the file was opened, without fences."""

    was_alone: bool
    """True if the file was found without write-ahead log and mark. For a restored copy this is
    normal; otherwise the last commits may be missing without any other sign."""

    def __init__(
        self,
        connection: apsw.Connection,
        mark: CommitMark | None = None,
        *,
        is_alone: bool = False,
    ) -> None:
        """
        Take ownership of a connection from `open_database`, and of the mark beside its file.

        `is_alone` is True if the file had neither write-ahead log nor mark beside it before
        opening.
        """
        self.was_alone = is_alone
        self._mark = mark
        self.commit_count = 0
        self._connection = connection
        self._is_settled = True
        self._log_pages = 0
        # Of the write-ahead log, which SQLite keeps for as long as it is open.
        self._log_number = _file_number(connection.filename_wal)
        connection.set_wal_hook(self._count_pages)

    def write(self, changes: Sequence[Change]) -> list[Exception | None]:
        """
        Commit changes together, each in a savepoint of its own if there are several.

        Args:
            changes: run in this order; one that raises is rolled back and leaves the others intact.

        Returns:
            For each change None once it is durable, or why it was refused: the exception that the
                change raised, or a `StorageError`. The method itself raises nothing.
        """
        try:
            self._settle()
        except Exception as error:  # noqa: BLE001 - whatever it was, nothing has been tried
            return [as_storage_error(error) for _ in changes]
        log = _file_number(self._connection.filename_wal)
        if self._log_number is None:
            self._log_number = log
        # Files that have lost their names would still take commits, which nobody could read.
        if log != self._log_number or has_moved(self._connection):
            return [StoreMoved(_MOVED) for _ in changes]
        try:
            if len(changes) == 1:
                return [self._write_alone(changes[0])]
            return self._write_together(changes)
        except _TransactionLostError:
            # After some errors, above all a full disk, SQLite has lost the transaction. No commit
            # was tried, so each change may go again alone, and only the guilty ones fail.
            return [outcome for change in changes for outcome in self.write([change])]

    def stepping(self, make: Callable[[apsw.Connection], Steps[T]]) -> Steps[T]:
        """Run long work that only reads, in steps."""
        with storage_errors():
            return (yield from make(self._connection))

    def read(self, query: Query[T]) -> T:
        """Run a query on the committed state. Raises `StorageError`."""
        with storage_errors():
            return query(self._connection)

    def checkpoint(self, pages: int) -> None:
        """
        Move the write-ahead log into the database proper once it has grown.

        A failure costs nothing but space: the log is kept and the caller can try again.

        Args:
            pages: minimum length of the log; a shorter log stays.

        Raises:
            StorageError: the log was not moved, and keeps growing.
        """
        if self._log_pages < pages:
            return
        with storage_errors():
            length, done = self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        if length == done:
            # The next commit may restart the log.
            self._clear_mark()

    def vacuum(self) -> tuple[int, int]:
        """
        Rewrite the whole file without the gaps that deleted rows left.

        Returns:
            The size in bytes before, and after.

        Raises:
            DiskTooFull: the disk would have to hold the file three times for a moment.
            StorageError: rewriting failed, or its outcome is in doubt. No record is lost, but the
                file may have been rewritten or not.
        """
        with storage_errors():
            self._settle()
            before = size_of(self._connection)
            must_have_room(Path(self._connection.filename).parent, 2 * before)
            try:
                self._connection.execute("VACUUM")
                # The checkpoint below restarts the log, so its mark must be gone first.
                self._clear_mark()
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.Error:
                # A failed VACUUM leaves the same doubt as a failed commit.
                self._is_settled = False
                raise
            return before, size_of(self._connection)

    def close(self) -> None:
        """Close the file, after a last attempt to commit an outstanding fence."""
        try:
            self._settle()
        finally:
            with storage_errors():
                if not self._clear_mark():
                    # Else the next opening would miss what closing folds in.
                    self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
                self._connection.close()
            if self._mark is not None:
                self._mark.close()

    def _clear_mark(self) -> bool:
        """Clear the mark of the write-ahead log; return True if no durable mark is left."""
        return self._mark is None or self._mark.clear()

    def _count_pages(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._log_pages = pages
        return apsw.SQLITE_OK

    def _write_alone(self, change: Change) -> Exception | None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            change(self._connection)
        except Exception as error:  # noqa: BLE001 - nothing was committed: it is the change's answer
            self._roll_back()
            return as_storage_error(error) if isinstance(error, apsw.Error | MemoryError) else error
        return self._commit([None])[0]

    def _write_together(self, changes: Sequence[Change]) -> list[Exception | None]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            outcomes = [self._attempt(change) for change in changes]
        except Exception as error:
            self._roll_back()
            raise _TransactionLostError from error
        return self._commit(outcomes)

    def _commit(self, outcomes: Sequence[Exception | None]) -> list[Exception | None]:
        """Commit the changes; return their outcomes, after a failure those of `_refuse`."""
        try:
            self._connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - an unforeseen failure leaves the same doubt
            self._is_settled = False
            return self._refuse(outcomes, error)
        self.commit_count += 1
        self._note_commit()
        return list(outcomes)

    def _note_commit(self) -> None:
        if self._mark is not None:
            self._mark.note(self._log_pages)

    def _attempt(self, change: Change) -> Exception | None:
        self._connection.execute("SAVEPOINT change")
        try:
            change(self._connection)
        except Exception as error:
            # A mistake in one change is that one's answer, unless it cost the whole transaction.
            if not self._connection.in_transaction:
                raise
            self._connection.execute("ROLLBACK TO change; RELEASE change")
            return as_storage_error(error) if isinstance(error, apsw.Error | MemoryError) else error
        self._connection.execute("RELEASE change")
        return None

    def _refuse(
        self, outcomes: Sequence[Exception | None], error: Exception
    ) -> list[Exception | None]:
        """
        Return the outcomes after a failed commit.

        They are refusals if the fence is durable, so that the commit is surely lost; otherwise each
        change that ran has `OutcomeUnknown`.
        """
        try:
            self._settle()
        except Exception:  # noqa: BLE001 - whatever it was, the fence does not stand
            return [_unknown(error) if outcome is None else outcome for outcome in outcomes]
        # Conflicts are refused too: they may have conflicted with a batch that is gone now.
        return [as_storage_error(error) for _ in outcomes]

    def _settle(self) -> None:
        """Commit the fence due after a failed commit, if there is one. Raises if that fails."""
        if self._is_settled:
            return
        self._roll_back()
        try:
            _commit_fence(self._connection)
        finally:
            self._roll_back()
        self._is_settled = True
        self._note_commit()

    def _roll_back(self) -> None:
        """Roll back any open transaction. Never raises."""
        if self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except apsw.Error:
                # If the transaction is still open, the next BEGIN fails and refuses its changes.
                self._is_settled = False


def _file_number(path: str) -> int | None:
    """Return the inode number of the file with this name; None if there is none."""
    try:
        # Once in each commit: a `Path` takes four times as long.
        return os.stat(path).st_ino  # noqa: PTH116 (above)
    except OSError:
        return None


def has_moved(connection: apsw.Connection) -> bool:
    """
    Return True if the file of this connection is no longer under its name.

    A new start would not find later commits under the name. If the file layer cannot tell, the
    result is False.
    """
    moved = ctypes.c_int(0)
    with contextlib.suppress(apsw.Error):
        connection.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(moved))
    return bool(moved.value)


_MOVED: Final = (
    "the database file was moved, replaced or deleted while the server was running; what is written"
    " now would be lost: stop the server and put the file back"
)


class _TransactionLostError(Exception):
    """The transaction of a group broke down before its commit was tried."""


ToldOfCopy: TypeAlias = Callable[[Path, int, int], None]
"""
Function that is called with the file of the copy before a migration, the bytes done and the total.
"""


def tell_nobody(_copy: Path, _done: int, _total: int) -> None:
    pass


MIGRATION_SIZES: Final = 3
"""
Free space that a migration needs, in sizes of the database: the copy, then up to the whole database
in the write-ahead log, then the rewritten pages in the file beside the gaps that they leave.
"""


def set_aside_as(path: Path, version: int) -> Path:
    """Return the path of the copy that is made before a database is migrated from a version."""
    return path.with_name(f"{path.name}.schema-{version}")


def open_database(
    path: Path,
    *,
    vfs: str = "",
    keeps_schema: bool = False,
    told: ToldOfCopy = tell_nobody,
) -> Database:
    """
    Open a database file, created if missing, and hold it until `Database.close`.

    A file of an earlier release is copied first (`set_aside_as`), then migrated in one transaction.
    Missing folders are created. Only the owner may use these folders (0700) and the file (0600).
    Everything readable on return is durable.

    Args:
        path: the file.
        vfs: the name of a registered SQLite file layer; empty for the real disk. On any other layer
            no copy is made.
        keeps_schema: True to leave a file of an earlier release unmigrated; the caller may then use
            only what is the same in all versions.
        told: called with the progress of the copy, step by step.

    Raises:
        DiskTooFull: a file of an earlier release has no room for copy and migration; it is
            unchanged.
        StoreLocked: another process or another store holds the file.
        StoreForeign: the file is not ours, or newer than this code.
        StoreUnwritable: the file cannot be opened or created.
        StorageError: any other failure.
    """
    if not vfs:
        _prepare_file(path)
    is_alone = not vfs and _is_alone(path)
    with storage_errors():
        connection, mark = _open_connection(path, vfs)
        # Earlier releases left no mark, or none that was cleared.
        is_alone = is_alone and schema.version_of(connection) == schema.SCHEMA_VERSION
        if is_alone:
            _log.warn(
                "{path} was found alone, without {path}-wal and {path}-mark. That is right for a"
                " copy which was put there. If it was not, the last answers may be missing: stop"
                " the server, then put back both files, or restore a backup",
                path=str(path),
            )
        try:
            if not keeps_schema:
                _bring_up(connection, None if vfs else partial(_set_aside, path=path, told=told))
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        except Exception:
            _let_go(connection, mark)
            raise
    return Database(connection, mark, is_alone=is_alone)


def _is_alone(path: Path) -> bool:
    """
    Return True if a database that is not empty has neither write-ahead log nor mark beside it.

    No server leaves a database in this state.
    """
    beside = (f"{path.name}-wal", path.name + SUFFIX)
    return path.stat().st_size > 0 and not any(path.with_name(name).exists() for name in beside)


def _bring_up(
    connection: apsw.Connection, set_aside: Callable[[apsw.Connection, int], None] | None
) -> None:
    version = schema.version_of(connection)
    if version == schema.SCHEMA_VERSION:
        return
    if set_aside is not None:
        set_aside(connection, version)
    _commit_fence(connection, schema.bring_up)


def _set_aside(connection: apsw.Connection, version: int, *, path: Path, told: ToldOfCopy) -> None:
    size = size_of(connection)
    must_have_room(path.parent, MIGRATION_SIZES * size)
    copy = set_aside_as(path, version)
    for _ in copying(connection, copy, partial(told, copy)):
        pass


def _open_connection(path: Path, vfs: str) -> tuple[apsw.Connection, CommitMark | None]:
    mend(path, vfs)
    connection, mark = apsw.Connection(str(path), vfs=vfs or None), None
    try:
        version = _prepare_connection(connection)
        if has_spare(connection):
            # Another process had the lock in between, and was killed.
            connection.close()
            return _open_connection(path, vfs)
        mark = None if vfs else _compared_mark(connection, path)
        _make_durable(connection)
        _commit_fence(connection, None if version else schema.create)
        if not (version or vfs):
            # Makes the removal of the rollback journal durable: it would undo the creation.
            sync_folder(path.parent)
        finish(connection)
    except Exception:
        _let_go(connection, mark)
        raise
    if not vfs:
        # The spare is empty by now, so it is harmless if it cannot be removed.
        with contextlib.suppress(OSError):
            Path(connection.filename_wal + SPARE).unlink()
    return connection, mark


def _let_go(connection: apsw.Connection, mark: CommitMark | None) -> None:
    connection.close()
    if mark is not None:
        mark.close()


def _compared_mark(connection: apsw.Connection, path: Path) -> CommitMark:
    """
    Compare the mark with the write-ahead log; return the mark, cleared.

    Raises:
        StoreShortened: commits that the mark counts are missing.
        StoreUnwritable: the mark cannot be opened or cleared.
    """
    file, log = path.with_name(path.name + SUFFIX), path.with_name(f"{path.name}-wal")
    mark = read_mark(file)
    if mark is not None:
        found, _ = connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_NOOP)
        if salts_of(log) != mark.salts or found < mark.pages:
            raise StoreShortened(file)
    try:
        made = CommitMark(path)
    except OSError as error:
        raise StoreUnwritable(f"{file} cannot be opened for writing ({error.strerror})") from error
    if not made.clear():
        made.close()
        raise StoreUnwritable(f"{file} cannot be written; check the disk")
    return made


def _prepare_file(path: Path) -> None:
    try:
        for folder in reversed([folder for folder in path.parents if not folder.exists()]):
            folder.mkdir(mode=0o700, exist_ok=True)
            sync_folder(folder.parent)
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            # By name, and never by opening it here: closing it again would drop the locks of
            # another store in this process.
            path.chmod(0o600)
        else:
            sync_folder(path.parent)
    except OSError as error:
        raise StoreUnwritable(
            f"the database {str(path)!r} cannot be made or opened for writing ({error.strerror}); "
            "check who owns its folder, or name another file"
        ) from error


def _prepare_connection(connection: apsw.Connection) -> int:
    """
    Set the pragmas that make commits durable, and return the version of the schema.

    Raises:
        StoreBroken: the disk does not allow a write-ahead log.
        StoreForeign, StoreNewer: as `schema.version_of`.
    """
    # Until all that is seen is durable, closing must not copy it into the database proper.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    # Before all else, so that WAL mode is entered without shared memory.
    connection.pragma("locking_mode", "exclusive")
    # Before anything is written: a foreign file must stay as it is.
    version = schema.version_of(connection)
    connection.pragma("synchronous", "full")
    # Where a plain sync leaves the data in the drive's cache (macOS), ask for more.
    connection.pragma("fullfsync", "on")
    connection.pragma("checkpoint_fullfsync", "on")
    if connection.pragma("journal_mode", "wal") != "wal":
        raise StoreBroken("the database cannot use a write-ahead log on this disk; use a local one")
    connection.pragma("temp_store", "memory")
    # We do it ourselves after answering, so that its failure is not taken for the commit's.
    connection.pragma("wal_autocheckpoint", 0)
    return version


def _make_durable(connection: apsw.Connection) -> None:
    """Make the log of an earlier process durable, and move it into the database proper."""
    write_again(connection)
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def _commit_fence(connection: apsw.Connection, also: Change | None = None) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if also is not None:
        also(connection)
    schema.pass_fence(connection)
    connection.execute("COMMIT")


def _unknown(error: Exception) -> StorageError:
    unknown = OutcomeUnknown(
        "the commit failed and could not be taken back for certain; whether this was stored "
        f"shows when it is written or opened next ({type(error).__name__}: {error})"
    )
    unknown.__cause__ = error
    return unknown
