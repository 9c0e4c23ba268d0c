"""Changes by a disk behind the store's back, and files of earlier schemas."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import apsw
import pytest

from protocol.commitments import head_of
from protocol.event import Stored
from server.storage import LogDamaged, LogEnd, StorageError, ValueDamaged, schema
from server.storage.sqlite import SqliteStore
from tests.kit.stores.contract import records
from tests.kit.stores.disk import Disk
from tests.kit.stores.powercut import Machine
from tests.kit.stores.stepped import Stepped

LOG = records(*map(str, range(12)))
PACK = Random(3).randbytes(100_000)
DAMAGES = {
    "changed": "UPDATE record SET public = x'00' WHERE room = 'a' AND sequence = {}",
    "taken out": "DELETE FROM record WHERE room = 'a' AND sequence = {}",
    "cut off": "DELETE FROM record WHERE room = 'a' AND sequence >= {}",
    "swapped": "UPDATE record SET public = (SELECT public FROM record WHERE room = 'a'"
    " AND sequence = ({0} + 1) % 12) WHERE room = 'a' AND sequence = {0}",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a database with a log in four batches."""
    path = tmp_path / "manse.db"
    stepped = Stepped(path)
    for first in range(0, 12, 3):
        batch = LOG[first : first + 3]
        stepped.result(partial(SqliteStore.append, room_id="a", first=first, records=batch))
    stepped.result(partial(SqliteStore.append, room_id="b", first=0, records=LOG))
    stepped.close()
    return path


def change(path: Path, statement: str) -> None:
    """Execute a statement on a file that no store has open."""
    connection = apsw.Connection(str(path))
    connection.execute(statement)
    connection.close()


def read(path: Path, room_id: str, first: int = 0, last: int | None = None) -> list[Stored]:
    """Open a file, read part of a log and close it again."""
    stepped = Stepped(path)
    try:
        return stepped.result(partial(SqliteStore.read, room_id=room_id, first=first, last=last))
    finally:
        stepped.close()


@pytest.mark.parametrize("at", [0, 4, 11])
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_log_is_noticed(path: Path, damage: str, at: int) -> None:
    change(path, DAMAGES[damage].format(at))

    stepped = Stepped(path)
    for first, last in ((0, None), (at, at + 1)):
        with pytest.raises(LogDamaged, match=r"room 'a' .* restore .* backup"):
            stepped.result(partial(SqliteStore.read, room_id="a", first=first, last=last))
    assert stepped.result(partial(SqliteStore.read, room_id="b")) == LOG
    stepped.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET head = x'00' WHERE room = 'a' AND sequence = 11",
        "UPDATE record SET head = NULL WHERE room = 'a' AND sequence = 11",
        "UPDATE room SET head = x'00' WHERE room = 'a'",
        "UPDATE room SET next_sequence = 13 WHERE room = 'a'",
        "UPDATE room SET next_sequence = 11 WHERE room = 'a'",
        "DELETE FROM room WHERE room = 'a'",
    ],
)
def test_end_that_is_not_the_log_s_is_noticed(path: Path, statement: str) -> None:
    change(path, statement)

    with pytest.raises(LogDamaged):
        read(path, "a")


def make_first_schema(path: Path, logs: dict[str, list[Stored]]) -> None:
    """Write a file of the first schema, without heads."""
    connection = apsw.Connection(str(path))
    connection.execute(
        "CREATE TABLE record (room TEXT NOT NULL, sequence INTEGER NOT NULL,"
        " public BLOB NOT NULL, openings BLOB NOT NULL, PRIMARY KEY (room, sequence))"
        " STRICT, WITHOUT ROWID;"
        "CREATE TABLE item (kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,"
        " PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID;"
        "CREATE TABLE fence (passed INTEGER NOT NULL) STRICT; INSERT INTO fence VALUES (0);"
    )
    connection.pragma("application_id", schema.APPLICATION_ID)
    connection.pragma("user_version", 1)
    rows = [
        (room_id, at, one.public, one.openings)
        for room_id, log in logs.items()
        for at, one in enumerate(log)
    ]
    with connection:
        connection.executemany("INSERT INTO record VALUES (?, ?, ?, ?)", rows)
        connection.execute("INSERT INTO item VALUES ('pack', 'core', ?)", (PACK,))
    connection.close()


def make_second_schema(path: Path, logs: dict[str, list[Stored]]) -> None:
    """Write a file of the second schema, with values beside their keys."""
    make_first_schema(path, {})
    connection = apsw.Connection(str(path))
    connection.execute(
        "ALTER TABLE record ADD COLUMN head BLOB;"
        "CREATE TABLE room (room TEXT NOT NULL PRIMARY KEY, next_sequence INTEGER NOT NULL,"
        " head BLOB NOT NULL) STRICT, WITHOUT ROWID;"
    )
    with connection:
        for room_id, log in logs.items():
            schema.append(connection, room_id, 0, log)
    connection.pragma("user_version", 2)
    connection.close()


def make_third_schema(path: Path, logs: dict[str, list[Stored]]) -> None:
    """Write a file of the third schema, without digests of values."""
    make_second_schema(path, logs)
    connection = apsw.Connection(str(path))
    connection.execute(
        "ALTER TABLE item RENAME TO item_before;"
        "CREATE TABLE item (kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,"
        " PRIMARY KEY (kind, key)) STRICT;"
        "INSERT INTO item SELECT * FROM item_before; DROP TABLE item_before; VACUUM;"
    )
    connection.pragma("user_version", 3)
    connection.close()


EARLIER = {1: make_first_schema, 2: make_second_schema, 3: make_third_schema}
"""Functions that write a file of each earlier schema."""


@pytest.mark.parametrize("version", EARLIER)
@pytest.mark.parametrize("count", [1, 127, 128, 129, 300])
def test_file_of_an_earlier_schema_is_brought_up(tmp_path: Path, count: int, version: int) -> None:
    log = records(*map(str, range(count)))
    EARLIER[version](tmp_path / "old.db", {"a": log, "b": log[:1]})
    stepped = Stepped(tmp_path / "old.db")

    end = stepped.result(partial(SqliteStore.end, room_id="a"))
    stepped.result(partial(SqliteStore.append, room_id="a", first=count, records=LOG))

    assert end == LogEnd(count, head_of("a", (one.public for one in log)))
    assert stepped.result(partial(SqliteStore.read, room_id="a")) == [*log, *LOG]
    last = stepped.result(partial(SqliteStore.read, room_id="a", first=count - 1, last=count + 1))
    assert last == [log[-1], LOG[0]]
    assert [room.room_id for room in stepped.result(SqliteStore.rooms)] == ["a", "b"]
    assert stepped.result(partial(SqliteStore.scan, kind="pack")) == [("core", PACK)]
    stepped.result(partial(SqliteStore.put, kind="pack", key="core", value=b"new"))
    assert stepped.result(partial(SqliteStore.scan, kind="pack")) == [("core", b"new")]
    stepped.close()


def test_damage_from_before_heads_is_noticed_later(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    make_first_schema(path, {"a": records(*map(str, range(300)))})
    Stepped(path).close()
    change(path, "UPDATE record SET public = x'00' WHERE sequence = 200")

    assert len(read(path, "a", 0, 100)) == 100
    with pytest.raises(LogDamaged):
        read(path, "a", 150, 160)


@pytest.mark.parametrize("version", EARLIER)
def test_power_cut_while_a_file_is_brought_up(tmp_path: Path, version: int) -> None:
    old = tmp_path / "old.db"
    EARLIER[version](old, {"a": LOG})
    content = old.read_bytes()
    cuts = 0
    for dies_at in range(1, 60):
        disk = Disk(Random(dies_at))
        file = disk.make("/disk/manse.db")
        file.write(content, 0)
        disk.sync(file)
        machine = Machine(disk, dies_at=dies_at)
        try:
            Stepped(Path("/disk/manse.db"), vfs=machine.name).close()
        except StorageError:
            cuts += 1
        if not machine.is_dead:
            machine.cut_power()

        sound = Machine(disk)
        again = Stepped(Path("/disk/manse.db"), vfs=sound.name)
        assert again.result(partial(SqliteStore.read, room_id="a")) == LOG
        assert again.result(partial(SqliteStore.end, room_id="a")) is not None
        assert again.result(partial(SqliteStore.get, kind="pack", key="core")) == PACK
        again.close()
    assert cuts > 5


@pytest.mark.issue(37)
@pytest.mark.parametrize(
    ("statement", "kind", "key"),
    [
        ("UPDATE item SET value = substr(value, 2) || x'00' WHERE key = 'a'", "note", "a"),
        ("UPDATE item SET digest = zeroblob(32) WHERE key = 'a'", "note", "a"),
        ("UPDATE item SET key = 'c' WHERE key = 'a'", "note", "c"),
        ("UPDATE item SET kind = 'nota' WHERE key = 'a'", "nota", "a"),
    ],
)
def test_a_value_with_a_flipped_bit_is_noticed(
    tmp_path: Path, statement: str, kind: str, key: str
) -> None:
    path = tmp_path / "manse.db"
    stepped = Stepped(path)
    for each in ("a", "b"):
        stepped.result(partial(SqliteStore.put, kind="note", key=each, value=PACK))
    stepped.close()
    change(path, statement.replace("substr(value, 2) || x'00'", "zeroblob(9)"))
    stepped = Stepped(path)

    with pytest.raises(ValueDamaged):
        stepped.result(partial(SqliteStore.get, kind=kind, key=key))
    assert stepped.result(partial(SqliteStore.scan, kind="note")) == [("b", PACK)]
    assert stepped.result(partial(SqliteStore.scan, kind="nota")) == []

    stepped.result(partial(SqliteStore.put, kind=kind, key=key, value=PACK))
    assert stepped.result(partial(SqliteStore.get, kind=kind, key=key)) == PACK
    stepped.close()


def flip_key(path: Path, key: str) -> None:
    """Flip a bit in each stored copy of a key, which is then no valid UTF-8."""
    content = path.read_bytes()
    assert key.encode() in content
    path.write_bytes(content.replace(key.encode(), bytes([ord(key[0]) ^ 0x80]) + key[1:].encode()))


@pytest.mark.issue(37)
def test_keys_that_are_no_text_any_more_keep_nobody_from_the_others(tmp_path: Path) -> None:
    """A flipped bit may leave a key that is no UTF-8."""
    path, lost, kept = tmp_path / "manse.db", "lost-lost-lost", "kept-kept-kept"
    stepped = Stepped(path)
    for key in (lost, kept):
        stepped.result(partial(SqliteStore.append, room_id=key, first=0, records=LOG))
        stepped.result(partial(SqliteStore.put, kind="summary", key=key, value=b"1"))
    stepped.close()
    flip_key(path, lost)

    stepped = Stepped(path)
    rooms = {info.room_id for info in stepped.result(SqliteStore.rooms)}
    values = stepped.result(partial(SqliteStore.scan, kind="summary"))
    log = stepped.result(partial(SqliteStore.read, room_id=kept))
    damaged = stepped.store._database.read(schema.damaged_values)
    stepped.close()

    assert rooms == {kept, "\ufffd" + lost[1:]}
    assert (values, log) == ([(kept, b"1")], LOG)
    assert damaged == [("summary", "\ufffd" + lost[1:])]
