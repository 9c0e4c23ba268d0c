"""Syncs: leaving out any of them makes one of these tests fail."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import apsw
import pytest

from server.admin import act_log
from server.admin.act_log import ActLog
from server.identity import files
from server.identity.files import read_or_make
from server.storage import copying, database
from server.storage.sqlite import SqliteStore, StoreLimits
from tests.kit.stores.contract import records
from tests.kit.stores.disk import Disk
from tests.kit.stores.powercut import Machine, MachineFile
from tests.kit.stores.stepped import Stepped

pytestmark = pytest.mark.issue(15)

Synced = list[tuple[Path, list[str]]]
"""The path of each sync in order, with the names that were in its folder then."""


def synced_by(action: Callable[[], object]) -> Synced:
    """Run an action; return the syncs that it requested."""
    synced: Synced = []
    fsync = os.fsync

    def note(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        folder = path if path.is_dir() else path.parent
        synced.append((path, sorted(each.name for each in folder.iterdir())))
        fsync(descriptor)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", note)
        action()
    return synced


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="files are named by their descriptors there"
)


def open_and_close(path: Path) -> None:
    Stepped(path).close()


def names_made_durable(path: Path) -> set[str]:
    """Return the names on the path of a new database that are durable."""
    wanted = {"new": path.parents[2], "folder": path.parents[1], path.name: path.parent}
    synced = synced_by(partial(open_and_close, path))
    return {name for name, at in wanted.items() if any(s == at and name in n for s, n in synced)}


@needs_proc
def test_names_of_a_new_database_are_durable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert names_made_durable(tmp_path / "new" / "folder" / "a.db") == {"new", "folder", "a.db"}

    monkeypatch.setattr(database, "sync_folder", lambda _: None)

    assert names_made_durable(tmp_path / "b" / "new" / "folder" / "a.db") == set()


def made_durable(path: Path) -> tuple[bool, bool]:
    """Return whether a new key file's content is synced before it is named, and its name after."""
    synced = synced_by(partial(read_or_make, path, lambda: b"key"))
    content = [at for at, (_, names) in enumerate(synced) if path.name not in names]
    name = [at for at, (s, names) in enumerate(synced) if s == path.parent and path.name in names]
    return bool(content), bool(name) and (not content or content[0] < name[0])


@needs_proc
def test_key_file_is_durable_before_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert made_durable(tmp_path / "identity.pem") == (True, True)

    with monkeypatch.context() as patched:
        patched.setattr(files, "_sync_folder", lambda _: None)
        assert made_durable(tmp_path / "second.pem") == (True, False)
    with monkeypatch.context() as patched:
        patched.setattr(files, "os", _WithoutSyncOfFiles())
        assert made_durable(tmp_path / "third.pem") == (False, True)


class _WithoutSyncOfFiles:
    """A stand-in for `os` that syncs only folders."""

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)

    def fsync(self, descriptor: int) -> None:
        if Path(f"/proc/self/fd/{descriptor}").readlink().is_dir():
            os.fsync(descriptor)


@needs_proc
@pytest.mark.parametrize("left_out", ["", "sync_file", "sync_folder"])
def test_copy_is_durable_before_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_out: str
) -> None:
    stepped = Stepped(tmp_path / "a.db")
    if left_out:
        monkeypatch.setattr(copying, left_out, lambda _: None)

    synced = synced_by(lambda: stepped.result(lambda store: store.backup(tmp_path / "copy.db")))

    has_content = any(s.name == "copy.db.partial" and "copy.db" not in n for s, n in synced)
    has_name = any(s == tmp_path and "copy.db" in n for s, n in synced)
    assert (has_content, has_name) == (left_out != "sync_file", left_out != "sync_folder")
    stepped.close()


@needs_proc
@pytest.mark.parametrize("left_out", ["", "content", "name"])
def test_an_operators_act_is_durable_before_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_out: str
) -> None:
    log = ActLog(tmp_path / "acts.jsonl", lambda: 0)
    if left_out == "content":
        monkeypatch.setattr(act_log, "os", _WithoutSyncOfFiles())
    elif left_out:
        monkeypatch.setattr(act_log, "_sync_folder", lambda _: None)

    synced = [[path for path, _ in synced_by(partial(log.note, 0, "kick", {}))] for _ in range(2)]

    content, name = [log.path] * (left_out != "content"), [tmp_path] * (left_out != "name")
    assert synced == [[*content, *name], content]


def kinds_of_sync(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Write, checkpoint and close; return the flags of SQLite's syncs."""
    kinds: set[int] = set()
    sync = MachineFile.xSync

    def note(file: MachineFile, flags: int) -> None:
        kinds.add(flags & ~apsw.SQLITE_SYNC_DATAONLY)
        sync(file, flags)

    monkeypatch.setattr(MachineFile, "xSync", note)
    machine = Machine(Disk(Random(1)))
    stepped = Stepped(Path("/disk/a.db"), StoreLimits(checkpoint_pages=1), vfs=machine.name)
    stepped.result(partial(SqliteStore.append, room_id="a", first=0, records=records("1")))
    stepped.close()
    return kinds


def test_every_sync_is_a_full_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where systems distinguish them, a full sync also empties the drive's cache."""
    assert kinds_of_sync(monkeypatch) == {apsw.SQLITE_SYNC_FULL}


def test_full_sync_that_is_left_out_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = database._prepare_connection

    def prepare_carelessly(connection: apsw.Connection) -> int:
        version = prepare(connection)
        connection.pragma("fullfsync", "off")
        return version

    monkeypatch.setattr(database, "_prepare_connection", prepare_carelessly)

    assert apsw.SQLITE_SYNC_NORMAL in kinds_of_sync(monkeypatch)
