"""The inbox: what a client sent and was not dealt with yet, each piece with when it was read."""

from collections import deque

import attrs

from protocol.frames import FrameDecoder


@attrs.frozen
class ReadTime:
    """A time, and for how long by then the server had not read what came."""

    seconds: float
    held: float = 0.0
    """Only ever grows."""

    def since(self, earlier: "ReadTime") -> float:
        """Return the seconds since an earlier moment in which the server did read."""
        return self.seconds - earlier.seconds - (self.held - earlier.held)


@attrs.define(eq=False)
class Inbox:
    """Pieces of a stream of bytes, cut into payloads one at a time."""

    frames: FrameDecoder = attrs.field(factory=FrameDecoder)
    _pieces: deque[tuple[bytes, ReadTime]] = attrs.field(factory=deque, init=False, repr=False)
    _pieces_bytes: int = attrs.field(default=0, init=False)
    _latest: ReadTime = attrs.field(factory=lambda: ReadTime(0.0), init=False)
    """When the piece came that was given to the frames last."""

    @property
    def waiting_bytes(self) -> int:
        """How many bytes are held."""
        return self._pieces_bytes + self.frames.waiting_bytes

    def put(self, data: bytes, moment: ReadTime) -> None:
        """Add what was read at this moment."""
        self._pieces.append((data, moment))
        self._pieces_bytes += len(data)

    def take(self) -> tuple[bytes, ReadTime] | None:
        """
        Return the next whole payload, with when its last byte was read; None if there is none.

        Raises:
            ProtocolError: the bytes are no frames; see `FrameDecoder`.
        """
        payload = self.frames.feed_one()
        while payload is None and self._pieces:
            data, self._latest = self._pieces.popleft()
            self._pieces_bytes -= len(data)
            payload = self.frames.feed_one(data)
        return None if payload is None else (payload, self._latest)

    def clear(self) -> None:
        """Forget all pieces."""
        self._pieces.clear()
        self._pieces_bytes = 0
