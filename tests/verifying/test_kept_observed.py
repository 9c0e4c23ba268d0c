"""A kept log: a game at a table with an observer, written when `room_opened/5` was new.

It is never made again: later readers must say the same of it.
"""

import pytest

from protocol.archive import BadArchive, load
from protocol.common import events
from protocol.common.table import Stage
from protocol.keys import fingerprint
from protocol.validity import judge
from tests.verifying.files import taken_apart
from tests.verifying.kept_logs import accept, kept
from tests.verifying.logs import types, verifier

pytestmark = pytest.mark.issue(11)


def test_both_verifiers_accept_it() -> None:
    accept("observed")


def test_it_says_who_observed_and_how_late() -> None:
    opened = load(kept("observed")).records[0].event

    assert isinstance(opened, events.RoomOpened)
    assert [(one.name, one.delay_seconds) for one in opened.settings.observers] == [("Rea", 300)]


def test_a_log_whose_observer_has_a_seat_is_invalid() -> None:
    file = taken_apart(kept("observed"))
    taken = next(line for line in file.lines if line.tag == "seat_taken")
    [observer] = file.lines[0].fields[4][-1]

    observer[1] = fingerprint(taken.fields[2])

    with pytest.raises(BadArchive, match="an observer is given a seat"):
        judge(load(file.sealed()))


def test_a_log_that_names_one_observer_twice_is_invalid() -> None:
    """Only our verifier says so.

    The rule belongs to step 3 of section 14, and verify.py judges steps 1 and 2.
    """
    file = taken_apart(kept("observed"))
    observers = file.lines[0].fields[4][-1]
    [observer] = observers

    observers.append(["Sol", observer[1], 0])
    forged = file.sealed()

    verifier().verify(forged, types())
    with pytest.raises(BadArchive, match="two observers with one key") as caught:
        judge(load(forged))
    assert caught.value.sequence == 0


def test_a_log_may_name_two_observers() -> None:
    file = taken_apart(kept("observed"))
    observers = file.lines[0].fields[4][-1]
    [observer] = observers

    observers.append(["Sol", fingerprint(bytes(32)), observer[2]])

    assert judge(load(file.sealed())).room.stage is Stage.OVER
