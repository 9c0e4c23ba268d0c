"""A game that is fetched to be looked back on: its parts, as they come."""

import attrs

from client.model.model import Bar, ClientModel, Fetched
from protocol import messages
from protocol.archive import MAX_FILE_BYTES


@attrs.define(eq=False)
class Fetching:
    """Puts the parts of one game together; of two that are fetched, the one that came last."""

    model: ClientModel
    _serial: int = attrs.field(default=-1, init=False)
    _data: bytearray = attrs.field(factory=bytearray, init=False, repr=False)

    def take(self, part: messages.ExportPart) -> None:
        """Take a part; once all are there, the model has the game."""
        if not part.index:
            self._serial, self._data = part.serial, bytearray()
        if part.serial != self._serial:
            return
        self._data += part.data
        is_too_long = len(self._data) > MAX_FILE_BYTES
        if is_too_long or part.is_last:
            self.model.bar = Bar("")
            self.model.fetched = None if is_too_long else Fetched(part.room_id, bytes(self._data))
            self.forget()
        else:
            said = self.model.locale.say("cli.exporting", len(self._data))
            self.model.bar = Bar(said, is_progress=True)

    def forget(self) -> None:
        """Let go of what has come so far; what still comes of it is not wanted."""
        self._serial, self._data = -1, bytearray()
