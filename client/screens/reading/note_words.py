"""Notes in words, for screens and for plain mode."""

from client.locale.speaker import Speaker
from client.notes.note_book import Note


def note_line(speaker: Speaker, note: Note) -> str:
    return speaker.say("notes.line", note.event, text_of(speaker, note))


def text_of(speaker: Speaker, note: Note) -> str:
    """Return the text of a note, after the name of the piece that the note is about."""
    if note.about is None:
        return note.text
    return speaker.say("notes.about", speaker.name(*note.about), note.text)
