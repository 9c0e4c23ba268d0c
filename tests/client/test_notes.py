"""Notes on a game, in the player's own file, which no failure may damage."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.notes.note_book import (
    MAX_NOTES,
    MAX_TEXT,
    Note,
    NoteBook,
    TooManyNotes,
    UnreadableNotes,
    book_beside,
    books_in,
)
from protocol.keys import fingerprint_text

pytestmark = pytest.mark.issue(17)


@pytest.fixture
def book(tmp_path: Path) -> NoteBook:
    return books_in(tmp_path / "notes")("room-1")


def test_what_is_written_is_read_again_by_event(book: NoteBook) -> None:
    for event, text in ((7, "the second"), (3, "the first"), (7, "the third")):
        book.write(event, text)

    assert [note.text for note in book.read()] == ["the first", "the second", "the third"]


def test_a_note_is_taken_away_alone(book: NoteBook) -> None:
    book.write(3, "twice")
    book.write(3, "twice")

    book.remove(Note(3, "twice"))
    book.remove(Note(4, "never there"))

    assert book.read() == (Note(3, "twice"),)


def test_nobody_else_on_the_machine_can_read_it(book: NoteBook) -> None:
    book.write(0, "who is it?")

    assert book.path.stat().st_mode & 0o777 == 0o600
    assert book.path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "told",
    [
        b"{",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"version": 3, "notes": []}',
        b'{"version": 1}',
        b'{"version": 1, "notes": [{"event": "1", "text": ""}]}',
        b'{"version": 1, "notes": [{"event": true, "text": "a"}]}',
        b'{"version": 1, "notes": [{"event": -2, "text": "a"}]}',
        b'{"version": 1, "notes": [{"event": 1, "text": "\\u001b[2J"}]}',
        json.dumps({"version": 1, "notes": [{"event": 1, "text": "a" * (MAX_TEXT + 1)}]}).encode(),
        json.dumps({"version": 1, "notes": [{"event": 1, "text": ""}] * (MAX_NOTES + 1)}).encode(),
    ],
    ids=range(12),
)
def test_a_file_that_cannot_be_read_is_not_written_over(book: NoteBook, told: bytes) -> None:
    book.path.parent.mkdir()
    book.path.write_bytes(told)

    with pytest.raises(UnreadableNotes):
        book.read()
    with pytest.raises(UnreadableNotes):
        book.write(1, "more")

    assert book.path.read_bytes() == told


def test_there_is_room_for_so_many(book: NoteBook) -> None:
    notes = [{"event": at, "text": "a"} for at in range(MAX_NOTES)]
    book.path.parent.mkdir()
    book.path.write_text(json.dumps({"version": 1, "notes": notes}), "utf-8")

    with pytest.raises(TooManyNotes):
        book.write(1, "more")

    assert len(book.read()) == MAX_NOTES


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_takes_nothing_is_an_error_of_its_own(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    with pytest.raises(OSError, match="denied"):
        books_in(tmp_path / "notes")("room-1").write(1, "a")


@pytest.mark.issue(36)
def test_notes_at_one_server_are_not_shown_at_another(tmp_path: Path) -> None:
    ours, theirs = (fingerprint_text(letter * 32) for letter in (b"o", b"t"))
    books_in(tmp_path)("room-12345").write(1, "of then")
    for server in (ours, theirs):
        books_in(tmp_path, server)("room-12345").write(2, f"at {server}")

    texts = [
        [n.text for n in books_in(tmp_path, one)("room-12345").read()] for one in (ours, theirs)
    ]

    assert texts == [["of then", f"at {ours}"], ["of then", f"at {theirs}"]]
    assert [note.text for note in books_in(tmp_path)("room-12345").read()] == ["of then"]


def test_that_of_a_file_lies_beside_it(tmp_path: Path) -> None:
    assert book_beside(tmp_path / "game.manse")("any").path == tmp_path / "game.manse.notes"


@given(st.text(max_size=3000), st.integers(min_value=-1, max_value=10**9))
def test_whatever_is_typed_can_be_read_again(
    tmp_path_factory: pytest.TempPathFactory, text: str, event: int
) -> None:
    book = NoteBook(tmp_path_factory.mktemp("notes") / "book")

    book.write(event, text)

    assert all(note.event == event and 0 < len(note.text) <= MAX_TEXT for note in book.read())


def test_a_note_belongs_to_a_piece_and_its_moment(book: NoteBook) -> None:
    book.write(3, "whose?", ("card", "toy/lamp"))
    book.write(2, "a moment")

    assert book.read() == (Note(2, "a moment"), Note(3, "whose?", ("card", "toy/lamp")))
    book.remove(Note(3, "whose?", ("card", "toy/lamp")))
    assert book.read() == (Note(2, "a moment"),)


def test_an_earlier_release_reads_notes_that_belong_to_no_piece(book: NoteBook) -> None:
    """The file's version rises only with a note that an earlier release cannot read."""
    book.write(2, "a moment")
    assert json.loads(book.path.read_bytes())["version"] == 1

    book.write(3, "whose?", ("card", "toy/lamp"))
    assert json.loads(book.path.read_bytes())["version"] == 2


@pytest.mark.parametrize(
    "about", ["toy", ["card"], ["card", 1], ["card", "\u001b"], ["a" * 201, "b"]]
)
def test_a_piece_that_is_none_is_not_read(book: NoteBook, about: object) -> None:
    book.path.parent.mkdir()
    told = {"version": 2, "notes": [{"event": 1, "text": "a", "about": about}]}
    book.path.write_text(json.dumps(told), "utf-8")

    with pytest.raises(UnreadableNotes):
        book.read()
