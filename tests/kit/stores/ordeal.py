"""An ordeal: one disk, several lives of the real SQLite store on it, and a record of its promises.

Each life writes random batches and values in random groups, some of them wrong on purpose, while
writes and syncs sometimes fail. It ends with a power cut at some call that changes the disk, a
crash of the process, or a normal exit; the next life then checks the disk. Everything follows from
the seed.

Broken promises are collected as sentences; a correct store leaves that list empty. If the last
life, on a sound machine, cannot open the database, the reason is kept apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random

import apsw
from attrs import define, field, frozen
from twisted.internet.defer import Deferred

from protocol.commitments import head_of
from protocol.event import Stored
from server.storage import LogEnd, OutcomeUnknown, StorageError
from server.storage.sqlite import SqliteStore, StoreLimits
from tests.kit.stores.disk import Disk
from tests.kit.stores.powercut import Machine
from tests.kit.stores.stepped import Stepped

PATH = Path("/disk/manse.db")
ROOMS = ("attic", "cellar", "hall")
KEYS = ("x", "y")

TROUBLES: tuple[Mapping[str, float], ...] = (
    {},
    {"open": 0.02, "write": 0.02, "sync": 0.02, "truncate": 0.02, "delete": 0.02},
    {"write": 0.1},
    {"sync": 0.3},
)
"""Kinds of disk: the chance of failing, for each call that changes the disk."""


@frozen
class Batch:
    """An append that was sent."""

    room_id: str
    first: int
    records: tuple[Stored, ...]


@frozen
class Value:
    """A put, or a delete if there is no value."""

    key: str
    value: bytes | None


Sent = Batch | Value


@define(eq=False)
class Ordeal:
    """The lives of one store, as its seed decides them."""

    seed: int
    is_lying: bool = False
    """True if the disk reports every sync as done without doing it."""
    is_cruel: bool = False
    """True if reads sometimes fail, and a power cut leaves nonsense in torn sectors."""
    faults: list[str] = field(factory=list)
    refusal: str = ""
    """Reason why the last life could not begin; empty if it could."""
    acknowledged: int = 0
    refused: int = 0
    unknown: int = 0
    cuts: int = 0
    _random: Random = field(init=False)
    _cruelty: Random = field(init=False)
    """A second generator, so that each seed is the same ordeal with and without cruelty."""
    read_faults: int = 0
    _disk: Disk = field(init=False)
    _machine: Machine = field(init=False)
    _is_looking: bool = field(default=False, init=False)
    """True while no read may fail, so that the content of the store can be checked."""
    _is_careful: bool = field(init=False)
    """
    True if the disk promises SQLite to leave alone what lies beside a write, as common ones do.
    Failed syncs on a disk without this promise are more than the store promises to survive.
    """
    _logs: dict[str, list[Stored]] = field(factory=lambda: {room: [] for room in ROOMS})
    _values: dict[str, bytes | None] = field(factory=lambda: dict.fromkeys(KEYS))
    _doubtful: list[Sent] = field(factory=list)
    """Batches sent and neither acknowledged nor refused: the next opening may show them."""

    def run(self) -> Ordeal:
        """Run all lives, then open the database a last time on a sound machine."""
        self._random = Random(self.seed)
        self._cruelty = Random(-1 - self.seed)
        self._disk = Disk(self._random, self._cruelty if self.is_cruel else None)
        self._is_careful = self._random.random() < 0.8
        for _ in range(self._random.randint(2, 4)):
            self._live(is_last=False)
        self._live(is_last=True)
        return self

    def _live(self, *, is_last: bool) -> None:
        self._machine = self._start_machine(is_sound=is_last)
        try:
            stepped = Stepped(PATH, StoreLimits(checkpoint_pages=12), vfs=self._machine.name)
        except StorageError as error:
            if not says_what_to_do(error):
                self._find(f"a refusal that says nothing to do: {error}")
            if is_last:
                self.refusal = f"seed {self.seed}: cannot be opened: {error}"
            self._end(None)
            return
        self._look(stepped)
        # Some lives only look, so that what an opening showed is not covered by later syncs.
        for _ in range(self._random.choice((0, 1, 3, 10))):
            has_failed = self._write_some(stepped)
            # Often nothing follows a failure that could cover its traces.
            if has_failed and self._random.random() < 0.5:
                break
        if not self._machine.is_dead:
            self._look_again(stepped)
        self._end(stepped)

    def _start_machine(self, *, is_sound: bool) -> Machine:
        dies_at = self._random.choice((None, self._random.randint(1, 160)))
        loses_power = self._random.random() < 0.5
        chances = self._random.choice(TROUBLES)
        machine = Machine(
            self._disk,
            dies_at=None if is_sound else dies_at,
            loses_power=loses_power,
            is_lying=self.is_lying,
            characteristics=apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE if self._is_careful else 0,
        )
        if self._is_careful and not is_sound:
            machine.fault = partial(_fault, self._random, chances)
        if self.is_cruel and not is_sound:
            machine.read_fault = self._read_fault
        return machine

    def _end(self, stepped: Stepped | None) -> None:
        end = self._random.choice(("cut", "crash", "peace"))
        if end == "peace" and stepped is not None and not self._machine.is_dead:
            self._close(stepped)
        if not self._machine.is_dead:
            if end == "cut":
                self._machine.cut_power()
            else:
                self._machine.kill()
        self.cuts += self._machine.has_lost_power
        if stepped is not None:
            self._close(stepped)

    @staticmethod
    def _close(stepped: Stepped) -> None:
        try:
            stepped.close()
        except StorageError:
            return

    def _write_some(self, stepped: Stepped) -> bool:
        """Send a random group of writes; return whether any failed."""
        ends = {room: len(log) for room, log in self._logs.items()}
        sent: list[tuple[Sent, Deferred[None]]] = []
        for _ in range(self._random.randint(1, 6)):
            what = self._invent(ends)
            sent.append((what, _send(stepped.store, what)))
        stepped.step()
        news: list[Sent] = []
        failed = self.refused + self.unknown
        for what, answer in sent:
            try:
                stepped.answer(answer)
            except OutcomeUnknown:
                self.unknown += 1
                news.append(what)
            except StorageError:
                self.refused += 1
                if self._machine.is_dead:
                    news.append(what)
            else:
                # A store that writes again has made sure of what it did not know.
                self._doubtful.clear()
                self._promise(what)
        self._doubtful += news
        return self.refused + self.unknown > failed

    def _invent(self, ends: dict[str, int]) -> Sent:
        if self._random.random() < 0.2:
            value = self._random.choice((None, self._random.randbytes(20)))
            return Value(self._random.choice(KEYS), value)
        room_id = self._random.choice(ROOMS)
        records = tuple(
            Stored(self._random.randbytes(12), self._random.randbytes(size))
            for size in self._random.choices((0, 30, 300, 5000), k=self._random.randint(1, 4))
        )
        if self._random.random() < 0.1:
            return Batch(room_id, self._random.randint(0, ends[room_id] + 2), records)
        first = ends[room_id]
        ends[room_id] += len(records)
        return Batch(room_id, first, records)

    def _promise(self, what: Sent) -> None:
        self.acknowledged += 1
        if isinstance(what, Value):
            self._values[what.key] = what.value
            return
        log = self._logs[what.room_id]
        if what.first != len(log):
            self._find(f"a batch at {what.first} went into a log of {len(log)}")
        log += what.records

    def _read_fault(self, _name: str) -> Exception | None:
        if self._is_looking or self._cruelty.random() >= 0.04:
            return None
        self.read_faults += 1
        return apsw.exception_for(apsw.SQLITE_IOERR_READ)

    def _look(self, stepped: Stepped) -> None:
        """Check the store after an opening; from now on, expect what was found."""
        self._is_looking = True
        self._look_at_all(stepped)
        self._is_looking = False

    def _look_at_all(self, stepped: Stepped) -> None:
        for room, log in self._logs.items():
            found = stepped.result(partial(SqliteStore.read, room_id=room))
            end = stepped.result(partial(SqliteStore.end, room_id=room))
            if end != _end_of(room, found):
                self._find(f"{room} does not end where it says")
            if found[: len(log)] != log:
                self._find(f"{room} lost acknowledged records: {len(log)} were promised")
            else:
                self._check_rest(room, found)
            self._logs[room] = found
        for key, value in self._values.items():
            now = stepped.result(partial(SqliteStore.get, kind="pin", key=key))
            if Value(key, now) not in (Value(key, value), *self._doubtful):
                self._find(f"value {key} is neither what was acknowledged nor what was under way")
            self._values[key] = now
        self._doubtful.clear()

    def _check_rest(self, room: str, found: list[Stored]) -> None:
        end = len(self._logs[room])
        while end < len(found):
            for what in self._doubtful:
                if isinstance(what, Batch) and (what.room_id, what.first) == (room, end):
                    after = end + len(what.records)
                    if tuple(found[end:after]) == what.records:
                        end = after
                        break
            else:
                self._find(f"{room} has at {end} what was refused, or part of a batch")
                return

    def _look_again(self, stepped: Stepped) -> None:
        """Check that readers see what was acknowledged, and nothing else."""
        self._is_looking = True
        found = {
            room.room_id: stepped.result(partial(SqliteStore.read, room_id=room.room_id))
            for room in stepped.result(SqliteStore.rooms)
        }
        if found != {room: log for room, log in self._logs.items() if log}:
            self._find("a reader saw something else than what was acknowledged")
        self._is_looking = False

    def _find(self, fault: str) -> None:
        self.faults.append(f"seed {self.seed}: {fault}")


def says_what_to_do(error: StorageError) -> bool:
    """True if an error's text says what an operator should do."""
    said = str(error)
    return any(deed in said for deed in ("check the disk", "restore a backup", "free some", "stop"))


def _end_of(room_id: str, log: list[Stored]) -> LogEnd | None:
    return LogEnd(len(log), head_of(room_id, (one.public for one in log))) if log else None


def _fault(random: Random, chances: Mapping[str, float], call: str, _name: str) -> Exception | None:
    if random.random() >= chances.get(call, 0.0):
        return None
    if call == "write" and random.random() < 0.5:
        return apsw.exception_for(apsw.SQLITE_FULL)
    codes = {"sync": apsw.SQLITE_IOERR_FSYNC, "write": apsw.SQLITE_IOERR_WRITE}
    return apsw.exception_for(codes.get(call, apsw.SQLITE_IOERR))


def _send(store: SqliteStore, what: Sent) -> Deferred[None]:
    if isinstance(what, Batch):
        return store.append(what.room_id, what.first, what.records)
    if what.value is None:
        return store.delete("pin", what.key)
    return store.put("pin", what.key, what.value)
