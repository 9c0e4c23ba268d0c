"""
The errors of a store.

Every error of a call of `Store`, except `OutcomeUnknown`, promises that the request had no effect
and never will have one. Any other exception from a store is a bug.
"""

from __future__ import annotations

from pathlib import Path


class StorageError(Exception):
    """Storing or reading failed; the message says what the operator can do."""

    params: tuple[object, ...] = ()
    """Parameters of the words that the command line has for this kind of error."""


class RevisionConflict(StorageError):
    """A batch does not begin where the room's log ends: another writer was first."""

    def __init__(self, room_id: str, expected: int, offered: int) -> None:
        """
        Describe the conflict.

        Args:
            room_id: the room, whose log is unchanged.
            expected: the next free sequence of that room.
            offered: the first sequence of the batch.
        """
        super().__init__(
            f"room {room_id!r} continues at sequence {expected}, the batch begins at {offered}; "
            "read the room again before writing to it"
        )
        self.room_id = room_id
        self.expected = expected
        self.offered = offered


class BatchTooLarge(StorageError):
    """A single batch or value is larger than any store accepts."""


class StoreBusy(StorageError):
    """The queue of calls is full; the caller may try again once some are answered."""


class StoreFull(StorageError):
    """No space is left for the database file."""


class DiskTooFull(StoreFull):
    """There is too little space for a copy; nothing was written."""

    def __init__(self, folder: Path, needed: int, free: int) -> None:
        """
        Name the folder and the missing space.

        Args:
            folder: the target of the copy.
            needed: bytes needed.
            free: bytes free.
        """
        super().__init__(
            f"{folder} has {_megabytes(free)} MB free, and {_megabytes(needed)} MB are needed; free"
            " some, then try again"
        )
        self.params = (folder, _megabytes(free), _megabytes(needed))


def _megabytes(count: int) -> int:
    return -(-count // 1_000_000)


class CopyFailed(StorageError):
    """A copy could not be written or read. It was removed, and the database is unchanged."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(
            f"{path} cannot be written or read ({error.strerror or error}); check its disk and who"
            " owns its folder, then try again"
        )
        self.params = (path, error)


class TargetExists(StorageError):
    """The name of a new file or folder is taken; nothing was overwritten."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is there already; name another")
        self.params = (path,)


class BackupUnreadable(StorageError):
    """A folder is not a backup of ours, or its manifest cannot be read."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is no backup: it has no manifest that can be read; name a folder that a backup"
            " made"
        )
        self.params = (path,)


class BackupDamaged(StorageError):
    """A file of a backup differs from its manifest."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is not what was backed up; take another backup")
        self.params = (path,)


class BackupInUse(StorageError):
    """A database file is not a whole copy: a part is in a write-ahead log beside it."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} has a write-ahead log beside it, so it is no copy")
        self.params = (path,)


class StoreOutOfMemory(StorageError):
    """The machine has no memory left for a read or write; the disk is not at fault."""


class StoreBroken(StorageError):
    """The file cannot be read or written reliably: an I/O error, or damaged contents."""


class LogDamaged(StoreBroken):
    """The log of one room differs from what was stored; other rooms are not affected."""

    def __init__(self, room_id: str, sequence: int, reason: str) -> None:
        """
        Name the place in the log, and the fault.

        Args:
            room_id: the room.
            sequence: the sequence up to which the records are sound, except perhaps the last few.
            reason: description of the damage.
        """
        super().__init__(
            f"the log of room {room_id!r} is damaged at event {sequence}: {reason}; "
            "stop the server and restore the database from a backup"
        )
        self.room_id = room_id
        self.sequence = sequence
        self.reason = reason


class ValueDamaged(StoreBroken):
    """A value beside the logs differs from what was stored."""

    def __init__(self, kind: str) -> None:
        """Name the kind of the value; its key stays out of messages, since it may be private."""
        super().__init__(
            f"a stored value of the kind {kind!r} is damaged; stop the server and restore the"
            " database from a backup"
        )
        self.params = (kind,)


class StoreShortened(StoreBroken):
    """Durable commits are missing."""

    def __init__(self, mark: Path) -> None:
        """Name the file of the mark, which counts the commits."""
        super().__init__(
            "the last of what was stored is missing: the write-ahead log beside the database is"
            f" damaged or gone; restore a backup, or delete {mark} to go on with what is left"
        )
        self.params = (mark,)


class StoreLocked(StorageError):
    """Another process, or another store in this one, holds the database file."""


class StoreForeign(StorageError):
    """The file is no database that this version of the program can use."""


class StoreMoved(StoreBroken):
    """The open file no longer has its name: it was moved, replaced or deleted."""


class StoreNewer(StoreForeign):
    """A newer version of this program wrote the file."""


class StoreUnwritable(StorageError):
    """The file or its folder cannot be opened for writing."""


class StoreClosed(StorageError):
    """The store was closed before the call was made."""


class OutcomeUnknown(StorageError):
    """
    A commit failed and cannot be rolled back for certain.

    The batch is not acknowledged and no reader of this store sees it, but the next opening of the
    file may find it. The store writes nothing until it is certain that the batch is gone, so a room
    that stops and is rebuilt from the store stays consistent.
    """
