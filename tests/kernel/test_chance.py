"""Chance: pure functions of key, number and purpose, without a lean."""

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from protocol.common import chance as module
from protocol.common import events as on
from protocol.common.chance import SeededChance, play_key, setup_key
from tests.kernel.playing import (
    Recording,
    committed,
    opened,
    ready,
    seated,
    share_of,
    started,
)

KEY = bytes(range(32))
DECK = tuple(f"card/{n}" for n in range(12))

PLAY_KEY = "cd6497db028965a59afa46fc1f81fa15828b76f0cef05d7f3c66d6cb4953be52"
SETUP_KEY = "cf6574d472ce2a48375d881bd73cc38b2c0cd6282db7f2fb164cb5c981db4c8f"
ROLLS = (2, 7, 5, 0, 7, 3, 4, 0, 0, 7)
PICK = 400
ORDER = (11, 6, 4, 8, 2, 5, 3, 1, 9, 0, 7, 10)


def test_the_same_key_and_number_give_the_same_outcome() -> None:
    """Whoever holds the key can check every draw, in any order."""
    one, other = SeededChance(KEY), SeededChance(KEY)
    other.roll(1, "x", 9, 6)

    assert one.roll(7, "horror", 5, 8) == other.roll(7, "horror", 5, 8)
    assert one.pick(7, "horror", 99) == other.pick(7, "horror", 99)
    assert one.shuffle(7, "deck", DECK) == other.shuffle(7, "deck", DECK)


def test_another_key_number_or_purpose_gives_another_stream() -> None:
    """Each draw is its own: nothing can be learnt from one about another."""
    rolls = {
        SeededChance(key).roll(draw, purpose, 20, 8)
        for key in (KEY, bytes(32))
        for draw in (0, 1, 2**40)
        for purpose in ("a", "b", "")
    }

    assert len(rolls) == 18


def test_outcomes_are_pinned() -> None:
    """The vectors that a verifier in another language can be tested with."""
    chance = SeededChance(KEY)

    assert play_key(KEY, b"\1" * 32).hex() == PLAY_KEY
    assert setup_key(KEY).hex() == SETUP_KEY
    assert chance.roll(0, "horror", 10, 8) == ROLLS
    assert chance.pick(1, "event", 1000) == PICK
    assert chance.shuffle(2, "shuffle deck", DECK) == tuple(f"card/{n}" for n in ORDER)


def test_a_shuffle_does_not_depend_on_the_order_it_is_given() -> None:
    """A verifier needs no table: it permutes the sorted items."""
    chance = SeededChance(KEY)
    orders = {chance.shuffle(3, "deck", order) for order in itertools.permutations(DECK[:5])}

    assert len(orders) == 1


def test_a_shuffle_keeps_every_card() -> None:
    """Also where cards are alike, and where there is nothing to mix."""
    chance = SeededChance(KEY)

    for items in ((), ("a",), ("a", "a", "b"), DECK):
        assert sorted(chance.shuffle(3, "deck", items)) == sorted(items)


class Given(SeededChance):
    """Chance from numbers that a test gives."""

    def __init__(self, *numbers: int) -> None:
        """Take the numbers of every stream."""
        super().__init__(KEY)
        self.numbers = numbers

    def _stream(self, draw: int, purpose: str) -> Iterator[int]:
        yield from self.numbers


def test_each_order_comes_from_exactly_one_way_to_draw() -> None:
    """Fisher and Yates: with every combination of fair numbers, every permutation once."""
    orders = Counter(
        Given(*numbers).shuffle(0, "deck", "abcd")
        for numbers in itertools.product(range(4), range(3), range(2))
    )

    assert len(orders) == 24
    assert set(orders.values()) == {1}


@pytest.mark.parametrize(
    ("bound", "fair"),
    [(3, 2**32 - 1), (8, 2**32), (2**31 + 1, 2**31 + 1), (2**32, 2**32), (1, 2**32)],
)
def test_what_would_lean_is_thrown_away(bound: int, fair: int) -> None:
    """The largest fair number is taken, the first unfair one is not."""
    assert fair % bound == 0
    assert Given(fair - 1).pick(0, "x", bound) == bound - 1
    if fair < 2**32:
        assert Given(fair, 2**32 - 1, 5).pick(0, "x", bound) == 5 % bound


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_that_cannot_be_met_is_refused(bound: int) -> None:
    """Nothing to pick from, or more than the stream tells apart."""
    with pytest.raises(ValueError, match="bound"):
        SeededChance(KEY).pick(0, "x", bound)


def test_every_face_comes_up() -> None:
    """A sanity check by count, with wide margins; the exact one is above."""
    faces = Counter(SeededChance(KEY).roll(0, "many", 8000, 8))

    assert faces.keys() == set(range(8))
    assert all(800 < count < 1200 for count in faces.values())


def test_a_stream_goes_on_over_its_blocks() -> None:
    """Eight numbers a block, each block its own hash."""
    rolls = SeededChance(KEY).roll(0, "long", 64, 2**32)

    assert len(set(rolls)) == 64


# In a room ---------------------------------------------------------------------------------


def of_shares(attempt: int) -> Recording:
    """Return a game with the same seeds, and shares of this attempt."""
    return started(ready(seated(opened(Recording()), 2)), attempt)


def drawn(recording: Recording, *, setup: bool) -> list[on.Shuffled | on.Picked]:
    """Return what was drawn."""
    every = recording.happened(on.Shuffled, on.Picked)
    return [draw for draw in every if draw.is_setup is setup]


def test_the_setup_does_not_depend_on_the_shares() -> None:
    """A tournament can fix the house, whoever plays in it."""
    one, other = of_shares(0), of_shares(1)

    assert one.room.head != other.room.head
    for mine, theirs in zip(drawn(one, setup=True), drawn(other, setup=True), strict=True):
        if isinstance(mine, on.Shuffled):
            assert isinstance(theirs, on.Shuffled)
            assert mine.order.value == theirs.order.value
        else:
            assert mine == theirs


def test_play_depends_on_every_share() -> None:
    """No seat, and no server, can foresee a die."""
    keys = set()
    for attempt in range(2):
        recording = of_shares(attempt)
        keys.add(recording.room._state.chance._key)  # type: ignore[union-attr]  # it is seeded

    assert len(keys) == 2


def test_the_last_to_open_cannot_choose() -> None:
    """What a seat opens was fixed before it saw any other share."""
    recording = committed(ready(seated(opened(Recording()), 2)))
    commitments = recording.table.room.ceremony
    assert commitments is not None

    assert commitments.commitments == {
        seat: hashlib.sha256(share_of(seat)).digest() for seat in (0, 1)
    }
    assert not commitments.shares


def test_key_and_seed_are_out_of_reach_of_rules() -> None:
    """`game.table` holds neither."""
    recording = of_shares(0)
    assert recording.room._conductor.running is not None
    game = recording.room._conductor.running.game
    seed = recording.table.room.seed
    assert seed is not None

    text = repr(game.table)

    assert not hasattr(game.table, "room")
    assert seed.value.hex() not in text
    assert repr(seed.value) not in text
    assert len(seed.value) == module.SEED_BYTES
