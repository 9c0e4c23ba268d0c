"""Power cuts, crashes and failing disks under the real store: no promise is broken."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable
from functools import partial
from random import Random, SystemRandom

import apsw
import attrs
import pytest

from protocol.event import Stored
from server.storage import StorageError, database, schema
from server.storage.database import Database
from server.storage.sqlite import SqliteStore
from tests.kit.stores.contract import records
from tests.kit.stores.disk import Disk, DiskFile
from tests.kit.stores.ordeal import PATH, Ordeal
from tests.kit.stores.powercut import Machine
from tests.kit.stores.stepped import Stepped

SEEDS = 100
"""Number of ordeals in every run; there are as many cruel ones as `CRUEL`."""
CRUEL = 100
MORE = 1500
"""Number of further ordeals in `make test-long`; there are as many cruel ones as `MORE_CRUEL`."""
MORE_CRUEL = 300

NEW_CRUEL = int(os.environ.get("MANSE_STORAGE_ORDEALS", "300000"))
"""
Number of cruel ordeals with new seeds in each run of `make test-long`. A thousand take four seconds
of a CPU, so all take twenty minutes.
"""
PARTS = 3
REFUSED_OF = 100_000
"""Number of ordeals of which one may end with a database that cannot be opened."""


@attrs.frozen
class Tried:
    """The outcome of an ordeal."""

    faults: tuple[str, ...]
    """Broken promises, with the refusal of the last life."""
    cuts: int
    acknowledged: int
    refused: int
    unknown: int
    read_faults: int


@functools.cache
def tried(seed: int, *, is_cruel: bool = False) -> Tried:
    """Run an ordeal of a correct store, cached for all tests."""
    done = Ordeal(seed, is_cruel=is_cruel).run()
    counts = (done.cuts, done.acknowledged, done.refused, done.unknown, done.read_faults)
    return Tried((*done.faults, *filter(None, [done.refusal])), *counts)


def faults(seeds: Iterable[int]) -> list[str]:
    """Return the broken promises of these ordeals."""
    return [fault for seed in seeds for fault in tried(seed).faults]


def test_no_promise_is_broken() -> None:
    assert faults(range(SEEDS)) == []


@pytest.mark.long
@pytest.mark.parametrize("start", range(SEEDS, MORE, 250))
def test_no_promise_is_broken_in_a_thousand_more(start: int) -> None:
    assert faults(range(start, start + 250)) == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(40))
def test_no_promise_is_broken_in_many_new_ones(
    part: int, record_property: Callable[[str, object], None]
) -> None:
    """Each run has other seeds; the summary of the run names them."""
    start = new_seed(part, 500)
    record_property("new_seeds", f"power cuts from {start}")

    assert faults(range(start, start + 500)) == []


def new_seed(part: int, count: int) -> int:
    """
    Return the first of `count` new seeds.

    MANSE_STORAGE_SEED names the first of a whole run, to repeat a failure.
    """
    begun = os.environ.get("MANSE_STORAGE_SEED")
    return SystemRandom().randrange(1 << 48) if begun is None else int(begun) + part * count


@pytest.mark.issue(15)
def test_power_cut_while_a_database_is_made_leaves_a_beginning() -> None:
    """Seed 21105 leaves a first page of full length that holds zeros."""
    assert faults([21105]) == []


def cruel_faults(seeds: Iterable[int]) -> list[str]:
    """Return the broken promises of these ordeals, with failing reads and torn sectors."""
    return [fault for seed in seeds for fault in tried(seed, is_cruel=True).faults]


@pytest.mark.issue(15)
def test_no_promise_is_broken_where_reads_fail_and_sectors_are_torn() -> None:
    assert cruel_faults(range(CRUEL)) == []


@pytest.mark.long
@pytest.mark.issue(15)
def test_no_promise_is_broken_in_two_hundred_more_cruel_ones() -> None:
    assert cruel_faults(range(CRUEL, MORE_CRUEL)) == []


@pytest.mark.long
@pytest.mark.issue(37)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_promise_is_broken_in_many_cruel_ones(
    part: int, record_property: Callable[[str, object], None]
) -> None:
    """Each run has other seeds."""
    count = NEW_CRUEL // PARTS
    start = new_seed(part, count)
    record_property("new_seeds", f"{count} cruel power cuts from {start}")
    faults: list[str] = []
    refusals: list[str] = []

    for seed in range(start, start + count):
        done = Ordeal(seed, is_cruel=True).run()
        faults += done.faults
        refusals += filter(None, [done.refusal])

    assert faults == []
    assert len(refusals) <= -(-count // REFUSED_OF), refusals


def caught(ordeal: Ordeal) -> bool:
    """True if an ordeal finds a fault, or ends in an error."""
    try:
        done = ordeal.run()
        return bool(done.faults or done.refusal)
    except Exception:  # noqa: BLE001 - a damaged file is caught too, in whatever way
        return True


@pytest.mark.issue(15)
def test_cruel_ordeals_are_worth_their_name() -> None:
    """Reads must fail in cruel ordeals, or they would prove no more than others."""
    ordeals = [tried(seed, is_cruel=True) for seed in range(100)]

    assert sum(ordeal.read_faults for ordeal in ordeals) > 100
    assert sum(ordeal.acknowledged for ordeal in ordeals) > 500


def test_ordeals_are_worth_their_name() -> None:
    """A hundred ordeals must contain enough of every event that they are there to show."""
    ordeals = [tried(seed) for seed in range(100)]

    assert sum(ordeal.cuts for ordeal in ordeals) > 100
    assert sum(ordeal.acknowledged for ordeal in ordeals) > 1000
    assert sum(ordeal.refused for ordeal in ordeals) > 200
    assert sum(ordeal.unknown for ordeal in ordeals) > 50


def test_same_seed_is_the_same_ordeal() -> None:
    """A fault that was found once can then be reproduced."""
    first, second = (Ordeal(17).run() for _ in range(2))

    assert (first.acknowledged, first.refused) == (second.acknowledged, second.refused)
    assert (first.unknown, first.cuts) == (second.unknown, second.cuts)


def caught_within(count: int, make: Callable[[int], Ordeal] = Ordeal, *, soon: int = 0) -> bool:
    """True if one of `count` ordeals finds a fault, or ends in an error.

    Args:
        soon: seed to try first: one that found the fault when the test was written.
    """
    return any(caught(make(seed)) for seed in (*range(soon, count), *range(soon)))


def test_lying_disk_is_caught() -> None:
    """The planted disk reports every sync as done."""
    assert caught_within(20, lambda seed: Ordeal(seed, is_lying=True))


def test_missing_sync_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted store requests no syncs."""
    prepare = database._prepare_connection

    def prepare_carelessly(connection: apsw.Connection) -> int:
        version = prepare(connection)
        connection.pragma("synchronous", "off")
        return version

    monkeypatch.setattr(database, "_prepare_connection", prepare_carelessly)

    assert caught_within(20)


def test_missing_fence_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted store calls refused what only its connection has forgotten."""
    monkeypatch.setattr(Database, "_settle", lambda _: None)

    assert caught_within(500, soon=33)


def test_careless_opening_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted store shows what it found without making it durable."""
    fence = database._commit_fence

    def only_create(connection: apsw.Connection, also: database.Change | None = None) -> None:
        if also is not None:
            fence(connection, also)

    monkeypatch.setattr(database, "_make_durable", lambda _: None)
    monkeypatch.setattr(database, "_commit_fence", only_create)
    # The fence after a failed commit must stand, or this would be caught for that.
    monkeypatch.setattr(Database, "_settle", _settle_with(fence))

    assert caught_within(1000, soon=878)


def _settle_with(fence: Callable[[apsw.Connection], None]) -> Callable[[Database], None]:
    def settle(self: Database) -> None:
        if self._is_settled:
            return
        self._roll_back()
        try:
            fence(self._connection)
        finally:
            self._roll_back()
        self._is_settled = True

    return settle


def test_merged_batches_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted store puts a batch at the end of the log, wherever it should begin."""
    append = schema.append

    def merge(connection: apsw.Connection, room_id: str, first: int, records: list[Stored]) -> None:
        del first
        end = schema.end_of(connection, room_id)
        append(connection, room_id, 0 if end is None else end.next_sequence, records)

    monkeypatch.setattr(schema, "append", merge)

    assert caught_within(20)


def test_disk_keeps_what_was_synced() -> None:
    disk = Disk(Random(3))
    file = disk.make("a")
    file.write(b"kept", 0)
    disk.sync(file)
    file.write(b"lost?", 10_000)

    disk.cut_power()

    assert disk.names["a"].seen[:4] == b"kept"


def test_disk_forgets_reorders_and_tears() -> None:
    seen = set()
    for seed in range(300):
        file = DiskFile(seen=bytearray(8192), kept=bytearray(8192))
        file.write(b"1" * 4096, 0)
        file.write(b"2" * 4096, 4096)
        file.lose(Random(seed))
        first, second = file.kept[:4096].count(b"1"), file.kept[4096:].count(b"2")
        seen.add((_how_much(first), _how_much(second)))

    assert {("none", "none"), ("none", "all"), ("all", "none"), ("all", "all")} <= seen
    assert any("part" in each for each in seen)


@pytest.mark.issue(15)
@pytest.mark.parametrize("after", range(6))
def test_read_that_fails_is_told_and_harms_nothing(after: int) -> None:
    disk, log = Disk(Random(1)), records(*map(str, range(200)))
    first = Machine(disk)
    stepped = Stepped(PATH, vfs=first.name)
    stepped.result(partial(SqliteStore.append, room_id="a", first=0, records=log))
    stepped.close()
    left = iter(range(after))
    second = Machine(disk)
    broken = apsw.exception_for(apsw.SQLITE_IOERR_READ)
    second.read_fault = lambda _: None if next(left, None) is not None else broken

    with pytest.raises(StorageError):
        read_all(second)
    second.kill()

    assert read_all(Machine(disk)) == log


def read_all(machine: Machine) -> list[Stored]:
    """Open the database of a machine, and return a log."""
    stepped = Stepped(PATH, vfs=machine.name)
    found = stepped.result(partial(SqliteStore.read, room_id="a"))
    stepped.close()
    return found


@pytest.mark.issue(15)
def test_torn_sector_holds_neither_the_old_nor_the_new() -> None:
    torn = 0
    for seed in range(100):
        disk = Disk(Random(seed), Random(seed))
        file = disk.make("a")
        file.write(b"0" * 4096, 0)
        disk.sync(file)
        file.write(b"1" * 1024, 1024)
        disk.cut_power()
        content = disk.names["a"].seen
        torn += bool(set(content) - set(b"01"))
        assert set(content[:1024]) | set(content[2048:]) == set(b"0")
    assert 5 < torn < 95


def _how_much(count: int) -> str:
    return {0: "none", 4096: "all"}.get(count, "part")
