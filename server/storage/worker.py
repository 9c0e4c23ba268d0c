"""
A worker: does tasks one after another, away from the reactor thread.

The interface is an argument of the store, so that tests can put one in its place that works only
when told to.
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
"""How long a worker's thread waits for Python while the reactor is busy. A commit lets go of Python
several times, each of which would else take up to 5 ms."""

_log = Logger()


def wait_briefly() -> None:
    """Have the threads of this process wait for each other no longer than `SWITCH_SECONDS`."""
    sys.setswitchinterval(SWITCH_SECONDS)


class Worker(Protocol):
    """Does tasks in the order given, never two at once."""

    def do(self, task: Task) -> None:
        """Have a task done some time later; returns at once."""

    def quit(self) -> None:
        """Finish what was given, then stop; returns when no task can run any more."""


class InlineWorker:
    """A worker without a thread, for commands: each task is done when it is given."""

    def __init__(self, _name: str = "") -> None:
        """Start idle."""
        self._tasks: deque[Task] = deque()
        self._is_working = False

    def do(self, task: Task) -> None:
        """See `Worker.do`. A task that is given by another is done after it."""
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
        """See `Worker.quit`. Nothing runs in between."""


class ThreadWorker:
    """A worker with a thread of its own."""

    def __init__(self, name: str) -> None:
        """
        Start the thread.

        Args:
            name: what a listing of threads shows.
        """
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        # A daemon, because a process that forgets to close the store should end all the same;
        # to the file that is a crash, which it is made to survive.
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
