"""A game in version 4 of logs with windows for several choices and timers, as first written."""

from pathlib import Path

import pytest

import tests.kit.tables.toy_table  # noqa: F401 (its kinds)
from protocol.archive import load
from protocol.common import events
from protocol.common.table import Stage
from protocol.validity import judge
from tests.verifying.logs import types, verifier

GAME = Path(__file__).parent / "windows" / "toy.manse"

pytestmark = pytest.mark.issue(39)


def test_both_verifiers_accept_it() -> None:
    assert judge(load(GAME.read_bytes())).room.stage is Stage.OVER
    verifier().verify(GAME.read_bytes(), types())


def test_it_has_windows_for_several_choices_and_timers() -> None:
    happened = [record.event for record in load(GAME.read_bytes()).records]
    held = [
        one.value
        for event in happened
        if isinstance(event, events.AnsweredTogether)
        for one in event.answers.values()
    ]

    assert {len(one.picks) for one in held} == {64}
    assert {len(one.choice_ids) for one in held} == {1, 2}
    timed = [one for one in happened if isinstance(one, events.Asked) and one.timer != -1]
    opened = [one for one in happened if isinstance(one, events.TimerOpened)]
    assert len(timed) > len(opened) > 1
    assert any(isinstance(one, events.TimedOut) for one in happened)
