"""Chance: pure and unbiased functions of key, number and purpose."""

import hmac
import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from protocol import codec
from protocol.common import chance as module
from protocol.common import events
from protocol.common.chance import (
    SeededChance,
    Stream,
    commitment_of_setup,
    deal_key,
    play_key,
    play_key_1,
    salt_of_setup,
    salt_of_shares,
    setup_key,
    setup_key_1,
)
from protocol.common.signed import commitment_of_share
from protocol.common.table import FixedSetup
from protocol.event import CLOCK, Event
from server.kernel.batch_writer import BatchWriter
from tests.kit.tables.playing import (
    Policy,
    Recording,
    SeededEntropy,
    Shelf,
    committed,
    opened,
    play,
    ready,
    refused,
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
    one, other = SeededChance(KEY), SeededChance(KEY)
    other.roll(1, "x", 9, 6)

    assert one.roll(7, "horror", 5, 8) == other.roll(7, "horror", 5, 8)
    assert one.pick(7, "horror", 99) == other.pick(7, "horror", 99)
    assert one.shuffle(7, "deck", DECK) == other.shuffle(7, "deck", DECK)


def test_another_key_number_or_purpose_gives_another_stream() -> None:
    rolls = {
        SeededChance(key).roll(draw, purpose, 20, 8)
        for key in (KEY, bytes(32))
        for draw in (0, 1, 2**40)
        for purpose in ("a", "b", "")
    }

    assert len(rolls) == 18


def test_outcomes_are_pinned() -> None:
    """Verifiers in other languages can be tested with these vectors."""
    chance = SeededChance(KEY)

    assert play_key_1(KEY, b"\1" * 32).hex() == PLAY_KEY
    assert setup_key_1(KEY).hex() == SETUP_KEY
    assert chance.roll(0, "horror", 10, 8) == ROLLS
    assert chance.pick(1, "event", 1000) == PICK
    assert chance.shuffle(2, "shuffle deck", DECK) == tuple(f"card/{n}" for n in ORDER)


def test_a_shuffle_does_not_depend_on_the_order_it_is_given() -> None:
    """A verifier has no table; it permutes the sorted items."""
    chance = SeededChance(KEY)
    orders = {chance.shuffle(3, "deck", order) for order in itertools.permutations(DECK[:5])}

    assert len(orders) == 1


def test_a_shuffle_keeps_every_card() -> None:
    chance = SeededChance(KEY)

    for items in ((), ("a",), ("a", "a", "b"), DECK):
        assert sorted(chance.shuffle(3, "deck", items)) == sorted(items)


class Given(SeededChance):
    """Chance that returns given numbers."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(KEY)
        self.numbers = numbers

    def _stream(self, number: int, purpose: str) -> Iterator[int]:
        yield from self.numbers


def test_each_order_comes_from_exactly_one_way_to_draw() -> None:
    """Fisher-Yates: over all combinations of fair numbers, each permutation occurs once."""
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
    """The largest fair number is taken; the smallest unfair one is not."""
    assert fair % bound == 0
    assert Given(fair - 1).pick(0, "x", bound) == bound - 1
    if fair < 2**32:
        assert Given(fair, 2**32 - 1, 5).pick(0, "x", bound) == 5 % bound


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_that_cannot_be_met_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        SeededChance(KEY).pick(0, "x", bound)


def test_every_face_comes_up() -> None:
    """A sanity check with wide margins; the test above is exact."""
    faces = Counter(SeededChance(KEY).roll(0, "many", 8000, 8))

    assert faces.keys() == set(range(8))
    assert all(800 < count < 1200 for count in faces.values())


def test_a_stream_goes_on_over_its_blocks() -> None:
    """A block of the stream gives eight numbers."""
    rolls = SeededChance(KEY).roll(0, "long", 64, 2**32)

    assert len(set(rolls)) == 64


@pytest.mark.parametrize("length", [0, 8, 32, 64, 65, 200])
def test_a_block_is_the_hmac_under_the_key_however_long_that_is(length: int) -> None:
    """The standard library is the reference, also for keys longer than a block of SHA-256."""
    key = bytes(range(length))
    block = hmac.digest(key, codec.pack((3, "dice", 0)), "sha256")

    face = SeededChance(key).pick(3, "dice", 2**32)

    assert face == int.from_bytes(block[:4], "big")


# In a room ---------------------------------------------------------------------------------


def of_shares(attempt: int) -> Recording:
    """Return a game with fixed seeds and the shares of the given attempt."""
    return started(ready(seated(opened(Recording()), 2)), attempt)


def keys_of(recording: Recording) -> dict[Stream, bytes]:
    keys = recording.room._state.chances.keys
    return {stream: keys[stream] for stream in Stream}


def test_every_key_depends_on_every_share() -> None:
    """No seat and no server can foresee a die or a card."""
    one, other = keys_of(of_shares(0)), keys_of(of_shares(1))

    assert len({*one.values(), *other.values()}) == 6


def test_the_keys_are_those_of_the_document() -> None:
    """The document derives the keys from commitments, room and shares by seat."""
    recording = of_shares(0)
    room = recording.table.room
    assert room.play_seed is not None
    assert room.house_seed is not None
    commitments = (room.play_seed.commitment, room.house_seed.commitment)
    shares = {seat: share_of(seat) for seat in (1, 0)}

    bindings = {
        seat: commitment_of_share(room, seat, share, 1, b"") for seat, share in shares.items()
    }
    salt = salt_of_shares(room.room_id, commitments, shares, bindings)

    assert keys_of(recording) == {
        Stream.PLAY: play_key(room.play_seed.value, salt),
        Stream.SETUP: setup_key(room.house_seed.value, salt),
        Stream.DEAL: deal_key(room.house_seed.value, salt),
    }


def otherwise(rng: random.Random) -> dict[Stream, bytes]:
    """Return the keys of a start with the same seeds and shares but other random details."""
    recording = committed(ready(seated(opened(Recording()), 3)))
    seats = rng.sample(range(3), 3)
    while seats:
        time = recording.time + rng.choice((0, 1, 120, 10**9))
        happened: Event = events.ShareOpened(seats[-1], share_of(seats[-1]))
        if rng.random() < 0.5:
            seat = rng.randrange(3)
            is_present = not recording.table.room.seats[seat].is_present
            happened = events.PresenceChanged(seat, is_present=is_present)
        elif rng.random() < 0.3:
            recording.restart()
            continue
        else:
            seats.pop()
        recording.give(happened, CLOCK if rng.random() < 0.1 else 0, time=time)
    return keys_of(recording)


def assert_nothing_else_moves_the_keys(times: int, seed: int) -> None:
    """Run starts that differ in all but seeds and shares; their keys must be equal."""
    rng = random.Random(seed)
    first = otherwise(rng)
    for _ in range(times):
        assert otherwise(rng) == first


def test_times_orders_presences_and_restarts_change_no_key() -> None:
    """Nothing that a server can choose after it has seen the shares moves a key: 100 variations."""
    assert_nothing_else_moves_the_keys(100, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand_times_orders_presences_and_restarts_change_no_key(seed: int) -> None:
    """Runs 1,000 variations for each of ten seeds."""
    assert_nothing_else_moves_the_keys(1000, seed=100 + seed)


def test_a_pause_and_a_restart_change_no_draw() -> None:
    one, other = of_shares(0), of_shares(0)
    other.give(events.PausedSet(is_paused=True), CLOCK, time=other.time + 10**7)
    other.restart()

    assert keys_of(one) == keys_of(other)


def test_a_draw_that_should_not_be_there_moves_no_die() -> None:
    """If it moved a die, a server that has seen the shares could skip dice until it likes one."""
    state = of_shares(0).room._state
    honest, rigged = (BatchWriter(state, time=0, entropy=SeededEntropy()) for _ in range(2))
    rigged.pick("wind", 7, Stream.PLAY)
    rigged.pick_secretly("wind", 7)

    assert rigged.roll("test", 5, 8) == honest.roll("test", 5, 8)
    assert rigged.roll("test", 5, 8) == honest.roll("test", 5, 8)


FIXED = b"f" * 32
COMMITMENT = commitment_of_setup(b"s" * 32, FIXED)
SETUP = FixedSetup("setup-1", COMMITMENT)


def with_fixed_setup(attempt: int) -> Recording:
    """Return a game with a fixed setup and the shares of the given attempt."""
    recording = seated(opened(Recording(Shelf(setup_seeds={"setup-1": FIXED}), seed=attempt)), 2)
    recording.give(events.SetupFixed(SETUP), 0)
    return started(ready(recording), attempt)


def test_a_fixed_setup_gives_the_same_house_and_other_dice() -> None:
    one, other = keys_of(with_fixed_setup(0)), keys_of(with_fixed_setup(1))

    salt = salt_of_setup(COMMITMENT)
    assert one[Stream.SETUP] == other[Stream.SETUP] == setup_key(FIXED, salt)
    assert one[Stream.DEAL] == other[Stream.DEAL] == deal_key(FIXED, salt)
    assert one[Stream.PLAY] != other[Stream.PLAY]


def test_the_seed_of_a_fixed_setup_is_on_no_log() -> None:
    """The log has only the seed's commitment, even for a reader of the whole store of a table."""
    recording = with_fixed_setup(0)

    log = b"".join(stored.public + stored.openings for stored in recording.room.log)

    assert COMMITMENT in log
    assert FIXED not in log


def test_a_fixed_setup_that_is_not_known_here_is_refused() -> None:
    recording = seated(opened(Recording()), 2)

    assert refused(recording, events.SetupFixed(SETUP), 0) == "setup/unknown"


def test_a_setup_is_opened_after_the_end_alone_and_only_by_its_own_seed() -> None:
    """Opened earlier, the seed would reveal the house to those who play in it."""
    recording = with_fixed_setup(0)
    assert refused(recording, events.SetupOpened(b"s" * 32, FIXED), CLOCK) == "setup/not_now"

    play(recording, Policy(0))

    assert (
        refused(recording, events.SetupOpened(b"s" * 32, b"g" * 32), CLOCK) == "setup/not_the_one"
    )
    recording.give(events.SetupOpened(b"s" * 32, FIXED), CLOCK)
    assert refused(recording, events.SetupOpened(b"s" * 32, FIXED), CLOCK) == "setup/not_now"


def test_what_is_ranked_stays_in_order_when_one_is_taken_away() -> None:
    """Because of this, a smaller pool changes a deal only where the removed item was dealt."""
    chance = SeededChance(KEY)
    whole = chance.rank(0, "item", DECK)

    assert sorted(whole) == sorted(DECK)
    for gone in DECK:
        left = chance.rank(0, "item", tuple(card for card in DECK if card != gone))
        assert left == tuple(card for card in whole if card != gone)


def test_equal_cards_are_ranked_apart() -> None:
    firsts = Counter(SeededChance(KEY).rank(n, "deck", ("a", "a", "a", "b"))[0] for n in range(999))

    assert 650 < firsts["a"] < 850


def test_the_last_to_open_cannot_choose() -> None:
    """A seat's share is fixed before it sees any other."""
    recording = committed(ready(seated(opened(Recording()), 2)))
    commitments = recording.table.room.ceremony
    assert commitments is not None

    room = recording.table.room
    assert commitments.commitments == {
        seat: commitment_of_share(room, seat, share_of(seat), 1, b"") for seat in (0, 1)
    }
    assert not commitments.shares


def test_key_and_seed_are_out_of_reach_of_rules() -> None:
    recording = of_shares(0)
    assert recording.room._runner.running is not None
    game = recording.room._runner.running.game
    seed = recording.table.room.play_seed
    assert seed is not None

    text = repr(game.table)

    assert not hasattr(game.table, "room")
    assert seed.value.hex() not in text
    assert repr(seed.value) not in text
    assert len(seed.value) == module.SEED_BYTES
