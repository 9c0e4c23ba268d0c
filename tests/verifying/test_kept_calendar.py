"""Kept logs: a game by the calendar, and one that the operator paused, resumed and closed.

They were written when `room_opened/6` was new, and are never made again: later readers must say the
same of them.
"""

import pytest

from protocol.archive import load
from protocol.common import events as on
from protocol.event import OPERATOR
from tests.verifying.kept_logs import accept, kept

pytestmark = pytest.mark.issue(15)


@pytest.mark.parametrize("name", ["calendar", "operator"])
def test_both_verifiers_accept_it(name: str) -> None:
    accept(name)


def test_the_calendar_is_read_as_it_was_written() -> None:
    events = [record.event for record in load(kept("calendar")).records]

    assert isinstance(events[0], on.RoomOpened)
    settings = events[0].settings
    assert (settings.time_limit_seconds, settings.by_calendar) == (600, True)
    assert sum(isinstance(one, on.TimedOut) for one in events) == 3


def test_the_operator_is_read_as_it_was_written() -> None:
    records = load(kept("operator")).records
    acts = [one.event for one in records if one.origin == OPERATOR]

    assert acts == [
        on.OperatorPaused(b"the machine is moved"),
        on.OperatorResumed("elle est à sa place".encode()),
        on.OperatorClosed(b"nobody has come back"),
    ]
    assert isinstance(records[-1].event, on.RoomClosed)
    assert records[-1].event.how is on.HowClosed.CLOSED
