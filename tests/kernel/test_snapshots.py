"""Snapshots: a room restored from one equals the room that lived through the log."""

from typing import Any

import attrs
import pytest

from protocol.common.table import RoomTable
from protocol.event import Sealed, Stored, hidden
from server.kernel import snapshot
from server.kernel.chance import seeded
from server.kernel.errors import RecordNeeded
from server.kernel.rest_point import Folding, RestPoint
from server.kernel.room import Room
from server.kernel.snapshot import BadSnapshot, difference
from server.kernel.structures import Structures
from tests.kit.tables.playing import ROOM_ID, Recording, SeededEntropy, a_game

CODE = b"today's code"


def loaded(data: bytes) -> RestPoint:
    """Return the rest point of a toy game's snapshot."""
    return snapshot.load(data, ROOM_ID, lambda _: CODE, seeded)


def gone_on(recording: Recording, rest: RestPoint, length: int) -> Room:
    """Resume a room from a rest point with a log of the given length."""
    room = Room(ROOM_ID, recording.shelf, SeededEntropy(5))
    folding = Folding(rest, room.chances_of)
    folding.add(ROOM_ID, recording.log[rest.end : length])
    while True:
        try:
            room.load(folding)
        except RecordNeeded as needed:
            folding.recalled[needed.sequence] = recording.log[needed.sequence]
        else:
            return room


def known(room: Room) -> tuple[Any, ...]:
    """Return the state that must be equal in two rooms, wherever their records are stored."""
    running = room._runner.running
    asked = running and (running.ask.rule, dict(running.ask.prompts), dict(running.answers))
    chances = dict(room._state.chances.keys)
    return room.table, room.head, len(room.log), room.last_time, repr(room.halted), asked, chances


@pytest.mark.issue(12)
def test_a_snapshot_is_written_in_steps() -> None:
    """Writing all checkpoints of a long game at once takes too long."""
    rest = a_game(1).room.rest

    stops = sum(1 for _ in snapshot.saving(rest, CODE))

    assert stops > len(rest.table.checkpoints) > 1


@pytest.mark.parametrize("seed", range(4))
def test_every_rest_point_of_a_game_comes_back_as_it_was(seed: int) -> None:
    lived = a_game(seed)
    recording = Recording(seed=seed)
    room, end = recording.room, 0
    for step in lived.steps:
        recording.give(step.happened, step.origin, time=step.time)
        data = snapshot.save(room.rest, CODE)
        rest = loaded(data)
        assert rest == room.rest
        assert difference(rest, room.rest) == ""
        assert snapshot.save(rest, CODE) == data
        if room.rest.end != end:
            end = room.rest.end
            again = gone_on(recording, rest, len(recording.log))
            assert known(again) == known(room)


@pytest.mark.parametrize("seed", range(4))
def test_room_that_forgets_lives_through_the_same_game(seed: int) -> None:
    lived = a_game(seed)
    recording = Recording(seed=seed)
    room, log, asked = recording.room, list[Stored](), 0
    for step in lived.steps:
        before = recording.entropy.position
        while True:
            try:
                log += recording.give(step.happened, step.origin, time=step.time).batch.stored
            except RecordNeeded as needed:
                asked += 1
                recording.entropy.position = before
                room.recall({needed.sequence: log[needed.sequence]})
            else:
                break
        room.forget()
        assert room.log.first == room.rest.end
        assert room.log[room.log.first :] == log[room.log.first :]
    assert log == lived.log
    assert known(room) == known(lived.room)
    assert asked <= 10


def test_forgotten_record_is_not_taken_for_another() -> None:
    recording = Recording(seed=0)
    for step in a_game(0).steps:
        if not recording.room.log.first:
            recording.give(step.happened, step.origin, time=step.time)
            recording.room.forget()
    length = len(recording.room.log)

    with pytest.raises(RecordNeeded):
        recording.room.log[0]
    with pytest.raises(RecordNeeded):
        list(recording.room.log)
    with pytest.raises(IndexError):
        recording.room.log[length]


def a_snapshot() -> bytes:
    """Return the snapshot of a toy game at its last rest point."""
    return snapshot.save(a_game(1).room.rest, CODE)


def test_damaged_snapshot_is_refused() -> None:
    data = a_snapshot()

    for at in range(0, len(data), 7):
        with pytest.raises(BadSnapshot):
            loaded(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(BadSnapshot):
            loaded(data[:at])


def test_snapshot_of_another_room_or_version_is_refused() -> None:
    data = a_snapshot()

    with pytest.raises(BadSnapshot, match="another room"):
        snapshot.load(data, "another", lambda _: CODE, seeded)
    with pytest.raises(BadSnapshot, match="other code"):
        snapshot.load(data, ROOM_ID, lambda _: b"tomorrow's", seeded)
    with pytest.raises(BadSnapshot, match="other code"):
        snapshot.load(data, ROOM_ID, lambda _: None, seeded)


def test_difference_names_the_place_and_no_value() -> None:
    """The message goes to the server's log, which must hold no secret."""
    rest = a_game(1).room.rest
    room = rest.table.room
    seed = room.play_seed
    assert seed is not None
    other = attrs.evolve(rest, table=rest.table.with_room(play_seed=seed.opened(b"guess me" * 4)))

    found = difference(rest, other)

    assert "play_seed" in found
    assert "another bytes" in found
    assert "guess" not in found


@pytest.mark.parametrize(
    "value",
    [1.5, {1, 2}, [1], Sealed((), b"", (0, 0)), hidden({1}), RoomTable(kinds=("a", b"b", 2.0))],  # type: ignore[arg-type]
    ids=["float", "set", "list", "shut", "set inside", "float inside"],
)
def test_value_without_a_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="no field declares"):
        Structures(RoomTable).write(value)


def test_parts_that_are_equal_are_written_once() -> None:
    """Equal parts of 64 checkpoints thus take little more room than those of one."""
    structures = Structures(RoomTable)
    twice = (("a", 1, True), ("a", 1, True), ("a", True, 1))

    first, second, third = structures.read(structures.write(twice))

    assert first is second
    assert (first, third) == (("a", 1, True), ("a", True, 1))
    assert [type(part) for part in third] == [str, bool, int]
