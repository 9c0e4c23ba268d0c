"""The outbox: sends messages over the connection and matches the server's replies to them."""

from collections.abc import Callable
from typing import Protocol

import attrs

from client.model.model import ClientModel
from protocol import messages

Answered = Callable[[messages.ServerMessage], None]
"""Is called with each reply to one request; a file arrives in several."""


class PortConnection(Protocol):
    """The part of a connection that a port needs; `client.net.connection.Connection` has it."""

    def next_serial(self) -> int:
        """Return a serial that was not used yet."""

    def send(self, message: messages.ClientMessage) -> None:
        """Send a message; raises an exception of `unsendable` without a connection."""

    def set_language(self, language: str) -> None:
        """Log in with this language from the next time on."""

    def try_again(self) -> None:
        """Retry the connection at once instead of after the back-off."""


@attrs.define(eq=False)
class Outbox:
    """Keeps `ClientModel.sent`: every message that has no reply yet."""

    model: ClientModel
    line: PortConnection
    unsendable: tuple[type[Exception], ...] = ()
    """Exceptions that `line.send` raises without a connection."""
    _answered: dict[int, Answered] = attrs.field(factory=dict, init=False, repr=False)
    """Callbacks of requests without a final reply, by serial."""

    def send(self, message: messages.ClientMessage) -> bool:
        """Send a message that has no reply; without a connection, say so and return False."""
        try:
            self.line.send(message)
        except self.unsendable:
            self.model.tell(self.model.locale.say("error.offline"), is_wrong=True)
            return False
        return True

    def request(self, message: messages.ClientMessage, answered: Answered | None = None) -> None:
        """Send a message and expect a reply, or say that there is no connection."""
        if answered is not None:
            self._answered[message.serial] = answered
        if self.send(message):
            # A new mapping each time: readers may hold the old one.
            self.model.sent = {**self.model.sent, message.serial: message}
        else:
            self._answered.pop(message.serial, None)

    def match(self, message: messages.ServerMessage) -> messages.ClientMessage | None:
        """Call back with a reply; return the request that it answers, None if there is none."""
        serial = getattr(message, "serial", None)
        if serial is None:
            return None
        asked, answered = self.model.sent.get(serial), self._answered.get(serial)
        # The last part of a file is its reply: what is typed meanwhile is typed to the replay.
        if not isinstance(message, messages.ExportPart) or message.is_last:
            self.model.sent = {at: one for at, one in self.model.sent.items() if at != serial}
            self._answered.pop(serial, None)
        if answered is not None:
            answered(message)
        return asked

    def forget(self) -> None:
        """Forget all requests: a new connection brings no reply to those of the old one."""
        self.model.sent = {}
        self._answered.clear()
