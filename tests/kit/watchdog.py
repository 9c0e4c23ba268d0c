"""
Ends a process whose test takes too long, by one thread for all tests.

pytest-timeout starts and joins a thread for each test, and pytest's `faulthandler_timeout` another:
where cores are busy, each of them waits for its turn.
"""

import faulthandler
import threading
import time
from typing import Any, Final

import attrs
import pytest
import pytest_timeout
from _pytest.faulthandler import fault_handler_stderr_fd_key

STEP: Final = 5.0
"""Maximum number of seconds between two looks at the test that runs."""
STUCK: Final = 300.0
"""Seconds after which the process ends if code that never lets other threads run holds it up."""


@attrs.frozen
class Watched:
    """A test that runs, and the monotonic time by which it has to end."""

    item: pytest.Item
    settings: Any
    until: float


@attrs.define(eq=False)
class Watchdog:
    """A plugin that does what pytest-timeout's method `thread` does.

    It writes where each thread is to stderr: what pytest-timeout writes in a worker reaches nobody.
    """

    _watched: Watched | None = attrs.field(default=None, init=False)
    _thread: threading.Thread | None = attrs.field(default=None, init=False)
    _ended: threading.Event = attrs.field(factory=threading.Event, init=False)

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_set_timer(self, item: pytest.Item, settings: Any) -> bool | None:
        if settings.method != "thread":
            return None
        self._watched = Watched(item, settings, time.monotonic() + settings.timeout)
        if self._thread is None:
            stderr = item.config.stash[fault_handler_stderr_fd_key]
            self._thread = threading.Thread(target=self._watch, args=(stderr,), daemon=True)
            self._thread.start()
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_cancel_timer(self) -> None:
        self._watched = None

    def pytest_unconfigure(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            faulthandler.cancel_dump_traceback_later()

    def _watch(self, stderr: int) -> None:
        while True:
            faulthandler.dump_traceback_later(STUCK, exit=True, file=stderr)
            watched = self._watched
            left = STEP if watched is None else watched.until - time.monotonic()
            if watched is not None and left <= 0:
                faulthandler.dump_traceback(stderr)
                pytest_timeout.timeout_timer(watched.item, watched.settings)
            if self._ended.wait(max(0.1, min(left, STEP))):
                return
