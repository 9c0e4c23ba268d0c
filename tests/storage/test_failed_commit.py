"""A failed commit, a failed opening or a crash leaves what was promised, and no more."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import apsw
import pytest

from protocol.event import Stored
from server.storage import (
    OutcomeUnknown,
    StorageError,
    StoreBroken,
    StoreFull,
    database,
)
from server.storage.database import Database
from server.storage.sqlite import SqliteStore, StoreLimits
from tests.kit.stores.contract import records
from tests.kit.stores.disk import Disk
from tests.kit.stores.ordeal import PATH
from tests.kit.stores.powercut import Fault, Machine
from tests.kit.stores.stepped import Stepped


class Run:
    """A store on a simulated machine; starting again keeps the disk of the last run."""

    def __init__(self, disk: Disk | None = None, limits: StoreLimits | None = None) -> None:
        self.disk = disk or Disk(Random(1))
        self.machine = Machine(self.disk)
        self.stepped = Stepped(PATH, limits, vfs=self.machine.name)

    def append(self, room_id: str, first: int, batch: list[Stored]) -> None:
        """Append a batch and await the answer."""
        self.stepped.result(
            partial(SqliteStore.append, room_id=room_id, first=first, records=batch)
        )

    def log(self, room_id: str) -> list[Stored]:
        """Return a room's log."""
        return self.stepped.result(partial(SqliteStore.read, room_id=room_id))

    def crash(self) -> Run:
        """End the process, and open again."""
        self.abandon()
        return Run(self.disk)

    def lose_power(self) -> Run:
        """Lose unsynced writes, and open again."""
        self.machine.cut_power()
        self.abandon()
        return Run(self.disk)

    def abandon(self) -> None:
        if not self.machine.is_dead:
            self.machine.kill()
        with pytest.raises(StorageError):
            self.stepped.close()


def fail_syncs(times: int, code: int = apsw.SQLITE_IOERR_FSYNC) -> Fault:
    """Make the next syncs of the write-ahead log fail."""
    return _fail("sync", times, code)


def fail_writes(times: int, code: int) -> Fault:
    """Make the next writes to the write-ahead log fail."""
    return _fail("write", times, code)


def _fail(failing: str, times: int, code: int) -> Fault:
    left = iter(range(times))

    def fault(call: str, name: str) -> Exception | None:
        if call == failing and name.endswith("-wal") and next(left, None) is not None:
            return apsw.exception_for(code)
        return None

    return fault


def keep_everything(disk: Disk) -> None:
    """Make failed syncs and power cuts keep everything: the worst case for refused batches."""
    disk.random.random = lambda: 0.3  # type: ignore[method-assign]


RESTARTS: list[Callable[[Run], Run]] = [Run.crash, Run.lose_power]


@pytest.mark.parametrize("restart", RESTARTS)
def test_batch_refused_by_a_failed_sync_never_appears(restart: Callable[[Run], Run]) -> None:
    """The pages of the batch reached the disk, its commit mark included."""
    run = Run()
    keep_everything(run.disk)
    run.append("a", 0, records("1"))
    run.machine.fault = fail_syncs(1)

    with pytest.raises(StoreBroken):
        run.append("a", 1, records("refused"))

    assert restart(run).log("a") == records("1")


def test_fence_is_what_keeps_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the fence, the refused batch is there after a crash."""
    run = Run()
    keep_everything(run.disk)
    run.append("a", 0, records("1"))
    run.machine.fault = fail_syncs(1)
    monkeypatch.setattr(Database, "_settle", lambda _: None)

    with pytest.raises(StoreBroken):
        run.append("a", 1, records("refused"))

    assert run.crash().log("a") == records("1", "refused")


def test_store_goes_on_after_a_failed_sync() -> None:
    run = Run()
    run.machine.fault = fail_syncs(1)
    with pytest.raises(StoreBroken):
        run.append("a", 0, records("refused"))

    run.append("a", 0, records("1"))

    assert run.log("a") == records("1")
    assert run.lose_power().log("a") == records("1")


def test_failed_commit_refuses_all_that_shared_it() -> None:
    run = Run()
    run.machine.fault = fail_syncs(1)
    answers = [run.stepped.store.append(room, 0, records("1")) for room in "abc"]
    run.stepped.step()

    for answer in answers:
        with pytest.raises(StoreBroken):
            run.stepped.answer(answer)

    assert run.crash().stepped.result(SqliteStore.rooms) == []


def test_each_refused_caller_gets_an_error_of_its_own() -> None:
    """The traceback of a shared error would grow from room to room."""
    run = Run()
    run.machine.fault = fail_syncs(1)
    answers = [run.stepped.store.append(room, 0, records("1")) for room in "ab"]
    run.stepped.step()
    errors = []

    for answer in answers:
        with pytest.raises(StoreBroken) as caught:
            run.stepped.answer(answer)
        errors.append(caught.value)

    assert errors[0] is not errors[1]


def test_failed_fence_makes_the_outcome_unknown() -> None:
    """The store must not call refused what may come back."""
    run = Run()
    run.machine.fault = fail_syncs(2)

    with pytest.raises(OutcomeUnknown, match="could not be taken back"):
        run.append("a", 0, records("doubtful"))


def test_owed_fence_is_passed_before_the_next_write() -> None:
    run = Run()
    keep_everything(run.disk)
    run.machine.fault = fail_syncs(2)
    with pytest.raises(OutcomeUnknown):
        run.append("a", 0, records("doubtful"))

    run.append("b", 0, records("1"))

    again = run.crash()
    assert (again.log("a"), again.log("b")) == ([], records("1"))


def test_nothing_is_tried_while_a_fence_is_owed() -> None:
    run = Run()
    keep_everything(run.disk)
    run.append("a", 0, records("1"))
    run.machine.fault = fail_syncs(3)
    with pytest.raises(OutcomeUnknown):
        run.append("a", 1, records("doubtful"))
    with pytest.raises(StoreBroken):
        run.append("a", 1, records("refused"))

    assert run.log("a") == records("1")
    assert run.crash().log("a") in (records("1"), records("1", "doubtful"))


def test_closing_pays_an_owed_fence() -> None:
    run = Run()
    keep_everything(run.disk)
    run.machine.fault = fail_syncs(2)
    with pytest.raises(OutcomeUnknown):
        run.append("a", 0, records("doubtful"))

    run.stepped.close()

    assert Run(run.disk).log("a") == []


@pytest.mark.parametrize("failing_writes", [1, 2])
def test_full_disk_at_commit_refuses_the_batch(failing_writes: int) -> None:
    run = Run()
    run.append("a", 0, records("1"))
    run.machine.fault = fail_writes(failing_writes, apsw.SQLITE_FULL)

    with pytest.raises((StoreFull, OutcomeUnknown), match="Full"):
        run.append("a", 1, records("refused"))

    run.append("b", 0, records("2"))
    again = run.crash()
    assert (again.log("a"), again.log("b")) == (records("1"), records("2"))


def test_failed_checkpoint_harms_no_batch() -> None:
    """The batch was durable before the checkpoint."""
    run = Run(limits=StoreLimits(checkpoint_pages=1))
    run.machine.fault = lambda call, name: (
        apsw.exception_for(apsw.SQLITE_IOERR_FSYNC) if (call, name) == ("sync", str(PATH)) else None
    )

    run.append("a", 0, records("1"))

    run.append("a", 1, records("2"))
    assert run.lose_power().log("a") == records("1", "2")


def lose_all(disk: Disk) -> None:
    """Make failed syncs and power cuts lose everything that they may."""
    disk.random.random = lambda: 0.1  # type: ignore[method-assign]


def crash_before_sync() -> Run:
    """Return a run that died after writing its last batch, before syncing it."""
    first = Run()
    first.append("a", 0, FIRST)
    first.stepped.close()
    run = Run(first.disk)

    def fault(call: str, _name: str) -> Exception | None:
        if call == "sync":
            run.machine.kill()
            return apsw.exception_for(apsw.SQLITE_IOERR_FSYNC)
        return None

    run.machine.fault = fault
    with pytest.raises(StorageError):
        run.append("a", 1, SECOND)
    return run


FIRST = records("1")
SECOND = [Stored(bytes([n]) * 3000, b"") for n in range(8)]


def test_what_an_opening_shows_is_durable() -> None:
    """A batch that was never acknowledged may come back, but then it stays."""
    run = crash_before_sync()
    lose_all(run.disk)
    shown = run.crash()
    assert shown.log("a") == FIRST + SECOND

    assert shown.lose_power().log("a") == FIRST + SECOND


def test_careless_opening_would_show_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """An opening that syncs nothing shows what the next power cut removes."""
    run = crash_before_sync()
    lose_all(run.disk)
    with monkeypatch.context() as careless:
        careless.setattr(database, "_make_durable", lambda _: None)
        careless.setattr(database, "_commit_fence", lambda *_: None)
        shown = run.crash()
    assert shown.log("a") == FIRST + SECOND

    assert shown.lose_power().log("a") == FIRST


def open_under_bad_stars(dies_at: int) -> list[Stored]:
    """Return the log after a crash, a failed opening, and a power cut during the next opening."""
    run = crash_before_sync()
    run.abandon()
    failing = Machine(run.disk)
    failing.fault = fail_syncs(1)
    lose_all(run.disk)
    with pytest.raises(StoreBroken):
        Stepped(PATH, vfs=failing.name)
    failing.kill()

    dying = Machine(run.disk, dies_at=dies_at)
    keep_everything(run.disk)
    try:
        unlucky = Stepped(PATH, vfs=dying.name)
    except StorageError:
        return Run(run.disk).log("a")
    dying.cut_power()
    with pytest.raises(StorageError):
        unlucky.close()
    return Run(run.disk).log("a")


DEATHS = range(1, 25)


@pytest.mark.parametrize("dies_at", DEATHS)
def test_power_may_go_while_an_opening_mends(dies_at: int) -> None:
    assert open_under_bad_stars(dies_at) in (FIRST, FIRST + SECOND)


def test_failed_opening_changes_nothing() -> None:
    run = crash_before_sync()
    run.abandon()
    file = run.disk.names[str(PATH)]
    before = bytes(file.seen)
    failing = Machine(run.disk)
    failing.fault = fail_syncs(1)

    with pytest.raises(StoreBroken):
        Stepped(PATH, vfs=failing.name)

    assert bytes(file.seen) == before


def test_trusting_what_is_seen_would_break_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copying the log without writing it again damages the database."""
    monkeypatch.setattr(database, "write_again", lambda _: None)
    broken = []

    for dies_at in DEATHS:
        try:
            if open_under_bad_stars(dies_at) not in (FIRST, FIRST + SECOND):
                broken.append(dies_at)
        except StorageError:
            broken.append(dies_at)

    assert broken
