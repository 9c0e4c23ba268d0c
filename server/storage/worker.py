"""
A worker: runs tasks one after another, outside the reactor thread.

The store takes its worker as an argument, so that tests can use one that they drive by hand.
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
time it would otherwise wait up to 5 ms for a busy reactor to return the GIL.
"""

_log = Logger()


def wait_briefly() -> None:
    """Have a thread give up the GIL after `SWITCH_SECONDS` if another thread waits for it."""
    sys.setswitchinterval(SWITCH_SECONDS)


class Worker(Protocol):
    """Runs tasks in order, never two at once."""

    def do(self, task: Task) -> None:
        """Queue a task; returns at once."""

    def quit(self) -> None:
        """Finish the queued tasks, then stop; returns when no task can run any more."""


class InlineWorker:
    """A worker without a thread, for commands: `do` runs each task at once."""

    def __init__(self, _name: str = "") -> None:
        """Accept a name as `ThreadWorker` does, and ignore it."""
        self._tasks: deque[Task] = deque()
        self._is_working = False

    def do(self, task: Task) -> None:
        """Run a task. A task that is queued by another task runs after that task."""
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
        pass


class ThreadWorker:
    """A worker with a thread of its own."""

    def __init__(self, name: str) -> None:
        """
        Start the thread.

        Args:
            name: name of the thread, for debuggers.
        """
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        # A daemon, so that a process that forgets to close the store still ends. The file
        # survives that like a crash.
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def do(self, task: Task) -> None:
        self._tasks.put(task)

    def quit(self) -> None:
        """Finish the queued tasks, then join the thread."""
        self._tasks.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception:  # noqa: BLE001 - a bug, but the others still want their answers
                _log.failure("a task of the storage worker raised")
