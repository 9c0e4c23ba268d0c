"""
Scheduling: who is worked for next, and how much is done before the reactor polls again.

One turn of the reactor has `TURN_SECONDS` for all work. What is stored and only has to be shown
comes first. Then parts of long work, such as the rules after an answer, and urgent work take turns:
a part goes on at once while the turn has time, else it waits in a row. Background work is long work
that nobody waits for, such as exports, snapshots and the earlier records of a table, in short
steps. In urgent and in background work networks take turns, and so do the parties of one network:
a flood delays whoever sent it, and others by one piece of work. No piece of work is interrupted, so
each must be short by itself.
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
"""After so long a turn has no time left. A piece that has begun is finished all the same."""
BACKGROUND_SECONDS: Final = 0.0005
"""After so long no more background work is begun. One piece is done in each turn, however busy."""

T = TypeVar("T")
Work = Callable[[], object]


@attrs.frozen
class Party:
    """For whom work is done."""

    network: str
    """What counts as one address; empty for this process itself."""
    who: object = attrs.field(repr=False)
    """One connection of that network."""


@attrs.define(eq=False)
class _Lane:
    """Work that waits: by network, by party, in the order in which it came."""

    _networks: OrderedDict[str, OrderedDict[object, deque[Work]]] = attrs.field(
        factory=OrderedDict, init=False
    )

    def __bool__(self) -> bool:
        return bool(self._networks)

    def add(self, party: Party, work: Work) -> None:
        """Have work done after all that this party gave before."""
        parties = self._networks.setdefault(party.network, OrderedDict())
        parties.setdefault(party.who, deque()).append(work)

    def take(self) -> Work:
        """Take the next piece of work; its network and its party have their next turn last."""
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
    """Does the work of all connections and tables of one server."""

    clock: Clock
    seconds: Callable[[], float] = time.perf_counter
    """By what the work of one turn is measured."""
    _shown: deque[Deferred[None]] = attrs.field(factory=deque, init=False)
    _parts: deque[Deferred[None]] = attrs.field(factory=deque, init=False)
    _urgent: _Lane = attrs.field(factory=_Lane, init=False)
    _background: _Lane = attrs.field(factory=_Lane, init=False)
    _was_part: bool = attrs.field(default=False, init=False)
    """Whether a part was done last, so that urgent work is next."""
    _began: float | None = attrs.field(default=None, init=False)
    """When this turn began; None before anything was done in it."""
    _due: DelayedCall | None = attrs.field(default=None, init=False)
    _log = Logger()

    def urgent(self, party: Party, work: Work) -> None:
        """Have work done that somebody waits for; never within this call."""
        self._urgent.add(party, work)
        self._wake()

    def background(self, party: Party, work: Work) -> None:
        """Have a short step of long work done; never within this call."""
        self._background.add(party, work)
        self._wake()

    def turn_of(self, party: Party) -> Deferred[None]:
        """Return what fires when it is the turn of a party to have urgent work done."""
        come: Deferred[None] = Deferred()
        self.urgent(party, partial(come.callback, None))
        return come

    @property
    def has_time(self) -> bool:
        """Whether this turn has time left."""
        now = self.seconds()
        if self._began is None:
            self._began = now
            self._wake()
        return now - self._began < TURN_SECONDS

    def time(self) -> Deferred[None]:
        """Return what fires once there is time for a part of some work."""
        return self._time(self._parts)

    def time_to_show(self) -> Deferred[None]:
        """Return what fires once there is time to show what is stored."""
        return self._time(self._shown)

    def _time(self, row: deque[Deferred[None]]) -> Deferred[None]:
        if not row and self.has_time:
            return succeed(None)
        waiting: Deferred[None] = Deferred()
        row.append(waiting)
        self._wake()
        return waiting

    async def run(self, steps: Generator[None, None, T]) -> T:
        """Take all steps of some work, in as many turns as it takes; return what it returns."""
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
        """Take all steps of some work, each when nobody waits; return what it returns."""
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
        """Do what fits into one turn of the reactor."""
        if self._began is None:
            self._began = self.seconds()
        try:
            while self._is_awaited:
                self._do(self._next())
                if not self.has_time:
                    break
            self._do_background()
        finally:
            self._due = self._began = None
            if self._is_awaited or self._background:
                self._wake()

    @property
    def _is_awaited(self) -> bool:
        """Whether there is work that somebody waits for."""
        return bool(self._shown or self._parts or self._urgent)

    def _next(self) -> Work:
        """Take what is next of the work that somebody waits for."""
        if self._shown:
            return partial(self._shown.popleft().callback, None)
        self._was_part = bool(self._parts) and not (self._was_part and self._urgent)
        if self._was_part:
            return partial(self._parts.popleft().callback, None)
        return self._urgent.take()

    def _do_background(self) -> None:
        """Do a piece of background work, and more as long as there is time for it."""
        began = self.seconds()
        while self._background:
            self._do(self._background.take())
            if self.seconds() - began >= BACKGROUND_SECONDS:
                return

    def _do(self, work: Work) -> None:
        try:
            work()
        except Exception:  # noqa: BLE001 (the work of others goes on)
            self._log.failure("a piece of work failed")
