"""
A player's private notes on one game, in a file.

A note belongs to a moment, and may also belong to a card or another piece. The file names a piece
by its kind and its name in the pack, because its handle on the table changes with every shuffle.

Notes are never sent, and the server does not know about them. An unreadable file is never
overwritten.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import attrs

from client.keyring import private_files
from protocol.file_names import file_stem
from protocol.plain_text import clean

VERSION: Final = 2
_OF_MOMENTS_ALONE: Final = 1
"""
The format version without pieces. The client still writes this version if no note has a piece.
"""
MAX_NOTES: Final = 1000
MAX_TEXT: Final = 2000
MAX_NAME: Final = 200
"""The maximum length of the kind or the name of a piece."""
MAX_FILE_BYTES: Final = 8 * MAX_NOTES * MAX_TEXT

About = tuple[str, str]


class UnreadableNotes(Exception):
    """The file is not a note book, or a newer version wrote the file."""


class TooManyNotes(Exception):
    """A note cannot be added, because the book has the maximum number of notes."""


@attrs.frozen
class Note:
    """A private note about a game."""

    event: int
    """The number of the event that the note is about; -1 for the beginning."""
    text: str
    about: About | None = None
    """The piece that the note is about; None if the note is about the moment alone."""


@attrs.frozen
class NoteBook:
    """The file of notes on one game. The methods raise OSError if reading or writing fails."""

    path: Path
    earlier: Path | None = None
    """A file of an earlier release, which did not separate servers; read until `path` is
    written."""

    def read(self) -> tuple[Note, ...]:
        """Return all notes, by event. May raise UnreadableNotes."""
        told = self._load(self.path)
        if told is None and self.earlier is not None:
            told = self._load(self.earlier)
        if told is None:
            return ()
        version = told.get("version") if isinstance(told, dict) else None
        # By type too: True equals 1.
        if type(version) is not int or version not in {_OF_MOMENTS_ALONE, VERSION}:
            raise UnreadableNotes
        notes = told.get("notes")
        if not isinstance(notes, list) or len(notes) > MAX_NOTES:
            raise UnreadableNotes
        return tuple(map(_note, notes))

    def _load(self, path: Path) -> Any:
        """Return the content of a file; None if there is no file."""
        try:
            # Before reading: the file may have been replaced by anything.
            if path.stat().st_size > MAX_FILE_BYTES:
                raise UnreadableNotes
            told: Any = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError) as error:
            raise UnreadableNotes from error
        # `null` is no note book either, and must not pass for a missing one.
        return {} if told is None else told

    def write(self, event: int, text: str, about: About | None = None) -> None:
        """Add a note; do nothing if its text has no printable character.

        May raise TooManyNotes or UnreadableNotes, and then leaves the file unchanged.
        """
        with private_files.locked(self.path):
            notes = self.read()
            if len(notes) >= MAX_NOTES:
                raise TooManyNotes
            added = Note(event, clean(text).strip()[:MAX_TEXT], about)
            if added.text:
                self._keep(sorted((*notes, added), key=lambda note: note.event))

    def remove(self, note: Note) -> None:
        """Remove a note, if it exists. May raise UnreadableNotes."""
        with private_files.locked(self.path):
            notes = list(self.read())
            if note in notes:
                notes.remove(note)
                self._keep(notes)

    def _keep(self, notes: list[Note]) -> None:
        # Older releases can still read a book without notes on pieces.
        is_old = all(note.about is None for note in notes)
        version = _OF_MOMENTS_ALONE if is_old else VERSION
        plain = [{"event": note.event, "text": note.text} for note in notes]
        with_about = [
            one if note.about is None else {**one, "about": list(note.about)}
            for one, note in zip(plain, notes, strict=True)
        ]
        told = {"version": version, "notes": with_about}
        text = json.dumps(told, ensure_ascii=False, indent=1)
        private_files.replace(self.path, text.encode())


Books = Callable[[str], NoteBook]
"""Opens the note book of a room, by its id."""


def _note(told: Any) -> Note:
    if not isinstance(told, dict) or set(told) - {"about"} != {"event", "text"}:
        raise UnreadableNotes
    event, text = told["event"], told["text"]
    about = _about(told["about"]) if "about" in told else None
    # By type, because True is an int too.
    if type(event) is not int or not isinstance(text, str) or event < -1:
        raise UnreadableNotes
    # This client writes clean text only, so such a file is not its own.
    if len(text) > MAX_TEXT or clean(text) != text:
        raise UnreadableNotes
    return Note(event, text, about)


def _about(told: Any) -> About:
    if not isinstance(told, list) or len(told) != 2:
        raise UnreadableNotes
    kind, name = told
    for word in (kind, name):
        if not isinstance(word, str) or len(word) > MAX_NAME or clean(word) != word:
            raise UnreadableNotes
    return kind, name


def books_in(folder: Path, server: str = "") -> Books:
    """
    Return a function that opens note books in a player's folder.

    Args:
        folder: the folder of all note books.
        server: the fingerprint of the server, as text; another server may name the same rooms.
    """

    def book(room_id: str) -> NoteBook:
        # Older releases named the book by the room alone.
        earlier = folder / f"{file_stem(room_id)}.json"
        if not server:
            return NoteBook(earlier)
        return NoteBook(folder / f"{file_stem(room_id)}.{file_stem(server)}.json", earlier)

    return book


def book_beside(path: Path) -> Books:
    """Return a function that opens the note book beside an exported file."""
    return lambda _: NoteBook(path.with_name(path.name + ".notes"))
