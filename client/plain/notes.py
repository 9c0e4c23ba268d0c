"""Notes on a game in plain mode: listed, written and taken away by one command."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from client.locale.speaker import Speaker
from client.notes.note_book import Books, NoteBook, TooManyNotes, UnreadableNotes
from client.plain.choice import UnreadableCommand, is_number, place_in
from client.text.ascii_fold import folded_words
from commands.faults import why_refused

T = TypeVar("T")


def do_notes(
    speaker: Speaker, books: Books | None, room_id: str, event: int, typed: str
) -> Iterator[str]:
    """
    List the notes on a game, write one, or take one away; yield what is to be printed.

    Args:
        speaker: puts it into words.
        books: where notes lie; None where none are kept.
        room_id: the game.
        event: what a new note is about.
        typed: nothing, the note, or the word for removing and a number.

    Raises:
        UnreadableCommand: it cannot be done.
    """
    if books is None:
        raise UnreadableCommand("notes.none_kept")
    book = books(room_id)
    first, _, rest = typed.partition(" ")
    own = speaker.say("plain.word.remove")
    if folded_words(first) in {folded_words("remove"), folded_words(own)} and is_number(rest):
        _remove(speaker, book, rest)
    elif typed:
        _safely(speaker, book, lambda: book.write(event, typed))
        yield speaker.say("notes.kept")
        return
    yield from _listed(speaker, book, own)


def _listed(speaker: Speaker, book: NoteBook, remove: str) -> Iterator[str]:
    notes = _safely(speaker, book, book.read)
    for at, note in enumerate(notes, 1):
        yield f"{at}. {speaker.say('notes.line', note.event, note.text)}"
    word = speaker.say("plain.word.note")
    yield speaker.say("plain.notes_hint" if notes else "plain.no_notes", word, remove)


def _remove(speaker: Speaker, book: NoteBook, number: str) -> None:
    notes = _safely(speaker, book, book.read)
    found = notes[place_in(number, len(notes))]
    _safely(speaker, book, lambda: book.remove(found))


def _safely(speaker: Speaker, book: NoteBook, do: Callable[[], T]) -> T:
    """Do something with a note book. UnreadableCommand says why it cannot be done."""
    try:
        return do()
    except UnreadableNotes as error:
        raise UnreadableCommand("notes.unreadable", str(book.path)) from error
    except TooManyNotes as error:
        raise UnreadableCommand("notes.too_many") from error
    except OSError as error:
        why = why_refused(error, speaker.locale.say)
        raise UnreadableCommand("cli.cannot_write", str(book.path), why) from error
