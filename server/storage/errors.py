"""
The family of errors that a store answers with.

Every member but one says that nothing of what was asked has happened or ever will. The one is
`OutcomeUnknown`. Any other exception out of a store is a bug.
"""

from __future__ import annotations


class StorageError(Exception):
    """Storing or reading did not work; the message says what the operator can do."""


class RevisionConflict(StorageError):
    """A batch does not begin where the room's log ends: somebody else wrote there first."""

    def __init__(self, room_id: str, expected: int, offered: int) -> None:
        """
        Say where the batch should have begun.

        Args:
            room_id: the room whose log was left as it is.
            expected: the next free sequence of that room.
            offered: the sequence at which the batch wanted to begin.
        """
        super().__init__(
            f"room {room_id!r} continues at sequence {expected}, the batch begins at {offered}; "
            "read the room again before writing to it"
        )
        self.room_id = room_id
        self.expected = expected
        self.offered = offered


class BatchTooLarge(StorageError):
    """A single batch or value is larger than the store ever takes."""


class StoreBusy(StorageError):
    """More is waiting to be stored than the queue holds; try again when some is answered."""


class StoreFull(StorageError):
    """No space is left for the database file."""


class StoreBroken(StorageError):
    """The file cannot be read or written reliably: an I/O error, or damaged contents."""


class LogDamaged(StoreBroken):
    """The log of one room is not what was stored there; the others are not touched by it."""

    def __init__(self, room_id: str, sequence: int, reason: str) -> None:
        """
        Say where the log goes wrong.

        Args:
            room_id: the room.
            sequence: up to which the records, but perhaps not the last few, are sound.
            reason: what is wrong there.
        """
        super().__init__(
            f"the log of room {room_id!r} is damaged at event {sequence}: {reason}; "
            "stop the server and restore the database from a backup"
        )
        self.room_id = room_id
        self.sequence = sequence


class StoreLocked(StorageError):
    """Another process, or another store in this one, holds the database file."""


class StoreForeign(StorageError):
    """The file is not a database of ours."""


class StoreMoved(StoreBroken):
    """The file that is written is not the one of its name any more: moved, replaced or deleted."""


class StoreNewer(StoreForeign):
    """The file was written by a newer version of this program."""


class StoreUnwritable(StorageError):
    """The file or its folder cannot be opened for writing."""


class StoreClosed(StorageError):
    """The store was closed before the call was made."""


class OutcomeUnknown(StorageError):
    """
    A commit failed and could not be taken back for certain.

    The batch is not acknowledged and is not seen by any reader of this store, but it may be there
    when the file is opened next. The store writes nothing more until it has made sure that the
    batch is gone, so a room that stops here and is rebuilt from what it reads stays right.
    """
