"""
Turns: how much is done in one turn of the reactor, so that nobody waits long for somebody else.

What takes long asks for time before each part of its work. As long as the turn has some left it
goes on at once, else in a later turn: what came before it first, and before all else what only has
to be shown. Between two turns the reactor reads, writes, and hears of the store.
"""

from collections import deque
from collections.abc import Callable
from typing import Final, TypeVar

import attrs
from twisted.internet.defer import Deferred, succeed

from protocol.seams import Clock
from server.kernel.steps import Steps

T = TypeVar("T")

TURN_SECONDS: Final = 0.0025
"""After so long a turn has no time left. A part that has begun is finished all the same."""


@attrs.define(eq=False)
class Turns:
    """Shares out the time of one reactor."""

    _clock: Clock
    _timer: Callable[[], float] | None = None
    """Seconds since whenever; None where all is done at once, such as in tests."""
    _ends: float | None = attrs.field(default=None, init=False)
    """When this turn has no time left; None before anybody asked in it."""
    _showing: deque[Deferred[None]] = attrs.field(factory=deque, init=False)
    _waiting: deque[Deferred[None]] = attrs.field(factory=deque, init=False)

    @property
    def has_time(self) -> bool:
        """Whether this turn has time left."""
        if self._timer is None:
            return True
        if self._ends is None:
            self._ends = self._timer() + TURN_SECONDS
            self._clock.callLater(0, self._next_turn)
            return True
        return self._timer() < self._ends

    async def run(self, steps: Steps[T]) -> T:
        """Take all steps of some work, in as many turns as it takes; return what it returns."""
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            if not self.has_time:
                await self.time()

    def time(self) -> Deferred[None]:
        """Return what fires once there is time for a part of some work."""
        return self._time(self._waiting)

    def time_to_show(self) -> Deferred[None]:
        """Return what fires once there is time to show what is stored."""
        return self._time(self._showing)

    def _time(self, queue: deque[Deferred[None]]) -> Deferred[None]:
        if not queue and self.has_time:
            return succeed(None)
        waiting: Deferred[None] = Deferred()
        queue.append(waiting)
        return waiting

    def _next_turn(self) -> None:
        self._ends = None
        while (self._showing or self._waiting) and self.has_time:
            (self._showing or self._waiting).popleft().callback(None)
