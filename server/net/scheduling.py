"""
Scheduling: who is worked for next, and how much is done before the reactor polls again.

Work comes in two lanes. `urgent` is what somebody waits for; `background` is long work in short
steps, such as exports and the earlier records of a table. In each lane networks take turns, and so
do the parties of one network: a flood delays whoever sent it, and others by one piece of work.
No piece of work is interrupted, so each must be short by itself.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocol.seams import Clock, DelayedCall

URGENT_SECONDS: Final = 0.004
"""After so long in one turn of the reactor, no more urgent work is begun."""
BACKGROUND_SECONDS: Final = 0.001
"""The same for background work, of which one piece is done in each turn, however busy it is."""

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
    """Does the work of all connections of one server."""

    clock: Clock
    seconds: Callable[[], float] = time.perf_counter
    """By what the work of one turn is measured."""
    _urgent: _Lane = attrs.field(factory=_Lane, init=False)
    _background: _Lane = attrs.field(factory=_Lane, init=False)
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
        self.urgent(party, lambda: come.callback(None))
        return come

    def _wake(self) -> None:
        if self._due is None:
            self._due = self.clock.callLater(0, self._turn)

    def _turn(self) -> None:
        """Do what fits into one turn of the reactor."""
        try:
            self._work_on(self._urgent, URGENT_SECONDS)
            self._work_on(self._background, BACKGROUND_SECONDS)
        finally:
            self._due = None
            if self._urgent or self._background:
                self._wake()

    def _work_on(self, lane: _Lane, seconds: float) -> None:
        began = self.seconds()
        while lane:
            self._do(lane.take())
            if self.seconds() - began >= seconds:
                return

    def _do(self, work: Work) -> None:
        try:
            work()
        except Exception:  # noqa: BLE001 (the work of others goes on)
            self._log.failure("a piece of work failed")
