"""A SQLite store that works only when told to, so a test knows what gathers into a commit."""

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
    """A worker that works in the calling thread, and only when told to."""

    def __init__(self, _name: str = "") -> None:
        self._tasks: list[Task] = []

    def do(self, task: Task) -> None:
        """Keep the task for later."""
        self._tasks.append(task)

    def quit(self) -> None:
        """Nothing runs in between."""

    @property
    def task_count(self) -> int:
        """How many tasks wait."""
        return len(self._tasks)

    def work(self) -> None:
        """Do all that was given."""
        while self._tasks:
            self._tasks.pop(0)()


class Stepped:
    """A store, its worker and the reactor's place, all in the hand of one test."""

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
        """How many tasks wait for the worker."""
        return self._worker.task_count

    def step(self) -> None:
        """Commit what has gathered and hear the answers."""
        self._worker.work()
        self._inbox.run_calls()

    def result(self, call: Callable[[SqliteStore], Deferred[T]]) -> T:
        """Make a call, step, and give or raise its answer."""
        answer = call(self.store)
        self.step()
        return self.answer(answer)

    def answer(self, deferred: Deferred[T]) -> T:
        """The answer that has arrived; raises it if it is an error."""
        assert deferred.called
        return self._inbox.wait(deferred)

    def close(self) -> None:
        """Let go of the file."""
        self.result(SqliteStore.close)
