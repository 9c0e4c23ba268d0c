"""The spare copy of a write-ahead log: when a start trusts it, and what it does before reading."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

import apsw
import attrs
import pytest
from twisted.logger import capturedLogs

from protocol.event import Stored
from server.storage import StorageError, StoreLocked, database, rewriting
from server.storage.sqlite import SqliteStore
from tests.kit.stores.contract import records
from tests.kit.stores.disk import Disk
from tests.kit.stores.ordeal import PATH
from tests.kit.stores.powercut import Fault, Machine
from tests.kit.stores.stepped import Stepped
from tests.storage.test_mark import beside, count_in, left_by_a_crash

pytestmark = pytest.mark.issue(37)

EVERY_RUN = 150
"""Number of seeds of failing starts in every run."""
LOG = records(*(letter * 3000 for letter in "abcd"))
SYNC_FAILS = apsw.exception_for(apsw.SQLITE_IOERR_FSYNC)
NO_SPACE = apsw.exception_for(apsw.SQLITE_FULL)


def promised_on(disk: Disk) -> None:
    """Store `LOG`, and kill the process."""
    machine = Machine(disk)
    stepped = Stepped(PATH, vfs=machine.name)
    stepped.result(partial(SqliteStore.append, room_id="a", first=0, records=LOG))
    machine.kill()
    with suppress(StorageError):
        stepped.close()


def start(machine: Machine, *, loses_power: bool) -> None:
    """Start a store on a machine, which may fail, and end both."""
    stepped = None
    with suppress(StorageError):
        stepped = Stepped(PATH, vfs=machine.name)
    if not machine.is_dead:
        (machine.cut_power if loses_power else machine.kill)()
    if stepped is not None:
        with suppress(StorageError):
            stepped.close()


def fails(call: str, ending: str, error: Exception) -> Fault:
    """Return a fault that makes one kind of call fail on files with this ending."""

    def fault(called: str, name: str) -> Exception | None:
        return error if called == call and name.endswith(ending) else None

    return fault


def found_on(disk: Disk) -> list[Stored]:
    """Return the log that a sound machine finds; raises if the file cannot be opened."""
    machine = Machine(disk)
    stepped = Stepped(PATH, vfs=machine.name)
    try:
        return stepped.result(partial(SqliteStore.read, room_id="a"))
    finally:
        stepped.close()


def after_an_unsynced_spare(seed: int) -> list[Stored]:
    """Let the spare's sync fail, then the disk be full at the next start, then the power go."""
    disk = Disk(Random(seed), Random(-1 - seed))
    promised_on(disk)
    machine = Machine(disk)
    machine.fault = fails("sync", rewriting.SPARE, SYNC_FAILS)
    start(machine, loses_power=False)
    machine = Machine(disk)
    machine.fault = fails("write", "-wal", NO_SPACE)
    start(machine, loses_power=True)
    return found_on(disk)


def test_spare_whose_sync_failed_is_not_trusted() -> None:
    """The next start sees the spare copy whole although it is not on the disk."""
    assert all(after_an_unsynced_spare(seed) == LOG for seed in range(40))


def seal_at_once(connection: apsw.Connection) -> None:
    """Rewrite the log with one sync for the whole spare copy, as if its seal proved nothing."""
    with rewriting._opened_beside(connection) as (log, spare):
        content = rewriting._content(log)
        if content:
            spare.xWrite(content, rewriting._CONTENT_AT)
            spare.xWrite(rewriting._FLAG, rewriting._FLAG_AT)
            rewriting._seal(spare, rewriting._OF_LOG, content)
            rewriting._overwrite(log, spare, content)
            rewriting._empty(spare)


def test_spare_that_is_sealed_before_it_is_synced_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(database, "write_again", seal_at_once)

    assert any(is_lost(seed, after_an_unsynced_spare) for seed in range(100))


def is_lost(seed: int, after: Callable[[int], list[Stored]]) -> bool:
    """True if promised records are missing, or nothing can be opened."""
    try:
        return after(seed) != LOG
    except StorageError:
        return True


def after_failing_starts(seed: int) -> list[Stored]:
    """Start again and again while syncs and writes fail and the power goes, at any call."""
    random = Random(seed)
    disk = Disk(random, Random(-1 - seed))
    promised_on(disk)
    for _ in range(random.randint(1, 7)):
        machine = Machine(
            disk,
            dies_at=random.choice((None, random.randint(1, 25))),
            loses_power=random.random() < 0.5,
        )
        chance = random.choice((0.0, 0.05, 0.3))
        machine.fault = partial(at_times, random, chance)
        start(machine, loses_power=random.random() < 0.3)
    return found_on(disk)


def at_times(random: Random, chance: float, call: str, _name: str) -> Exception | None:
    """Fail a write or a sync by chance."""
    if call not in {"write", "sync", "truncate"} or random.random() >= chance:
        return None
    return SYNC_FAILS if call == "sync" else NO_SPACE


def test_starts_that_fail_lose_nothing() -> None:
    assert [seed for seed in range(EVERY_RUN) if is_lost(seed, after_failing_starts)] == []


@pytest.mark.long
def test_many_starts_that_fail_lose_nothing() -> None:
    seeds = range(EVERY_RUN, 100_000)
    assert [seed for seed in seeds if is_lost(seed, after_failing_starts)] == []


def trust_no_flag(spare: apsw.VFSFile) -> rewriting._Spare | None:
    """Read a spare copy as if its flag were missing."""
    found = READ(spare)
    return found and attrs.evolve(found, is_open=False)


def trust_each_seal(spare: apsw.VFSFile) -> rewriting._Spare | None:
    """Read a spare copy as if its flag were set."""
    found = READ(spare)
    return found and attrs.evolve(found, is_open=True)


READ = rewriting._read


def is_any_lost(soon: int) -> bool:
    """True if some failing starts lose something; `soon` is the seed that is tried first."""
    return any(is_lost(seed, after_failing_starts) for seed in (*range(soon, 3000), *range(soon)))


@pytest.mark.parametrize(("fault", "soon"), [(trust_no_flag, 182), (trust_each_seal, 304)])
def test_start_that_trusts_what_may_not_be_durable_is_caught(
    fault: Callable[[apsw.VFSFile], rewriting._Spare | None],
    soon: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The planted faults take what is seen after a failed sync for what is on the disk."""
    monkeypatch.setattr(rewriting, "_read", fault)

    assert is_any_lost(soon)


def test_start_that_mends_nothing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "mend", lambda _path, _vfs: None)
    monkeypatch.setattr(database, "has_spare", lambda _: False)

    assert is_any_lost(120)


def test_database_is_made_at_last_though_the_power_goes_at_any_call() -> None:
    """A torn first page must not be taken for damage, or for another program's file."""
    for seed in range(8):
        for call in range(1, 40):
            disk = Disk(Random(100 * seed + call), Random(-1 - seed))
            start(Machine(disk, dies_at=call), loses_power=True)
            assert found_on(disk) == []


def sealed(path: Path, content: bytes, *, is_open: bool) -> None:
    """Leave a durable spare copy beside a database."""
    with rewriting._opened("", f"{path}-wal") as (_, spare):
        rewriting._write(spare, content, rewriting._CONTENT_AT)
        rewriting._seal(spare, rewriting._OF_LOG, content)
        if is_open:
            spare.xWrite(rewriting._FLAG, rewriting._FLAG_AT)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of the test's database."""
    return tmp_path / "manse.db"


@pytest.mark.parametrize("is_open", [True, False])
def test_torn_log_is_put_back_before_a_torn_database_is_read(path: Path, *, is_open: bool) -> None:
    """A power cut while the log is written again may tear both."""
    left_by_a_crash(path)
    content = beside(path, "-wal").read_bytes()
    sealed(path, content, is_open=is_open)
    beside(path, "-wal").write_bytes(content[:5000] + bytes(512) + content[5512:-1000])
    path.write_bytes(bytes(range(256)) * 2 + path.read_bytes()[512:])

    assert count_in(path) == 5
    assert not beside(path, "-wal-again").exists()


@pytest.mark.parametrize("torn_at", [0, 10, 8192, 9000])
def test_spare_that_is_torn_is_ignored(path: Path, torn_at: int) -> None:
    left_by_a_crash(path)
    sealed(path, beside(path, "-wal").read_bytes()[:-4120], is_open=True)
    content = bytearray(beside(path, "-wal-again").read_bytes())
    content[torn_at] ^= 1
    beside(path, "-wal-again").write_bytes(content)

    assert count_in(path) == 5


@pytest.fixture
def held(path: Path) -> Iterator[None]:
    """Let another server of this process hold the database open."""
    stepped = Stepped(path)
    yield
    stepped.close()


@pytest.mark.usefixtures("held")
def test_nothing_is_put_back_while_another_server_has_the_database(path: Path) -> None:
    """A start takes the lock on the database before it puts anything back."""
    before = beside(path, "-wal").read_bytes()
    sealed(path, b"nonsense" * 1000, is_open=True)

    with pytest.raises(StoreLocked):
        Stepped(path)

    assert beside(path, "-wal").read_bytes() == before


def test_making_that_was_interrupted_harms_no_copy_put_there_since(path: Path) -> None:
    left_by_a_crash(path)
    live = path.with_name("live-5.db")
    with rewriting._opened("", f"{path}-wal") as (_, spare):
        rewriting._seal(spare, rewriting._OF_NEW, b"")
    shutil.copyfile(live, path)
    for ending in ("-wal", "-mark"):
        beside(path, ending).unlink()

    assert count_in(path) == 5


def warnings_of_an_opening(path: Path) -> list[str]:
    """Return the warnings of an opening."""
    with capturedLogs() as told:
        count_in(path)
    return [one["log_format"] for one in told if one["log_level"].name == "warn"]


def test_log_and_mark_that_are_both_gone_are_said_once(path: Path) -> None:
    """Nothing can tell whether commits are missing, so the operator is told."""
    left_by_a_crash(path)
    Stepped(path).close()
    quiet = warnings_of_an_opening(path)
    beside(path, "-mark").unlink()

    first, second = warnings_of_an_opening(path), warnings_of_an_opening(path)

    assert quiet == second == []
    assert len(first) == 1
    assert "put back both files, or restore a backup" in first[0]


def test_new_database_is_not_said_to_lack_anything(path: Path) -> None:
    with capturedLogs() as told:
        Stepped(path).close()

    assert not told
