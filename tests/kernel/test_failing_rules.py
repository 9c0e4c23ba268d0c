"""Rules that raise: nothing is stored by half, and the table can play on or go back."""

import gc

import pytest

from protocol.common import events
from protocol.errors import Malformed
from protocol.event import CLOCK, Event, hidden
from server.kernel.errors import RuleFailed
from tests.kit.tables.playing import (
    ROOM_ID,
    Recording,
    SeededEntropy,
    begin,
    facts,
    refused,
)
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy import SNARED
from tests.kit.tables.toy_table import Content


def fails(recording: Recording, happened: Event, origin: int) -> RuleFailed:
    """Check that an input fails and changes nothing; return its failure."""
    before = facts(recording.room)
    with pytest.raises(RuleFailed) as caught:
        recording.room.receive(happened, time=recording.time + 5000, origin=origin)
    assert facts(recording.room) == before
    return caught.value


def answer(recording: Recording, seat: int, *words: str) -> events.Answered:
    """Return a seat's answer to the open question."""
    return events.Answered(seat, recording.ask.ask_id, hidden((recording.choice(seat, *words),)))


def test_a_rule_that_raises_stores_nothing() -> None:
    recording = begin(content=Content(faults=("trap",)))

    failure = fails(recording, answer(recording, 0, "trap"), 0)

    assert failure.report == f"{ROOM_ID[:8]}-{len(recording.log) + 4}"
    assert isinstance(failure.__cause__, ZeroDivisionError)


def test_a_rule_that_never_ends_is_stopped() -> None:
    """One input may cause only a bounded number of records."""
    recording = begin(content=Content(faults=("endless",)))

    failure = fails(recording, answer(recording, 0, "endless"), 0)

    assert isinstance(failure.__cause__, ValueError)


@pytest.mark.issue(12)
def test_a_rule_that_writes_a_value_of_another_type_is_found_by_the_tests() -> None:
    """Tests read back every record that they seal; a boolean is no number."""
    recording = begin(content=Content(faults=("mistyped",)))

    failure = fails(recording, answer(recording, 0, "mistyped"), 0)

    assert isinstance(failure.__cause__, Malformed)


def test_the_same_question_can_be_answered_otherwise() -> None:
    recording = begin(content=Content(faults=("trap",)))
    fails(recording, answer(recording, 0, "trap"), 0)
    fails(recording, answer(recording, 0, "trap"), 0)

    recording.answer(0, "peek")

    assert recording.ask.rule == "TOY-3"


def test_the_log_is_as_if_it_had_not_been_tried() -> None:
    recording = begin(content=Content(faults=("trap",)))
    fails(recording, answer(recording, 0, "trap"), 0)
    recording.answer(0, "peek")

    room = resume(ROOM_ID, recording.log, recording.shelf, SeededEntropy())

    assert facts(room) == facts(recording.room)


def test_half_given_answers_outlast_a_failure() -> None:
    recording = begin(2, Content(faults=("snare",)))
    recording.answer(0, "snare")
    before = facts(recording.room)

    fails(recording, answer(recording, 0, "toy/trap"), 0)

    assert facts(recording.room) == before
    recording.answer(0, "toy/on")
    assert recording.ask.questions.keys() == {1}


def test_after_a_failure_the_table_can_go_back() -> None:
    recording = begin(2, Content(faults=("snare",)))
    recording.answer(0, "pass")
    checkpoint = max(recording.table.checkpoints)
    recording.answer(1, "snare")
    fails(recording, answer(recording, 1, "toy/trap"), 1)

    recording.propose_back(1, checkpoint)
    recording.consent(0)

    assert recording.ask.rule == "TOY-2"
    assert recording.table.checkpoints.keys() >= {checkpoint}
    assert recording.happened(events.TakenBack) == [events.TakenBack(checkpoint)]


def test_an_abandoned_rule_writes_nothing() -> None:
    """The rule's handle is disabled before its coroutine is closed, so `finally` cannot write."""
    recording = begin(2, Content(faults=("snare",)))
    checkpoint = max(recording.table.checkpoints)
    recording.answer(0, "snare")
    SNARED.clear()

    recording.propose_back(0, checkpoint)
    recording.consent(1)

    assert SNARED == ["tried"]
    points = {piece: person.points for piece, person in recording.game.people.items()}
    assert points == {"bear": 0, "fox": 0}


def test_a_finally_writes_nothing_of_a_discarded_batch() -> None:
    """The coroutine of a batch that could not be stored is abandoned, too."""
    recording = begin(2, Content(faults=("snare",)))
    before = facts(recording.room)
    SNARED.clear()

    recording.room.receive(answer(recording, 0, "snare"), time=0, origin=0)
    recording.room.discard()

    assert SNARED == ["tried"]
    assert facts(recording.room) == before


def test_a_rule_that_clings_is_left_behind() -> None:
    recording = begin(2, Content(faults=("snare", "clinging")))
    checkpoint = max(recording.table.checkpoints)
    recording.answer(0, "snare")

    recording.propose_back(0, checkpoint)
    recording.consent(1)
    gc.collect()

    assert recording.ask.rule == "TOY-2"


def test_a_dead_handle_refuses_everything() -> None:
    recording = begin(2)
    assert recording.room._runner.running is not None
    game = recording.room._runner.running.game
    recording.answer(0, "pass")

    for use in (
        lambda: game.table,
        lambda: game.pick("x", (1, 2)),
        lambda: game.roll("x", 1, sides=6),
        lambda: game.shuffle("deck"),
    ):
        with pytest.raises(RuntimeError, match="moved on"):
            use()


# Time-outs ---------------------------------------------------------------------------------


def test_a_time_out_that_fails_stores_nothing() -> None:
    recording = begin(2, Content(faults=("late",)))

    fails(recording, events.TimedOut(recording.ask.ask_id), CLOCK)


def test_a_pause_by_the_clock_goes_back_to_the_checkpoint() -> None:
    """The room stays paused rather than retrying the failing time-out for ever."""
    recording = begin(2, Content(faults=("late",)))
    checkpoint = max(recording.table.checkpoints)
    fails(recording, events.TimedOut(recording.ask.ask_id), CLOCK)

    recording.give(events.PausedSet(is_paused=True), CLOCK)

    assert recording.table.room.is_paused
    assert recording.happened(events.TakenBack) == [events.TakenBack(checkpoint)]
    pick = recording.choice(0, "pass")
    ask_id = recording.ask.ask_id
    assert refused(recording, events.Answered(0, ask_id, hidden((pick,)))) == "table/paused"
    assert refused(recording, events.TimedOut(ask_id), CLOCK) == "table/paused"
    assert refused(recording, events.PausedSet(is_paused=True), CLOCK) == "table/not_paused"


def test_a_paused_room_goes_on_when_somebody_says_so() -> None:
    recording = begin(2, Content(faults=("late",)))
    recording.give(events.PausedSet(is_paused=True), CLOCK)

    recording.give(events.PausedSet(is_paused=False), 1)
    recording.answer(0, "pass")

    assert recording.ask.questions.keys() == {1}


def test_a_paused_room_comes_back_paused() -> None:
    recording = begin(2, Content(faults=("late",)))
    recording.give(events.PausedSet(is_paused=True), CLOCK)

    room = resume(ROOM_ID, recording.log, recording.shelf, SeededEntropy())

    assert room.table.room.is_paused
    assert facts(room) == facts(recording.room)
