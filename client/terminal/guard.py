"""The guard: reports every exception that a loop would otherwise swallow."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

from twisted.logger import Logger, LogLevel, globalLogPublisher

T = TypeVar("T")


async def guarded(work: Coroutine[Any, Any, T]) -> T:
    """
    Run a coroutine, and cancel it at an exception in any callback of the loop.

    Exceptions that Twisted would only log cancel the coroutine too. Without this, a bug in handling
    a message would fail again on the same bytes after each reconnection, forever.

    Raises:
        The first exception of the coroutine or of a callback.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    found: list[Exception] = []

    def failed(_: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, Exception):
            # The loop's own messages would tear the screen; these go to the log.
            # They quote the callback's arguments, which are private.
            told = context.get("message") if error is None else type(error).__name__
            Logger().warn("{message}", message=told)
            return
        found.append(error)
        task.cancel()

    def observe(event: Mapping[str, Any]) -> None:
        # Older parts of Twisted name it otherwise.
        failure = event.get("log_failure") or event.get("failure")
        is_critical = event.get("log_level") is LogLevel.critical
        error = failure.value if failure is not None and is_critical else None
        # Network errors are no bugs.
        if isinstance(error, Exception) and not isinstance(error, OSError):
            # The raising code, perhaps another thread, finishes first.
            loop.call_soon_threadsafe(fail, error)

    # Twisted's types do not declare that a function is an observer.
    swallowed: Any = observe
    before = loop.get_exception_handler()
    globalLogPublisher.addObserver(swallowed)
    loop.set_exception_handler(failed)
    try:
        done = await task
    except asyncio.CancelledError:
        # Cancelled by `failed`, not from outside: report the cause.
        if found:
            raise found[0] from None
        raise
    finally:
        globalLogPublisher.removeObserver(swallowed)
        loop.set_exception_handler(before)
    # The exception may come in the same turn in which the work ends.
    if found:
        raise found[0]
    return done


def fail(error: Exception) -> None:
    """Report an exception to `guarded`, from code whose caller would swallow the exception."""
    context = {"message": "a fault of our own", "exception": error}
    asyncio.get_running_loop().call_exception_handler(context)
