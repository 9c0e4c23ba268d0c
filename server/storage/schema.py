"""
The schema of the database: its tables, and every statement that reads or changes them.

The functions take a connection and know nothing of threads, transactions or Deferreds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import apsw
from twisted.logger import Logger

from protocol.commitments import first_head, next_head
from protocol.event import Stored
from server.storage.errors import (
    LogDamaged,
    RevisionConflict,
    StoreForeign,
    StoreNewer,
    ValueDamaged,
)
from server.storage.store import LogEnd, RoomInfo

APPLICATION_ID: Final = 0x4D6E7365
"""Id in the header of our SQLite files ("Mnse"); the store writes to no file with another id."""

SCHEMA_VERSION: Final = 4
"""Schema version that this code writes, stored as `user_version`; older versions are read too."""

HEAD_EVERY: Final = 128
"""Number of records between two stored heads, in logs from before heads were stored."""

_WITH_ENDS: Final = 2

_WITH_DIGESTS: Final = 4
"""
First version that stores a digest with each value. Version 3 stored values apart from their keys.
"""

_log = Logger()

_ENDS: Final = """
CREATE TABLE room (
    room TEXT NOT NULL PRIMARY KEY,
    next_sequence INTEGER NOT NULL,
    head BLOB NOT NULL
) STRICT, WITHOUT ROWID;
"""

# Rooms are clustered, so that a room is read from neighbouring pages. `record.head` is that of the
# chain after the last record of a batch, so that any part of a log can be checked by itself;
# `room` says where the log ends, so that one that lost its end is noticed.
_TABLES: Final = """
CREATE TABLE record (
    room TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    public BLOB NOT NULL,
    openings BLOB NOT NULL,
    head BLOB,
    PRIMARY KEY (room, sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE fence (passed INTEGER NOT NULL) STRICT;
INSERT INTO fence VALUES (0);
"""

# With a row id, so keys have an index of their own. Without one SQLite reads a whole row, megabytes
# of a pack, to compare a key.
_ITEMS: Final = """
CREATE TABLE item (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    digest BLOB NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT;
"""


def version_of(connection: apsw.Connection) -> int:
    """
    Return the schema version of the file; 0 while it is empty.

    Raises:
        StoreForeign: the file is another program's.
        StoreNewer: a newer version of this program wrote the file.
    """
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    # Another program's file may have tables and neither of these numbers.
    is_unmarked = application == version == 0
    if is_unmarked and not connection.execute("SELECT count(*) FROM sqlite_schema").get:
        return 0
    return checked_version(connection.filename, int(application), int(version))


def checked_version(file: str, application: int, version: int) -> int:
    """
    Return the schema version in the header of a file that is not empty.

    Args:
        file: its path, for error messages.
        application: its `PRAGMA application_id`.
        version: its `PRAGMA user_version`.

    Raises:
        StoreForeign, StoreNewer: see `version_of`.
    """
    if application != APPLICATION_ID:
        raise StoreForeign(
            f"{file!r} belongs to another program; name another file, or move this one away"
        )
    if not 1 <= version <= SCHEMA_VERSION:
        raise StoreNewer(
            f"{file!r} has schema version {version}, this server knows "
            f"{SCHEMA_VERSION}; install the version of Manse that wrote it, or a newer one"
        )
    return version


def create(connection: apsw.Connection) -> None:
    """Create the tables in an empty file, inside the transaction of the caller."""
    connection.execute(_TABLES)
    connection.execute(_ITEMS)
    connection.execute(_ENDS)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", SCHEMA_VERSION)


def pass_fence(connection: apsw.Connection) -> None:
    """Change a page, so that the following commit writes to the disk in any case."""
    connection.execute("UPDATE fence SET passed = passed + 1")


def bring_up(connection: apsw.Connection) -> None:
    """Migrate a file of an earlier version, inside the transaction of the caller."""
    version = version_of(connection)
    if version < _WITH_ENDS:
        connection.execute("ALTER TABLE record ADD COLUMN head BLOB")
        connection.execute(_ENDS)
        # Read to the end first: the loop changes the table.
        for (room_id,) in list(connection.execute("SELECT DISTINCT room FROM record")):
            _add_heads(connection, room_id)
    if version < _WITH_DIGESTS:
        add_digest_function(connection)
        connection.execute("ALTER TABLE item RENAME TO item_before")
        connection.execute(_ITEMS)
        connection.execute(
            "INSERT INTO item SELECT kind, key, value_digest(kind, key, value), value"
            " FROM item_before"
        )
        connection.execute("DROP TABLE item_before")
    connection.pragma("user_version", SCHEMA_VERSION)


def _add_heads(connection: apsw.Connection, room_id: str) -> None:
    rows = connection.execute(
        "SELECT sequence, public FROM record WHERE room = ? ORDER BY sequence", (room_id,)
    )
    head, following, heads = first_head(room_id), 0, []
    for sequence, public in rows:
        head, following = next_head(head, public), sequence + 1
        if following % HEAD_EVERY == 0:
            heads.append((head, room_id, sequence))
    # The last record always has a head.
    if not heads or heads[-1][0] != head:
        heads.append((head, room_id, following - 1))
    connection.executemany("UPDATE record SET head = ? WHERE room = ? AND sequence = ?", heads)
    connection.execute("INSERT INTO room VALUES (?, ?, ?)", (room_id, following, head))


def end_of(connection: apsw.Connection, room_id: str) -> LogEnd | None:
    """Return the end of a room's log; None for a room that does not exist."""
    rows = connection.execute("SELECT next_sequence, head FROM room WHERE room = ?", (room_id,))
    found = rows.fetchone()
    return None if found is None else LogEnd(*found)


def append(
    connection: apsw.Connection, room_id: str, first: int, records: Sequence[Stored]
) -> None:
    """
    Add a batch, inside the transaction of the caller.

    Raises:
        RevisionConflict: `first` is not the next sequence of the room.
    """
    end = end_of(connection, room_id) or LogEnd(0, first_head(room_id))
    if first != end.next_sequence:
        raise RevisionConflict(room_id, end.next_sequence, first)
    if not records:
        return
    head, last = end.head, first + len(records) - 1
    for record in records:
        head = next_head(head, record.public)
    connection.executemany(
        "INSERT INTO record VALUES (?, ?, ?, ?, ?)",
        (
            (room_id, at, record.public, record.openings, head if at == last else None)
            for at, record in enumerate(records, first)
        ),
    )
    connection.execute("INSERT OR REPLACE INTO room VALUES (?, ?, ?)", (room_id, last + 1, head))


def read(connection: apsw.Connection, room_id: str, first: int, last: int | None) -> list[Stored]:
    """
    Return the records of a room from `first` on, before `last`, in order.

    The hash chain is verified from the last stored head before the records to the first head after
    them.

    Raises:
        LogDamaged: the chain does not lead from one head to the other, or records are missing.
    """
    end = end_of(connection, room_id)
    if end is None:
        if connection.execute("SELECT 1 FROM record WHERE room = ? LIMIT 1", (room_id,)).get:
            raise LogDamaged(room_id, 0, "where the log ends is not known any more")
        return []
    last = end.next_sequence if last is None else min(last, end.next_sequence)
    if first >= last:
        return []
    at, head = _head_before(connection, room_id, max(first, 0))
    found: list[Stored] = []
    rows = connection.execute(
        "SELECT sequence, public, openings, head FROM record"
        " WHERE room = ? AND sequence >= ? ORDER BY sequence",
        (room_id, at),
    )
    for sequence, public, openings, kept in rows:
        if sequence != at:
            raise LogDamaged(room_id, at, "the record is missing")
        at, head = at + 1, next_head(head, public)
        if first < at <= last:
            found.append(Stored(public, openings))
        is_end = at == end.next_sequence
        if kept not in (None, head) or (is_end and not kept == head == end.head):
            raise LogDamaged(room_id, at, "the head of the chain up to here is another")
        # Goes on to the next stored head: only that proves the records before it.
        if at >= last and kept is not None:
            return found
    raise LogDamaged(room_id, at, f"the log ends here and not at {end.next_sequence}")


def _head_before(connection: apsw.Connection, room_id: str, first: int) -> tuple[int, bytes]:
    """
    Return where the check of a log begins: a sequence, and the head of the log before it.

    The head is the last one that is stored with a record before `first`.
    """
    rows = connection.execute(
        "SELECT sequence + 1, head FROM record WHERE room = ? AND sequence < ?"
        " AND head IS NOT NULL ORDER BY sequence DESC LIMIT 1",
        (room_id, first),
    )
    found = rows.fetchone()
    return (0, first_head(room_id)) if found is None else found


def head(connection: apsw.Connection, room_id: str, following: int) -> bytes | None:
    """
    Return the head after the first `following` records of a room; None if the room has fewer.

    Raises:
        LogDamaged: earlier records are missing.
    """
    end = end_of(connection, room_id)
    if end is None or following > end.next_sequence:
        return None
    at, found = _head_before(connection, room_id, max(following, 0))
    rows = connection.execute(
        "SELECT sequence, public FROM record"
        " WHERE room = ? AND sequence >= ? AND sequence < ? ORDER BY sequence",
        (room_id, at, following),
    )
    for sequence, public in rows:
        if sequence != at:
            break
        at, found = at + 1, next_head(found, public)
    if at < following:
        raise LogDamaged(room_id, at, "the record is missing")
    return found


def rooms(connection: apsw.Connection) -> list[RoomInfo]:
    # As bytes: one damaged id must not hide all other rooms.
    rows = connection.execute("SELECT CAST(room AS BLOB), next_sequence FROM room ORDER BY room")
    return [RoomInfo(text_of(room_id), following) for room_id, following in rows]


def text_of(key: bytes) -> str:
    """Return a stored key as text; bytes that are no UTF-8, as in a damaged key, are replaced."""
    return str(key, "utf-8", "replace")


def lengths(connection: apsw.Connection) -> dict[str, int]:
    """Return the number of records of each room, in a file of any version."""
    if version_of(connection) >= _WITH_ENDS:
        return dict(connection.execute("SELECT room, next_sequence FROM room"))
    rows = connection.execute("SELECT room, max(sequence) + 1 FROM record GROUP BY room")
    return dict(rows)


def public_of(connection: apsw.Connection, room_id: str, sequence: int) -> bytes | None:
    """Return the public part of one record, in a file of any version; None if it is missing."""
    rows = connection.execute(
        "SELECT public FROM record WHERE room = ? AND sequence = ?", (room_id, sequence)
    )
    found: bytes | None = rows.get
    return found


def remove(connection: apsw.Connection, room_id: str, values: Sequence[tuple[str, str]]) -> None:
    """Remove a room, its log and some values, inside the transaction of the caller."""
    connection.execute("DELETE FROM record WHERE room = ?", (room_id,))
    connection.execute("DELETE FROM room WHERE room = ?", (room_id,))
    for kind, key in values:
        delete(connection, kind, key)


def value_digest(kind: str, key: str, value: bytes) -> bytes:
    """Return the digest that is stored with a value; it covers kind and key too."""
    digest = hashlib.sha256(f"{kind}\0{key}\0".encode())
    digest.update(value)
    return digest.digest()


def add_digest_function(connection: apsw.Connection) -> None:
    """Let statements of a connection call `value_digest`."""

    def digest(*given: Any) -> bytes:
        return value_digest(*given)

    connection.create_scalar_function("value_digest", digest, 3, deterministic=True)


def put(connection: apsw.Connection, kind: str, key: str, value: bytes) -> None:
    """Set one value, inside the transaction of the caller."""
    connection.execute(
        "INSERT INTO item VALUES (?, ?, ?, ?) ON CONFLICT (kind, key)"
        " DO UPDATE SET digest = excluded.digest, value = excluded.value",
        (kind, key, value_digest(kind, key, value), value),
    )


def get(connection: apsw.Connection, kind: str, key: str) -> bytes | None:
    """
    Return one value; None if there is none.

    Raises:
        ValueDamaged: it differs from what was stored.
    """
    rows = connection.execute(
        "SELECT digest, value FROM item WHERE kind = ? AND key = ?", (kind, key)
    )
    found = rows.fetchone()
    if found is None:
        return None
    digest, value = found
    if digest != value_digest(kind, key, value):
        raise ValueDamaged(kind)
    sound: bytes = value
    return sound


def unchecked_value(connection: apsw.Connection, kind: str, key: str) -> bytes | None:
    """Return one value, unchecked, in a file of any version; None if there is none."""
    rows = connection.execute("SELECT value FROM item WHERE kind = ? AND key = ?", (kind, key))
    value: bytes | None = rows.get
    return value


def scan(connection: apsw.Connection, kind: str) -> list[tuple[str, bytes]]:
    """
    Return the sound keys and values of one kind, ordered by key.

    Damaged values are left out, so that one damaged page keeps no server from starting. The log
    names only their kind, since keys may be private.
    """
    found = []
    for stored_key, digest, value in connection.execute(
        # Keys are read as bytes: the driver fails at text that is no UTF-8, which would hide all
        # others.
        "SELECT CAST(key AS BLOB), digest, value FROM item WHERE kind = ? ORDER BY key",
        (kind,),
    ):
        key = text_of(stored_key)
        if digest == value_digest(kind, key, value):
            found.append((key, value))
        else:
            _log.error(
                "a stored value of the kind {kind} is damaged and is not used; restore a backup",
                kind=kind,
            )
    return found


def damaged_values(connection: apsw.Connection) -> list[tuple[str, str]]:
    """Return kind and key of each damaged value."""
    rows = connection.execute(
        "SELECT CAST(kind AS BLOB), CAST(key AS BLOB), digest, value FROM item"
    )
    named = ((text_of(kind), text_of(key), digest, value) for kind, key, digest, value in rows)
    return [
        (kind, key)
        for kind, key, digest, value in named
        if digest != value_digest(kind, key, value)
    ]


def delete(connection: apsw.Connection, kind: str, key: str) -> None:
    """Remove one value if it exists, inside the transaction of the caller."""
    connection.execute("DELETE FROM item WHERE kind = ? AND key = ?", (kind, key))
