"""
Frames: how one payload is told from the next on a stream of bytes.

A frame is its payload's length as four bytes, big end first, and then the payload. The reader
refuses a length over its limit as soon as it has seen the four bytes, so that nobody can make it
hold more than one permitted frame.
"""

import attrs

from protocol.errors import Malformed, OverLimit

LENGTH_BYTES = 4
"""Bytes of the length in front of each payload."""

LIMIT_BEFORE_LOGIN = 4 * 1024
"""Bytes of payload that a peer may send before the login is done."""

LIMIT_AFTER_LOGIN = 64 * 1024
"""Bytes of payload that a peer may send after it."""


def encode_frame(payload: bytes, *, limit: int = LIMIT_AFTER_LOGIN) -> bytes:
    """Put the length in front of a payload. ValueError for what no peer would accept."""
    if not 0 < len(payload) <= limit:
        raise ValueError(f"a payload of {len(payload)} bytes; the limit is {limit}")
    return len(payload).to_bytes(LENGTH_BYTES, "big") + payload


@attrs.define
class FrameDecoder:
    """
    Cuts a stream of bytes into payloads.

    After an error the decoder stays broken and raises the same error again: a stream that lost
    its frames cannot be found back into.
    """

    limit: int = LIMIT_BEFORE_LOGIN
    """Bytes that one payload may have."""
    _buffer: bytearray = attrs.field(factory=bytearray, init=False, repr=False)
    _broken: OverLimit | Malformed | None = attrs.field(default=None, init=False, repr=False)

    @property
    def waiting_bytes(self) -> int:
        """How many bytes of an unfinished frame are held."""
        return len(self._buffer)

    def raise_limit(self, limit: int) -> None:
        """Allow longer payloads from the next frame on. ValueError for a lower limit."""
        if limit < self.limit:
            raise ValueError("a limit is raised, never lowered")
        self.limit = limit

    def feed(self, data: bytes) -> list[bytes]:
        """
        Take what arrived and return the payloads that are whole now, in order.

        All frames of one call are held to the limit at its start; use `feed_one` where a frame
        may change it.

        Raises:
            OverLimit: a length over the limit; payloads before it are lost with the stream.
            Malformed: an empty payload.
        """
        self._buffer += data
        payloads = []
        while (payload := self.feed_one()) is not None:
            payloads.append(payload)
        return payloads

    def feed_one(self, data: bytes = b"") -> bytes | None:
        """Take what arrived and return the first whole payload, if any. Errors as `feed`."""
        self._buffer += data
        if self._broken is not None:
            raise self._broken
        if len(self._buffer) < LENGTH_BYTES:
            return None
        length = int.from_bytes(self._buffer[:LENGTH_BYTES], "big")
        if not 0 < length <= self.limit:
            raise self._break(length)
        end = LENGTH_BYTES + length
        if len(self._buffer) < end:
            return None
        payload = bytes(self._buffer[LENGTH_BYTES:end])
        del self._buffer[:end]
        return payload

    def _break(self, length: int) -> OverLimit | Malformed:
        self._buffer.clear()
        if length:
            self._broken = OverLimit(f"a frame of {length} bytes; the limit is {self.limit}")
        else:
            self._broken = Malformed("an empty frame")
        return self._broken
