"""Whole games as a client sees them: real rules and words, every frame drawn."""

import pytest

from client.journal import Journal
from client.locale import load
from client.model import ClientModel
from client.screens.replay import ReplayModel
from client.screens.screen import Desk
from client.screens.ui import Ui
from client.tables import TableView
from client.widgets.scene import Charset
from protocol.event import cut
from server.kernel.scribe import Batch
from server.lobby.words import Wordsmith
from tests.client.stage import RecordingPort
from tests.second_edition.simulate import core, simulate

ROWS, COLUMNS = 22, 80


@pytest.mark.parametrize(("seed", "players", "language"), [(0, 1, "en"), (1, 2, "fr")])
def test_every_frame_has_its_words(seed: int, players: int, language: str) -> None:
    """From the lobby to the end no text is missing when it is shown, and every frame fits."""
    model = ClientModel("Ann", b"", load(language))
    journal = Journal(lambda: model.speaker)
    model.followers.append(journal)
    view = TableView(f"room-{seed}", 0)
    model.follow(view)
    ui = Ui(Desk(model, RecordingPort(), journal, Charset.BOXES))
    wordsmith = Wordsmith(language)
    missing: list[str] = []

    def look(batch: Batch) -> None:
        cuts = [cut(stored, 0) for stored in batch.stored]
        for words in wordsmith.for_cuts(core().catalogs, cuts):
            model.words.add(words.language, words.subjects)
        model.took(view.receive(cuts))
        frame = ui.draw(ROWS, COLUMNS).plain()
        assert len(frame.split("\n")) == ROWS
        missing.extend(line for line in frame.split("\n") if "<ask/" in line or "<choice/" in line)

    simulate(seed, players, on_batch=look).play()

    assert missing == []
    assert [line.text for line in journal.lines if line.text.startswith("<")] == []
    replay = ReplayModel(view.records, len(view.records))
    assert replay.table == view.table
