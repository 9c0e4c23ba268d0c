"""
Sending: a connection that gives what is written to the system at once, where the system takes it.

Twisted's own waits for the reactor's next poll, which costs two calls of the system and a turn
through the reactor for each write, and a delay.
"""

from typing import Any

from twisted.internet.tcp import Server


class EagerServer(Server):
    """The server's end of a TCP connection."""

    def write(self, data: bytes) -> None:
        """See `ITransport.write`. What the system does not take now waits for the next poll."""
        # What waits goes first. An error is left to the poll, which ends the connection.
        if data and self.connected and not (self.dataBuffer or self._tempDataBuffer):
            sent: Any = self.writeSomeData(data)
            if isinstance(sent, int) and sent > 0:
                data = data[sent:]
        if data:
            # Twisted does not say what it takes.
            wait: Any = super().write
            wait(data)
