"""
The gate: who has a place among the connections, and who among the sessions.

A connection waits until its login is done: first for the handshake of TLS, then for the login. In
either queue there are only so many, whatever they do, and one more makes another go. In the first
it is who came first: who shakes hands is gone from it at once, so that silence only makes silence
go, from however many addresses. In the second it is who came first of the address that has most
there: to get so far costs something, and no address can take it all. So the server is never shut.

A login needs a place among the sessions. Those of a key that is not known count for its address; a
known key has a few of its own, and the last places in all are for known keys alone. What is told of
a refusal is that it is full here, or that somebody comes too often; it says nothing of others.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

import attrs

from protocol.seams import Clock, DelayedCall
from server.net.known_keys import KnownKeys
from server.net.limits import Buckets, PlaceLimits

K = TypeVar("K")

UNSAID: Final = ""
"""The address of a connection while a proxy has not said whose it is. No limit is by that one."""
_SOON_SECONDS: Final = 0.01
"""The shortest wait for a time that is due: rounding may call us a little before it."""

_DROPPED_AT_ONCE: Final = 32
"""Connections whose time is up that are dropped in one turn: everybody waits meanwhile."""


@attrs.frozen
class Refusal:
    """Why a login gets no session; both are said to the client, and are the same for everybody."""

    code: str
    reason: str


FULL: Final = Refusal("limit/connections", "the server is full; come back later")
FULL_HERE: Final = Refusal(
    "limit/connections", "too many connections from this address; come back later"
)
TOO_OFTEN: Final = Refusal("limit/logins", "too many logins; come back later")


@attrs.define(eq=False)
class Place:
    """What one connection has."""

    network: str
    """Which address it counts for, as `network_of` gives it; or UNSAID."""
    drop: Callable[[], None] = attrs.field(repr=False)
    """Ends the connection now. What it calls may `leave`, also at once."""
    arrived_at: float
    own_key: bytes | None = attrs.field(default=None, repr=False)
    """The known key of whose few sessions it is one; None for all that count for their address."""


@attrs.define(eq=False)
class _Queue:
    """Connections that wait for the same, in the order in which they came, and by address."""

    places: dict[Place, None] = attrs.field(factory=dict)
    at: Counter[str] = attrs.field(factory=Counter)

    def __len__(self) -> int:
        return len(self.places)

    def add(self, place: Place) -> None:
        self.places[place] = None
        self.at[place.network] += 1

    def remove(self, place: Place) -> None:
        del self.places[place]
        _count_down(self.at, place.network)

    def first_of_most(self) -> Place:
        """Return who came first from an address that has as many here as any."""
        most = max(self.at.values())
        return next(place for place in self.places if self.at[place.network] == most)


@attrs.define(eq=False)
class Gate:
    """Counts connections and sessions against the limits."""

    limits: PlaceLimits
    clock: Clock
    _shaking: _Queue = attrs.field(factory=_Queue, init=False, repr=False)
    """TLS is not there; with them connections of proxies whose header is not."""
    _logging_in: _Queue = attrs.field(factory=_Queue, init=False, repr=False)
    """TLS is there."""
    _sessions: set[Place] = attrs.field(factory=set, init=False, repr=False)
    _sessions_at: Counter[str] = attrs.field(factory=Counter, init=False, repr=False)
    """By address, of those that are no known key's own."""
    _own: Counter[bytes] = attrs.field(factory=Counter, init=False, repr=False)
    _known: KnownKeys = attrs.field(init=False, repr=False)
    _logins_at: Buckets[str] = attrs.field(init=False, repr=False)
    _logins_of: Buckets[bytes] = attrs.field(init=False, repr=False)
    _timer: DelayedCall | None = attrs.field(default=None, init=False, repr=False)
    """Runs while anybody waits and it is crowded."""

    def __attrs_post_init__(self) -> None:
        limits = self.limits
        self._known = KnownKeys(
            limits.known_keys, limits.sessions_per_address, limits.known_seconds
        )
        self._make_buckets()

    def _make_buckets(self) -> None:
        limits = self.limits
        self._logins_at = Buckets(
            limits.address_logins_per_second, limits.address_logins_at_once, limits.known_keys
        )
        self._logins_of = Buckets(
            limits.key_logins_per_second, limits.key_logins_at_once, limits.known_keys
        )

    def take(self, limits: PlaceLimits) -> None:
        """Go by other limits from now on; nobody who has a place loses it for that."""
        before, self.limits = self.limits, limits
        known = self._known
        known.in_all, known.per_network = limits.known_keys, limits.sessions_per_address
        known.seconds = limits.known_seconds
        # Who came too often is not forgiven by a change of something else.
        if limits != before:
            self._make_buckets()
        self._watch()

    @property
    def waiting_count(self) -> int:
        """How many connections have not logged in."""
        return len(self._shaking) + len(self._logging_in)

    @property
    def session_count(self) -> int:
        """How many have."""
        return len(self._sessions)

    @property
    def is_crowded(self) -> bool:
        """Whether half of the places are taken, of any kind."""
        limits = self.limits
        places = (
            (len(self._shaking), limits.handshakes),
            (len(self._logging_in), limits.logins),
            (len(self._sessions), limits.sessions),
        )
        return any(2 * taken >= limit for taken, limit in places)

    def enter(self, network: str, drop: Callable[[], None]) -> Place:
        """
        Give a place to a connection that has come; another may be dropped for it.

        Args:
            network: see `Place`.
            drop: see `Place`.
        """
        place = Place(network, drop, self.clock.seconds())
        self._shaking.add(place)
        here = self._shaking.at[network] + self._logging_in.at[network]
        if network != UNSAID and here > self.limits.waiting_per_address:
            waiting = (each for each in self._all_waiting() if each.network == network)
            self._drop(min(waiting, key=lambda each: each.arrived_at))
        elif len(self._shaking) > self.limits.handshakes:
            self._drop(next(iter(self._shaking.places)))
        self._watch()
        return place

    def shook_hands(self, place: Place) -> None:
        """Note that TLS is there on a connection; another may be dropped for it."""
        if place not in self._shaking.places:
            return
        self._shaking.remove(place)
        self._logging_in.add(place)
        if len(self._logging_in) > self.limits.logins:
            self._drop(self._logging_in.first_of_most())
        self._watch()

    def log_in(self, place: Place, key: bytes) -> Refusal | None:
        """
        Make a session of a connection that has TLS.

        Returns:
            None, or why there is no place for it; then it goes on waiting, for its end.
        """
        if place not in self._logging_in.places:
            # It made way while what it said waited to be dealt with.
            return FULL
        now = self.clock.seconds()
        is_known = self._known.knows(key, now)
        if not self._may_log_in(place, key, now, is_known=is_known):
            return TOO_OFTEN
        limits = self.limits
        if len(self._sessions) >= limits.sessions + (limits.reserved if is_known else 0):
            return FULL
        is_own = is_known and self._own[key] < limits.sessions_per_known_key
        if not is_own and self._sessions_at[place.network] >= limits.sessions_per_address:
            return FULL_HERE
        self._logging_in.remove(place)
        self._begin(place, key if is_own else None)
        self._known.saw(key, place.network, now)
        self._watch()
        return None

    def leave(self, place: Place) -> None:
        """Free the place of a connection that has ended. Does nothing the second time."""
        if place in self._shaking.places:
            self._shaking.remove(place)
        elif place in self._logging_in.places:
            self._logging_in.remove(place)
        elif place in self._sessions:
            self._sessions.remove(place)
            if place.own_key is None:
                _count_down(self._sessions_at, place.network)
            else:
                _count_down(self._own, place.own_key)
        self._watch()

    def _all_waiting(self) -> Iterator[Place]:
        """Give every connection that waits; who has come this moment is the last."""
        yield from self._logging_in.places
        yield from self._shaking.places

    def _may_log_in(self, place: Place, key: bytes, now: float, *, is_known: bool) -> bool:
        if is_known:
            return self._logins_of.take(key, now)
        return self._logins_at.take(place.network, now)

    def _begin(self, place: Place, own_key: bytes | None) -> None:
        place.own_key = own_key
        self._sessions.add(place)
        if own_key is None:
            self._sessions_at[place.network] += 1
        else:
            self._own[own_key] += 1

    def _drop(self, place: Place) -> None:
        self.leave(place)
        place.drop()

    def _watch(self) -> None:
        """See to it that nobody waits for long while it is crowded."""
        if not self.waiting_count or not self.is_crowded:
            if self._timer is not None and self._timer.active():
                self._timer.cancel()
            self._timer = None
        elif self._timer is None:
            first = min(place.arrived_at for place in self._all_waiting())
            left = first + self.limits.crowded_seconds - self.clock.seconds()
            self._timer = self.clock.callLater(max(_SOON_SECONDS, left), self._drop_overdue)

    def _drop_overdue(self) -> None:
        self._timer = None
        latest = self.clock.seconds() - self.limits.crowded_seconds
        overdue = (place for place in self._all_waiting() if place.arrived_at <= latest)
        for place in tuple(itertools.islice(overdue, _DROPPED_AT_ONCE)):
            self._drop(place)
        self._watch()


def _count_down(counter: Counter[K], name: K) -> None:
    counter[name] -= 1
    if not counter[name]:
        del counter[name]
