"""Append before send: nothing of a batch is visible before it is durable."""

from typing import Any

import pytest

from protocol.common import events
from protocol.common.chance import Stream
from protocol.common.table import Proposal
from protocol.event import Sealed, hidden
from server.kernel.batch_writer import HANDLE_BYTES, BatchWriter
from server.kernel.room import Room
from tests.kit.tables.playing import (
    ROOM_ID,
    Policy,
    Recording,
    SeededEntropy,
    Shelf,
    a_game,
    begin,
    facts,
    opened,
    play,
    ready,
    seated,
)
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy_table import Content


def seen(room: Room) -> tuple[Any, ...]:
    """Return everything that an outsider can see of a room."""
    return room.table, room.head, list(room.log), room.halted


def test_nothing_is_seen_before_the_commit() -> None:
    recording = begin()
    room = recording.room
    before = seen(room)
    picks: Sealed[tuple[str, ...]] = hidden((recording.choice(0, "peek"),))

    batch = room.receive(events.Answered(0, recording.ask.ask_id, picks), time=0, origin=0)

    assert seen(room) == before
    room.commit()
    assert list(room.log)[batch.first :] == list(batch.stored)
    assert len(batch.stored) > 2
    assert recording.ask.rule == "TOY-3"


def test_a_discarded_batch_leaves_no_trace() -> None:
    recording = begin()
    room = recording.room
    before = facts(room)
    answer = events.Answered(0, recording.ask.ask_id, hidden((recording.choice(0, "peek"),)))

    room.receive(answer, time=0, origin=0)
    room.discard()

    assert facts(room) == before
    recording.give(answer, 0)
    assert recording.ask.rule == "TOY-3"


@pytest.mark.parametrize("seed", range(6))
def test_every_batch_of_a_game_can_be_discarded_first(seed: int) -> None:
    lived = a_game(seed)
    recording = Recording(seed=seed)
    room = recording.room

    for step in lived.steps:
        before, position = facts(room), recording.entropy.position
        room.receive(step.happened, time=step.time, origin=step.origin)
        room.discard()
        assert facts(room) == before
        recording.entropy.position = position
        recording.give(step.happened, step.origin, time=step.time)

    assert recording.log == lived.log


def test_two_inputs_without_a_commit_are_our_own_mistake() -> None:
    recording = begin()
    chat = events.Chatted(0, hidden(b"hello"))
    recording.room.receive(chat, time=0, origin=0)

    with pytest.raises(AssertionError):
        recording.room.receive(chat, time=0, origin=0)
    with pytest.raises(AssertionError):
        begin().room.commit()


def test_a_discarded_start_begins_with_other_seeds() -> None:
    recording = ready(seated(opened(Recording()), 2))
    room = recording.room

    start = recording.signed(events.StartRequested(0))
    first = room.receive(start, time=0, origin=0)
    room.discard()
    second = room.receive(start, time=0, origin=0)

    assert first.stored[1].openings != second.stored[1].openings


def test_a_discarded_agreement_leaves_a_halted_room_halted() -> None:
    recording = begin(1)
    shelf = Shelf(Content(edition="renamed"))
    room = resume(ROOM_ID, recording.log, shelf, SeededEntropy(9))
    assert room.halted is not None
    rest = max(room.table.checkpoints)
    proposal = Proposal(room.table.room.next_proposal_id, "take_back", 0, checkpoint=rest)

    room.receive(events.Proposed(proposal), time=0, origin=0)
    assert room.halted is not None
    room.discard()
    assert room.halted is not None
    room.receive(events.Proposed(proposal), time=0, origin=0)
    room.commit()

    assert room.halted is None


def test_the_policy_plays_the_same_game_twice() -> None:
    """The other tests rely on repeatable games."""
    again = play(Recording(seed=3), Policy(3))

    assert again.log == a_game(3).log


class Repeating(SeededEntropy):
    """Entropy that gives the same bytes again, like a source that is seeded twice."""

    def draw(self, count: int) -> bytes:
        return b"\7" * count


@pytest.mark.issue(36)
def test_a_handle_that_lies_on_the_table_is_never_given_to_another_card() -> None:
    """The rules fail at the duplicate, not later when one of the two cards leaves the table."""
    recording = begin()
    writer = BatchWriter(recording.room._state, time=0, entropy=Repeating())
    assert writer._handles(1) == ("07" * HANDLE_BYTES,)

    writer.shuffle("deck", ("a",), Stream.PLAY)
    with pytest.raises(AssertionError, match="repeats itself"):
        writer.shuffle("other", ("b",), Stream.PLAY)
