"""What the operator does to a game: a pause that no seat can end, and an early end."""

import pytest

from protocol.common import events
from protocol.common.proposals import GiveUp
from protocol.common.table import Proposal, Stage
from protocol.event import CLOCK, OPERATOR, Event, hidden
from server.kernel.room import Room
from tests.kit.tables.playing import (
    ROOM_ID,
    Recording,
    SeededEntropy,
    begin,
    facts,
    opened,
    ready,
    refused,
    seated,
)
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy_table import Content

pytestmark = pytest.mark.issue(15)

WHY = b"a word with you all"
ACTS = (events.OperatorPaused(WHY), events.OperatorResumed(WHY), events.OperatorClosed(WHY))


def an_answer(recording: Recording) -> Event:
    """Return a valid answer to the open question."""
    return events.Answered(0, recording.ask.ask_id, hidden((recording.choice(0, "pass"),)))


def why_halted(room: Room) -> str:
    """Return why a game cannot go on by itself; empty if it can."""
    return "" if room.halted is None else str(room.halted)


def paused() -> Recording:
    """Return a game that the operator has paused."""
    recording = begin(2)
    recording.give(events.OperatorPaused(WHY), OPERATOR)
    return recording


def test_nobody_answers_while_the_operator_has_paused_the_game() -> None:
    recording = begin(2)
    ask, answer = recording.ask, an_answer(recording)

    recording.give(events.OperatorPaused(WHY), OPERATOR)

    assert recording.ask == ask
    assert refused(recording, answer, 0) == "table/paused_by_operator"
    assert refused(recording, events.TimedOut(ask.ask_id), CLOCK) == "table/paused_by_operator"
    assert refused(recording, events.PausedSet(is_paused=False), 0) == "table/not_paused"


def test_a_game_goes_on_where_the_operator_had_paused_it() -> None:
    recording = begin(2)
    ask, answer = recording.ask, an_answer(recording)
    recording.give(events.OperatorPaused(WHY), OPERATOR)

    recording.give(events.OperatorResumed(WHY), OPERATOR)

    assert recording.ask == ask
    recording.give(answer, 0)
    assert recording.ask != ask


def test_a_pause_of_the_operator_outlives_a_restart() -> None:
    recording = paused()

    room = resume(ROOM_ID, recording.log, recording.shelf, SeededEntropy(), from_start=True)

    assert room.table.room.operator_reason == WHY
    assert facts(room) == facts(recording.room)


def test_a_closed_game_is_over_with_its_seeds_open() -> None:
    recording = begin(2)

    recording.give(events.OperatorClosed(WHY), OPERATOR)

    room = recording.table.room
    assert (room.stage, room.ask, room.operator_reason) == (Stage.OVER, None, WHY)
    (closed,) = recording.happened(events.RoomClosed)
    assert closed.how is events.HowClosed.CLOSED
    assert len(closed.seeds) == 2
    again = resume(ROOM_ID, recording.log, recording.shelf, SeededEntropy(), from_start=True)
    assert facts(again) == facts(recording.room)


def test_a_halted_game_can_be_closed() -> None:
    lived = begin(2)
    lived.answer(0, "peek")
    halted = Recording(lived.shelf)
    shelf = type(lived.shelf)(Content(edition="early"))
    halted.room = resume(ROOM_ID, lived.log, shelf, SeededEntropy())
    assert why_halted(halted.room)

    halted.give(events.OperatorClosed(WHY), OPERATOR)

    assert not why_halted(halted.room)
    assert halted.table.room.stage is Stage.OVER
    again = resume(ROOM_ID, halted.log, shelf, SeededEntropy())
    assert not why_halted(again)
    assert again.table == halted.table


@pytest.mark.parametrize("origin", [0, CLOCK])
@pytest.mark.parametrize("act", ACTS, ids=lambda act: str(act.tag))
def test_nobody_else_does_what_the_operator_does(act: Event, origin: int) -> None:
    recording = paused() if isinstance(act, events.OperatorResumed) else begin(2)

    assert refused(recording, act, origin) == "operator/only"


def test_the_operator_speaks_for_nobody() -> None:
    recording = begin(2)

    assert refused(recording, an_answer(recording), OPERATOR) == "operator/only"


@pytest.mark.parametrize("act", ACTS, ids=lambda act: str(act.tag))
def test_only_a_game_that_is_played_is_paused_or_closed(act: Event) -> None:
    recording = ready(seated(opened(Recording()), 2))

    assert refused(recording, act, OPERATOR) == "table/not_playing"


def test_a_game_is_paused_once() -> None:
    assert refused(paused(), events.OperatorPaused(WHY), OPERATOR) == "operator/paused_already"
    assert refused(begin(2), events.OperatorResumed(WHY), OPERATOR) == "table/not_paused"


@pytest.mark.parametrize("reason", [b" ", b"\xff", b"two\nlines", b"\x1b[31m", "é".encode() * 201])
def test_a_reason_is_a_line_that_people_can_read(reason: bytes) -> None:
    assert refused(begin(2), events.OperatorPaused(reason), OPERATOR) == "operator/unfit_reason"


def test_the_end_that_all_agreed_to_is_not_the_operators() -> None:
    recording = paused()

    recording.give(events.Proposed(Proposal.of(GiveUp(), 0, 0)), 0)
    recording.give(events.Consented(1, 0, is_agreed=True), 1)

    (closed,) = recording.happened(events.RoomClosed)
    assert closed.how is events.HowClosed.GIVEN_UP
    assert recording.table.room.operator_reason == b""
