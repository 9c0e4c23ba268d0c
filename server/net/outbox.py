"""
The outbox: the bounded queue of messages to one reader.

The queue holds payloads; streams make their next payload only when it can be sent, so that a long
log costs no memory while its reader is slow.
"""

import operator
from collections import deque
from collections.abc import Callable, Iterator

import attrs


class Overflow(Exception):
    """The queue exceeds the limits: the reader is too slow."""


@attrs.define(eq=False)
class Outbox:
    """A queue of payloads and streams of payloads."""

    max_bytes: int
    max_streams: int
    waiting_bytes: int = attrs.field(default=0, init=False)
    """Bytes of the queued payloads."""
    _waiting_streams: int = attrs.field(default=0, init=False)
    _items: deque[bytes | Iterator[bytes]] = attrs.field(factory=deque, init=False, repr=False)

    def __bool__(self) -> bool:
        return bool(self._items)

    @property
    def has_streams(self) -> bool:
        return self._waiting_streams > 0

    @property
    def has_stream_next(self) -> bool:
        """True if a stream has to make the next payload."""
        return bool(self._items) and not isinstance(self._items[0], bytes)

    def put(self, payload: bytes) -> None:
        """Queue a payload. Overflow: the limit of bytes is exceeded, and nothing is queued."""
        if self.waiting_bytes + len(payload) > self.max_bytes:
            raise Overflow(f"{self.waiting_bytes} bytes wait")
        self.waiting_bytes += len(payload)
        self._items.append(payload)

    def put_stream(self, payloads: Iterator[bytes]) -> None:
        """Queue a stream. Overflow: the limit of streams is exceeded, and nothing is queued."""
        if self._waiting_streams == self.max_streams:
            raise Overflow(f"{self._waiting_streams} streams wait")
        self._waiting_streams += 1
        self._items.append(payloads)

    def take(self) -> bytes | None:
        """Return the next payload; None if nothing is queued. Exceptions of a stream propagate."""
        while self._items:
            first = self._items[0]
            if isinstance(first, bytes):
                self._items.popleft()
                self.waiting_bytes -= len(first)
                return first
            # A stream stays first in the queue until it is exhausted.
            payload = next(first, None)
            if payload is not None:
                return payload
            self._items.popleft()
            self._waiting_streams -= 1
        return None

    def clear(self) -> None:
        self._items.clear()
        self.waiting_bytes = 0
        self._waiting_streams = 0


@attrs.define
class Backlog:
    """
    The bytes queued in all outboxes together.

    Above the limit, the fullest outbox is dropped first, whichever grew last: a reader who keeps up
    must not lose the connection because of a slow one.
    """

    max_bytes: int
    waiting_bytes: int = attrs.field(default=0, init=False)
    """Bytes in all outboxes, as last noted."""
    _held: dict[Outbox, tuple[int, Callable[[], None]]] = attrs.field(
        factory=dict, init=False, repr=False
    )
    """Bytes of each outbox that is not empty, and the callback that drops its reader."""

    def note(self, outbox: Outbox, drop: Callable[[], None]) -> None:
        """
        Count an outbox that has changed, and drop readers until the limit holds.

        Args:
            outbox: the outbox that has changed.
            drop: ends the session of its reader, and clears and notes the outbox.
        """
        before, _ = self._held.pop(outbox, (0, drop))
        self.waiting_bytes += outbox.waiting_bytes - before
        if outbox.waiting_bytes:
            self._held[outbox] = (outbox.waiting_bytes, drop)
        # Each drop clears an outbox and notes it, so the total shrinks.
        while self.waiting_bytes > self.max_bytes:
            _, drop_greediest = max(self._held.values(), key=operator.itemgetter(0))
            drop_greediest()
