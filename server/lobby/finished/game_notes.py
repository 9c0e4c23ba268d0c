"""
Notes and tags on a finished game, for everybody who may open the game.

Only owners of its seats can write notes. Notes are stored beside the log, and removed with the
room.
"""

import attrs

from protocol import codec, messages
from protocol.errors import ProtocolError
from server.kernel.errors import Refused
from server.lobby.rooms.removal import GAME_NOTES
from server.lobby.services.one_by_one import OneByOne
from server.storage import Store

MAX_BY_ONE = 40
"""Maximum number of notes of one key on one game."""
MAX_BYTES = 32 * 1024
"""Maximum bytes in the texts of all notes on one game."""


@attrs.frozen
class KeptNote:
    """A stored note."""

    number: int
    key: bytes
    """Public key of the author."""
    author: str
    """Name of the author at the time of writing."""
    event: int
    text: str
    is_tag: bool


@attrs.frozen
class _Kept:
    next_number: int
    notes: tuple[KeptNote, ...]


@attrs.frozen
class GameNotes:
    """
    The notes on all games.

    Methods that read or write raise StorageError if the store fails, and Refused if the stored
    notes are not readable.
    """

    store: Store
    _one_by_one: OneByOne = attrs.field(factory=OneByOne, init=False)
    """Serialises changes, since two people may write about the same game at the same moment."""

    async def of(self, room_id: str) -> tuple[KeptNote, ...]:
        """Return the notes on a game, ordered by event."""
        return (await self._read(room_id)).notes

    async def write(self, key: bytes, author: str, wanted: messages.NoteGame) -> None:
        """Store a note. Refused: the text is too long for a tag, or there are too many notes."""
        if wanted.is_tag and len(wanted.text) > messages.MAX_TAG:
            raise Refused("notes/long_tag")
        async with self._one_by_one:
            kept = await self._read(wanted.room_id)
            number = kept.next_number
            note = KeptNote(number, key, author, wanted.event, wanted.text, wanted.is_tag)
            notes = (*kept.notes, note)
            of_key = sum(one.key == key for one in notes)
            size = sum(len(one.text.encode()) for one in notes)
            if len(notes) > messages.MAX_GAME_NOTES or of_key > MAX_BY_ONE or size > MAX_BYTES:
                raise Refused("notes/full")
            ordered = tuple(sorted(notes, key=lambda one: (one.event, one.number)))
            await self._keep(wanted.room_id, _Kept(number + 1, ordered))

    async def remove(self, key: bytes, unwanted: messages.UnnoteGame) -> None:
        """Delete a note. Refused: no note has this number, or another author wrote it."""
        async with self._one_by_one:
            kept = await self._read(unwanted.room_id)
            left = tuple(
                one for one in kept.notes if (one.number, one.key) != (unwanted.number, key)
            )
            if left == kept.notes:
                raise Refused("notes/none")
            await self._keep(unwanted.room_id, _Kept(kept.next_number, left))

    async def _read(self, room_id: str) -> _Kept:
        stored = await self.store.get(GAME_NOTES, room_id)
        if stored is None:
            return _Kept(0, ())
        try:
            kept: _Kept = codec.decode(stored, _Kept)
        except ProtocolError as error:
            # Written by a newer version, or damaged. Refused, so that nothing overwrites it.
            raise Refused("notes/unreadable") from error
        return kept

    async def _keep(self, room_id: str, kept: _Kept) -> None:
        await self.store.put(GAME_NOTES, room_id, codec.encode(kept, _Kept))


def notes_message(key: bytes, room_id: str, notes: tuple[KeptNote, ...]) -> messages.GameNotes:
    """Return the notes as a message to a key. Other authors appear by name alone."""
    told = (
        messages.GameNote(one.number, one.author, one.key == key, one.event, one.text, one.is_tag)
        for one in notes
    )
    return messages.GameNotes(room_id, tuple(told))
