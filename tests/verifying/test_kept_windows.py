"""Kept logs: games of the toy at a table with windows, and at one with stops.

The kernel wrote them when `room_opened/4` and `answered_together` were new. They are never made
again: later readers must say the same of them.
"""

from collections import Counter

import pytest

from protocol.archive import load
from protocol.common import events as on
from protocol.common.asks import Settle
from tests.verifying.kept_logs import accept, kept

COUNTS = {"windows": (2, 2), "stops": (2, 1)}
"""Number of questions in windows, and of windows that closed."""

pytestmark = pytest.mark.issue(11)


@pytest.mark.parametrize("name", COUNTS)
def test_both_verifiers_accept_it(name: str) -> None:
    accept(name)


@pytest.mark.parametrize("name", COUNTS)
def test_it_is_read_as_it_was_written(name: str) -> None:
    events = [record.event for record in load(kept(name)).records]
    tags = Counter(event.tag for event in events)
    asked = [one for one in events if isinstance(one, on.Asked) and one.settle is Settle.WINDOW]

    assert (len(asked), tags["answered_together"]) == COUNTS[name]
    assert {(one.kind, one.seconds) for one in asked} == {("toy/flash", 10)}


def test_what_was_said_in_a_window_is_read() -> None:
    closed = [
        r.event for r in load(kept("windows")).records if isinstance(r.event, on.AnsweredTogether)
    ]

    for one in closed:
        for held in one.answers.values():
            assert held.value.choice_ids[0].startswith(f"{one.ask_id}.")
