"""
The gate: admits connections and logins within the limits.

A connection waits in two queues: for the TLS handshake, then for the login. Both are bounded, and a
newcomer to a full queue evicts another connection. The first queue evicts its oldest: an honest
client leaves this queue within milliseconds, so only silent connections are evicted, from however
many addresses they come. The second evicts the oldest of the address with most connections in the
queue: a handshake costs something, and no address can fill the queue. So a flood never shuts the
server.

A login needs a session. Sessions of an unknown key count against its address; a known key has a few
of its own, and the last sessions are reserved for known keys. A refusal says only that the server
is full, or that the login comes too often; it says nothing about others.
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
"""Network of a connection whose proxy header has not come. No limit counts it."""
_SOON_SECONDS: Final = 0.01
"""Minimum delay of a timer, in seconds: rounding may fire a timer a little early."""

_DROPPED_AT_ONCE: Final = 32
"""Maximum number of overdue connections dropped in one turn of the reactor."""


@attrs.frozen
class Refusal:
    """Reason for refusing a login, as sent to the client; the same text for all clients."""

    code: str
    reason: str


FULL: Final = Refusal("limit/connections", "the server is full; come back later")
FULL_HERE: Final = Refusal(
    "limit/connections", "too many connections from this address; come back later"
)
TOO_OFTEN: Final = Refusal("limit/logins", "too many logins; come back later")


@attrs.define(eq=False)
class Place:
    """Entry of one connection at the gate."""

    network: str
    """Network whose limits count the connection, from `network_of`; or UNSAID."""
    drop: Callable[[], None] = attrs.field(repr=False)
    """Ends the connection; may call `leave` before it returns."""
    arrived_at: float
    own_key: bytes | None = attrs.field(default=None, repr=False)
    """Known key whose limits count the session; None if the session counts against the network's
    limits."""


@attrs.define(eq=False)
class _Queue:
    """Waiting connections in order of arrival, indexed by network."""

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
        """Return the oldest connection of the network with the most connections in this queue."""
        most = max(self.at.values())
        return next(place for place in self.places if self.at[place.network] == most)


@attrs.define(eq=False)
class Gate:
    """Counts connections and sessions against the limits."""

    limits: PlaceLimits
    clock: Clock
    _shaking: _Queue = attrs.field(factory=_Queue, init=False, repr=False)
    """Connections that wait for TLS, or for the header of a proxy."""
    _logging_in: _Queue = attrs.field(factory=_Queue, init=False, repr=False)
    """Connections that wait for the login."""
    _sessions: set[Place] = attrs.field(factory=set, init=False, repr=False)
    _sessions_at: Counter[str] = attrs.field(factory=Counter, init=False, repr=False)
    """Number of sessions by network, without those counted for a known key."""
    _own: Counter[bytes] = attrs.field(factory=Counter, init=False, repr=False)
    _known: KnownKeys = attrs.field(init=False, repr=False)
    _logins_at: Buckets[str] = attrs.field(init=False, repr=False)
    _logins_of: Buckets[bytes] = attrs.field(init=False, repr=False)
    _timer: DelayedCall | None = attrs.field(default=None, init=False, repr=False)
    """Timer that drops overdue connections; None while the server is not crowded."""

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

    def apply_limits(self, limits: PlaceLimits) -> None:
        """Replace the limits; present connections keep their places."""
        before, self.limits = self.limits, limits
        known = self._known
        known.in_all, known.per_network = limits.known_keys, limits.sessions_per_address
        known.seconds = limits.known_seconds
        # Unchanged limits keep their buckets: else each reload would grant everybody a full budget.
        if limits != before:
            self._make_buckets()
        self._watch()

    @property
    def waiting_count(self) -> int:
        """Number of connections that have not logged in."""
        return len(self._shaking) + len(self._logging_in)

    @property
    def session_count(self) -> int:
        """Number of connections that have logged in."""
        return len(self._sessions)

    @property
    def is_crowded(self) -> bool:
        """True if half of the places for handshakes, for logins or for sessions are taken."""
        limits = self.limits
        places = (
            (len(self._shaking), limits.handshakes),
            (len(self._logging_in), limits.logins),
            (len(self._sessions), limits.sessions),
        )
        return any(2 * taken >= limit for taken, limit in places)

    def enter(self, network: str, drop: Callable[[], None]) -> Place:
        """
        Admit a new connection.

        If the queue is full, or the network has too many waiting connections, the oldest of these
        is dropped.

        Args:
            network: see `Place`.
            drop: see `Place`.
        """
        place = Place(network, drop, self.clock.seconds())
        self._shaking.add(place)
        here = self._shaking.at[network] + self._logging_in.at[network]
        if network != UNSAID and here > self.limits.waiting_per_address:
            # The oldest of the same address: no other address pays for this one.
            waiting = (each for each in self._all_waiting() if each.network == network)
            self._drop(min(waiting, key=lambda each: each.arrived_at))
        elif len(self._shaking) > self.limits.handshakes:
            self._drop(next(iter(self._shaking.places)))
        self._watch()
        return place

    def shook_hands(self, place: Place) -> None:
        """Move a connection to the queue for logins; a full queue drops another connection."""
        if place not in self._shaking.places:
            return
        self._shaking.remove(place)
        self._logging_in.add(place)
        if len(self._logging_in) > self.limits.logins:
            self._drop(self._logging_in.first_of_most())
        self._watch()

    def log_in(self, place: Place, key: bytes) -> Refusal | None:
        """
        Count a connection as a session.

        Returns:
            None, or the refusal; the caller then ends the connection.
        """
        if place not in self._logging_in.places:
            # It was evicted while its login waited in the scheduler.
            return FULL
        now = self.clock.seconds()
        is_known = self._known.knows(key, now)
        if not self._may_log_in(place, key, now, is_known=is_known):
            return TOO_OFTEN
        limits = self.limits
        # Strangers cannot fill the reserved places, so known keys get in even during a flood.
        if len(self._sessions) >= limits.sessions + (limits.reserved if is_known else 0):
            return FULL
        is_own = is_known and self._own[key] < limits.sessions_per_known_key
        if not is_own and self._sessions_at[place.network] >= limits.sessions_per_address:
            return FULL_HERE
        self._logging_in.remove(place)
        own_key = key if is_own else None
        place.own_key = own_key
        self._sessions.add(place)
        if own_key is None:
            self._sessions_at[place.network] += 1
        else:
            self._own[own_key] += 1
        self._known.saw(key, place.network, now)
        self._watch()
        return None

    def leave(self, place: Place) -> None:
        """Free the place of a connection that has ended. Idempotent."""
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
        """Yield the waiting connections: those that wait for their login, then those for TLS."""
        yield from self._logging_in.places
        yield from self._shaking.places

    def _may_log_in(self, place: Place, key: bytes, now: float, *, is_known: bool) -> bool:
        # Known keys have a bucket of their own, which strangers at their address cannot empty.
        if is_known:
            return self._logins_of.take(key, now)
        return self._logins_at.take(place.network, now)

    def _drop(self, place: Place) -> None:
        # In this order: `drop` may end the connection, which then leaves once more.
        self.leave(place)
        place.drop()

    def _watch(self) -> None:
        """Arm the timer that drops overdue connections while the server is crowded."""
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
        # A copy, since dropping changes the queues.
        for place in tuple(itertools.islice(overdue, _DROPPED_AT_ONCE)):
            self._drop(place)
        self._watch()


def _count_down(counter: Counter[K], name: K) -> None:
    counter[name] -= 1
    if not counter[name]:
        del counter[name]
