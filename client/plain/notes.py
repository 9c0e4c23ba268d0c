"""The command for notes on a game: lists, adds and removes notes."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from client.locale.speaker import Speaker
from client.notes.note_book import About, Books, NoteBook, TooManyNotes, UnreadableNotes
from client.plain.choice import UnreadableCommand, find, is_number, place_in
from client.plain.naming import little_words
from client.plugs.face import GameFace, ListReading
from client.screens.reading.note_words import note_line
from client.text.ascii_fold import folded_words
from client.widgets.scene import Scene
from commands.faults import why_refused

T = TypeVar("T")


def do_notes(
    speaker: Speaker,
    books: Books | None,
    room_id: str,
    event: int,
    typed: str,
    pieces: Callable[[], Iterable[About]],
) -> Iterator[str]:
    """
    List the notes on a game, add a note, or remove one; yield the lines to print.

    Args:
        speaker: words for the lines.
        books: opens the notes; None if notes are not stored.
        room_id: the game.
        event: the event that a new note is about.
        typed: the argument: empty to list, `remove 2` to remove, `about PIECE: TEXT` to add a note
            on a piece, any other text to add a note. The words may be in the player's language.
        pieces: returns the pieces to which a note can belong.

    Raises:
        UnreadableCommand: the line is malformed, or the notes cannot be read or written.
    """
    if books is None:
        raise UnreadableCommand("notes.none_kept")
    book = books(room_id)
    first, _, rest = typed.partition(" ")
    own = speaker.say("plain.word.remove")
    # Without a number, the line is a note that begins with this word.
    if folded_words(first) in {folded_words("remove"), folded_words(own)} and is_number(rest):
        notes = safely(speaker, book, book.read)
        removed = notes[place_in(rest, len(notes))]
        safely(speaker, book, lambda: book.remove(removed))
    elif ":" in rest and folded_words(first) in map(
        folded_words, ("about", speaker.say("plain.note_about"))
    ):
        name, _, text = rest.partition(":")
        known = tuple(dict.fromkeys(pieces()))
        called = tuple(speaker.name(*piece) for piece in known)
        about = known[find(name, called, little_words(speaker))]
        safely(speaker, book, lambda: book.write(event, text, about))
        yield speaker.say("notes.kept")
        return
    elif typed:
        safely(speaker, book, lambda: book.write(event, typed))
        yield speaker.say("notes.kept")
        return
    notes = safely(speaker, book, book.read)
    for at, note in enumerate(notes, 1):
        yield f"{at}. {note_line(speaker, note)}"
    names = speaker.say("plain.word.note"), own, speaker.say("plain.note_about")
    yield speaker.say("plain.notes_hint" if notes else "plain.no_notes", *names)


def pieces_in(face: GameFace, role: str, scene: Scene) -> Iterator[About]:
    """Yield all pieces in the lists that a game offers to read."""
    for reading in face.readings_for(role):
        if isinstance(reading, ListReading):
            yield from (row.about for row in reading.rows(scene) if row.about is not None)


def notes_on(
    speaker: Speaker, books: Books | None, room_id: str, about: About | None
) -> Iterator[str]:
    """Yield the notes on a piece; none if the file is unreadable, which `do_notes` reports."""
    if books is None or about is None:
        return
    try:
        notes = books(room_id).read()
    except (OSError, UnreadableNotes):
        return
    for note in notes:
        if note.about == about:
            yield speaker.say("notes.here_about", note.event, note.text)


def safely(speaker: Speaker, book: NoteBook, do: Callable[[], T]) -> T:
    """Use a note book; turn its errors into UnreadableCommand."""
    try:
        return do()
    except UnreadableNotes as error:
        raise UnreadableCommand("notes.unreadable", str(book.path)) from error
    except TooManyNotes as error:
        raise UnreadableCommand("notes.too_many") from error
    except OSError as error:
        why = why_refused(error, speaker.locale.say)
        raise UnreadableCommand("cli.cannot_write", str(book.path), why) from error
