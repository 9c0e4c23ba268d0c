"""
A log that was kept: a game by the calendar, as it was when `room_opened/6` was new.

It is never made again: what reads it later must say the same of it.
"""

import lzma
from pathlib import Path

import pytest

from protocol.archive import load
from protocol.common import events as on
from protocol.common.table import Stage
from protocol.validity import judge
from tests.verifying.logs import types, verifier

FILE = Path(__file__).parent / "kept" / "calendar.manse.xz"

pytestmark = pytest.mark.issue(15)


def kept() -> bytes:
    """Return the file."""
    return lzma.decompress(FILE.read_bytes())


def test_both_verifiers_accept_it() -> None:
    """Ours, and the one that needs no more than the page."""
    assert judge(load(kept())).room.stage is Stage.OVER
    verifier().verify(kept(), types())


def test_it_is_read_as_it_was_written() -> None:
    """How the table goes, and how often its time ran out."""
    events = [record.event for record in load(kept()).records]

    assert isinstance(events[0], on.RoomOpened)
    settings = events[0].settings
    assert (settings.time_limit_seconds, settings.by_calendar) == (600, True)
    assert sum(isinstance(one, on.TimedOut) for one in events) == 3
