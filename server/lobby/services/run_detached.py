"""Runs coroutines that nobody awaits. Their exceptions are logged."""

from collections.abc import Coroutine
from typing import Any

from twisted.internet.defer import Deferred
from twisted.logger import Logger
from twisted.python.failure import Failure

_log = Logger()


def run_detached(coroutine: Coroutine[Deferred[Any], Any, None]) -> None:
    """Run a coroutine to its end; an exception in it is a bug and is logged."""

    def report(failure: Failure) -> None:
        _log.failure("a task failed", failure)

    _ = Deferred.fromCoroutine(coroutine).addErrback(report)
