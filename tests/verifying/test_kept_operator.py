"""
A kept log: a game that the operator paused, resumed and closed.

It is never made again: what reads it later must say the same of it.
"""

import lzma
from pathlib import Path

import pytest

from protocol.archive import load
from protocol.common import events
from protocol.common.table import Stage
from protocol.event import OPERATOR
from protocol.validity import judge
from tests.verifying.logs import types, verifier

FILE = Path(__file__).parent / "kept" / "operator.manse.xz"

pytestmark = pytest.mark.issue(15)


def kept() -> bytes:
    """Return the file."""
    return lzma.decompress(FILE.read_bytes())


def test_both_verifiers_accept_it() -> None:
    """Ours, and the one that needs no more than the page."""
    assert judge(load(kept())).room.stage is Stage.OVER
    verifier().verify(kept(), types())


def test_it_is_read_as_it_was_written() -> None:
    """Each act with its reason, and how the game was closed."""
    records = load(kept()).records
    acts = [one.event for one in records if one.origin == OPERATOR]

    assert acts == [
        events.OperatorPaused(b"the machine is moved"),
        events.OperatorResumed("elle est à sa place".encode()),
        events.OperatorClosed(b"nobody has come back"),
    ]
    assert isinstance(records[-1].event, events.RoomClosed)
    assert records[-1].event.how is events.HowClosed.CLOSED
