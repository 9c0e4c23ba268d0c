"""The guard: reports every exception that a loop would otherwise swallow."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

from twisted.logger import Logger, LogLevel, globalLogPublisher

T = TypeVar("T")


async def guarded(work: Coroutine[Any, Any, T]) -> T:
    """
    Do some work; what is raised in any callback of the loop meanwhile ends it as well.

    So does what Twisted catches of ours, writes down and goes on after: a fault in what is done
    with a line would meet the same bytes again at the next attempt, and so for ever.

    Raises:
        Whatever the work or a callback raises; of several the first.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    found: list[Exception] = []

    def failed(_: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, Exception):
            # On a terminal the loop's own complaints would tear the screen; this goes to the log.
            # With an exception they quote what a callback was called with, which is nobody's.
            told = context.get("message") if error is None else type(error).__name__
            Logger().warn("{message}", message=told)
            return
        found.append(error)
        task.cancel()

    def look(event: Mapping[str, Any]) -> None:
        error = _fault_in(event)
        if error is not None:
            # Whatever it was raised in, another thread perhaps, comes to its own end first.
            loop.call_soon_threadsafe(fail, error)

    # Twisted's own types do not say that a function is an observer.
    swallowed: Any = look
    before = loop.get_exception_handler()
    globalLogPublisher.addObserver(swallowed)
    loop.set_exception_handler(failed)
    try:
        done = await task
    except asyncio.CancelledError:
        if found:
            raise found[0] from None
        raise
    finally:
        globalLogPublisher.removeObserver(swallowed)
        loop.set_exception_handler(before)
    if found:
        raise found[0]
    return done


def fail(error: Exception) -> None:
    """Hand an exception to the loop that runs, where whoever called us would swallow it."""
    context = {"message": "a fault of our own", "exception": error}
    asyncio.get_running_loop().call_exception_handler(context)


def _fault_in(event: Mapping[str, Any]) -> Exception | None:
    """Return the fault that an event of Twisted's log tells of; none is what the network does."""
    # Older parts of Twisted name it otherwise.
    failure = event.get("log_failure") or event.get("failure")
    if failure is None or event.get("log_level") is not LogLevel.critical:
        return None
    error = failure.value
    return error if isinstance(error, Exception) and not isinstance(error, OSError) else None
