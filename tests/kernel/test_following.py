"""A room that follows what its copy wrote is the room that wrote it, and can go on by itself."""

import random
from collections.abc import Sequence
from typing import Any

import attrs
import pytest

from protocol import codec
from protocol.common import events
from protocol.errors import ProtocolError
from protocol.event import Stored, read_own
from server.kernel.errors import Diverged, RecordNeeded, Refused
from server.kernel.room import Room
from server.kernel.steps import run_through
from tests.kernel.playing import (
    ROOM_ID,
    Recording,
    SeededEntropy,
    Shelf,
    a_game,
    begin,
    facts,
)

pytestmark = pytest.mark.issue(12)

GAMES = [(seed, 1 + seed % 4) for seed in range(6)]
OF_THE_RULES = {"answers", "ask"}
"""What a room that follows does not know: its rules stand elsewhere."""


def known(room: Room) -> dict[str, Any]:
    """Return what a room is, but for its rules and for where its records lie."""
    state, rest = room._state, room.rest
    chances = {stream: getattr(one, "_key", None) for stream, one in state.chances.of.items()}
    return {"room": (room.table, room.head, len(room.log), state.time, chances), "rest": rest}


@attrs.define
class Pair:
    """The room that lived through a game, and one that follows it or goes on by itself."""

    lived: Recording
    room: Room = attrs.field(init=False)
    position: int = 0
    """Of the entropy that the first had before the next step."""
    recalled: int = 0

    def __attrs_post_init__(self) -> None:
        """Begin with an empty room."""
        self.room = Room(ROOM_ID, Shelf(), SeededEntropy())

    def step(self, at: int, *, follows: bool) -> None:
        """Come to where the first stood after a step."""
        step = self.lived.steps[at]
        if follows and self.room.can_be_followed:
            run_through(self.room.following(step.batch.stored))
        else:
            assert self._taken(at) == step.batch.stored
        self.room.commit()
        self.room.forget()
        self.position = step.position
        assert (self.room.table, self.room.head) == (step.table, step.head)

    def _taken(self, at: int) -> tuple[Stored, ...]:
        """Have the room take an input by itself, with any record that it misses."""
        step = self.lived.steps[at]
        while True:
            self.room._entropy = SeededEntropy(self.lived.seed, self.position)
            before = known(self.room)
            try:
                batch = self.room.receive(step.happened, time=step.time, origin=step.origin)
            except RecordNeeded as needed:
                assert known(self.room) == before
                self.room.recall({needed.sequence: self.lived.log[needed.sequence]})
                self.recalled += 1
            else:
                return batch.stored


@pytest.mark.parametrize(("seed", "seats"), GAMES)
def test_a_room_that_follows_is_the_same_after_each_batch(seed: int, seats: int) -> None:
    """Table, chain, time, chance and rest point, and as few records are kept."""
    lived, again = a_game(seed, seats), Recording(seed=seed)
    pair = Pair(lived)

    for at, step in enumerate(lived.steps):
        again.give(step.happened, step.origin, time=step.time)
        pair.step(at, follows=True)
        assert known(pair.room) == known(again.room)
        assert pair.room.log.first == again.room.rest.end


@pytest.mark.parametrize(("seed", "seats"), GAMES)
def test_a_room_goes_on_by_itself_wherever_it_stops_to_follow(seed: int, seats: int) -> None:
    """With the same entropy it writes the same bytes; a record that it misses changes nothing."""
    lived = a_game(seed, seats)
    chance = random.Random(seed)
    pair = Pair(lived)

    for at in range(len(lived.steps)):
        pair.step(at, follows=chance.random() < 0.7)

    assert known(pair.room) == known(lived.room)


def test_records_are_missed_in_some_game() -> None:
    """Else the test above would not look at it."""
    pairs = []
    for seed in range(12):
        pair = Pair(a_game(seed, 1 + seed % 4))
        for at in range(len(pair.lived.steps)):
            pair.step(at, follows=at % 2 == 0)
        pairs.append(pair)

    assert sum(pair.recalled for pair in pairs) > 0


def test_a_record_that_is_missed_on_the_way_back_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What lies behind the last rest point may open an earlier secret when it is played again."""
    recording = begin()
    room = follower_of(recording)
    stored = recording.answer(0, "peek").batch.stored
    run_through(room.following(stored))
    room.commit()
    before, log, handle = known(room), list(room.log), recording.game.hand("bear")[0]
    answer = recording.answer(0, handle)

    def miss(*_: object) -> None:
        raise RecordNeeded(3)

    monkeypatch.setattr(room, "_go_on", miss)
    with pytest.raises(RecordNeeded):
        room.receive(answer.happened, time=answer.time, origin=answer.origin)

    monkeypatch.undo()
    assert (known(room), list(room.log)) == (before, log)
    batch = room.receive(answer.happened, time=answer.time, origin=answer.origin)
    assert tags(batch.stored) == tags(answer.batch.stored)


def test_a_refused_input_leaves_the_rules_where_they_are() -> None:
    """Whoever sends nonsense does not have the room play again what it followed."""
    recording = begin()
    room = follower_of(recording)
    answer = recording.answer(0, "peek")
    run_through(room.following(answer.batch.stored))
    room.commit()

    with pytest.raises(Refused):
        room.receive(events.TimedOut(99), time=recording.time, origin=-1)

    assert room._is_following


def test_a_batch_that_is_not_stored_leaves_the_room_as_it_was() -> None:
    """And the room takes the same input by itself."""
    recording = begin()
    room = follower_of(recording)
    before = facts(room)
    answer = recording.answer(0, "peek")
    run_through(room.following(answer.batch.stored))

    room.discard()

    assert facts(room) == before
    batch = room.receive(answer.happened, time=answer.time, origin=answer.origin)
    assert tags(batch.stored) == tags(answer.batch.stored)


def test_records_that_do_not_follow_are_refused() -> None:
    """One is missing, one is of another room, one begins a game; nothing has changed."""
    recording = begin()
    room = follower_of(recording)
    before = facts(room)
    stored = recording.answer(0, "peek").batch.stored
    start = next(r for r in recording.records if isinstance(r.event, events.GameStarted))
    fields: Any = codec.unpack_own(recording.log[start.sequence].public)
    begins, openings = (len(room.log), *fields[1:]), recording.log[start.sequence].openings

    with pytest.raises(Diverged, match="cannot follow"):
        run_through(room.following(stored[1:]))
    with pytest.raises(Diverged, match="cannot follow"):
        run_through(room.following([Stored(codec.pack(begins), openings)]))
    with pytest.raises(ProtocolError):
        run_through(Room.following(elsewhere(recording), stored))

    assert facts(room) == before


def tags(stored: Sequence[Stored]) -> list[str]:
    """Return the kinds of some records of the toy."""
    return [read_own(ROOM_ID, one).event.tag for one in stored]


def follower_of(recording: Recording) -> Room:
    """Return another room that stands where a recording does."""
    return Room.resume(ROOM_ID, recording.log, recording.shelf, SeededEntropy(9))


def elsewhere(recording: Recording) -> Room:
    """Return a room of another id that is as long."""
    room = follower_of(recording)
    room._state.room_id = "another"
    return room


def test_a_table_with_stops_and_one_that_is_not_played_cannot_be_followed() -> None:
    """Where a window is passed follows from what is on no log; chance is agreed upon here."""
    playing = begin()
    assert playing.room.can_be_followed

    assert not Recording().room.can_be_followed
    with_stops = attrs.evolve(playing.table.room.settings, stops=True)
    assert not begin(settings=with_stops).room.can_be_followed
    playing.room.halted = Diverged(3, "another")
    assert not playing.room.can_be_followed
