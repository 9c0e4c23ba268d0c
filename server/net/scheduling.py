"""
Scheduling: the order of work, and how much is done before the reactor polls again.

One turn of the reactor has `TURN_SECONDS` for all work. Stored batches that only have to be shown
come first. Then parts of long work, such as the rules after an answer, alternate with urgent work:
a part runs at once while the turn has time, otherwise it is queued. Background work is long work
that nobody waits for, such as exports, snapshots and the earlier records of a table, in short
steps. Urgent and background work is served round-robin by network, and within a network by party: a
flood delays its own sender, and others by one piece of work. Work is not interrupted, so each piece
must be short by itself.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Generator
from functools import partial
from typing import Final, TypeVar

import attrs
from twisted.internet.defer import Deferred, succeed
from twisted.logger import Logger

from protocol.seams import Clock, DelayedCall

TURN_SECONDS: Final = 0.0025
"""Time budget of one turn. A piece of work that has begun is always finished."""
BACKGROUND_SECONDS: Final = 0.0005
"""Time after which a turn begins no more background work; each turn does at least one piece."""

T = TypeVar("T")
Work = Callable[[], object]


@attrs.frozen
class Party:
    """Owner of work; each owner gets a fair share."""

    network: str
    """Network of the connection; empty for this process itself."""
    who: object = attrs.field(repr=False)
    """A connection of that network."""


@attrs.define(eq=False)
class _Lane:
    """Queued work by network, then by party, oldest first."""

    _networks: OrderedDict[str, OrderedDict[object, deque[Work]]] = attrs.field(
        factory=OrderedDict, init=False
    )

    def __bool__(self) -> bool:
        return bool(self._networks)

    def add(self, party: Party, work: Work) -> None:
        """Queue work behind all other work of its party."""
        parties = self._networks.setdefault(party.network, OrderedDict())
        parties.setdefault(party.who, deque()).append(work)

    def take(self) -> Work:
        """Remove and return the next piece of work; its network and its party move to the end."""
        network, parties = self._networks.popitem(last=False)
        who, waiting = parties.popitem(last=False)
        work = waiting.popleft()
        if waiting:
            parties[who] = waiting
        if parties:
            self._networks[network] = parties
        return work


@attrs.define(eq=False)
class FairScheduler:
    """Runs the work of all connections and tables of one server."""

    clock: Clock
    seconds: Callable[[], float] = time.perf_counter
    """Clock that measures the work of one turn, in seconds."""
    _shown: deque[Deferred[None]] = attrs.field(factory=deque, init=False)
    _parts: deque[Deferred[None]] = attrs.field(factory=deque, init=False)
    _urgent: _Lane = attrs.field(factory=_Lane, init=False)
    _background: _Lane = attrs.field(factory=_Lane, init=False)
    _was_part: bool = attrs.field(default=False, init=False)
    """True if a part was done last, so that urgent work is next."""
    _began: float | None = attrs.field(default=None, init=False)
    """Start of the present turn; None before any work was done in it."""
    _due: DelayedCall | None = attrs.field(default=None, init=False)
    _log = Logger()

    def urgent(self, party: Party, work: Work) -> None:
        """Queue work that somebody waits for; it never runs within this call."""
        self._urgent.add(party, work)
        self._wake()

    def background(self, party: Party, work: Work) -> None:
        """Queue a short step of long work; it never runs within this call."""
        self._background.add(party, work)
        self._wake()

    def turn_of(self, party: Party) -> Deferred[None]:
        """Queue urgent work of a party; return a Deferred that fires when its turn has come."""
        come: Deferred[None] = Deferred()
        self.urgent(party, partial(come.callback, None))
        return come

    @property
    def has_time(self) -> bool:
        """True if the present turn has time left. The first call in a turn starts its clock."""
        now = self.seconds()
        if self._began is None:
            self._began = now
            self._wake()
        return now - self._began < TURN_SECONDS

    def time(self) -> Deferred[None]:
        """Return a Deferred that fires once the scheduler has time for a part of long work."""
        return self._time(self._parts)

    def time_to_show(self) -> Deferred[None]:
        """Return a Deferred that fires once the scheduler has time to show a stored batch."""
        return self._time(self._shown)

    def _time(self, row: deque[Deferred[None]]) -> Deferred[None]:
        if not row and self.has_time:
            return succeed(None)
        waiting: Deferred[None] = Deferred()
        row.append(waiting)
        self._wake()
        return waiting

    async def run(self, steps: Generator[None, None, T]) -> T:
        """Run all steps of some work, spread over turns; return its result."""
        await self.time()
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            if not self.has_time:
                await self.time()

    async def run_in_background(self, party: Party, steps: Generator[None, None, T]) -> T:
        """Run all steps of some work as background work; return its result."""
        while True:
            come: Deferred[None] = Deferred()
            self.background(party, partial(come.callback, None))
            await come
            try:
                next(steps)
            except StopIteration as end:
                result: T = end.value
                return result

    def _wake(self) -> None:
        if self._due is None:
            self._due = self.clock.callLater(0, self._turn)

    def _turn(self) -> None:
        """Run the work of one turn of the reactor."""
        if self._began is None:
            self._began = self.seconds()
        try:
            while self._is_awaited:
                self._do(self._next())
                if not self.has_time:
                    break
            # At least one piece, so that awaited work cannot starve the background.
            began = self.seconds()
            while self._background:
                self._do(self._background.take())
                if self.seconds() - began >= BACKGROUND_SECONDS:
                    break
        finally:
            self._due = self._began = None
            if self._is_awaited or self._background:
                self._wake()

    @property
    def _is_awaited(self) -> bool:
        """True if a batch to show, a part of long work or urgent work is queued."""
        return bool(self._shown or self._parts or self._urgent)

    def _next(self) -> Work:
        """Remove and return the next piece of the work that somebody waits for."""
        if self._shown:
            return partial(self._shown.popleft().callback, None)
        # Parts and urgent work alternate, so that neither can starve the other.
        self._was_part = bool(self._parts) and not (self._was_part and self._urgent)
        if self._was_part:
            return partial(self._parts.popleft().callback, None)
        return self._urgent.take()

    def _do(self, work: Work) -> None:
        try:
            work()
        except Exception:  # noqa: BLE001 (the work of others goes on)
            self._log.failure("a piece of work failed")
