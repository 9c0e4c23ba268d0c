"""A lock for reading, changing and writing a value in the store as one act."""

from typing import Final

import attrs
from twisted.internet.defer import DeferredLock


@attrs.define(eq=False)
class OneByOne:
    """A fair lock, used with `async with`."""

    _lock: Final[DeferredLock] = attrs.field(factory=DeferredLock, init=False)

    @property
    def waiting(self) -> int:
        """Number of callers that wait."""
        return len(self._lock.waiting)

    async def __aenter__(self) -> None:
        """Wait for the lock."""
        await self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        """Hand the lock to the next caller."""
        self._lock.release()
