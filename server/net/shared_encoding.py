"""Shared encoding: a message sent to several sessions in a row is encoded once."""

import attrs

from protocol.messages import ServerMessage, encode_message


@attrs.define(eq=False)
class SharedEncoding:
    """Encodes messages, and caches the last payload."""

    _message: ServerMessage | None = attrs.field(default=None, init=False)
    _payload: bytes = attrs.field(default=b"", init=False, repr=False)

    def payload(self, message: ServerMessage) -> bytes:
        if message is not self._message:
            self._payload, self._message = encode_message(message), message
        return self._payload
