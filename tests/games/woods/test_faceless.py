"""Game without a face: it is drawn from its questions and records alone."""

import pytest

from client.journal.replay_model import ReplayModel
from client.plugs.face import GameFace, face_of
from protocol.common.events import CheckpointReached
from tests.games.every import MOST_TURNS, start

pytestmark = pytest.mark.issue(11)


@pytest.fixture(autouse=True)
def _faceless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the face of the woods."""
    monkeypatch.setattr("client.plugs.face._installed", GameFace)


def test_it_has_the_face_of_no_game_in_particular() -> None:
    assert face_of("woods") == GameFace("woods")


def test_its_replay_leaps_from_rest_to_rest() -> None:
    """No face counts rounds, so the stops are rest points, and the last one is the end."""
    evening = start("woods")
    evening.play(MOST_TURNS)
    view = evening.ann.model.view
    assert view is not None
    replay = ReplayModel(view.records)
    rested = sum(isinstance(record.event, CheckpointReached) for record in view.records)

    leaps = 0
    while replay.leap(1):
        leaps += 1

    assert rested < leaps < len(view.records)
