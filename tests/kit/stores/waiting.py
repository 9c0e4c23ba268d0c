"""Waiting for answers from another thread, without a reactor and without sleeping."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

T = TypeVar("T")

PATIENCE_SECONDS = 60.0
"""Maximum seconds for which a hung store can hang a test; no passing test comes near this time."""


class Inbox:
    """Stands in for the reactor: calls from other threads wait here for the test's thread."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Callable[..., object], tuple[object, ...]]] = SimpleQueue()

    def call_in_reactor(self, function: Callable[..., object], /, *args: object) -> None:
        """Queue a call for the next wait."""
        self._calls.put((function, args))

    def run_calls(self) -> None:
        """Make the queued calls, and wait for none."""
        while not self._calls.empty():
            self._call_next()

    def wait(self, deferred: Deferred[T]) -> T:
        """Make calls until a Deferred has fired; return or raise its result."""
        results: list[Any] = []
        _ = deferred.addBoth(results.append)
        while not results:
            self._call_next()
        if isinstance(results[0], Failure):
            results[0].raiseException()
        value: T = results[0]
        return value

    def _call_next(self) -> None:
        function, args = self._calls.get(timeout=PATIENCE_SECONDS)
        function(*args)
