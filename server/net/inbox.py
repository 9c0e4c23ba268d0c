"""The inbox: bytes received but not yet handled, in pieces with their times of arrival."""

from collections import deque

import attrs

from protocol.frames import FrameDecoder


@attrs.frozen
class ReadTime:
    """A point in time, with the total seconds before it for which the server did not read."""

    seconds: float
    held: float = 0.0
    """Total seconds in which the server did not read; never decreases."""

    def since(self, earlier: "ReadTime") -> float:
        """Return the seconds since an earlier time for which the server was reading."""
        return self.seconds - earlier.seconds - (self.held - earlier.held)


@attrs.define(eq=False)
class Inbox:
    """Splits a stream of received bytes into payloads, one at a time."""

    frames: FrameDecoder = attrs.field(factory=FrameDecoder)
    _pieces: deque[tuple[bytes, ReadTime]] = attrs.field(factory=deque, init=False, repr=False)
    _pieces_bytes: int = attrs.field(default=0, init=False)
    _latest: ReadTime = attrs.field(factory=lambda: ReadTime(0.0), init=False)
    """Arrival of the piece that the decoder received last."""

    @property
    def waiting_bytes(self) -> int:
        """Bytes waiting, in pieces and in the decoder."""
        return self._pieces_bytes + self.frames.waiting_bytes

    def put(self, data: bytes, moment: ReadTime) -> None:
        """Add bytes read at this time."""
        self._pieces.append((data, moment))
        self._pieces_bytes += len(data)

    def take(self) -> tuple[bytes, ReadTime] | None:
        """
        Return the next whole payload and the arrival of its last byte; None if there is none.

        Raises:
            ProtocolError: the bytes are no frames; see `FrameDecoder`.
        """
        # An earlier piece may have completed several payloads.
        payload = self.frames.feed_one()
        while payload is None and self._pieces:
            data, self._latest = self._pieces.popleft()
            self._pieces_bytes -= len(data)
            payload = self.frames.feed_one(data)
        return None if payload is None else (payload, self._latest)

    def clear(self) -> None:
        self._pieces.clear()
        self._pieces_bytes = 0
