"""Whole games as a client sees them: real rules and words, every frame drawn."""

import itertools

import pytest

from client.journal.journal import Journal
from client.journal.replay_model import ReplayModel
from client.locale import load
from client.model.model import ClientModel
from client.model.tables import TableView
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol.event import cut
from server.kernel.batch_writer import Batch
from server.lobby.views.words import Wordsmith
from tests.games.second_edition.client.stage import RecordingPort
from tests.games.second_edition.simulate import core_words, simulate
from tests.kit.words_sent import words_for

SIZES = ((22, 80), (24, 80), (40, 120), (60, 200), (16, 50), (18, 34))
"""Rows and columns of the terminal; each frame is drawn in the next size."""
KEYS = ("<ask/", "<choice/", "<refusal/")
"""Beginnings of a text whose words are missing."""


def rules_met(view: TableView) -> list[str]:
    """Return the ids of the rules that the open question shows to the viewer."""
    question = view.my_question()
    refused = question.refused if question is not None else ()
    return [*([view.ask.rule] if view.ask is not None else []), *(no.rule for no in refused)]


@pytest.mark.parametrize(("seed", "players", "language"), [(0, 1, "en"), (1, 2, "fr")])
def test_every_frame_has_its_words(seed: int, players: int, language: str) -> None:
    """Every rule that asks or refuses something has its explanation."""
    model = ClientModel("Ann", b"", load(language))
    journal = Journal(lambda: model.speaker)
    model.followers.append(journal)
    view = TableView(f"room-{seed}", 0)
    model.follow(view)
    ui = Ui(Desk(model, RecordingPort(), journal))
    wordsmith = Wordsmith(language)
    missing: list[str] = []
    sizes = itertools.cycle(SIZES)

    def look(batch: Batch) -> None:
        cuts = [cut(stored, 0) for stored in batch.stored]
        for words in words_for(wordsmith, core_words(), cuts):
            model.words.add(words.language, words.subjects)
        model.pass_steps(view.receive(cuts))
        rows, columns = next(sizes)
        frame = ui.draw(rows, columns).plain()
        assert len(frame.split("\n")) == rows
        missing.extend(line for line in frame.split("\n") if any(key in line for key in KEYS))
        missing.extend(rule for rule in rules_met(view) if not all(model.speaker.rule(rule)))

    simulate(seed, players, on_batch=look).play()

    assert missing == []
    assert [line.text for line in journal.lines if line.text.startswith("<")] == []
    replay = ReplayModel(view.records, len(view.records))
    assert replay.table == view.table
