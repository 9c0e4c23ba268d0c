"""
A connection that writes to its socket at once, instead of at the next poll of the reactor.

Twisted's own connection waits for the next poll, which costs each write two system calls, a turn of
the reactor, and a delay.
"""

from typing import Any

from twisted.internet.tcp import Server


class EagerServer(Server):
    """The server's end of a TCP connection."""

    def write(self, data: bytes) -> None:
        """Write bytes at once. Bytes that the socket does not accept wait for the next poll."""
        # Bytes must not overtake those that wait. Errors are left to the poll.
        if data and self.connected and not (self.dataBuffer or self._tempDataBuffer):
            sent: Any = self.writeSomeData(data)
            if isinstance(sent, int) and sent > 0:
                data = data[sent:]
        if data:
            # Twisted does not say what it takes.
            wait: Any = super().write
            wait(data)
