"""The handle of a game: it shows the room's table, and finds its content once."""

from typing import Any

import attrs
import pytest

from protocol.common.table import RoomTable
from server.kernel.admission.by_table import answer_of
from server.kernel.game import Game
from tests.kit.tables.playing import Recording, Shelf, opened, ready, seated, started
from tests.kit.tables.toy_table import Content

pytestmark = pytest.mark.issue(12)


@attrs.frozen
class Counting(Shelf):
    """A library that counts the requests for content."""

    asked: list[RoomTable] = attrs.field(factory=list)

    def content(self, room: RoomTable) -> Content:
        self.asked.append(room)
        return super().content(room)


def playing(shelf: Shelf) -> Recording:
    """Return a game whose first turn has just begun."""
    recording = Recording(shelf)
    opened(recording)
    seated(recording, 3)
    ready(recording)
    started(recording)
    recording.answer(0, "toy/go")
    return recording


def handle(recording: Recording) -> Game[Any, Any]:
    """Return the handle of the waiting rule."""
    running = recording.room._runner.running
    assert running is not None
    return running.game


def test_content_is_found_once_in_a_game() -> None:
    shelf = Counting()
    recording = playing(shelf)
    content = handle(recording).content
    before = len(shelf.asked)

    recording.answer(0, "pass")

    assert len(shelf.asked) == before
    assert handle(recording).content is content


def test_it_is_found_anew_where_a_room_is_built_anew() -> None:
    """A later process may have other content."""
    shelf = Counting()
    recording = playing(shelf)
    before = len(shelf.asked)

    recording.restart()
    recording.answer(0, "pass")

    assert len(shelf.asked) > before


def test_the_handle_shows_the_table_of_the_room() -> None:
    recording = playing(Shelf())
    for _ in range(12):
        assert handle(recording).table is recording.table.game
        seat = recording.ask.waiting_for[0]
        picks = recording.question(seat).row_default
        recording.give(answer_of(recording.table.room, seat, recording.ask.ask_id, picks), seat)
    assert handle(recording).table is recording.table.game
