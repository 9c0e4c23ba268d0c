"""Copies of a database in use, and refusals to copy."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from protocol.event import Stored
from server.storage import CopyFailed, DiskTooFull, StoreClosed, copying
from server.storage.sqlite import SqliteStore
from tests.kit.stores.stepped import Stepped
from tests.kit.stores.waiting import Inbox

PAGE = Stored(bytes(3000), b"openings")

pytestmark = pytest.mark.issue(15)


class Usage(NamedTuple):
    """The result of `shutil.disk_usage`."""

    total: int
    used: int
    free: int


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of the test's database."""
    return tmp_path / "manse.db"


@pytest.fixture
def store(path: Path, inbox: Inbox) -> SqliteStore:
    """Return a store with a thread, and a log of a few hundred pages."""
    store = SqliteStore.open(path, inbox.call_in_reactor)
    inbox.wait(store.append("a", 0, [PAGE] * 400))
    return store


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


def log_in(path: Path, room_id: str = "a") -> list[Stored]:
    """Return a log from a database file."""
    stepped = Stepped(path)
    try:
        return stepped.result(partial(SqliteStore.read, room_id=room_id))
    finally:
        stepped.close()


def test_copy_has_what_was_committed_while_it_was_made(
    store: SqliteStore, inbox: Inbox, tmp_path: Path
) -> None:
    copied = store.backup(tmp_path / "copy.db")
    for sequence in range(400, 420):
        inbox.wait(store.append("a", sequence, [PAGE]))
        assert sequence > 400 or not copied.called

    inbox.wait(copied)
    log = inbox.wait(store.read("a"))
    inbox.wait(store.close())

    assert log_in(tmp_path / "copy.db") == log[: len(log_in(tmp_path / "copy.db"))]
    assert len(log_in(tmp_path / "copy.db")) > 400


def test_copy_lies_alone_and_is_its_owners(
    store: SqliteStore, inbox: Inbox, tmp_path: Path
) -> None:
    target = tmp_path / "backup" / "copy.db"
    target.parent.mkdir()

    inbox.wait(store.backup(target))

    assert [each.name for each in target.parent.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"{target.as_uri()}?immutable=1", flags=flags)
    assert connection.pragma("integrity_check") == "ok"
    connection.close()
    inbox.wait(store.close())


def test_progress_is_told_to_the_end(store: SqliteStore, inbox: Inbox, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    inbox.wait(store.backup(tmp_path / "copy.db", lambda *how_far: told.append(how_far)))

    assert len(told) > 2
    assert told == sorted(told)
    assert told[-1] == ((tmp_path / "copy.db").stat().st_size,) * 2
    inbox.wait(store.close())


def test_copy_is_refused_where_the_disk_is_too_full(
    store: SqliteStore, inbox: Inbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "copy.db").write_bytes(b"an earlier one")
    full: Callable[[Path], Usage] = lambda _: Usage(10**9, 10**9 - 10**6, 10**6)  # noqa: E731 (typed)
    monkeypatch.setattr(shutil, "disk_usage", full)

    with pytest.raises(DiskTooFull, match="1 MB free"):
        inbox.wait(store.backup(tmp_path / "copy.db"))

    assert (tmp_path / "copy.db").read_bytes() == b"an earlier one"
    assert not list(tmp_path.glob("*.partial"))
    inbox.wait(store.close())


def test_copy_that_fails_leaves_nothing(
    store: SqliteStore, inbox: Inbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def refuse(path: Path) -> None:
        raise OSError(5, "no", str(path))

    monkeypatch.setattr(copying, "sync_file", refuse)

    with pytest.raises(CopyFailed, match="no"):
        inbox.wait(store.backup(tmp_path / "copy.db"))

    assert not list(tmp_path.glob("copy*"))
    inbox.wait(store.append("a", 400, [PAGE]))
    inbox.wait(store.close())


def test_copy_is_given_up_when_the_store_is_closed(
    store: SqliteStore, inbox: Inbox, tmp_path: Path
) -> None:
    """Closing waits for one step of the copy, not for all."""
    copied = store.backup(tmp_path / "copy.db")
    closed = store.close()

    with pytest.raises(StoreClosed):
        inbox.wait(copied)

    inbox.wait(closed)
    assert not list(tmp_path.glob("copy*"))
    with pytest.raises(StoreClosed):
        inbox.wait(store.backup(tmp_path / "copy.db"))
