"""
Limits: every bound that the network keeps, in one place.

Going over one ends the connection with a code, never with a stall.
"""

from typing import Generic, TypeVar

import attrs
from attrs.validators import gt

K = TypeVar("K")


@attrs.frozen
class PlaceLimits:
    """How many may be connected; an address of IPv6 is its /64 network."""

    sessions: int = attrs.field(default=1000, validator=gt(0))
    """Connections that are logged in, in all."""
    reserved: int = attrs.field(default=100, validator=gt(0))
    """So many more, for known keys alone."""
    sessions_per_address: int = attrs.field(default=64, validator=gt(0))
    """Of these from one address. So many keys are known from one address, too."""
    sessions_per_known_key: int = attrs.field(default=2, validator=gt(0))
    """Sessions of a known key that do not count for its address."""
    handshakes: int = attrs.field(default=200, validator=gt(0))
    """Connections that wait for TLS, in all, beside the sessions."""
    logins: int = attrs.field(default=200, validator=gt(0))
    """Connections that have TLS and wait for the login, in all, beside these."""
    waiting_per_address: int = attrs.field(default=64, validator=gt(0))
    """Of both from one address."""
    crowded_seconds: float = attrs.field(default=5.0, validator=gt(0))
    """From the TCP accept to the end of the login, while half of the places are taken."""
    header_seconds: float = attrs.field(default=5.0, validator=gt(0))
    """From the TCP accept to the end of the header of a proxy."""
    known_seconds: float = attrs.field(default=14 * 24 * 3600.0, validator=gt(0))
    """How long a key stays known after its last login."""
    known_keys: int = attrs.field(default=4096, validator=gt(0))
    """How many keys are known in all."""
    address_logins_at_once: float = attrs.field(default=128.0, validator=gt(0))
    """Logins of keys that are not known, from one address."""
    address_logins_per_second: float = attrs.field(default=4.0, validator=gt(0))
    """How often they may go on logging in."""
    key_logins_at_once: float = attrs.field(default=60.0, validator=gt(0))
    """Logins of one known key, from anywhere."""
    key_logins_per_second: float = attrs.field(default=1.0, validator=gt(0))
    """How often it may go on logging in."""

    @property
    def connections(self) -> int:
        """How many connections there can be at most."""
        return self.sessions + self.reserved + self.handshakes + self.logins


@attrs.frozen
class Limits:
    """What one listener allows."""

    places: PlaceLimits = attrs.field(factory=PlaceLimits)
    handshake_seconds: float = attrs.field(default=10.0, validator=gt(0))
    """From the TCP accept to the end of the TLS handshake."""
    login_seconds: float = attrs.field(default=20.0, validator=gt(0))
    """From the TCP accept to the end of the login, however the bytes trickle."""
    idle_seconds: float = attrs.field(default=75.0, validator=gt(0))
    """
    From one whole message to the next, less the time in which the server could not read; clients
    ping every 20 to 30 seconds.
    """
    close_seconds: float = attrs.field(default=5.0, validator=gt(0))
    """From our goodbye to the end of the connection."""
    unread_bytes: int = attrs.field(default=64 * 1024, validator=gt(0))
    """Bytes of one client that may wait to be dealt with before no more is read from it."""
    queue_bytes: int = attrs.field(default=1 << 20, validator=gt(0))
    """Bytes that may wait for one slow reader."""
    queue_bytes_in_all: int = attrs.field(default=24 << 20, validator=gt(0))
    """Bytes that may wait for all slow readers together; beyond, the slowest are dropped."""
    queue_streams: int = attrs.field(default=64, validator=gt(0))
    """Streams that may wait for one slow reader."""
    messages_per_second: float = attrs.field(default=50.0, validator=gt(0))
    """How fast one client may go on talking."""
    messages_at_once: float = attrs.field(default=200.0, validator=gt(0))
    """How many messages it may send in one burst."""


@attrs.define
class Bucket:
    """A token bucket: so many at once, and so many a second in the long run."""

    per_second: float
    at_once: float
    _left: float = attrs.field(init=False)
    _most: float = attrs.field(init=False)
    """How many tokens it holds; more than `at_once` for a while after it could not be asked."""
    _filled_at: float | None = attrs.field(default=None, init=False)
    _held: float = attrs.field(default=0.0, init=False)

    @_left.default
    def _full(self) -> float:
        return self.at_once

    @_most.default
    def _size(self) -> float:
        return self.at_once

    def begin(self, now: float, held: float) -> None:
        """Count what `take` is told from here on, instead of from the first time."""
        self._filled_at, self._held = now, held

    def take(self, now: float, held: float = 0.0) -> bool:
        """
        Take one token. False if there is none.

        Args:
            now: in seconds; never goes back.
            held: seconds so far in which nothing could be taken through no fault of the taker.
                The tokens of that time are not lost.
        """
        if not self.has_token(now, held):
            return False
        self._left -= 1
        return True

    def has_token(self, now: float, held: float = 0.0) -> bool:
        """Refill up to this moment; return whether `take` would succeed."""
        if self._filled_at is not None:
            passed = now - self._filled_at
            unasked = min(held - self._held, passed)
            most = self._most - (passed - unasked) * self.per_second
            self._most = max(self.at_once, most) + unasked * self.per_second
            self._left = min(self._most, self._left + passed * self.per_second)
        self._filled_at, self._held = now, held
        return self._left >= 1


@attrs.define
class Buckets(Generic[K]):
    """A bucket for each name, of those that lately took from theirs."""

    per_second: float
    at_once: float
    most: int
    """How many are kept; the one that was used longest ago is the first to be forgotten."""
    _buckets: dict[K, Bucket] = attrs.field(factory=dict, init=False, repr=False)

    def take(self, name: K, now: float) -> bool:
        """Take one token from the bucket of a name. False if there is none."""
        bucket = self._buckets.pop(name, None)
        if bucket is None:
            bucket = Bucket(self.per_second, self.at_once)
            if len(self._buckets) >= self.most:
                del self._buckets[next(iter(self._buckets))]
        self._buckets[name] = bucket
        return bucket.take(now)
