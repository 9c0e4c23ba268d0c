"""Boxes for reading, writing and removing notes on a game or a card."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import attrs

from client.notes.note_book import About, Note, NoteBook, TooManyNotes, UnreadableNotes
from client.screens.base.boxes import Item, Menu
from client.screens.base.screen import CannotDo, Desk, TextEntry
from client.screens.reading.note_words import note_line, text_of
from commands.faults import why_refused
from protocol.messages import MAX_NOTE

GoTo = Callable[[int], None]
T = TypeVar("T")


@attrs.frozen(eq=False)
class Notepad:
    """The notes on the game that a screen shows."""

    desk: Desk
    room_id: str
    event: Callable[[], int]
    """Returns the event to which a new note belongs."""
    go_to: GoTo | None = None
    """Goes to an event; None outside a replay."""

    def open(self, about: About | None = None) -> None:
        """
        Open the box of all notes, or of the notes on one piece.

        Raise CannotDo if reading fails.
        """
        desk = self.desk
        if desk.model.note_books is None:
            raise CannotDo("notes.none_kept")
        book = desk.model.note_books(self.room_id)
        write = partial(_write, desk, book, self.event(), about)
        ask = TextEntry("entry.note", write, "hint.write_note")
        head = desk.say("notes.write")
        if about is not None:
            head = desk.say("notes.write_about", desk.speaker.name(*about))
        items = [Item(head, lambda: setattr(desk, "entry", ask))]
        items += [
            Item(note_line(desk.speaker, note), partial(self._open_note, book, note))
            for note in _safely(desk, book, book.read)
            if about is None or note.about == about
        ]
        desk.open(Menu(desk, "box.notes", items))

    def _open_note(self, book: NoteBook, note: Note) -> None:
        desk = self.desk
        remove = partial(book.remove, note)
        items = [Item(desk.say("notes.remove"), partial(_safely, desk, book, remove))]
        if self.go_to is not None:
            items.insert(0, Item(desk.say("notes.go_to"), partial(self.go_to, note.event)))
        if self.room_id in desk.model.finished.notes:
            items.append(Item(desk.say("review.share_note"), partial(self._share, note)))
        desk.open(Menu(desk, "box.note", items))

    def _share(self, note: Note) -> None:
        """
        Send a private note to the server, which stores it with the game.

        Raise CannotDo if the note is too long.
        """
        text = text_of(self.desk.speaker, note)
        if len(text) > MAX_NOTE:
            raise CannotDo("review.long_note", MAX_NOTE)
        self.desk.port.note_game(self.room_id, note.event, text)

    def notes_about(self, about: About) -> list[str]:
        """Return the notes on a piece; none if the file is unreadable, which the box reports."""
        notes = _readable(self.desk, self.room_id)
        own = (note for note in notes if note.about == about)
        return [self.desk.say("notes.here_about", note.event, note.text) for note in own]


def notes_at(desk: Desk, room_id: str, event: int) -> list[str]:
    """Return the notes on one event; none if the file is unreadable, which the box reports."""
    notes = (note for note in _readable(desk, room_id) if note.event == event)
    return [desk.say("notes.here", text_of(desk.speaker, note)) for note in notes]


def _readable(desk: Desk, room_id: str) -> tuple[Note, ...]:
    if desk.model.note_books is None:
        return ()
    try:
        return desk.model.note_books(room_id).read()
    except (OSError, UnreadableNotes):
        # Called for each frame of a replay, where an error could not be shown.
        return ()


def _write(desk: Desk, book: NoteBook, event: int, about: About | None, text: str) -> None:
    _safely(desk, book, partial(book.write, event, text, about))
    desk.model.tell(desk.say("notes.kept"))


def _safely(desk: Desk, book: NoteBook, do: Callable[[], T]) -> T:
    """Read or write a note book. Raise CannotDo, with the reason, if this fails."""
    try:
        return do()
    except UnreadableNotes as error:
        raise CannotDo("notes.unreadable", str(book.path)) from error
    except TooManyNotes as error:
        raise CannotDo("notes.too_many") from error
    except OSError as error:
        why = why_refused(error, desk.model.locale.say)
        raise CannotDo("cli.cannot_write", str(book.path), why) from error
