"""A lock for reading, changing and writing a value in the store atomically."""

from typing import Final

import attrs
from twisted.internet.defer import DeferredLock


@attrs.define(eq=False)
class OneByOne:
    """A fair lock, used with `async with`."""

    _lock: Final[DeferredLock] = attrs.field(factory=DeferredLock, init=False)

    @property
    def waiting(self) -> int:
        """Number of waiting callers."""
        return len(self._lock.waiting)

    async def __aenter__(self) -> None:
        await self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()
