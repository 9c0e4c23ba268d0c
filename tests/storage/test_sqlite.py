"""The SQLite store on a real disk: the contract, one file, one owner, few commits."""

from __future__ import annotations

import ctypes
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import apsw
import pytest
from typing_extensions import override

from protocol.event import Stored
from server.storage import (
    BatchTooLarge,
    RevisionConflict,
    Store,
    StoreBusy,
    StoreForeign,
    StoreFull,
    StoreItem,
    StoreLocked,
    StoreUnwritable,
    schema,
)
from server.storage.database import open_database
from server.storage.schema import APPLICATION_ID, SCHEMA_VERSION
from server.storage.sqlite import SqliteStore, StoreLimits
from tests.kit.stores.contract import StoreContract, records
from tests.kit.stores.stepped import Stepped
from tests.kit.stores.waiting import Inbox

T = TypeVar("T")


class TestSqliteStore(StoreContract):
    """The contract's tests of a store in a file, with a thread."""

    @override
    def create_store(self, folder: Path, inbox: Inbox) -> Store:
        return SqliteStore.open(folder / "manse.db", inbox.call_in_reactor)


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a database that does not exist yet."""
    return tmp_path / "manse.db"


@pytest.fixture
def stepped(path: Path) -> Iterator[Stepped]:
    """Yield an empty store, and close it at the end."""
    stepped = Stepped(path)
    yield stepped
    stepped.close()


def sqlite_says(path: Path, question: str, answer: Callable[[object], T]) -> T:
    """Query a file that no store has open."""
    connection = apsw.Connection(str(path))
    try:
        return answer(connection.execute(question).get)
    finally:
        connection.close()


def test_everything_is_there_after_reopening(path: Path, inbox: Inbox) -> None:
    store = SqliteStore.open(path, inbox.call_in_reactor)
    inbox.wait(store.append("a", 0, records("1", "2")))
    inbox.wait(store.put("pin", "x", b"\0"))
    inbox.wait(store.close())

    again = SqliteStore.open(path, inbox.call_in_reactor)

    assert inbox.wait(again.read("a")) == records("1", "2")
    assert inbox.wait(again.get("pin", "x")) == b"\0"
    inbox.wait(again.close())


def test_many_rooms_share_one_commit(stepped: Stepped) -> None:
    answers = [stepped.store.append(f"room {n}", 0, records("1", "2")) for n in range(200)]

    stepped.step()

    assert all(answer.called for answer in answers)
    assert stepped.store.commit_count == 1


def test_worker_is_called_once_for_all_that_gathers(stepped: Stepped) -> None:
    together = [stepped.store.append(f"room {n}", 0, records("1")) for n in range(3)]
    assert stepped.task_count == 1
    stepped.step()

    later = stepped.store.append("late", 0, records("1"))
    stepped.step()

    assert all(answer.called for answer in (*together, later))


def test_value_beside_a_batch_takes_no_commit_of_its_own(stepped: Stepped) -> None:
    answer = stepped.store.append("a", 0, records("1"), StoreItem("kind", "a", b"value"))
    stepped.step()

    assert answer.called
    assert stepped.store.commit_count == 1


def test_batches_gather_while_the_disk_is_busy(path: Path, inbox: Inbox) -> None:
    store = SqliteStore.open(path, inbox.call_in_reactor)
    is_committing, may_go_on = threading.Event(), threading.Event()

    def hold(*_about: object) -> bool:
        is_committing.set()
        may_go_on.wait()
        return False

    store._database._connection.set_commit_hook(hold)
    answers = [store.append("first", 0, records("1"))]
    assert is_committing.wait(60)
    answers += [store.append(f"room {n}", 0, records("1")) for n in range(100)]
    may_go_on.set()

    for answer in answers:
        inbox.wait(answer)
    assert store.commit_count == 2
    inbox.wait(store.close())


def test_conflict_is_undone_alone_within_a_commit(stepped: Stepped) -> None:
    good = [stepped.store.append(f"room {n}", 0, records("1")) for n in range(5)]
    bad = stepped.store.append("room 2", 0, records("x"))
    late = stepped.store.append("room 6", 0, records("1"))

    stepped.step()

    for answer in [*good, late]:
        stepped.answer(answer)
    with pytest.raises(RevisionConflict):
        stepped.answer(bad)
    assert stepped.store.commit_count == 1


def test_mistake_of_a_caller_is_undone_alone(stepped: Stepped) -> None:
    broken = [Stored(b"half", b""), Stored("not bytes", b"")]  # type: ignore[arg-type]
    before = stepped.store.append("a", 0, records("1"))
    wrong = stepped.store.append("b", 0, broken)
    after = stepped.store.append("b", 0, records("2"))
    log = stepped.store.read("b")

    stepped.step()

    stepped.answer(before)
    with pytest.raises(Exception, match="str"):
        stepped.answer(wrong)
    stepped.answer(after)
    assert stepped.answer(log) == records("2")


def test_full_database_refuses_only_what_does_not_fit(stepped: Stepped) -> None:
    """SQLite rolls the whole transaction back; the batches that fit are stored all the same."""
    database = stepped.store._database._connection
    database.pragma("max_page_count", database.pragma("page_count") + 5)
    small = stepped.store.append("a", 0, records("1"))
    large = stepped.store.append("b", 0, [Stored(bytes(100_000), b"")])
    later = stepped.store.append("c", 0, records("1"))

    stepped.step()

    stepped.answer(small)
    with pytest.raises(StoreFull, match="free some"):
        stepped.answer(large)
    stepped.answer(later)


def test_refused_for_want_of_space_stays_away(path: Path) -> None:
    first = Stepped(path)
    database = first.store._database._connection
    database.pragma("max_page_count", database.pragma("page_count"))
    with pytest.raises(StoreFull):
        first.result(lambda store: store.append("b", 0, [Stored(bytes(100_000), b"")]))
    first.close()

    second = Stepped(path)

    assert second.result(SqliteStore.rooms) == []
    second.close()


@pytest.mark.parametrize(
    "limits", [StoreLimits(queue_length=3), StoreLimits(queue_bytes=3 * 17)], ids=["calls", "bytes"]
)
def test_full_queue_refuses_at_once(path: Path, limits: StoreLimits) -> None:
    stepped = Stepped(path, limits)
    answers = [stepped.store.append("a", n, [Stored(bytes(17), b"")]) for n in range(3)]

    refused = stepped.store.append("b", 0, [Stored(bytes(17), b"")])

    assert refused.called
    with pytest.raises(StoreBusy):
        stepped.answer(refused)
    stepped.step()
    assert all(answer.called for answer in answers)
    stepped.result(lambda store: store.append("b", 0, [Stored(bytes(17), b"")]))
    stepped.close()


def test_batch_over_every_limit_is_refused(path: Path) -> None:
    """A retry would not help, so the error is another one than that of a full queue."""
    stepped = Stepped(path, StoreLimits(queue_bytes=100))

    with pytest.raises(BatchTooLarge):
        stepped.result(lambda store: store.append("a", 0, [Stored(bytes(101), b"")]))
    stepped.close()


def test_closing_answers_what_was_waiting(path: Path, inbox: Inbox) -> None:
    before = threading.active_count()
    store = SqliteStore.open(path, inbox.call_in_reactor)
    answers = [store.append("a", n, records("1")) for n in range(20)]

    inbox.wait(store.close())

    assert all(answer.called for answer in answers)
    assert threading.active_count() == before


def test_answers_arrive_in_the_reactor_thread(path: Path, inbox: Inbox) -> None:
    store = SqliteStore.open(path, inbox.call_in_reactor)
    threads: list[int] = []
    answer = store.append("a", 0, records("1"))

    inbox.wait(answer.addCallback(lambda _: threads.append(threading.get_ident())))

    assert threads == [threading.get_ident()]
    inbox.wait(store.close())


def test_write_ahead_log_does_not_grow_for_ever(path: Path) -> None:
    stepped = Stepped(path, StoreLimits(checkpoint_pages=20))
    page = Stored(bytes(3000), b"")
    for n in range(200):
        stepped.result(partial(SqliteStore.append, room_id="a", first=n, records=[page]))

    assert path.with_name("manse.db-wal").stat().st_size < 50 * 4120
    stepped.close()


def test_files_belong_to_the_owner_alone(tmp_path: Path, inbox: Inbox) -> None:
    path = tmp_path / "new" / "folder" / "manse.db"
    store = SqliteStore.open(path, inbox.call_in_reactor)
    inbox.wait(store.append("a", 0, records("1")))

    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}

    assert modes == dict.fromkeys(("manse.db", "manse.db-wal", "manse.db-mark"), 0o600)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700
    inbox.wait(store.close())


def test_readable_file_is_closed_to_others(path: Path) -> None:
    """Somebody may have copied the file in with open permissions."""
    Stepped(path).close()
    path.chmod(0o644)

    Stepped(path).close()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_second_store_in_this_process_is_refused(stepped: Stepped, path: Path) -> None:
    for _ in range(2):
        with pytest.raises(StoreLocked, match="stop it first"):
            Stepped(path)

    stepped.result(lambda store: store.append("a", 0, records("1")))


def test_second_process_is_refused(stepped: Stepped, path: Path) -> None:
    assert stepped.store.commit_count == 0
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from server.storage import StoreLocked\n"
        "from server.storage.database import open_database\n"
        "try:\n"
        "    open_database(Path(sys.argv[1]))\n"
        "except StoreLocked as error:\n"
        "    print('locked', error)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.startswith("locked another server is using this database")


def test_killed_process_leaves_a_long_log_that_opens(path: Path, inbox: Inbox) -> None:
    program = (
        "import os, sys, signal\n"
        "from pathlib import Path\n"
        "from protocol.event import Stored\n"
        "from server.storage.sqlite import SqliteStore\n"
        "store = SqliteStore.open(Path(sys.argv[1]), lambda call, *given: call(*given))\n"
        "def go_on(_, at=0):\n"
        "    if at == 20:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    done = store.append('a', at, [Stored(bytes(100_000), b'')])\n"
        "    done.addCallback(go_on, at + 1)\n"
        "go_on(None)\n"
        "import time; time.sleep(60)\n"
    )
    killed = subprocess.run(
        [sys.executable, "-c", program, str(path)], cwd=Path(__file__).parents[2], check=False
    )
    assert killed.returncode < 0
    assert path.with_name("manse.db-wal").stat().st_size > 1 << 20

    again = SqliteStore.open(path, inbox.call_in_reactor)

    assert inbox.wait(again.read("a")) == [Stored(bytes(100_000), b"")] * 20
    inbox.wait(again.close())


def test_text_file_is_refused(path: Path) -> None:
    path.write_text("a recipe for soup\n" * 100)

    with pytest.raises(StoreForeign, match="name another file"):
        Stepped(path)

    assert path.read_text() == "a recipe for soup\n" * 100


@pytest.mark.issue(15)
@pytest.mark.parametrize("size", [0, 4096])
def test_empty_file_is_a_beginning(path: Path, size: int) -> None:
    """A power cut while the file is made may leave zeros."""
    path.write_bytes(bytes(size))

    stepped = Stepped(path)

    stepped.result(partial(SqliteStore.append, room_id="a", first=0, records=records("1")))
    stepped.close()


@pytest.mark.issue(15)
def test_zeros_beside_a_write_ahead_log_are_damage(path: Path) -> None:
    """The log shows that there was a first page."""
    path.write_bytes(bytes(4096))
    path.with_name(f"{path.name}-wal").write_bytes(b"not empty")

    with pytest.raises(StoreForeign):
        Stepped(path)

    assert path.read_bytes() == bytes(4096)


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_database_of_another_program_is_refused(path: Path, mode: str) -> None:
    sqlite_says(path, f"PRAGMA journal_mode = {mode}", str)
    sqlite_says(path, "CREATE TABLE soup (recipe)", str)
    before = path.read_bytes()

    with pytest.raises(StoreForeign, match="another program"):
        Stepped(path)

    assert path.read_bytes() == before


def test_newer_schema_is_refused(path: Path) -> None:
    Stepped(path).close()
    sqlite_says(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}", str)

    with pytest.raises(StoreForeign, match=rf"version {SCHEMA_VERSION + 1}, .* newer one"):
        Stepped(path)


def test_file_names_its_owner(path: Path) -> None:
    """Other programs can tell what the file is."""
    Stepped(path).close()

    assert sqlite_says(path, "PRAGMA application_id", lambda found: found) == APPLICATION_ID
    assert sqlite_says(path, "PRAGMA user_version", lambda found: found) == SCHEMA_VERSION


def test_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StoreUnwritable, match="name another file"):
        Stepped(tmp_path / "file" / "manse.db")


def test_commits_are_synced(stepped: Stepped) -> None:
    """The settings are read back as SQLite understood them."""
    database = stepped.store._database._connection

    assert database.pragma("synchronous") == 2
    assert database.pragma("journal_mode") == "wal"
    assert database.pragma("locking_mode") == "exclusive"
    assert database.pragma("wal_autocheckpoint") == 0


def test_disk_promises_powersafe_overwrite(stepped: Stepped) -> None:
    """The fence relies on this property, as SQLite's own file layer reports it."""
    answer = ctypes.c_int(-1)

    stepped.store._database._connection.file_control(
        "main", apsw.SQLITE_FCNTL_POWERSAFE_OVERWRITE, ctypes.addressof(answer)
    )

    assert answer.value == 1


@pytest.mark.issue(12)
def test_small_value_is_put_without_reading_large_ones(tmp_path: Path) -> None:
    """The summary of a table is put for each answer, beside large packs."""
    database = open_database(tmp_path / "manse.db")
    large = bytes(2 << 20)
    database.write([partial(schema.put, kind="pack", key=key, value=large) for key in "abc"])
    small = partial(schema.put, kind="summary", key="a", value=b"1")
    database.write([small])

    def pages_looked_at(connection: apsw.Connection) -> int:
        hits, _ = connection.status(apsw.SQLITE_DBSTATUS_CACHE_HIT)
        misses, _ = connection.status(apsw.SQLITE_DBSTATUS_CACHE_MISS)
        return int(hits + misses)

    before = database.read(pages_looked_at)
    database.write([small])

    assert database.read(pages_looked_at) - before < 40
    database.close()
