"""A server with a slow store, so that messages overtake one another if they can."""

import random
from collections.abc import Sequence
from typing import TypeVar

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from protocol.event import Stored
from server.storage.store import LogEnd, RoomInfo, StoreItem
from tests.kit.servers.house import House
from tests.kit.stores.memory import MemoryStore

T = TypeVar("T")


@attrs.define(eq=False)
class SlowStore(MemoryStore):
    """A store that works at once and answers later, in the order of the calls."""

    clock: Clock | None = None
    """The clock of the answers; while it is None, answers come at once."""
    longest: float = 0.2
    rng: random.Random = attrs.field(factory=lambda: random.Random(1))
    reads: int = 0
    """Number of reads of a log."""
    _due: float = attrs.field(default=0.0, init=False)

    def _later(self, answer: Deferred[T]) -> Deferred[T]:
        if self.clock is None:
            return answer
        now = self.clock.seconds()
        self._due = max(self._due, now + self.rng.uniform(0.0, self.longest))
        late: Deferred[T] = Deferred()
        self.clock.callLater(self._due - now, lambda: answer.chainDeferred(late))
        return late

    def append(
        self, room_id: str, first: int, records: Sequence[Stored], beside: StoreItem | None = None
    ) -> Deferred[None]:
        return self._later(super().append(room_id, first, records, beside))

    def read(self, room_id: str, first: int = 0, last: int | None = None) -> Deferred[list[Stored]]:
        self.reads += 1
        return self._later(super().read(room_id, first, last))

    def end(self, room_id: str) -> Deferred[LogEnd | None]:
        return self._later(super().end(room_id))

    def rooms(self) -> Deferred[list[RoomInfo]]:
        return self._later(super().rooms())

    def put(self, kind: str, key: str, value: bytes) -> Deferred[None]:
        return self._later(super().put(kind, key, value))

    def get(self, kind: str, key: str) -> Deferred[bytes | None]:
        return self._later(super().get(kind, key))

    def scan(self, kind: str) -> Deferred[list[tuple[str, bytes]]]:
        return self._later(super().scan(kind))

    def delete(self, kind: str, key: str) -> Deferred[None]:
        return self._later(super().delete(kind, key))


@attrs.define(eq=False)
class SlowHouse(House):
    """A server on a slow store, which answers at once while the server starts."""

    store: SlowStore = attrs.field(factory=SlowStore)

    def open(self) -> None:
        """Start a server on what the store holds."""
        self.store.clock = None
        super().open()
        self.store.clock = self.clock
        self.store._due = 0.0
