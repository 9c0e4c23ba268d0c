"""
A worker: runs tasks one after another, outside the reactor thread.

The store takes its worker as an argument, so that tests can use one that works only when told to.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Final, Protocol, TypeAlias

from twisted.logger import Logger

Task: TypeAlias = Callable[[], None]

SWITCH_SECONDS: Final = 0.0005
"""
Switch interval of the interpreter, in seconds. A commit releases the GIL several times, and each
time would otherwise wait up to 5 ms to get it back from a busy reactor.
"""

_log = Logger()


def wait_briefly() -> None:
    """Limit how long a thread of this process holds the GIL to `SWITCH_SECONDS`."""
    sys.setswitchinterval(SWITCH_SECONDS)


class Worker(Protocol):
    """Runner of tasks in order, never two at once."""

    def do(self, task: Task) -> None:
        """Queue a task; returns at once."""

    def quit(self) -> None:
        """Finish the queued tasks, then stop; returns when no task can run any more."""


class InlineWorker:
    """A worker without a thread, for commands: each task is done when it is given."""

    def __init__(self, _name: str = "") -> None:
        """Accept a name as `ThreadWorker` does; there is no thread that could show it."""
        self._tasks: deque[Task] = deque()
        self._is_working = False

    def do(self, task: Task) -> None:
        """See `Worker.do`. A task that another task gives is done after that task."""
        self._tasks.append(task)
        if self._is_working:
            return
        self._is_working = True
        try:
            while self._tasks:
                self._tasks.popleft()()
        finally:
            self._is_working = False

    def quit(self) -> None:
        """See `Worker.quit`. Every task was done when it was given."""


class ThreadWorker:
    """A worker with a thread of its own."""

    def __init__(self, name: str) -> None:
        """
        Start the thread.

        Args:
            name: what a listing of threads shows.
        """
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        # A daemon, so that a process that forgets to close the store still ends. To the file that
        # is a crash, which it survives.
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def do(self, task: Task) -> None:
        """See `Worker.do`."""
        self._tasks.put(task)

    def quit(self) -> None:
        """See `Worker.quit`. Joins the thread."""
        self._tasks.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception:  # noqa: BLE001 - a bug, but the others still want their answers
                _log.failure("a task of the storage worker raised")
