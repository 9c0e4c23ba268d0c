"""The store of a stopped server, opened for a command."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from server.identity.files import UnusableFile
from server.storage.database import FILE_NAME as DATABASE
from server.storage.database import ToldOfCopy, tell_nobody
from server.storage.sqlite import SqliteStore
from server.storage.worker import InlineWorker

T = TypeVar("T")


@contextmanager
def opened(
    folder: Path, *, keeps_schema: bool = False, told: ToldOfCopy = tell_nobody
) -> Iterator[SqliteStore]:
    """
    Open the store in a server's folder; each call of the store completes before it returns.

    Args:
        folder: folder of the server, which must not run.
        keeps_schema: as for `server.storage.database.open_database`.
        told: as for `server.storage.database.open_database`.

    Raises:
        UnusableFile: the folder has no database.
        StorageError: the database cannot be opened, usually because the server runs.
    """
    path = folder / DATABASE
    if not path.exists():
        raise UnusableFile(f"{folder} has no database", "no_store", folder)
    store = SqliteStore.open(
        path, call, start_worker=InlineWorker, keeps_schema=keeps_schema, told=told
    )
    try:
        yield store
    finally:
        result_of(store.close())


def call(function: Callable[..., object], /, *args: object) -> None:
    """Run a call at once; replaces the reactor's `callFromThread`."""
    function(*args)


def result_of(waited: Awaitable[T]) -> T:
    """Return the result of an awaitable that never suspends, or raise its exception."""

    async def wait() -> T:
        return await waited

    coroutine: Any = wait()
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("the store did not answer at once")
