"""A store that fails on command; it may keep an append that it refuses."""

from collections import deque
from collections.abc import Callable, Sequence

import attrs
from twisted.internet.defer import Deferred, fail

from protocol.event import Stored
from server.storage import OutcomeUnknown, StoreFull, StoreItem
from tests.kit.servers.house import House
from tests.kit.stores.memory import MemoryStore


@attrs.frozen
class Fault:
    """An append that fails: with which error, and whether the batch is stored nevertheless."""

    is_kept: bool = False
    """True if the batch is stored all the same."""
    error: Exception = attrs.field(factory=lambda: OutcomeUnknown("the power flickered"))
    is_raised: bool = False
    """True if the call itself raises, which no store should do."""


@attrs.define(eq=False)
class FailingStore(MemoryStore):
    """A store whose appends fail as the test plans, and may store the batch nevertheless."""

    faults: deque[Fault] = attrs.field(factory=deque)
    """Faults of the next appends, one each."""
    plan: Callable[[], Fault | None] = lambda: None
    """The fault of an append while `faults` is empty; None for no fault."""
    read_faults: deque[Exception] = attrs.field(factory=deque)
    """Faults of the next reads of a log, one each."""
    appends: int = 0
    room_for: int | None = None
    """Maximum length of a value that can be put; None for no limit."""

    def append(
        self, room_id: str, first: int, records: Sequence[Stored], beside: StoreItem | None = None
    ) -> Deferred[None]:
        self.appends += 1
        fault = self.faults.popleft() if self.faults else self.plan()
        if fault is None:
            return super().append(room_id, first, records, beside)
        if fault.is_kept:
            _ = super().append(room_id, first, records, beside)
        if fault.is_raised:
            raise fault.error
        return fail(fault.error)

    def put(self, kind: str, key: str, value: bytes) -> Deferred[None]:
        if self.room_for is not None and len(value) > self.room_for:
            return fail(StoreFull("no space is left"))
        return super().put(kind, key, value)

    def read(self, room_id: str, first: int = 0, last: int | None = None) -> Deferred[list[Stored]]:
        if self.read_faults:
            return fail(self.read_faults.popleft())
        return super().read(room_id, first, last)

    def damage(self, room_id: str, sequence: int, change: Callable[[bytes], bytes]) -> None:
        """Change the bytes of one record, as a bad disk would."""
        record = self._logs[room_id][sequence]
        self._logs[room_id][sequence] = attrs.evolve(record, public=change(record.public))


@attrs.define(eq=False)
class FailingHouse(House):
    """A server on a store that fails when the test says so."""

    store: FailingStore = attrs.field(factory=FailingStore)
