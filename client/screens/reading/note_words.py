"""Notes as they are listed, on a screen or in lines."""

from client.locale.speaker import Speaker
from client.notes.note_book import Note


def note_line(speaker: Speaker, note: Note) -> str:
    """Return a note with the number of its moment."""
    return speaker.say("notes.line", note.event, text_of(speaker, note))


def text_of(speaker: Speaker, note: Note) -> str:
    """Return what a note says, after the piece that it belongs to."""
    if note.about is None:
        return note.text
    return speaker.say("notes.about", speaker.name(*note.about), note.text)
