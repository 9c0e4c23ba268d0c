"""
When bytes left and came, by the clock of the kernel.

Those who play in the generator think, for milliseconds at a time: what leaves or comes meanwhile
waits for them in the generator, and must not seem late by that. So a connection is stamped at its
socket: what left when it is handed to the kernel, and what came when the kernel had it.
"""

import socket
import struct
import time
from typing import Any, Final

_TIMESPEC: Final = struct.Struct("@qq")
_SO_TIMESTAMPNS: Final = 35
"""Linux constant without a name in Python."""


class StampedSocket:
    """A socket of Linux that stamps what passes; everything else is as it was."""

    def __init__(self, inner: socket.socket) -> None:
        """Stand in for a socket."""
        self._inner = inner
        self._room = socket.CMSG_SPACE(_TIMESPEC.size)
        self._left: float | None = None
        self.came = 0.0
        """When the last bytes that were read came, in seconds by the system's clock."""
        self.is_stamped = False
        """Whether the kernel says so: right after the first socket asks for it, it does not yet."""
        inner.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)

    @property
    def left(self) -> float:
        """When the first bytes left since `expect`."""
        assert self._left is not None, "nothing has left since"
        return self._left

    def expect(self) -> None:
        """Stamp what leaves next."""
        self._left = None

    def send(self, data: Any) -> int:
        """See `socket.socket.send`."""
        if self._left is None:
            self._left = _now()
        return self._inner.send(data)

    def recv(self, count: int) -> bytes:
        """See `socket.socket.recv`."""
        data, notes, _, _ = self._inner.recvmsg(count, self._room)
        if data:
            stamps = [note for level, kind, note in notes if _is_stamp(level, kind)]
            self.is_stamped = bool(stamps)
            self.came = _seconds(stamps[0]) if stamps else _now()
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class NoStamps:
    """The same where there is no network, and nothing is timed."""

    left = came = 0.0

    def expect(self) -> None:
        """See `StampedSocket.expect`."""


Stamps = StampedSocket | NoStamps


def stamped(transport: Any) -> Stamps:
    """Have the socket below a connection stamp what passes, and return it."""
    tcp = getattr(transport, "transport", None)
    if tcp is None:
        return NoStamps()
    stamps = tcp.socket = StampedSocket(tcp.socket)
    return stamps


def _now() -> float:
    return time.clock_gettime(time.CLOCK_REALTIME)


def _seconds(stamp: bytes) -> float:
    seconds, nanoseconds = _TIMESPEC.unpack(stamp)
    return float(seconds + nanoseconds / 1e9)


def _is_stamp(level: int, kind: int) -> bool:
    return level == socket.SOL_SOCKET and kind == _SO_TIMESTAMPNS
