"""
What lies in the database file: its tables, and every statement that reads or changes them.

Functions here take a connection and know nothing of threads, transactions or Deferreds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import apsw

from protocol.event import Stored
from server.storage.errors import RevisionConflict, StoreForeign
from server.storage.store import RoomInfo

APPLICATION_ID: Final = 0x4D6E7365
"""Marks a SQLite file as ours ("Mnse"), so that no other program's file is written to."""

SCHEMA_VERSION: Final = 1
"""The version that this code reads and writes, kept in the file as `user_version`."""

# Rooms are clustered, so that a room is read from neighbouring pages. The last sequence is looked
# up in the log itself and kept nowhere else, so that the two cannot differ.
_TABLES: Final = """
CREATE TABLE record (
    room TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    public BLOB NOT NULL,
    openings BLOB NOT NULL,
    PRIMARY KEY (room, sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE item (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE fence (passed INTEGER NOT NULL) STRICT;
INSERT INTO fence VALUES (0);
"""

# Hops from room to room through the primary key; grouping would read every record.
_ROOMS: Final = """
WITH RECURSIVE hop(room) AS (
    SELECT min(room) FROM record
    UNION ALL
    SELECT (SELECT min(room) FROM record WHERE room > hop.room) FROM hop WHERE hop.room IS NOT NULL
)
SELECT room, (SELECT max(sequence) + 1 FROM record WHERE record.room = hop.room)
FROM hop WHERE room IS NOT NULL
"""


def is_new(connection: apsw.Connection) -> bool:
    """
    Say whether the file is still empty.

    Raises:
        StoreForeign: it is another program's, or was written by a newer version of ours.
    """
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    if application == 0 and version == 0 and not _has_tables(connection):
        return True
    if application != APPLICATION_ID:
        raise StoreForeign(
            f"{connection.filename!r} belongs to another program; "
            "name another file, or move this one away"
        )
    if version != SCHEMA_VERSION:
        raise StoreForeign(
            f"{connection.filename!r} has schema version {version}, this server knows "
            f"{SCHEMA_VERSION}; install the version of Manse that wrote it, or a newer one"
        )
    return False


def _has_tables(connection: apsw.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_schema").get)


def create(connection: apsw.Connection) -> None:
    """Make the tables in an empty file, inside the transaction of the caller."""
    connection.execute(_TABLES)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", SCHEMA_VERSION)


def pass_fence(connection: apsw.Connection) -> None:
    """Change a page, so that the commit that follows writes to the disk whatever else it does."""
    connection.execute("UPDATE fence SET passed = passed + 1")


def next_sequence(connection: apsw.Connection, room_id: str) -> int:
    """Where the next batch of a room begins: 0 for a room that does not exist."""
    rows = connection.execute("SELECT max(sequence) FROM record WHERE room = ?", (room_id,))
    last: int | None = rows.get
    return 0 if last is None else last + 1


def append(
    connection: apsw.Connection, room_id: str, first: int, records: Sequence[Stored]
) -> None:
    """
    Add a batch, inside the transaction of the caller.

    Raises:
        RevisionConflict: `first` is not the next sequence of the room.
    """
    expected = next_sequence(connection, room_id)
    if first != expected:
        raise RevisionConflict(room_id, expected, first)
    connection.executemany(
        "INSERT INTO record VALUES (?, ?, ?, ?)",
        (
            (room_id, sequence, record.public, record.openings)
            for sequence, record in enumerate(records, first)
        ),
    )


def read(connection: apsw.Connection, room_id: str, first: int) -> list[Stored]:
    """The records of a room from one sequence on, in order."""
    rows = connection.execute(
        "SELECT public, openings FROM record WHERE room = ? AND sequence >= ? ORDER BY sequence",
        (room_id, first),
    )
    return [Stored(public, openings) for public, openings in rows]


def rooms(connection: apsw.Connection) -> list[RoomInfo]:
    """Every room, ordered by id."""
    return [RoomInfo(room_id, following) for room_id, following in connection.execute(_ROOMS)]


def put(connection: apsw.Connection, kind: str, key: str, value: bytes) -> None:
    """Set one value, inside the transaction of the caller."""
    connection.execute("INSERT OR REPLACE INTO item VALUES (?, ?, ?)", (kind, key, value))


def get(connection: apsw.Connection, kind: str, key: str) -> bytes | None:
    """One value, or None."""
    rows = connection.execute("SELECT value FROM item WHERE kind = ? AND key = ?", (kind, key))
    value: bytes | None = rows.get
    return value


def scan(connection: apsw.Connection, kind: str) -> list[tuple[str, bytes]]:
    """The keys and values of one kind, ordered by key."""
    rows = connection.execute("SELECT key, value FROM item WHERE kind = ? ORDER BY key", (kind,))
    return [(key, value) for key, value in rows]


def delete(connection: apsw.Connection, kind: str, key: str) -> None:
    """Remove one value if it is there, inside the transaction of the caller."""
    connection.execute("DELETE FROM item WHERE kind = ? AND key = ?", (kind, key))
