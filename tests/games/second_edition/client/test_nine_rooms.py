"""Board of nine rooms of a real game, on the smallest common screen."""

import functools
import itertools
import random

import pytest

from client.boards.labels import labels
from client.bots.brains import SENSIBLE
from client.journal.journal import Journal
from client.locale import LANGUAGES, load
from client.model.model import ClientModel
from client.model.status import Online
from client.model.tables import TableView
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.preferences import Preferences
from protocol.event import Stored, cut
from protocol.games.second_edition.table import SecondEditionTable
from server.authoring.driver import player_key
from server.kernel.batch_writer import Batch
from server.kernel.chance import seeded
from server.kernel.room import Room
from server.lobby.views.words import Wordsmith
from tests.games.second_edition.client.stage import RecordingPort
from tests.games.second_edition.simulate import (
    CoreLibrary,
    SeededEntropy,
    Simulation,
    core_words,
)
from tests.kit.words_sent import words_for

pytestmark = pytest.mark.issue(14)

ROOMS, SEED = 9, 7
PARTS = "│─┌┐└┘├┤┬┴┼║═╎┄╫╪?"
"""Characters with which walls, doors and borders are drawn."""


class Enough(Exception):
    """Raised when the board has enough rooms."""


@functools.cache
def played() -> tuple[Stored, ...]:
    """Return the log of a game up to the first question on a board of nine rooms."""
    stored = list[Stored]()
    room = Room(f"room-{SEED}", CoreLibrary(), SeededEntropy(SEED), make_chance=seeded)

    def look(batch: Batch) -> None:
        stored.extend(batch.stored)
        game = room.table.game
        if isinstance(game, SecondEditionTable) and game.tiles and room.table.room.ask is not None:
            known = len(set(game.map.rooms.values()))
            if known >= ROOMS:
                assert known == ROOMS
                raise Enough

    game = Simulation(room, random.Random(SEED), 2, on_batch=look, brain=SENSIBLE)
    game.scenario = "core/night-train"
    with pytest.raises(Enough):
        game.play()
    return tuple(stored)


def shown(language: str, rows: int, columns: int) -> tuple[ClientModel, list[str]]:
    """Return the model of a player and the lines of their screen, dice put away."""
    model = ClientModel("Ann", player_key(0).public, load(language))
    model.status = Online("", "", "", 0.023)
    view = TableView(f"room-{SEED}", 0)
    model.follow(view)
    cuts = [cut(one, 0) for one in played()]
    for words in words_for(Wordsmith(language), core_words(), cuts):
        model.words.add(words.language, words.subjects)
    view.receive(cuts)
    clock = itertools.count(step=60.0)
    desk = Desk(
        model, RecordingPort(), Journal(lambda: model.speaker), prefs=Preferences(story=False)
    )
    desk.now = lambda: next(clock)
    ui = Ui(desk)
    ui.draw(rows, columns)
    return model, ui.draw(rows, columns).plain().splitlines()


def map_of(lines: list[str], columns: int) -> list[str]:
    left = [line[:columns] for line in lines[2:]]
    inside = itertools.takewhile(lambda line: not line.startswith("─ "), left)
    return [line for line in inside if any(part in line for part in PARTS)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rows", "columns", "width"), [(24, 80, 46), (60, 200, 104)])
def test_every_one_of_nine_rooms_is_named_and_no_name_is_cut(
    language: str, rows: int, columns: int, width: int
) -> None:
    model, lines = shown(language, rows, columns)
    assert model.view is not None
    game = model.view.table.game
    assert isinstance(game, SecondEditionTable)
    board = map_of(lines, width)
    text = " ".join(" ".join(board).split())

    assert "~" not in text
    assert text.count("[") == text.count("]")
    for room in sorted(set(game.map.rooms.values())):
        names = {
            name
            for space, label in labels(game.tiles, game.map, model.speaker).items()
            if game.map.rooms[space] == room
            for name in (*label.room.split(), label.agreed, label.short)
            if name
        }
        assert any(name in text for name in names), (room, board)
