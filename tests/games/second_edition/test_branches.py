"""Branches: a finished game continues differently in a new room that both verifiers accept."""

import functools
import random

import pytest

from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import Stage
from protocol.event import read_own
from server.kernel.room import Room
from tests.games.second_edition.simulate import CoreLibrary, Simulation, core, simulate
from tests.kit.tables.branches import BRANCH_ID, begin_branch, checkpoints_of, log_of_branch
from tests.kit.tables.resuming import resume
from tests.verifying.logs import file_of, types, verifier

pytestmark = pytest.mark.issue(17)

SEATS = 2


@functools.cache
def source() -> Room:
    """Return a finished game. It is cached."""
    return simulate(1, SEATS).play().room


@functools.cache
def played(place: int) -> Room:
    """Return a branch played to its end from one of the checkpoints."""
    room = begin_branch(source(), checkpoints_of(source())[place], CoreLibrary(core()))
    Simulation(room, random.Random(5), SEATS, core(), time=room.last_time).play_on()
    return room


def places() -> tuple[int, ...]:
    """Return the indexes of the first checkpoint, a middle one and the last."""
    count = len(checkpoints_of(source()))
    return 0, count // 2, count - 1


@pytest.mark.parametrize(
    ("which", "seat"),
    [
        (0, None),
        (1, 0),
        *(pytest.param(which, None, marks=pytest.mark.long) for which in (1, 2)),
        *(pytest.param(which, 0, marks=pytest.mark.long) for which in (0, 2)),
        *(pytest.param(which, 1, marks=pytest.mark.long) for which in range(3)),
    ],
)
def test_both_verifiers_take_a_branch(which: int, seat: int | None) -> None:
    """A branch is verified whole and as a seat's archive; its draws belong to two ceremonies."""
    data = file_of(played(places()[which]), seat)
    report = audit(load(data))
    verifier().verify(data, types())

    assert report.is_finished
    assert report.is_whole is (seat is None)
    assert report.counts.computed.total() or seat is not None


@pytest.mark.parametrize("which", range(3))
def test_a_branch_is_played_again_from_its_log(which: int) -> None:
    """A server reads the log as it is, or replays everything after the second ceremony."""
    room = played(places()[which])
    for from_start in (False, True):
        again = resume(
            BRANCH_ID, list(room.log), CoreLibrary(core()), source()._entropy, from_start=from_start
        )
        assert (again.table, again.head, again.halted) == (room.table, room.head, None)
        assert again.table.room.stage is Stage.OVER


def test_a_branch_repeats_what_its_source_says() -> None:
    """Branch and source are equal field by field, except words of chat and commitments."""
    last = checkpoints_of(source())[places()[1]]
    log = log_of_branch(source(), last)
    for sequence in range(1, last + 1):
        mine = read_own(BRANCH_ID, log[sequence])
        theirs = read_own(source().room_id, source().log[sequence])
        assert (mine.time, mine.origin, mine.event.tag) == (
            theirs.time,
            theirs.origin,
            theirs.event.tag,
        )
    assert isinstance(read_own(BRANCH_ID, log[last + 1]).event, events.Branched)
