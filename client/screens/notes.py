"""The box of the notes on a game: they are read, written, and taken away there."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from client.notes.note_book import Note, NoteBook, TooManyNotes, UnreadableNotes
from client.screens.boxes import Item, Menu
from client.screens.screen import CannotDo, Desk, TextEntry
from commands.faults import why_refused

GoTo = Callable[[int], None]
T = TypeVar("T")


def book_of(desk: Desk, room_id: str) -> NoteBook:
    """Return the note book of a room. CannotDo where nothing is kept."""
    if desk.model.note_books is None:
        raise CannotDo("notes.none_kept")
    return desk.model.note_books(room_id)


def notes_box(desk: Desk, book: NoteBook, event: int, go_to: GoTo | None = None) -> Menu:
    """
    Return the box of the notes on a game.

    Args:
        desk: of the client.
        book: where they are.
        event: what a new one is about.
        go_to: goes to an event; None where one cannot go anywhere.

    Raises:
        CannotDo: they cannot be read.
    """
    ask = TextEntry("entry.note", partial(_write, desk, book, event), "hint.write_note")
    items = [Item(desk.say("notes.write"), lambda: setattr(desk, "entry", ask))]
    items += [
        Item(line_of(desk, note), partial(_open, desk, book, note, go_to))
        for note in _safely(desk, book, book.read)
    ]
    return Menu(desk, "box.notes", items)


def line_of(desk: Desk, note: Note) -> str:
    """Return a note as it is listed."""
    return desk.say("notes.line", note.event, note.text)


def notes_at(desk: Desk, room_id: str, event: int) -> list[str]:
    """Return the notes on one event; none where they cannot be read, which the box says."""
    if desk.model.note_books is None:
        return []
    try:
        notes = desk.model.note_books(room_id).read()
    except (OSError, UnreadableNotes):
        return []
    return [desk.say("notes.here", note.text) for note in notes if note.event == event]


def _open(desk: Desk, book: NoteBook, note: Note, go_to: GoTo | None) -> None:
    items = [Item(desk.say("notes.remove"), partial(_remove, desk, book, note))]
    if go_to is not None:
        items.insert(0, Item(desk.say("notes.go_to"), partial(go_to, note.event)))
    desk.open(Menu(desk, "box.note", items))


def _write(desk: Desk, book: NoteBook, event: int, text: str) -> None:
    _safely(desk, book, partial(book.write, event, text))
    desk.model.tell(desk.say("notes.kept"))


def _remove(desk: Desk, book: NoteBook, note: Note) -> None:
    _safely(desk, book, partial(book.remove, note))


def _safely(desk: Desk, book: NoteBook, do: Callable[[], T]) -> T:
    """Do something with a note book. CannotDo says why it cannot be done."""
    try:
        return do()
    except UnreadableNotes as error:
        raise CannotDo("notes.unreadable", str(book.path)) from error
    except TooManyNotes as error:
        raise CannotDo("notes.too_many") from error
    except OSError as error:
        why = why_refused(error, desk.model.locale.say)
        raise CannotDo("cli.cannot_write", str(book.path), why) from error
