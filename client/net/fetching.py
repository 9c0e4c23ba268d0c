"""Assembles a game that is fetched for a replay from the parts of its file."""

from collections.abc import Callable

import attrs

from client.model.model import Bar, ClientModel
from protocol import messages
from protocol.archive import MAX_FILE_BYTES


@attrs.frozen
class FetchedGame:
    """A downloaded game: the log up to the last record that the viewer may have."""

    room_id: str
    data: bytes = attrs.field(repr=False)
    """An archive, in the same form as an export."""


@attrs.define(eq=False)
class Fetching:
    """The buffer of a game that arrives in parts. A new fetch replaces an unfinished fetch."""

    model: ClientModel
    _serial: int = attrs.field(default=-1, init=False)
    _data: bytearray = attrs.field(factory=bytearray, init=False, repr=False)

    def add(self, part: messages.ExportPart, fetched: Callable[[FetchedGame], None]) -> None:
        """Add a part, and call `fetched` once the game is complete.

        A file over the maximum size is dropped.
        """
        # The first part of a new fetch ends whatever was under way.
        if not part.index:
            self._serial, self._data = part.serial, bytearray()
        if part.serial != self._serial:
            return
        self._data += part.data
        is_too_long = len(self._data) > MAX_FILE_BYTES
        if not is_too_long and not part.is_last:
            said = self.model.locale.say("cli.exporting", len(self._data))
            self.model.bar = Bar(said, is_progress=True)
            return
        game = FetchedGame(part.room_id, bytes(self._data))
        self.model.bar = Bar("")
        self.forget()
        if not is_too_long:
            fetched(game)

    def forget(self) -> None:
        """Drop the parts received so far, and ignore further parts of the same game."""
        self._serial, self._data = -1, bytearray()
