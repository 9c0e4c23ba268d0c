"""
Limits: all bounds of the network layer, in one place.

Exceeding a limit ends the connection with a code, never with a stall.
"""

from typing import Generic, TypeVar

import attrs
from attrs.validators import gt

K = TypeVar("K")


@attrs.frozen
class PlaceLimits:
    """Limits on connections. IPv6 addresses count by their /64 network."""

    sessions: int = attrs.field(default=1000, validator=gt(0))
    """Maximum number of logged-in connections."""
    reserved: int = attrs.field(default=100, validator=gt(0))
    """Maximum number of further sessions, for known keys only."""
    sessions_per_address: int = attrs.field(default=64, validator=gt(0))
    """Maximum number of sessions of one address, and of the keys known from the address."""
    sessions_per_known_key: int = attrs.field(default=2, validator=gt(0))
    """Maximum number of sessions of a known key that do not count against its address."""
    handshakes: int = attrs.field(default=200, validator=gt(0))
    """Maximum number of connections that wait for TLS."""
    logins: int = attrs.field(default=200, validator=gt(0))
    """Maximum number of connections that wait for their login."""
    waiting_per_address: int = attrs.field(default=64, validator=gt(0))
    """Maximum number of waiting connections of one address, for TLS and login together."""
    crowded_seconds: float = attrs.field(default=5.0, validator=gt(0))
    """Seconds from the TCP accept to the end of the login, while half of the places are taken."""
    header_seconds: float = attrs.field(default=5.0, validator=gt(0))
    """Seconds from the TCP accept to the end of a proxy's header."""
    known_seconds: float = attrs.field(default=14 * 24 * 3600.0, validator=gt(0))
    """Seconds that a key stays known after its last login."""
    known_keys: int = attrs.field(default=4096, validator=gt(0))
    """Maximum number of known keys."""
    address_logins_at_once: float = attrs.field(default=128.0, validator=gt(0))
    """Maximum burst of logins of unknown keys from one address."""
    address_logins_per_second: float = attrs.field(default=4.0, validator=gt(0))
    """Sustained rate of logins of unknown keys from one address."""
    key_logins_at_once: float = attrs.field(default=60.0, validator=gt(0))
    """Maximum burst of logins of one known key, from any address."""
    key_logins_per_second: float = attrs.field(default=1.0, validator=gt(0))
    """Sustained rate of logins of one known key, from any address."""

    @property
    def connections(self) -> int:
        """Maximum number of connections of all kinds."""
        return self.sessions + self.reserved + self.handshakes + self.logins


@attrs.frozen
class Limits:
    """Limits of one listener."""

    places: PlaceLimits = attrs.field(factory=PlaceLimits)
    handshake_seconds: float = attrs.field(default=10.0, validator=gt(0))
    """Seconds from the TCP accept to the end of the TLS handshake."""
    login_seconds: float = attrs.field(default=20.0, validator=gt(0))
    """Seconds from the TCP accept to the end of the login, however slowly bytes arrive."""
    idle_seconds: float = attrs.field(default=75.0, validator=gt(0))
    """
    Maximum seconds between two complete messages of a client; delays of the server do not count.

    Clients ping every 20 to 30 seconds.
    """
    close_seconds: float = attrs.field(default=5.0, validator=gt(0))
    """Seconds from our goodbye to the end of the connection."""
    unread_bytes: int = attrs.field(default=64 * 1024, validator=gt(0))
    """Unhandled bytes of one client at which the server stops reading from the client."""
    queue_bytes: int = attrs.field(default=1 << 20, validator=gt(0))
    """Maximum bytes queued for one slow reader."""
    queue_bytes_in_all: int = attrs.field(default=24 << 20, validator=gt(0))
    """Maximum bytes queued for all slow readers; above it the slowest readers are dropped."""
    queue_streams: int = attrs.field(default=64, validator=gt(0))
    """Maximum number of streams queued for one slow reader."""
    messages_per_second: float = attrs.field(default=50.0, validator=gt(0))
    """Sustained rate of messages of one client."""
    messages_at_once: float = attrs.field(default=200.0, validator=gt(0))
    """Maximum burst of messages of one client."""


@attrs.define
class Bucket:
    """A token bucket."""

    per_second: float
    at_once: float
    _left: float = attrs.field(init=False)
    _most: float = attrs.field(init=False)
    """
    Capacity in tokens. It exceeds `at_once` for a while after a time in which the server did not
    read.
    """
    _filled_at: float | None = attrs.field(default=None, init=False)
    _held: float = attrs.field(default=0.0, init=False)

    @_left.default
    def _full(self) -> float:
        return self.at_once

    @_most.default
    def _size(self) -> float:
        return self.at_once

    def begin(self, now: float, held: float) -> None:
        """Start counting time at `now` instead of at the first `take`; `held` is as for `take`."""
        self._filled_at, self._held = now, held

    def take(self, now: float, held: float = 0.0) -> bool:
        """
        Take one token; return False if there is none.

        Args:
            now: in seconds; never goes back.
            held: total seconds so far in which the server did not read. The tokens of these seconds
                are not lost.
        """
        if not self.has_token(now, held):
            return False
        self._left -= 1
        return True

    def has_token(self, now: float, held: float = 0.0) -> bool:
        """Refill up to `now`; return True if `take` would succeed."""
        if self._filled_at is not None:
            passed = now - self._filled_at
            # Nobody could use the tokens of a time without reading, so they exceed the capacity for
            # now.
            unasked = min(held - self._held, passed)
            most = self._most - (passed - unasked) * self.per_second
            self._most = max(self.at_once, most) + unasked * self.per_second
            self._left = min(self._most, self._left + passed * self.per_second)
        self._filled_at, self._held = now, held
        return self._left >= 1


@attrs.define
class Buckets(Generic[K]):
    """A bucket for each name, least recently used first."""

    per_second: float
    at_once: float
    most: int
    """Maximum number of buckets in memory; the least recently used is dropped first."""
    _buckets: dict[K, Bucket] = attrs.field(factory=dict, init=False, repr=False)

    def take(self, name: K, now: float) -> bool:
        """Take one token from the bucket of a name; return False if the bucket is empty."""
        # Removed and added again, so that the dict is in the order of last use.
        bucket = self._buckets.pop(name, None)
        if bucket is None:
            bucket = Bucket(self.per_second, self.at_once)
            if len(self._buckets) >= self.most:
                del self._buckets[next(iter(self._buckets))]
        self._buckets[name] = bucket
        return bucket.take(now)
