"""Packed checkpoints: the table can go back to the same states, in less memory."""

import functools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from protocol.common.checkpoints import CHECKPOINTS_KEPT, up_to, with_one
from protocol.common.table import GameTable, HiddenCard, RoomTable, Seat, Table
from protocol.event import Sealed, Stored
from server.kernel import packed, snapshot
from server.kernel.admission.by_table import answer_of
from server.kernel.chance import seeded
from server.kernel.deltas import Deltas
from server.kernel.packed import LIVE_AT_MOST, PackedCheckpoints, parted, unpacked, with_packed
from server.kernel.rest_point import RestPoint
from server.kernel.structures import Structures
from tests.kit.tables.playing import (
    NOON,
    ROOM_ID,
    Recording,
    SeededEntropy,
    Shelf,
    a_game,
    begin,
)
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy_table import Content

pytestmark = pytest.mark.issue(12)

DELTAS = Deltas(Structures(GameTable, RoomTable))
CODE = b"today's code"


def in_order(value: Any) -> Any:
    """Return a value with its mappings as lists of items, so that comparing sees their order."""
    if isinstance(value, dict):
        return [(key, in_order(one)) for key, one in value.items()]
    if isinstance(value, tuple):
        return tuple(map(in_order, value))
    return value


def comes_back(earlier: object, later: object) -> int:
    """Check that a value is restored from its delta; return the delta's length."""
    delta = DELTAS.write(earlier, later)
    assert in_order(DELTAS.read(delta, later)) == in_order(earlier)
    return len(delta)


def test_what_did_not_change_is_not_written() -> None:
    long = tuple(f"card/{number}" for number in range(1000))

    assert comes_back(long, long) < 10
    assert comes_back(long[1:], long) < 20
    assert comes_back((*long[:500], "card/new", *long[500:]), long) < 30
    assert comes_back({"pile": long, "other": 1}, {"pile": long, "other": 2}) < 20
    assert (
        comes_back(GameTable({"pile": long}, {}, is_chat_open=True), GameTable({"pile": long})) < 30
    )


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ((), ()),
        ((), ("a",)),
        (("a",), ()),
        (("a", "a"), ("a",)),
        (("a",), ("a", "a", "a")),
        (("a", "b", "a"), ("a",)),
        ({}, {"a": 1}),
        ({"a": 1}, {}),
        ({"a": None}, {}),
        ({"a": None}, {"b": None, "a": None}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"b": {"c": ("d",)}}, {"b": {"c": ("d", "e")}}),
        (True, 1),
        (1, True),
        (None, ("a",)),
        (("a",), {"a": 1}),
        (Seat(0, "Ann", b"1"), Seat(0, "Ben", b"1", is_bot=True)),
        (Seat(0, "Ann", b"1"), None),
        (RoomTable(), RoomTable(seats={1: Seat(1, "Ann", b"")}, draws={"a": 1})),
    ],
)
def test_every_kind_of_change_comes_back(earlier: object, later: object) -> None:
    comes_back(earlier, later)
    assert type(DELTAS.read(DELTAS.write(earlier, later), later)) is type(earlier)


@pytest.mark.parametrize("seed", range(30))
def test_mapping_comes_back_whatever_was_done_to_it(seed: int) -> None:
    rng = random.Random(seed)
    cards: tuple[str, ...] = ("card/a", "card/b")
    order = Sealed((0,), b"commitment", (3, 1), cards)
    later = {f"h{number}": HiddenCard(order, number) for number in range(20)}
    for step in range(30):
        entries = list(later.items())
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(entries))
            what = rng.choice(("out", "in", "other", "moved"))
            key, card = entries.pop(at)
            if what == "in":
                entries.insert(at, (key, card))
                entries.insert(rng.randrange(at + 1), (f"n{step}-{len(entries)}", card))
            elif what == "other":
                entries.insert(at, (key, HiddenCard(order, rng.randrange(99))))
            elif what == "moved":
                entries.append((key, card))
        earlier = dict(entries)
        comes_back(GameTable(hidden_cards=earlier), GameTable(hidden_cards=later))
        later = earlier or later


def test_value_without_a_form_is_not_packed() -> None:
    with pytest.raises(TypeError, match="no field declares"):
        DELTAS.write({"a": 1.5}, {"a": 2.5})


# Checkpoints -------------------------------------------------------------------------------


@functools.cache
def long_log() -> tuple[Shelf, tuple[Stored, ...]]:
    """Return the log of a game with as many checkpoints as a table remembers."""
    recording = begin(2, Content(rounds=1000))
    while len(recording.table.checkpoints) < CHECKPOINTS_KEPT:
        answer(recording)
    return recording.shelf, tuple(recording.log)


def long_game() -> Recording:
    """Return the game of `long_log`, which can be played on."""
    shelf, log = long_log()
    recording = Recording(shelf, time=NOON + 10**6, entropy=SeededEntropy(position=1_000_000))
    recording.room = resume(ROOM_ID, log, shelf, recording.entropy)
    return recording


def answer(recording: Recording) -> None:
    """Answer the open question for a waiting seat, by the question's default."""
    seat = recording.ask.waiting_for[0]
    picks = recording.question(seat).default
    recording.give(answer_of(recording.table.room, seat, recording.ask.ask_id, picks), seat)


def steps_of_packing(table: Table) -> Iterator[Table]:
    """Yield a table with more and more of its checkpoints packed."""
    while True:
        more = with_packed(table)
        if more is table:
            return
        table = more
        yield table


def test_packed_checkpoints_are_the_same_mapping() -> None:
    table = long_game().table
    plain = dict(table.checkpoints)
    count = 0

    for count, half in enumerate(steps_of_packing(table), 1):  # noqa: B007 (counted)
        kept = half.checkpoints
        assert isinstance(kept, PackedCheckpoints)
        assert list(kept) == list(plain)
        assert len(kept) == len(plain)
        assert kept == plain
        assert plain == kept
        assert kept != {**plain, 10**6: table.game}
        assert [kept[at] for at in plain] == list(plain.values())
        assert min(plain) in kept
        assert min(plain) + 1 not in kept
        with pytest.raises(KeyError):
            kept[-1]
    assert count > 2
    assert len(parted(half.checkpoints)[1]) <= LIVE_AT_MOST


def test_folding_does_the_same_to_packed_checkpoints() -> None:
    table = long_game().table
    plain, game = dict(table.checkpoints), table.game
    assert game is not None

    for half in (table, *steps_of_packing(table)):
        assert with_one(half.checkpoints, 10**6, game) == with_one(plain, 10**6, game)
        for at in plain:
            back = up_to(half.checkpoints, at)
            assert list(back) == list(up_to(plain, at))
            assert back == up_to(plain, at)
            assert with_one(back, 10**6, game) == with_one(up_to(plain, at), 10**6, game)


def test_earliest_goes_also_where_none_is_packed() -> None:
    game = GameTable()
    kept = PackedCheckpoints(DELTAS, {}, dict.fromkeys(range(CHECKPOINTS_KEPT), game))

    assert list(kept.with_one(100, game)) == [*range(1, CHECKPOINTS_KEPT), 100]


def test_no_checkpoint_is_unpacked_to_see_whether_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each input may ask this, so the check must be cheap."""
    *_, table = steps_of_packing(long_game().table)

    def read(*_: object) -> None:
        raise AssertionError("unpacked")

    monkeypatch.setattr(Deltas, "read", read)
    kept = table.checkpoints
    assert all(at in kept for at in kept)
    assert len(kept) == CHECKPOINTS_KEPT
    assert max(kept) > min(kept)
    assert with_one(kept, 10**6, GameTable()) is not None


def test_room_that_forgets_packs_its_checkpoints_and_can_go_back_to_each() -> None:
    for place in (0, 20, -1):
        plain, packing = long_game(), long_game()
        while len(parted(packing.room.table.checkpoints)[1]) > LIVE_AT_MOST:
            packing.room.forget()
        assert packing.room.table == plain.room.table
        assert packing.room.rest.table.checkpoints is packing.room.table.checkpoints
        for recording in (plain, packing):
            back = list(recording.table.checkpoints)[place]
            recording.propose_back(0, back)
            recording.consent(1)
            answer(recording)
            recording.room.forget()
            answer(recording)
        assert packing.room.head == plain.room.head
        assert packing.room.table == plain.room.table


def test_snapshot_takes_packed_checkpoints_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = long_game()
    plain = recording.room.rest
    while len(parted(recording.room.table.checkpoints)[1]) > LIVE_AT_MOST:
        recording.room.forget()
    rest = recording.room.rest
    with monkeypatch.context() as patched:
        patched.setattr(Deltas, "read", None)
        patched.setattr(Deltas, "write", None)
        again = snapshot.load(snapshot.save(rest, CODE), ROOM_ID, lambda _: CODE, seeded)

    assert parted(again.table.checkpoints)[0] == parted(rest.table.checkpoints)[0]
    assert snapshot.difference(again, plain) == ""
    assert again == plain
    assert snapshot.save(again, CODE) == snapshot.save(rest, CODE)


def test_difference_is_found_in_a_packed_checkpoint() -> None:
    table = long_game().table
    plain = dict(table.checkpoints)
    *_, half = steps_of_packing(table)
    first = min(plain)
    other = {**plain, first: plain[first].put("another pile", "h")}

    found = snapshot.difference(
        RestPoint(1, half, b"", 0), RestPoint(1, Table(table.room, table.game, other), b"", 0)
    )

    assert "checkpoints" in found


def test_game_that_has_no_form_is_kept_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = long_game()
    monkeypatch.setattr(packed, "deltas_of", lambda _: Deltas(Structures(RoomTable)))

    recording.room.forget()

    assert isinstance(recording.room.table.checkpoints, dict)


@pytest.mark.parametrize("seed", range(3))
def test_each_table_of_a_game_comes_back_from_its_checkpoints(seed: int) -> None:
    recording, compared = Recording(seed=seed), 0
    for step in a_game(seed).steps:
        recording.give(step.happened, step.origin, time=step.time)
        before = dict(recording.room.table.checkpoints)
        for half in steps_of_packing(recording.room.table):
            compared += 1
            facts = unpacked(half.checkpoints)
            assert [*facts.items()] == [*before.items()]
    assert compared
