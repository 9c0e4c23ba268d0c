"""Golden game with two-sided Conditions, written by the first server that had them."""

import lzma
from pathlib import Path

import pytest

from protocol.archive import load
from protocol.audit import audit
from protocol.games.second_edition.events import (
    ConditionDiscarded,
    ConditionFlipped,
    ConditionGained,
)
from protocol.validity import judge
from tests.verifying.logs import types, verifier

GOLDEN = Path(__file__).parents[2] / "golden" / "conditions" / "two-sided.manse.xz"
HEAD = "47f309d528090133f6686d438a3c5d32b60c34cd4c6f7ce9460e7974a05c9db0"

pytestmark = pytest.mark.issue(16)


def test_a_golden_game_with_two_sided_conditions_passes_the_audit() -> None:
    archive = load(lzma.decompress(GOLDEN.read_bytes()))

    judge(archive)
    report = audit(archive)

    assert report.is_finished
    assert report.has_game_laws
    assert archive.head.hex() == HEAD


def test_the_independent_verifier_takes_it_too() -> None:
    """The verifier uses the current file of types."""
    data = lzma.decompress(GOLDEN.read_bytes())

    log = verifier().verify(data, types())

    assert len(log.records) == len(load(data).cuts)


def test_it_holds_what_it_is_for() -> None:
    """Both backs come up, one is discarded, and one-sided Conditions are gained too."""
    events = [record.event for record in load(lzma.decompress(GOLDEN.read_bytes())).records]

    gained = [event for event in events if isinstance(event, ConditionGained)]
    flipped = {event.turned_to for event in events if isinstance(event, ConditionFlipped)}
    assert {bool(event.handle) for event in gained} == {True, False}
    assert flipped == {"back/hexed-gone", "back/hexed-stays"}
    assert any(isinstance(e, ConditionDiscarded) and "hexed" in e.card for e in events)
