"""
Frames: payloads on a stream of bytes.

A frame is the length of its payload as four bytes, big-endian, and the payload. The decoder refuses
a length over its limit as soon as it has the four bytes, so a peer cannot make it buffer more than
one permitted frame.
"""

import attrs

from protocol.errors import Malformed, OverLimit

LENGTH_BYTES = 4
"""Number of bytes of the length before each payload."""

# What a stranger can make a server buffer on each connection.
LIMIT_BEFORE_LOGIN = 4 * 1024
"""Maximum bytes of one payload before the login."""

LIMIT_AFTER_LOGIN = 64 * 1024
"""Maximum bytes of one payload after the login."""


def encode_frame(payload: bytes, *, limit: int = LIMIT_AFTER_LOGIN) -> bytes:
    """
    Return a payload with its length in front.

    Raises:
        ValueError: the payload is empty or longer than the limit, so no peer would accept it.
    """
    if not 0 < len(payload) <= limit:
        raise ValueError(f"a payload of {len(payload)} bytes; the limit is {limit}")
    return len(payload).to_bytes(LENGTH_BYTES, "big") + payload


@attrs.define
class FrameDecoder:
    """
    Splits a stream of bytes into payloads.

    After an error the decoder stays broken and raises the same error again: there is no way to
    resynchronise a stream whose lengths are wrong.
    """

    limit: int = LIMIT_BEFORE_LOGIN
    """Maximum bytes of one payload."""
    _buffer: bytearray = attrs.field(factory=bytearray, init=False, repr=False)
    _broken: OverLimit | Malformed | None = attrs.field(default=None, init=False, repr=False)

    @property
    def waiting_bytes(self) -> int:
        """Number of buffered bytes that are not a whole frame yet."""
        return len(self._buffer)

    def raise_limit(self, limit: int) -> None:
        """Allow longer payloads, from the next frame on. ValueError if the limit is lower."""
        if limit < self.limit:
            raise ValueError("a limit is raised, never lowered")
        self.limit = limit

    def feed(self, data: bytes) -> list[bytes]:
        """
        Add received bytes and return all payloads that are complete now, in order.

        Use `feed_one` where a payload may change the limit for the next one.

        Raises:
            OverLimit: a length is over the limit. Complete payloads before it are lost.
            Malformed: a payload is empty.
        """
        self._buffer += data
        payloads = []
        while (payload := self.feed_one()) is not None:
            payloads.append(payload)
        return payloads

    def feed_one(self, data: bytes = b"") -> bytes | None:
        """
        Add received bytes and return the first complete payload; None if there is none.

        Raises as `feed`.
        """
        self._buffer += data
        if self._broken is not None:
            raise self._broken
        if len(self._buffer) < LENGTH_BYTES:
            return None
        length = int.from_bytes(self._buffer[:LENGTH_BYTES], "big")
        if not 0 < length <= self.limit:
            # A peer that violates the protocol must not occupy memory until it disconnects.
            self._buffer.clear()
            if length:
                self._broken = OverLimit(f"a frame of {length} bytes; the limit is {self.limit}")
            else:
                self._broken = Malformed("an empty frame")
            raise self._broken
        end = LENGTH_BYTES + length
        if len(self._buffer) < end:
            return None
        payload = bytes(self._buffer[LENGTH_BYTES:end])
        del self._buffer[:end]
        return payload
