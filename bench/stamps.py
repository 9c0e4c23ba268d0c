"""
The times at which bytes leave and arrive, by the clock of the kernel.

Players in the load generator think for milliseconds at a time, and meanwhile data waits in the
generator's process. This wait must not count as latency. So each connection is timestamped at its
socket: outgoing data when the kernel receives it, and incoming data when the kernel has it.
"""

import socket
import struct
import time
from typing import Any, Final

_TIMESPEC: Final = struct.Struct("@qq")
_SO_TIMESTAMPNS: Final = 35
"""Socket option of Linux, which Python's `socket` module does not name."""


class StampedSocket:
    """
    A Linux socket that notes when data comes and leaves; otherwise like the socket inside.

    `came` is the time of the latest data, `left` that of the first data sent after `expect`.
    """

    def __init__(self, inner: socket.socket) -> None:
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
        """The time at which the first data after the last call of `expect` left."""
        assert self._left is not None, "nothing has left since"
        return self._left

    def expect(self) -> None:
        """Forget the noted time; `left` becomes the time at which the next data leaves."""
        self._left = None

    def send(self, data: Any) -> int:
        if self._left is None:
            self._left = _now()
        return self._inner.send(data)

    def recv(self, count: int) -> bytes:
        data, notes, _, _ = self._inner.recvmsg(count, self._room)
        if data:
            stamps = [note for level, kind, note in notes if _is_stamp(level, kind)]
            self.is_stamped = bool(stamps)
            self.came = _seconds(stamps[0]) if stamps else _now()
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class NoStamps:
    """Stand-in for a stamped socket if there is no network; it measures nothing."""

    left = came = 0.0

    def expect(self) -> None: ...


Stamps = StampedSocket | NoStamps


def stamped(transport: Any) -> Stamps:
    """Make the socket below a connection timestamp its data, and return the socket."""
    tcp = getattr(transport, "transport", None)
    if tcp is None:
        return NoStamps()
    stamps = tcp.socket = StampedSocket(tcp.socket)
    return stamps


def _now() -> float:
    # The clock of the kernel's own timestamps.
    return time.clock_gettime(time.CLOCK_REALTIME)


def _seconds(stamp: bytes) -> float:
    seconds, nanoseconds = _TIMESPEC.unpack(stamp)
    return float(seconds + nanoseconds / 1e9)


def _is_stamp(level: int, kind: int) -> bool:
    return level == socket.SOL_SOCKET and kind == _SO_TIMESTAMPNS
