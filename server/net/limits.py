"""
Limits: every bound that the network keeps, in one place.

Going over one ends the connection with a code, never with a stall.
"""

import attrs
from attrs.validators import gt


@attrs.frozen
class Limits:
    """What one listener allows."""

    connections: int = attrs.field(default=1000, validator=gt(0))
    """Connections in all, logged in or not."""
    connections_per_address: int = attrs.field(default=64, validator=gt(0))
    """Connections from one address; for IPv6 from one /64 network."""
    handshake_seconds: float = attrs.field(default=10.0, validator=gt(0))
    """From the TCP accept to the end of the TLS handshake."""
    login_seconds: float = attrs.field(default=20.0, validator=gt(0))
    """From the TCP accept to the end of the login, however the bytes trickle."""
    idle_seconds: float = attrs.field(default=75.0, validator=gt(0))
    """From one whole message to the next; clients ping every 20 to 30 seconds."""
    close_seconds: float = attrs.field(default=5.0, validator=gt(0))
    """From our goodbye to the end of the connection."""
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
    _filled_at: float | None = attrs.field(default=None, init=False)

    @_left.default
    def _full(self) -> float:
        return self.at_once

    def take(self, now: float) -> bool:
        """Take one token. False if there is none; `now` is in seconds and never goes back."""
        if self._filled_at is not None:
            gained = (now - self._filled_at) * self.per_second
            self._left = min(self.at_once, self._left + gained)
        self._filled_at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
