"""Going back after an update when only absent players have not agreed."""

import attrs
import pytest

from protocol.archive import load
from protocol.common import events
from protocol.common.absence import ABSENCE_MS, absentees
from protocol.event import CLOCK, OPERATOR
from protocol.validity import judge
from tests.kit.tables.playing import (
    ROOM_ID,
    Policy,
    Recording,
    SeededEntropy,
    Shelf,
    begin,
    facts,
    play,
    refused,
)
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy_table import Content
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(15)


def halted(*here: int, seats: int = 3, by: int = 0) -> Recording:
    """
    Return a game that an update has halted, with an open proposal of the seat `by` to go back.

    Args:
        here: the seats whose owners are present.
        seats: the number of seats.
        by: the seat that proposes.
    """
    lived = begin(seats)
    lived.answer(0, "peek")
    for seat in here:
        lived.give(events.PresenceChanged(seat, is_present=True), seat)
    recording = Recording(Shelf(Content(edition="renamed")))
    # Another than that of the game so far, or handles would come twice.
    shelf, entropy = recording.shelf, SeededEntropy(5)
    recording.room = resume(ROOM_ID, lived.log, shelf, entropy)
    recording.time = lived.time
    assert recording.room.halted is not None
    recording.propose_back(by, max(recording.table.checkpoints))
    return recording


def vote_for(recording: Recording) -> events.AgreedForAbsent:
    """Return the input that agrees for all absent players."""
    room = recording.table.room
    assert room.proposal is not None
    return events.AgreedForAbsent(room.proposal.proposal_id, absentees(room))


def day_after(recording: Recording) -> int:
    """Return the time from which a seat may agree for others."""
    return recording.table.room.proposed_at + ABSENCE_MS


def test_after_a_day_whoever_is_here_agrees_for_the_absent() -> None:
    recording = halted(0)

    recording.give(vote_for(recording), 0, time=day_after(recording))

    assert recording.room.halted is None
    assert recording.happened(events.AgreedForAbsent) == [events.AgreedForAbsent(0, (1, 2))]
    assert len(recording.happened(events.TakenBack)) == 1
    again = resume(ROOM_ID, recording.log, recording.shelf, SeededEntropy())
    assert facts(again) == facts(recording.room)


def test_the_absent_have_a_day_to_come_back() -> None:
    recording = halted(0)
    early = day_after(recording) - 1 - 5000

    recording.time = early

    assert refused(recording, vote_for(recording), 0) == "proposal/too_early"


def test_the_operator_agrees_for_the_absent_at_once() -> None:
    recording = halted(0)

    recording.give(vote_for(recording), OPERATOR)

    assert recording.room.halted is None
    (one,) = (r for r in recording.records if isinstance(r.event, events.AgreedForAbsent))
    assert one.origin == OPERATOR


@pytest.mark.parametrize("origin", [0, OPERATOR])
def test_nobody_speaks_for_who_is_here(origin: int) -> None:
    recording = halted(0, 1)
    recording.time = day_after(recording)
    proposal_id = vote_for(recording).proposal_id

    assert absentees(recording.table.room) == ()
    for seats in ((), (1, 2), (2,)):
        taken = events.AgreedForAbsent(proposal_id, seats)
        assert refused(recording, taken, origin) == "proposal/not_absent"
    recording.consent(1)
    recording.give(vote_for(recording), 1)
    assert recording.room.halted is None


def test_who_is_away_does_not_agree_for_others() -> None:
    recording = halted(0)
    recording.time = day_after(recording)

    assert refused(recording, vote_for(recording), 1) == "proposal/no_voice"
    assert refused(recording, vote_for(recording), CLOCK) == "proposal/no_voice"


def test_a_game_that_goes_on_by_itself_needs_everybody() -> None:
    """Nobody's moves may be undone behind their back."""
    recording = begin(2)
    recording.give(events.PresenceChanged(0, is_present=True), 0)
    recording.propose_back(0, max(recording.table.checkpoints))
    recording.time = day_after(recording)

    assert refused(recording, vote_for(recording), 0) == "proposal/not_halted"
    assert refused(recording, vote_for(recording), OPERATOR) == "proposal/not_halted"


def test_nobody_gives_a_seat_away_for_the_absent() -> None:
    recording = halted(0)
    recording.propose_gift(0, 2, b"z" * 32)

    assert absentees(recording.table.room) == ()


def test_a_newer_proposal_is_another() -> None:
    recording = halted(0)
    old = vote_for(recording)
    recording.time = day_after(recording)
    recording.propose_back(0, max(recording.table.checkpoints))

    assert refused(recording, old, 0) == "proposal/stale"
    assert refused(recording, vote_for(recording), 0) == "proposal/too_early"


def finished(origin: int) -> Recording:
    """
    Return a finished game that had gone back by consent on behalf of absent players.

    Args:
        origin: who gave this consent: a seat, or the operator.
    """
    recording = halted(0)
    recording.give(vote_for(recording), origin, time=day_after(recording))
    return play(recording, Policy(1, noise=0))


@pytest.mark.parametrize("origin", [0, OPERATOR])
def test_its_log_is_valid_and_counts_it(origin: int) -> None:
    state = judge(load(file_of(finished(origin).room)))

    assert (state.counts.take_backs, state.counts.absences) == (1, 1)


def test_an_empty_seat_and_a_bot_are_not_asked() -> None:
    room = halted(0).table.room
    seats = {
        n: attrs.evolve(s, is_bot=n == 1, key=b"" if n == 2 else s.key)
        for n, s in room.seats.items()
    }

    assert absentees(attrs.evolve(room, seats=seats)) == ()
