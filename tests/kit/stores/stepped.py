"""A SQLite store that works only when told to, so tests control what one commit contains."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from twisted.internet.defer import Deferred

from server.storage.sqlite import SqliteStore, StoreLimits
from server.storage.worker import Task
from tests.kit.stores.waiting import Inbox

T = TypeVar("T")


class HandWorker:
    """A worker that runs its tasks in the calling thread, and only when told to."""

    def __init__(self, _name: str = "") -> None:
        self._tasks: list[Task] = []

    def do(self, task: Task) -> None:
        """Keep the task for later."""
        self._tasks.append(task)

    def quit(self) -> None:
        pass

    @property
    def task_count(self) -> int:
        """Number of waiting tasks."""
        return len(self._tasks)

    def work(self) -> None:
        """Run all waiting tasks."""
        while self._tasks:
            self._tasks.pop(0)()


class Stepped:
    """A store, its worker and its inbox, all controlled by one test."""

    def __init__(self, path: Path, limits: StoreLimits | None = None, *, vfs: str = "") -> None:
        self._inbox = Inbox()
        self._worker = HandWorker()
        self.store = SqliteStore.open(
            path,
            self._inbox.call_in_reactor,
            vfs=vfs,
            start_worker=lambda _: self._worker,
            limits=limits,
        )

    @property
    def task_count(self) -> int:
        """Number of tasks that wait for the worker."""
        return self._worker.task_count

    def step(self) -> None:
        """Commit the waiting writes and deliver the answers."""
        self._worker.work()
        self._inbox.run_calls()

    def result(self, call: Callable[[SqliteStore], Deferred[T]]) -> T:
        """Make a call, step, and return or raise its answer."""
        answer = call(self.store)
        self.step()
        return self.answer(answer)

    def answer(self, deferred: Deferred[T]) -> T:
        """Return or raise the answer that has arrived."""
        assert deferred.called
        return self._inbox.wait(deferred)

    def close(self) -> None:
        """Close the store."""
        self.result(SqliteStore.close)
