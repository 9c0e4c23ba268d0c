"""Seats, claims, readiness, and the ceremony that starts a game."""

import pytest

from protocol.common import events
from protocol.common.table import LOG_VERSION, Settings, Stage
from protocol.event import CLOCK, Sealed
from tests.kit.tables.playing import (
    ROOM_ID,
    Recording,
    committed,
    key_of,
    opened,
    ready,
    refused,
    seated,
    share_of,
    started,
)
from tests.kit.tables.toy_table import RULESET


def test_a_room_is_opened_once_and_under_its_own_name() -> None:
    again = events.RoomOpened(
        ROOM_ID, RULESET, "toy/plain", b"\1" * 32, Settings(), LOG_VERSION, None
    )
    other = events.RoomOpened(
        "another", RULESET, "toy/plain", b"\1" * 32, Settings(), LOG_VERSION, None
    )

    assert refused(Recording(), events.SeatTaken(0, "Ann", key_of(0), is_bot=False)) == (
        "table/unknown_input"
    )
    assert refused(Recording(), other) == "table/another_room"
    assert refused(opened(Recording()), again) == "table/already_open"


def test_derived_events_are_no_inputs() -> None:
    recording = opened(Recording())

    assert refused(recording, events.CheckpointReached()) == "table/unknown_input"
    assert refused(recording, events.GameStarted(())) == "table/unknown_input"


def test_each_seat_and_each_key_is_taken_once() -> None:
    recording = seated(opened(Recording()), 4)

    taken = events.SeatTaken(0, "Eve", key_of(9), is_bot=False)
    twice = events.SeatTaken(7, "Ann", key_of(0), is_bot=False)
    fifth = events.SeatTaken(4, "Eve", key_of(9), is_bot=False)
    below = events.SeatTaken(-1, "Eve", key_of(9), is_bot=False)

    assert refused(recording, taken) == "table/seat_taken"
    assert refused(recording, twice) == "table/already_seated"
    assert refused(recording, fifth, 4) == "table/full"
    assert refused(recording, below, 4) == "table/no_such_seat"


@pytest.mark.rule("C-BZONE-26")
def test_a_character_is_claimed_only_once() -> None:
    recording = seated(opened(Recording()), 2)

    assert refused(recording, events.CharactersClaimed(0, ("fox",))) == "table/piece_taken"
    assert refused(recording, events.CharactersClaimed(0, ("owl", "owl"))) == "table/piece_taken"
    assert refused(recording, events.CharactersClaimed(0, ("cat",))) == "table/no_such_piece"
    assert (
        refused(recording, events.CharactersClaimed(0, ("owl", "mole"))) == "table/too_many_pieces"
    )
    assert refused(recording, events.CharactersClaimed(5, ("owl",))) == "table/no_such_seat"


def test_a_character_that_was_given_up_can_be_claimed() -> None:
    recording = ready(seated(opened(Recording()), 2))

    recording.give(events.CharactersClaimed(0, ("owl",)), 0)
    recording.give(events.CharactersClaimed(1, ("bear",)), 1)

    seats = recording.table.room.seats
    assert [seat.characters for seat in seats.values()] == [("owl",), ("bear",)]
    assert not seats[0].is_ready


def test_nobody_is_ready_without_a_character() -> None:
    recording = opened(Recording())
    recording.give(events.SeatTaken(0, "Ann", key_of(0), is_bot=False), 0)

    assert refused(recording, events.ReadySet(0, is_ready=True)) == "table/choose_first"


def test_start_is_refused_until_all_are_ready() -> None:
    recording = seated(opened(Recording()), 2)
    recording.give(events.ReadySet(0, is_ready=True), 0)

    assert refused(recording, events.StartRequested(0)) == "table/not_all_ready"


def test_start_is_for_the_host_only() -> None:
    recording = ready(seated(opened(Recording()), 2))

    assert refused(recording, events.StartRequested(1), 1) == "table/host_only"


def test_start_needs_the_right_number_of_characters() -> None:
    recording = ready(seated(opened(Recording()), 2))
    recording.give(events.SeatLeft(1), 1)

    assert refused(recording, events.StartRequested(0)) == "table/choose_first"


def test_an_empty_table_cannot_start() -> None:
    assert refused(opened(Recording()), events.StartRequested(0)) == "table/too_few"


def test_the_host_is_whoever_sat_down_first_of_those_who_are_left() -> None:
    recording = seated(opened(Recording()), 2)
    recording.give(events.SeatLeft(0), 0)
    assert recording.table.room.host == 1

    recording.give(events.SeatLeft(1), 1)
    recording.give(events.SeatTaken(3, "Dan", key_of(3), is_bot=False), 3)

    assert recording.table.room.host == 3


def test_another_scenario_makes_everybody_unready() -> None:
    recording = ready(seated(opened(Recording()), 2))

    recording.give(events.ScenarioChosen("toy/other", b"\2" * 32), 0)

    assert not any(seat.is_ready for seat in recording.table.room.seats.values())


def test_commitments_come_before_openings() -> None:
    """No share is opened while a seat could still choose its own."""
    recording = ready(seated(opened(Recording()), 2))
    recording.give(events.StartRequested(0), 0)
    recording.give(recording.bound(0), 0)

    assert refused(recording, events.ShareOpened(0, share_of(0))) == "start/not_now"
    assert refused(recording, events.ShareCommitted(0, b"\0" * 32)) == "start/given_already"


def test_the_server_commits_to_its_seeds_before_anybody_else() -> None:
    recording = ready(seated(opened(Recording()), 2))

    step = recording.give(events.StartRequested(0), 0)

    (seeds,) = recording.happened(events.SeedsCommitted)
    assert len(step.batch.stored) == 2
    assert isinstance(seeds.play_seed, Sealed)
    assert seeds.play_seed.audience == seeds.house_seed.audience == ()
    assert seeds.play_seed.value != seeds.house_seed.value


def test_a_wrong_share_is_refused() -> None:
    recording = committed(ready(seated(opened(Recording()), 2)))

    assert refused(recording, events.ShareOpened(0, share_of(1))) == "start/not_what_was_committed"
    recording.give(events.ShareOpened(0, share_of(0)), 0)
    assert refused(recording, events.ShareOpened(0, share_of(0))) == "start/given_already"
    assert refused(recording, events.ShareOpened(3, share_of(3)), 3) == "start/not_now"


def test_the_game_starts_with_the_last_share() -> None:
    recording = committed(ready(seated(opened(Recording()), 2)))
    recording.give(events.ShareOpened(1, share_of(1)), 1)
    assert recording.table.room.ceremony is not None

    recording.give(events.ShareOpened(0, share_of(0)), 0)

    assert recording.table.room.stage is Stage.PLAYING
    assert recording.ask.rule == "TOY-1"


def test_nobody_comes_or_goes_during_the_ceremony() -> None:
    recording = committed(ready(seated(opened(Recording()), 2)))

    taken = events.SeatTaken(2, "Eve", key_of(2), is_bot=False)

    assert refused(recording, taken, 2) == "table/already_started"
    assert refused(recording, events.SeatLeft(1), 1) == "table/already_started"
    assert refused(recording, events.StartRequested(0)) == "table/already_started"


def test_a_failed_start_is_visible_and_the_next_has_new_commitments() -> None:
    recording = committed(ready(seated(opened(Recording()), 2)))
    recording.give(events.ShareOpened(0, share_of(0)), 0)

    recording.give(events.StartFailed((1,)), CLOCK)
    room = recording.table.room
    assert (room.stage, room.ceremony, room.play_seed) == (Stage.LOBBY, None, None)
    assert [seat.is_ready for seat in room.seats.values()] == [True, False]
    recording.give(events.ReadySet(1, is_ready=True), 1)
    started(recording, attempt=1)

    first, second = recording.happened(events.SeedsCommitted)
    assert {first.play_seed.value, first.house_seed.value}.isdisjoint(
        {second.play_seed.value, second.house_seed.value}
    )
    assert recording.table.room.stage is Stage.PLAYING


def test_an_old_share_does_not_open_a_new_start() -> None:
    recording = committed(ready(seated(opened(Recording()), 1)))
    recording.give(events.StartFailed((0,)), CLOCK)
    recording.give(events.ReadySet(0, is_ready=True), 0)
    committed(recording, attempt=1)

    assert refused(recording, events.ShareOpened(0, share_of(0))) == "start/not_what_was_committed"


def test_no_start_fails_that_is_not_under_way() -> None:
    assert refused(opened(Recording()), events.StartFailed(()), CLOCK) == "start/not_now"
