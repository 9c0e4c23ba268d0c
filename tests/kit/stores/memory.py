"""
A store in memory.

Its Deferreds have fired already when they are returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from attrs import define, field
from twisted.internet.defer import Deferred, fail, succeed

from protocol.commitments import first_head, next_head
from protocol.event import Stored
from server.storage.errors import RevisionConflict, StorageError, StoreClosed
from server.storage.store import LogEnd, RoomInfo, StoreItem

T = TypeVar("T")


@define(eq=False)
class MemoryStore:
    """A `Store` that lasts as long as the process."""

    fail_with: StorageError | None = None
    """The error of every append, put and delete, which then change nothing; None for no error."""
    _logs: dict[str, list[Stored]] = field(factory=dict, init=False, repr=False)
    _heads: dict[str, bytes] = field(factory=dict, init=False, repr=False)
    _values: dict[tuple[str, str], bytes] = field(factory=dict, init=False, repr=False)
    _is_closed: bool = field(default=False, init=False)

    def append(
        self, room_id: str, first: int, records: Sequence[Stored], beside: StoreItem | None = None
    ) -> Deferred[None]:
        if (refusal := self._refusal()) is not None:
            return fail(refusal)
        expected = len(self._logs.get(room_id, ()))
        if first != expected:
            return fail(RevisionConflict(room_id, expected, first))
        if records:
            head = self._heads.get(room_id) or first_head(room_id)
            for record in records:
                head = next_head(head, record.public)
            self._heads[room_id] = head
            self._logs.setdefault(room_id, []).extend(records)
            if beside is not None:
                self._values[beside.kind, beside.key] = beside.value
        return succeed(None)

    def read(self, room_id: str, first: int = 0, last: int | None = None) -> Deferred[list[Stored]]:
        return self._answer(self._logs.get(room_id, [])[max(first, 0) : last])

    def end(self, room_id: str) -> Deferred[LogEnd | None]:
        log = self._logs.get(room_id)
        if log is None:
            return self._answer(None)
        return self._answer(LogEnd(len(log), self._heads[room_id]))

    def head(self, room_id: str, following: int) -> Deferred[bytes | None]:
        log = self._logs.get(room_id, [])
        if not log or following > len(log):
            return self._answer(None)
        head = first_head(room_id)
        for stored in log[: max(following, 0)]:
            head = next_head(head, stored.public)
        return self._answer(head)

    def rooms(self) -> Deferred[list[RoomInfo]]:
        return self._answer([RoomInfo(room, len(log)) for room, log in sorted(self._logs.items())])

    def put(self, kind: str, key: str, value: bytes) -> Deferred[None]:
        if (refusal := self._refusal()) is not None:
            return fail(refusal)
        self._values[kind, key] = value
        return succeed(None)

    def get(self, kind: str, key: str) -> Deferred[bytes | None]:
        return self._answer(self._values.get((kind, key)))

    def scan(self, kind: str) -> Deferred[list[tuple[str, bytes]]]:
        return self._answer(
            [(key, value) for (of, key), value in sorted(self._values.items()) if of == kind]
        )

    def delete(self, kind: str, key: str) -> Deferred[None]:
        if (refusal := self._refusal()) is not None:
            return fail(refusal)
        self._values.pop((kind, key), None)
        return succeed(None)

    def remove(self, room_id: str, values: Sequence[tuple[str, str]] = ()) -> Deferred[None]:
        if (refusal := self._refusal()) is not None:
            return fail(refusal)
        self._logs.pop(room_id, None)
        self._heads.pop(room_id, None)
        for value in values:
            self._values.pop(value, None)
        return succeed(None)

    def close(self) -> Deferred[None]:
        self._is_closed = True
        return succeed(None)

    def _refusal(self) -> StorageError | None:
        return StoreClosed("the store is closed") if self._is_closed else self.fail_with

    def _answer(self, value: T) -> Deferred[T]:
        return fail(StoreClosed("the store is closed")) if self._is_closed else succeed(value)
