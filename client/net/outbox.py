"""The outbox: sends messages over the connection and matches the server's replies with them."""

from collections.abc import Callable
from typing import Protocol

import attrs

from client.model.model import ClientModel
from protocol import messages

Answered = Callable[[messages.ServerMessage], None]
"""Called with each reply to one request. A file arrives in several replies."""


class PortConnection(Protocol):
    """The part of a connection that a port needs; see `client.net.connection.Connection`."""

    def next_serial(self) -> int:
        """Return a serial that no message has used yet."""

    def send(self, message: messages.ClientMessage) -> None:
        """Send a message; raise an exception of `unsendable` if there is no connection."""

    def set_language(self, language: str) -> None:
        """Use this language from the next login on."""

    def try_again(self) -> None:
        """Retry the connection immediately instead of after the back-off."""


@attrs.define(eq=False)
class Outbox:
    """The sender of messages, and the writer of `ClientModel.sent`."""

    model: ClientModel
    line: PortConnection
    unsendable: tuple[type[Exception], ...] = ()
    """Exceptions that `line.send` raises if there is no connection."""
    _answered: dict[int, Answered] = attrs.field(factory=dict, init=False, repr=False)
    """Callbacks of requests without a final reply, by serial."""

    def send(self, message: messages.ClientMessage) -> bool:
        """
        Send a message, without waiting for a reply; return whether it was sent.

        If there is no connection, tell the player.
        """
        try:
            self.line.send(message)
        except self.unsendable:
            self.model.tell(self.model.locale.say("error.offline"), is_wrong=True)
            return False
        return True

    def request(self, message: messages.ClientMessage, answered: Answered | None = None) -> None:
        """Send a message that gets a reply. If there is no connection, tell the player."""
        # Registered first: the reply may arrive while the message is being sent.
        if answered is not None:
            self._answered[message.serial] = answered
        if self.send(message):
            # A new mapping each time: readers may hold the old one.
            self.model.sent = {**self.model.sent, message.serial: message}
        else:
            self._answered.pop(message.serial, None)

    def match(self, message: messages.ServerMessage) -> messages.ClientMessage | None:
        """Pass a reply to its callback; return the request, or None if the message answers none."""
        serial = getattr(message, "serial", None)
        if serial is None:
            return None
        asked, answered = self.model.sent.get(serial), self._answered.get(serial)
        # The parts of a file share one serial: only the last part ends the request.
        if not isinstance(message, messages.ExportPart) or message.is_last:
            self.model.sent = {at: one for at, one in self.model.sent.items() if at != serial}
            self._answered.pop(serial, None)
        if answered is not None:
            answered(message)
        return asked

    def forget(self) -> None:
        """Forget all requests, because a new connection brings no replies to old requests."""
        self.model.sent = {}
        self._answered.clear()
