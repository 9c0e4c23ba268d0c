"""Invariants of every log, checked after every batch of many whole games."""

from typing import Any

import attrs
import pytest

from protocol.commitments import head_of
from protocol.common import events
from protocol.common.table import GameEvent, Table
from protocol.event import EVERYBODY, ROOM, Event, Sealed, Stored, everything, read
from tests.kit.tables.playing import ROOM_ID, Policy, Recording, a_game, play
from tests.kit.tables.toy_table import ToyTable, facedown

SEEDS = range(24)


@pytest.fixture(params=SEEDS)
def recording(request: pytest.FixtureRequest) -> Recording:
    """Return one of the recorded whole games."""
    return a_game(request.param, 1 + request.param % 4)


def test_a_log_is_what_it_says(recording: Recording) -> None:
    records = recording.records

    assert [record.sequence for record in records] == list(range(len(records)))
    assert [r.time for r in records] == sorted(r.time for r in records)
    assert recording.room.head == head_of(ROOM_ID, [stored.public for stored in recording.log])
    for step in recording.steps:
        batch = records[step.batch.first : step.batch.first + len(step.batch.stored)]
        assert batch[0].event.is_input
        assert batch[0].origin == step.origin
        assert not any(record.event.is_input for record in batch[1:])
        assert all(record.origin == ROOM for record in batch[1:])
        assert len({record.time for record in batch}) == 1


def test_questions_open_and_close_in_turn(recording: Recording) -> None:
    is_open = False
    ids = []
    for record in recording.records:
        happened = record.event
        if isinstance(happened, events.Asked):
            assert not is_open
            is_open = True
            ids.append(happened.ask_id)
        elif isinstance(happened, events.Settled):
            assert is_open
            assert happened.ask_id == ids[-1]
            is_open = False
        elif isinstance(happened, events.TakenBack | events.SeatGiven | events.RoomClosed):
            is_open = is_open and isinstance(happened, events.SeatGiven)
            is_open = is_open and not asks_next(recording, record.sequence)
        elif isinstance(happened, GameEvent):
            assert not is_open
    assert ids == list(range(len(ids)))


def asks_next(recording: Recording, sequence: int) -> bool:
    """True if the record after `sequence` asks a question."""
    return isinstance(recording.records[sequence + 1].event, events.Asked)


def test_every_card_is_in_one_place(recording: Recording) -> None:
    content = recording.shelf.on_shelf
    for step in recording.steps:
        game = step.table.game
        if not isinstance(game, ToyTable) or "deck" not in game.piles:
            continue
        handles = [h for pile, held in game.piles.items() if pile != "omens" for h in held]
        faceup = [card for person in game.people.values() for card in person.faceup]
        lying = [game.card_of(handle) for handle in handles] + [card for _, card in faceup]
        assert sorted(lying) == sorted(content.deck)
        omens = list(map(game.card_of, game.piles["omens"]))
        held = [person.omen.value for person in game.people.values() if person.omen]
        assert sorted(omens + held) == sorted(content.omens)


def test_handles_are_new_whenever_a_pile_was_mixed(recording: Recording) -> None:
    minted: list[str] = []
    for mixed in recording.happened(events.Shuffled):
        minted += mixed.handles

    assert len(set(minted)) == len(minted)


def test_a_card_that_is_turned_down_cannot_be_followed(recording: Recording) -> None:
    records = recording.records
    for record in records:
        if record.event.tag == "toy/turned_down":
            mixed = records[record.sequence + 1].event
            assert isinstance(mixed, events.Shuffled)
            assert mixed.pile == facedown(record.event.piece)  # type: ignore[attr-defined]
            assert record.event.handle not in mixed.handles  # type: ignore[attr-defined]


def test_every_seat_knows_its_own_and_no_seat_is_everybody(recording: Recording) -> None:
    seats = set(recording.table.room.seats)
    table: Table = recording.table

    for record in recording.records:
        for sealed in _sealed(record.event):
            assert set(sealed.audience) <= seats
            assert EVERYBODY not in sealed.audience
    assert table.room.ask is None


def _sealed(happened: Event) -> list[Sealed[Any]]:
    values = attrs.asdict(happened, recurse=False).values()  # type: ignore[arg-type]  # every Event is attrs
    flat = [one for v in values for one in (v.values() if isinstance(v, dict) else (v,))]
    return [one for one in flat if isinstance(one, Sealed)]


def test_stored_bytes_are_read_back_as_they_were(recording: Recording) -> None:
    stored: Stored
    for stored, record in zip(recording.log, recording.records, strict=True):
        assert read(ROOM_ID, everything(stored)) == record


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_many_random_games_end(seats: int) -> None:
    for seed in range(100, 112):
        play(Recording(seed=seed), Policy(seed, noise=0.3, backs=5, gifts=2), seats=seats)
