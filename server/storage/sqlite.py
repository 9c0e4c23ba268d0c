"""
The default store: a SQLite file, written by one thread that commits queued changes together.

Theory of operation. Calls come from the reactor thread. Each call puts its work into a queue and
wakes the worker. The worker takes the whole queue, commits every change in one transaction
(`Database.write`), runs the queries, and returns the answers through `call_in_reactor`. While it
waits for the disk the queue grows, so under load one sync serves many rooms; a lone batch waits for
nobody. `_unanswered` and `_unanswered_bytes` belong to the reactor thread, the database to the
worker; the reactor thread fills the two queues and the worker empties them. `_is_called` is true
while the worker was woken and has not yet taken the queues.

Long work, such as copying the file, is done in steps. Each step is a task of the worker, so that
commits can run between steps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import apsw
from attrs import frozen
from twisted.internet.defer import Deferred, fail, succeed
from twisted.logger import Logger

from protocol.event import Stored
from server.storage import schema
from server.storage.copying import Progress, Steps, copying, no_progress
from server.storage.database import (
    Change,
    Database,
    Query,
    ToldOfCopy,
    open_database,
    tell_nobody,
)
from server.storage.driver_errors import as_storage_error
from server.storage.errors import (
    BatchTooLarge,
    StorageError,
    StoreBusy,
    StoreClosed,
    StoreMoved,
)
from server.storage.store import LogEnd, RoomInfo, StoreItem
from server.storage.worker import ThreadWorker, Worker

T = TypeVar("T")

_log = Logger()


class CallInReactor(Protocol):
    """Schedules a call in the reactor thread, like `reactor.callFromThread`."""

    def __call__(self, function: Callable[..., object], /, *args: object) -> object:
        """Schedule the function and return at once; may be called from any thread."""


@frozen
class StoreLimits:
    """Bounds of the queues, and the checkpoint threshold."""

    queue_length: int = 1000
    """Maximum number of unanswered calls; a further call is refused with `StoreBusy`."""
    queue_bytes: int = 64 * 1024 * 1024
    """Maximum bytes in unanswered calls; also the largest single batch."""
    checkpoint_pages: int = 1000
    """Length of the write-ahead log at which it is copied into the database proper."""


@frozen(eq=False)
class _Job:
    work: Callable[..., Any]
    answer: Deferred[Any]
    size: int


@frozen(eq=False)
class _Answered:
    job: _Job
    value: Any
    error: Exception | None


class SqliteStore:
    """A `Store` in one file; made by `open`."""

    def __init__(
        self,
        database: Database,
        call_in_reactor: CallInReactor,
        worker: Worker,
        limits: StoreLimits,
    ) -> None:
        """Take ownership of an open database and of a worker that nobody else uses; see `open`."""
        self._database = database
        self._call_in_reactor = call_in_reactor
        self._worker = worker
        self._limits = limits
        self._changes: deque[_Job] = deque()
        self._queries: deque[_Job] = deque()
        self._is_called = False
        self._unanswered = 0
        self._unanswered_bytes = 0
        self._is_closed = False
        self._has_let_go = False
        self._closing: list[Deferred[None]] = []
        self.when_moved: Callable[[StoreMoved], None] = lambda _: None
        """Called once, in the reactor thread, when the file was moved, replaced or deleted."""
        self._is_moved = False

    @classmethod
    def open(
        cls,
        path: Path,
        call_in_reactor: CallInReactor,
        *,
        vfs: str = "",
        start_worker: Callable[[str], Worker] = ThreadWorker,
        limits: StoreLimits | None = None,
        keeps_schema: bool = False,
        told: ToldOfCopy = tell_nobody,
    ) -> SqliteStore:
        """
        Open the file, created if missing, and start the worker.

        The method blocks on the disk, so it is called before the server listens.

        Args:
            path: the database file.
            call_in_reactor: passes answers to the thread that calls this store.
            vfs: the name of a registered SQLite file layer; empty for the real disk.
            start_worker: makes a worker with the given name.
            limits: the bounds; None for the defaults.
            keeps_schema: as for `open_database`.
            told: as for `open_database`.

        Raises:
            StorageError: as `open_database`; no thread is left behind.
        """
        database = open_database(path, vfs=vfs, keeps_schema=keeps_schema, told=told)
        worker = start_worker("manse-storage")
        return cls(database, call_in_reactor, worker, limits or StoreLimits())

    @property
    def was_alone(self) -> bool:
        """True if neither write-ahead log nor mark was beside the file at opening."""
        return self._database.was_alone

    @property
    def commit_count(self) -> int:
        """Number of commits that are durable since opening; one may answer several calls."""
        return self._database.commit_count

    def append(
        self, room_id: str, first: int, records: Sequence[Stored], beside: StoreItem | None = None
    ) -> Deferred[None]:
        # A copy, since the worker reads the records later, in its own thread.
        batch = tuple(records)
        size = sum(len(record.public) + len(record.openings) for record in batch)
        size += len(beside.value) if beside is not None else 0
        return self._change(
            partial(_append, room_id=room_id, first=first, batch=batch, beside=beside), size
        )

    def read(self, room_id: str, first: int = 0, last: int | None = None) -> Deferred[list[Stored]]:
        return self._query(partial(schema.read, room_id=room_id, first=first, last=last))

    def end(self, room_id: str) -> Deferred[LogEnd | None]:
        return self._query(partial(schema.end_of, room_id=room_id))

    def head(self, room_id: str, following: int) -> Deferred[bytes | None]:
        return self._query(partial(schema.head, room_id=room_id, following=following))

    def rooms(self) -> Deferred[list[RoomInfo]]:
        return self._query(schema.rooms)

    def put(self, kind: str, key: str, value: bytes) -> Deferred[None]:
        return self._change(partial(schema.put, kind=kind, key=key, value=value), len(value))

    def get(self, kind: str, key: str) -> Deferred[bytes | None]:
        return self._query(partial(schema.get, kind=kind, key=key))

    def scan(self, kind: str) -> Deferred[list[tuple[str, bytes]]]:
        return self._query(partial(schema.scan, kind=kind))

    def delete(self, kind: str, key: str) -> Deferred[None]:
        return self._change(partial(schema.delete, kind=kind, key=key), 0)

    def backup(self, path: Path, progress: Progress = no_progress) -> Deferred[None]:
        """
        Copy the database to a file while it is in use; see `server.storage.copying`.

        Args:
            path: the file, which replaces an existing one.
            progress: called in the worker's thread.

        Returns:
            Fires once the copy is durable. Fails with `DiskTooFull` or another `StorageError`; then
                nothing of the copy is left.
        """
        return self.in_steps(partial(copying, target=path, progress=progress))

    def vacuum(self) -> Deferred[tuple[int, int]]:
        """
        Rewrite the whole file without its gaps; the store does nothing else meanwhile.

        Returns:
            Fires with the size in bytes before and after. Fails with `DiskTooFull` if the disk has
            less free space than twice the size of the file, and for any other reason as `put` does.
        """
        if self._is_closed:
            return fail(StoreClosed("the store is closed"))
        answer: Deferred[tuple[int, int]] = Deferred()
        self._worker.do(partial(self._vacuum, answer))
        return answer

    def in_steps(self, make: Callable[[apsw.Connection], Steps[T]]) -> Deferred[T]:
        """
        Run long work in the worker's thread, with commits between its steps.

        Args:
            make: begins the work, given the connection, through which nothing may be changed.

        Returns:
            Fires with the result of the work, or fails with the exception of the work; fails with
                `StoreClosed` if the store is closed first.
        """
        if self._is_closed:
            return fail(StoreClosed("the store is closed"))
        answer: Deferred[T] = Deferred()
        self._worker.do(partial(self._take_step, self._database.stepping(make), answer))
        return answer

    def remove(self, room_id: str, values: Sequence[tuple[str, str]] = ()) -> Deferred[None]:
        return self._change(partial(schema.remove, room_id=room_id, values=tuple(values)), 0)

    def close(self) -> Deferred[None]:
        """Close the store. Fails with a `StorageError` if the file could not be closed."""
        if self._has_let_go:
            return succeed(None)
        answer: Deferred[None] = Deferred()
        self._closing.append(answer)
        if not self._is_closed:
            self._is_closed = True
            self._worker.do(self._let_go)
        return answer

    # In the reactor thread.

    def _change(self, change: Change, size: int) -> Deferred[None]:
        return self._submit(self._changes, change, size)

    def _query(self, query: Query[T]) -> Deferred[T]:
        return self._submit(self._queries, query, 0)

    def _submit(self, queue: deque[_Job], work: Callable[..., Any], size: int) -> Deferred[Any]:
        refusal = self._refusal(size)
        if refusal is not None:
            return fail(refusal)
        job = _Job(work, Deferred(), size)
        self._unanswered += 1
        self._unanswered_bytes += size
        queue.append(job)
        if not self._is_called:
            # Once for the whole queue: waking a thread costs more than queueing a call.
            self._is_called = True
            self._worker.do(self._serve)
        return job.answer

    def _refusal(self, size: int) -> StorageError | None:
        if self._is_closed:
            return StoreClosed("the store is closed")
        if size > self._limits.queue_bytes:
            return BatchTooLarge(f"{size} bytes at once; the limit is {self._limits.queue_bytes}")
        if self._unanswered >= self._limits.queue_length:
            return StoreBusy(f"{self._unanswered} calls are waiting; try again later")
        if self._unanswered_bytes + size > self._limits.queue_bytes:
            return StoreBusy(f"{self._unanswered_bytes} bytes are waiting; try again later")
        return None

    def _answer(self, answered: Sequence[_Answered]) -> None:
        for each in answered:
            if isinstance(each.error, StoreMoved) and not self._is_moved:
                self._is_moved = True
                self.when_moved(each.error)
            self._unanswered -= 1
            self._unanswered_bytes -= each.job.size
            if each.error is None:
                each.job.answer.callback(each.value)
            else:
                each.job.answer.errback(each.error)

    def _finish_closing(self, error: StorageError | None) -> None:
        # Its last task has called us, so this waits for nothing.
        self._worker.quit()
        self._has_let_go = True
        for answer in self._closing:
            if error is None:
                answer.callback(None)
            else:
                answer.errback(error)

    # In the worker.

    def _serve(self) -> None:
        # Reset before the queues are read: a call added after that must wake the worker again.
        self._is_called = False
        # Queries are taken first, so each sees every change that was requested before it.
        queries = _take_all(self._queries)
        changes = _take_all(self._changes)
        if changes:
            outcomes = self._database.write([job.work for job in changes])
            answered = [
                _Answered(job, None, error) for job, error in zip(changes, outcomes, strict=True)
            ]
            self._call_in_reactor(self._answer, answered)
        if queries:
            self._call_in_reactor(self._answer, [self._run(job) for job in queries])
        # After the answers: nobody has to wait for the checkpoint.
        if changes:
            try:
                self._database.checkpoint(self._limits.checkpoint_pages)
            except StorageError as error:
                _log.error("the write-ahead log could not be folded in: {error}", error=error)

    def _run(self, job: _Job) -> _Answered:
        try:
            return _Answered(job, self._database.read(job.work), None)
        except Exception as error:  # noqa: BLE001 - a mistake in one query is that one's answer
            return _Answered(job, None, error)

    def _take_step(self, steps: Steps[T], answer: Deferred[T]) -> None:
        try:
            if self._is_closed:
                steps.close()
                raise StoreClosed("the store was closed before this was done")  # noqa: TRY301
            next(steps)
        except StopIteration as end:
            self._call_in_reactor(answer.callback, end.value)
        except Exception as error:  # noqa: BLE001 - a mistake in one work is that one's answer
            self._call_in_reactor(answer.errback, error)
        else:
            # At the end of the worker's queue, so that commits run between two steps.
            self._worker.do(partial(self._take_step, steps, answer))

    def _vacuum(self, answer: Deferred[tuple[int, int]]) -> None:
        try:
            sizes = self._database.vacuum()
        except Exception as error:  # noqa: BLE001 - the caller is waiting, whatever it was
            self._call_in_reactor(answer.errback, error)
        else:
            self._call_in_reactor(answer.callback, sizes)

    def _let_go(self) -> None:
        try:
            self._database.close()
        except Exception as error:  # noqa: BLE001 - the caller is waiting, whatever it was
            self._call_in_reactor(self._finish_closing, as_storage_error(error))
        else:
            self._call_in_reactor(self._finish_closing, None)


def _append(
    connection: apsw.Connection,
    *,
    room_id: str,
    first: int,
    batch: Sequence[Stored],
    beside: StoreItem | None,
) -> None:
    schema.append(connection, room_id, first, batch)
    if batch and beside is not None:
        schema.put(connection, beside.kind, beside.key, beside.value)


def _take_all(queue: deque[_Job]) -> list[_Job]:
    # The other thread only adds, so this many items exist.
    return [queue.popleft() for _ in range(len(queue))]
