"""A lock for what waits for the store: nobody else reads meanwhile what is about to be changed."""

from typing import Final

import attrs
from twisted.internet.defer import DeferredLock


@attrs.define(eq=False)
class OneByOne:
    """Lets one after the other in, in the order in which they come: `async with`."""

    _lock: Final[DeferredLock] = attrs.field(factory=DeferredLock, init=False)

    @property
    def waiting(self) -> int:
        """How many wait for whoever is in."""
        return len(self._lock.waiting)

    async def __aenter__(self) -> None:
        """Wait until nobody is in."""
        await self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        """Let the next one in, whatever happened."""
        self._lock.release()
