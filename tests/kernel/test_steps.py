"""Inputs processed in steps: other work can run in between, and an input can be given up."""

from typing import Any

import pytest

from protocol.common import events
from protocol.event import hidden
from server.kernel.batch_writer import Batch
from server.kernel.game import Game
from server.kernel.steps import Steps
from tests.kit.tables import toy
from tests.kit.tables.playing import Recording, begin, facts
from tests.kit.tables.toy_table import Scored

pytestmark = pytest.mark.issue(12)


def draw(recording: Recording) -> events.Answered:
    """Return the answer that begins a turn in which the rules pause."""
    return events.Answered(0, recording.ask.ask_id, hidden((recording.choice(0, "draw"),)))


def drawing(recording: Recording) -> Steps[Batch]:
    """Return the steps of the turn that `draw` begins, none of them taken."""
    return recording.room.receiving(draw(recording), time=recording.time, origin=0)


def taken(steps: Steps[Batch]) -> tuple[int, Batch]:
    """Take all steps; return the number of stops, and the batch."""
    count = 0
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return count, end.value
        count += 1


def test_an_input_stops_where_the_rules_pause_and_between_procedures() -> None:
    recording = begin()

    stops, _ = taken(drawing(recording))

    assert stops == 2


def test_what_is_written_in_steps_is_what_is_written_at_once() -> None:
    one, other = begin(), begin()
    _, in_steps = taken(drawing(one))

    at_once = other.room.receive(draw(other), time=other.time, origin=0)

    assert in_steps.stored == at_once.stored


def test_nothing_is_seen_of_an_input_before_its_last_step() -> None:
    recording = begin()
    before = (recording.room.table, recording.room.head, len(recording.log))
    steps = drawing(recording)

    next(steps)

    assert (recording.room.table, recording.room.head, len(recording.log)) == before


@pytest.mark.parametrize("stops", [1, 2])
def test_an_input_can_be_given_up_between_steps(stops: int) -> None:
    recording = begin()
    before = facts(recording.room)
    steps = drawing(recording)
    for _ in range(stops):
        next(steps)

    steps.close()

    assert facts(recording.room) == before
    recording.answer(0, "draw")
    recording.restart()
    assert recording.room.halted is None


def test_a_rule_that_is_given_up_can_write_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[bool] = []

    async def stubborn(game: Game[Any, Any], piece: str) -> None:
        try:
            await game.pause()
        finally:
            with pytest.raises(RuntimeError):
                game.emit(Scored(piece, 1))
            found.append(True)

    recording = begin()
    monkeypatch.setattr(toy, "turn", stubborn)
    steps = drawing(recording)
    for _ in range(3):
        next(steps)

    steps.close()

    assert found == [True]
