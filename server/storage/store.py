"""
The interface of a store: logs of rooms that only grow, and small values by kind and key.

Theory of operation. A store promises five things, and `tests/kit/stores/contract.py` tests every
store for them:

1. What was acknowledged stays for ever, byte for byte, even after a power cut.
2. What was refused never appears, even after a power cut. (`OutcomeUnknown` is not a refusal.)
3. A batch is stored whole or not at all.
4. Reading detects a log that the disk has changed or shortened, and a changed value. (Readers check
openings against the commitments in the records.)
5. A batch is accepted only where the stored log ends. Two writers never merge; one gets
`RevisionConflict`.

Readers see only what is durable. Calls come from the reactor thread, and Deferreds fire in it.
Cancelling a Deferred drops the answer; it does not undo the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from attrs import field, frozen
from twisted.internet.defer import Deferred

from protocol.event import Stored


@frozen
class RoomInfo:
    """Length of a room's log, known without reading the log."""

    room_id: str
    next_sequence: int
    """First sequence of the next batch; also the number of records, so at least 1."""


@frozen
class StoreItem:
    """A small value by kind and key."""

    kind: str
    """Namespace of the key."""
    key: str
    """Name within the kind."""
    value: bytes = field(repr=False)


@frozen
class LogEnd:
    """Length and head of a room's log."""

    next_sequence: int
    """First sequence of the next batch, at least 1."""
    head: bytes
    """Head of the hash chain after the last record."""


class Store(Protocol):
    """Durable logs and values. Every failure is a `StorageError`, also of a read."""

    def append(
        self, room_id: str, first: int, records: Sequence[Stored], beside: StoreItem | None = None
    ) -> Deferred[None]:
        """
        Add a batch at the end of a room's log; the first batch of a room creates the room.

        Args:
            room_id: the room; any text.
            first: the sequence of the first record. Sequences begin at 0.
            records: the batch, stored whole or not at all. An empty one stores nothing.
            beside: a value that is set together with the batch, as by `put`, or not at all.

        Returns:
            Fires with None once the batch is durable. Fails with `RevisionConflict` if `first` is
                not the next sequence, with `StoreBusy` at once if the queue is full, with
                `OutcomeUnknown` if only the next opening of the file will tell, and with another
                `StorageError` if the batch was refused.
        """

    def read(self, room_id: str, first: int = 0, last: int | None = None) -> Deferred[list[Stored]]:
        """
        Read a room's log from one sequence up to another, and check its hash chain.

        The result includes every batch acknowledged before the call.

        Args:
            room_id: the room.
            first: the sequence of the first wanted record.
            last: the sequence after the last wanted record; None for the end of the log.

        Returns:
            Fires with the records, fewer if the log ends before `last`; with the empty list for a
                room that does not exist. Fails with `LogDamaged` if the log differs from what was
                stored.
        """

    def end(self, room_id: str) -> Deferred[LogEnd | None]:
        """Find the end of a room's log; fires with None for a room that does not exist."""

    def head(self, room_id: str, following: int) -> Deferred[bytes | None]:
        """
        Return the head of a room's hash chain after its first records.

        Args:
            room_id: the room.
            following: the number of these records, which is the sequence of the next record.

        Returns:
            Fires with the head; with None if the log is shorter, or there is no such room. Fails
                with `LogDamaged` if earlier records are missing.
        """

    def rooms(self) -> Deferred[list[RoomInfo]]:
        """List every room that has a record, ordered by id."""

    def put(self, kind: str, key: str, value: bytes) -> Deferred[None]:
        """
        Set one small value, in place of an earlier one.

        Args:
            kind: namespace of the key.
            key: the name within the namespace.
            value: the bytes that `get` will return.

        Returns:
            Fires with None once the value is durable; fails as `append` does.
        """

    def get(self, kind: str, key: str) -> Deferred[bytes | None]:
        """Read one value; fires with None if there is none. Fails with `ValueDamaged`."""

    def scan(self, kind: str) -> Deferred[list[tuple[str, bytes]]]:
        """List the keys and values of one kind, ordered by key, without damaged values."""

    def delete(self, kind: str, key: str) -> Deferred[None]:
        """Remove one value durably; a missing value is no error. Fails as `put` does."""

    def remove(self, room_id: str, values: Sequence[tuple[str, str]] = ()) -> Deferred[None]:
        """
        Remove a room with its whole log durably; a missing room is no error.

        Args:
            room_id: the room.
            values: kinds and keys of the values that are removed with the room, all or nothing.

        Returns:
            Fires with None once the removal is durable; fails as `put` does.
        """

    def close(self) -> Deferred[None]:
        """
        Answer all waiting calls, then release the file and all threads.

        Later calls fail with `StoreClosed`; closing again is harmless.
        """
