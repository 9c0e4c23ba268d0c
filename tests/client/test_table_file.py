"""A table file that is damaged in any way returns a prefix of what was appended, or all of it."""

import errno
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from client.cache.table_cache import MOST_DAYS, TableCache
from client.cache.table_file import InUse, Part, TableFile
from protocol.commitments import Opening
from protocol.event import Cut

ROOM = "room"
WORDS = (("en", (("item/axe", (("name", "Axe"),)),)),)


def cuts(count: int, first: int = 0) -> tuple[Cut, ...]:
    """Return records of arbitrary bytes, since the file does not parse them."""
    opening = Opening(bytes(16), b"value")
    return tuple(Cut(b"public %d" % at, ((0, opening),)) for at in range(first, first + count))


def fill(path: Path, sizes: Sequence[int] = (3, 1, 4)) -> None:
    """Write a file in parts with the given numbers of records."""
    made = TableFile.open(path, ROOM)
    for size in sizes:
        made.add(2, made.following, cuts(size, made.following), WORDS)
    made.close()


def found(path: Path) -> list[Part]:
    """Open a file and return its parts."""
    opened = TableFile.open(path, ROOM)
    try:
        return list(opened.parts())
    finally:
        opened.close()


def records(parts: Sequence[Part]) -> tuple[Cut, ...]:
    return tuple(one for part in parts for one in part.cuts)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a path at which no file exists yet."""
    return tmp_path / "a.table"


def test_what_was_appended_comes_back(path: Path) -> None:
    fill(path)

    opened = TableFile.open(path, ROOM)
    parts = list(opened.parts())
    opened.close()

    assert records(parts) == cuts(8)
    assert (opened.seat, opened.following) == (2, 8)
    assert [sum(len(lines) for _, lines in part.words) for part in parts] == [1, 0, 0]


def test_only_its_owner_reads_it(path: Path) -> None:
    """The file holds secrets of a seat."""
    fill(path)

    assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_there_already_is_not_appended(path: Path) -> None:
    made = TableFile.open(path, ROOM)
    made.add(2, 0, cuts(4), ())
    made.add(2, 2, cuts(4, 2), ())
    made.add(2, 9, cuts(1, 9), ())
    made.close()

    assert records(found(path)) == cuts(6)


def test_shortened_file_gives_a_beginning(path: Path) -> None:
    fill(path)
    whole = path.read_bytes()

    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        opened = TableFile.open(path, ROOM)
        held = records(list(opened.parts()))
        assert held == cuts(len(held))
        assert len(held) in {0, 3, 4}
        opened.add(2, 0, cuts(10), WORDS)
        opened.close()
        assert records(found(path)) == cuts(10)


def test_flipped_bit_gives_a_beginning(path: Path) -> None:
    fill(path)
    whole = path.read_bytes()

    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        held = records(found(path))
        assert held == cuts(len(held))
        assert len(held) < 8


def test_file_of_another_table_is_emptied(path: Path) -> None:
    fill(path)
    other = TableFile.open(path, "another")
    assert (list(other.parts()), other.following) == ([], 0)
    other.close()

    path.write_bytes(os.urandom(1000))
    assert found(path) == []


def test_two_clients_do_not_write_to_one_file(path: Path) -> None:
    first = TableFile.open(path, ROOM)
    first.add(0, 0, cuts(1), ())
    with pytest.raises(InUse):
        TableFile.open(path, ROOM)
    first.close()

    assert len(records(found(path))) == 1


def test_full_disk_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = TableFile.open(path, ROOM)
    made.add(0, 0, cuts(3), ())
    write = os.write

    def fills(handle: int, data: bytes) -> int:
        if len(data) < 100:
            raise OSError(errno.ENOSPC, "full")
        return write(handle, data[:100])

    monkeypatch.setattr("client.cache.table_file.os.write", fills)
    with pytest.raises(OSError, match="full"):
        made.add(0, 3, cuts(30, 3), ())
    monkeypatch.undo()
    made.close()

    assert records(found(path)) == cuts(3)


def test_empty_file_does_not_stay(path: Path) -> None:
    TableFile.open(path, ROOM).close()

    assert not path.exists()


def test_names_tell_nothing(tmp_path: Path) -> None:
    ada, ben = TableCache(tmp_path, bytes(32)), TableCache(tmp_path, bytes(31) + b"b")
    opened = [
        ada.open("server", ROOM, "en"),
        ada.open("server", ROOM, "fr"),
        ada.open("other", ROOM, "en"),
        ada.open("server", "room2", "en"),
        ben.open("server", ROOM, "en"),
    ]

    names = {one.path.name for one in opened}
    assert len(names) == len(opened)
    assert not any(ROOM in name or "server" in name for name in names)
    for one in opened:
        one.close()


def test_old_and_too_large_files_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.cache.table_cache.MOST_BYTES", 250)
    now = 1_800_000_000.0
    monkeypatch.setattr("client.cache.table_cache.time.time", lambda: now)
    for name, days in [("a", 1), ("b", 2), ("c", 3), ("d", MOST_DAYS + 1)]:
        made = tmp_path / f"{name}.table"
        made.write_bytes(bytes(100 if name != "d" else 1))
        os.utime(made, (now - days * 86400, now - days * 86400))
    (tmp_path / "e.txt").write_bytes(bytes(1000))

    TableCache(tmp_path, bytes(32)).tidy()

    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.table", "b.table", "e.txt"]


def test_tidying_where_there_is_nothing_does_no_harm(tmp_path: Path) -> None:
    TableCache(tmp_path / "none", bytes(32)).tidy()
