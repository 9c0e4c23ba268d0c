"""Twin games of the toy: secrets unknown to a viewer change no byte that the viewer is sent."""

import functools
from collections.abc import Iterator, Sequence

import attrs
import pytest

from protocol.common.chance import Stream
from protocol.common.events import Arranged, Asked, LookedAt, Shuffled
from protocol.common.table import Handle, Stage, Table, fold
from protocol.event import Record, cut
from server.kernel.batch_writer import BatchWriter
from server.kernel.errors import Refused, RuleFailed
from tests.kernel.twins import (
    Contradiction,
    Difference,
    Pin,
    TwinChance,
    before,
    blank,
    compare,
    learned,
    moments,
)
from tests.kit.tables.playing import Policy, Recording, Shelf, play, viewers
from tests.kit.tables.toy_table import (
    Content,
    OmenDealt,
    OmenMisdealt,
    OmenShown,
    Rumoured,
    ToyTable,
    TurnedUp,
    facedown,
)

GAMES = 4
"""Number of first games for each check."""


def oracle(record: Record, table: Table, seat: int | None) -> Iterator[tuple[Handle, str]]:
    """Yield what a seat learns from a record, by the rules of the toy alone.

    Everybody learns cards that are turned up or told. A piece's omen is learned by its player; a
    rumour by the active seat and the next one. Where there are hands, a seat learns its own hand,
    and the active seat learns the top of the deck when it looks at it and after it puts it back.
    """
    happened, game = record.event, table.game
    if not isinstance(game, ToyTable):
        return
    if isinstance(happened, TurnedUp):
        yield happened.handle, game.card_of(happened.handle)
    elif isinstance(happened, OmenShown):
        handle = game.people[happened.piece].omen_handle
        yield handle, game.card_of(handle)
    elif isinstance(happened, OmenDealt | OmenMisdealt):
        if game.people[happened.piece].seat == seat:
            yield happened.handle, game.card_of(happened.handle)
    elif isinstance(happened, Rumoured):
        turn = next(piece for piece in game.people if piece not in game.done)
        seats = list(table.room.seats)
        mine = game.people[turn].seat
        if seat in (mine, seats[(seats.index(mine) + 1) % len(seats)]):
            yield happened.handle, game.card_of(happened.handle)


def in_hands(record: Record, table: Table, seat: int | None) -> Iterator[tuple[Handle, str]]:
    """Yield what a seat learns of hands and of the top of the deck."""
    happened, game = record.event, table.game
    assert isinstance(game, ToyTable)
    owners = {facedown(piece): person.seat for piece, person in game.people.items()}
    if isinstance(happened, Shuffled) and owners.get(happened.pile) == seat is not None:
        after = fold(table, record).game
        assert after is not None
        yield from ((handle, after.card_of(handle)) for handle in after.piles[happened.pile])
    elif isinstance(happened, LookedAt | Arranged):
        turn = next(piece for piece in game.people if piece not in game.done)
        after = fold(table, record).game
        assert after is not None
        if game.people[turn].seat == seat:
            yield from ((handle, after.card_of(handle)) for handle in after.piles["deck"][:2])


def a_first(seed: int, *faults: str, seats: int = 3, has_hands: bool = False) -> Recording:
    """Return a whole random game, perhaps with a planted leak; games without one are cached."""
    make = _first if faults else _honest
    return make(seed, *faults, seats=seats, has_hands=has_hands)


def _first(seed: int, *faults: str, seats: int = 3, has_hands: bool = False) -> Recording:
    content = Content(faults=faults, has_hands=has_hands)
    return play(Recording(Shelf(content), seed), Policy(seed, gifts=0), seats=seats)


_honest = functools.cache(_first)


@attrs.frozen
class Twin:
    """A second game, which was given those inputs of the first game that it accepted."""

    recording: Recording
    chance: TwinChance
    is_whole: bool


def twin_of(first: Recording, pins: list[Pin], seed: int, until: int | None = None) -> Twin:
    """Give the inputs of the first game to its twin.

    Args:
        until: number of records after which to stop; without it, all inputs are given.
    """
    chance = TwinChance(first.log, pins, seed)
    second = Recording(first.shelf, entropy=chance, make_chance=chance.make_chance)
    for step in first.steps:
        if until is not None and len(second.room.log) >= until:
            break
        try:
            second.give(step.happened, step.origin, time=step.time)
        except Refused:
            return Twin(second, chance, is_whole=False)
        except RuleFailed as failure:
            if isinstance(failure.__cause__, Contradiction):
                return Twin(second, chance, is_whole=False)
            raise
    return Twin(second, chance, is_whole=True)


def difference(
    first: Recording, second: Recording, seat: int | None, until: int | None = None
) -> Difference | None:
    """Compare what a viewer was sent of two games."""
    mine = [cut(stored, seat) for stored in first.log]
    theirs = [cut(stored, seat) for stored in second.log]
    return compare(mine, theirs, until=until)


def leak_to_the_end(first: Recording, seat: int | None, seed: int) -> Difference | None:
    """Return the difference from a twin that pins all cards that the viewer ever learns."""
    twin = twin_of(first, learned(first.log, seat, oracle), seed)
    return difference(first, twin.recording, seat)


def leak_before_a_moment(first: Recording, seat: int | None, seed: int) -> Difference | None:
    """Return a difference that comes before a moment at which the viewer learns something."""
    pins = learned(first.log, seat, oracle)
    for moment in moments(pins):
        twin = twin_of(first, before(pins, moment), seed, moment)
        found = difference(first, twin.recording, seat, moment)
        if found is not None:
            return found
    return None


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_viewer_is_sent_the_same_of_both_twins(seed: int) -> None:
    first = a_first(seed)

    for seat in viewers(first):
        twin = twin_of(first, learned(first.log, seat, oracle), 1000 + seed)
        assert twin.is_whole
        assert twin.recording.table.room.stage is Stage.OVER
        assert difference(first, twin.recording, seat) is None


def with_hands(record: Record, table: Table, seat: int | None) -> Iterator[tuple[Handle, str]]:
    """Yield what a seat learns in a game with hands."""
    yield from oracle(record, table, seat)
    if isinstance(record.event, Shuffled | LookedAt | Arranged):
        yield from in_hands(record, table, seat)


@pytest.mark.parametrize("seed", range(GAMES))
def test_nobody_is_sent_anothers_hand(seed: int) -> None:
    first = a_first(seed, has_hands=True)
    moved = 0

    for seat in viewers(first):
        twin = twin_of(first, learned(first.log, seat, with_hands), 1000 + seed)
        assert twin.is_whole
        assert difference(first, twin.recording, seat) is None
        moved += twin.chance.moved
    assert moved


def test_a_hand_that_is_told_to_the_next_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = BatchWriter.shuffle

    def shuffle(
        self: BatchWriter,
        pile: str,
        items: Sequence[str],
        stream: Stream,
        knowers: tuple[int, ...] = (),
    ) -> None:
        honest(self, pile, items, stream, tuple((seat + 1) % 3 for seat in knowers))

    monkeypatch.setattr(BatchWriter, "shuffle", shuffle)
    first = _first(1, has_hands=True)

    found = [
        difference(first, twin_of(first, learned(first.log, seat, with_hands), 5).recording, seat)
        for seat in viewers(first)
    ]
    assert any(found)


@pytest.mark.parametrize("seed", range(GAMES))
def test_nothing_is_told_before_its_time(seed: int) -> None:
    """For each moment at which a viewer learns something, twins are compared up to this moment."""
    first = a_first(seed)

    for seat in viewers(first):
        assert leak_before_a_moment(first, seat, 2000 + seed) is None


def test_twins_differ_in_what_is_hidden() -> None:
    """A twin that deals the same cards would prove nothing."""
    moved = [
        twin_of(first, learned(first.log, seat, oracle), 7).chance.moved
        for first in map(a_first, range(GAMES))
        for seat in viewers(first)
    ]

    assert min(moved) > 5


def test_twins_seldom_contradict_what_is_open() -> None:
    whole = [
        twin_of(first, learned(first.log, seat, oracle), 11).is_whole
        for first in map(a_first, range(6))
        for seat in viewers(first)
    ]

    assert len(whole) == 24
    assert all(whole)


@pytest.mark.parametrize(
    ("leak", "seat"),
    [
        ("leak/choice", 0),
        pytest.param("leak/field", None, marks=pytest.mark.long),
        pytest.param("leak/count", None, marks=pytest.mark.long),
    ],
)
def test_a_planted_leak_is_seen(leak: str, seat: int | None) -> None:
    caught = could_be = 0
    for seed in range(24):
        first = a_first(seed, leak)
        if seat is not None and not is_asked_for_a_card(first, seat):
            continue
        found = leak_to_the_end(first, seat, seed) or leak_before_a_moment(first, seat, seed)
        could_be += 1
        caught += found is not None

    assert could_be >= 6
    assert caught >= 0.9 * could_be


def is_asked_for_a_card(first: Recording, seat: int) -> bool:
    """True if a seat was ever asked for one of its facedown cards."""
    return any(ask.rule == "TOY-3" and seat in ask.questions for ask in first.happened(Asked))


def test_a_card_told_too_early_is_seen_by_the_second_mode_alone() -> None:
    """Pinning to the end hides this leak, since the card is learned in the end."""
    seen = {"first": 0, "second": 0}
    for seed in range(6):
        first = a_first(seed, "leak/choice", seats=1)
        pins = learned(first.log, 0, oracle)
        everything_is_told = [
            *pins,
            *(
                Pin(0, handle, first.game.card_of(handle))
                for piece in first.game.people
                for handle in first.game.hand(piece)
            ),
        ]
        twin = twin_of(first, everything_is_told, seed)
        seen["first"] += difference(first, twin.recording, 0) is not None
        seen["second"] += leak_before_a_moment(first, 0, seed) is not None

    assert seen["second"] > seen["first"]


def test_a_secret_declared_to_the_wrong_knower_is_seen() -> None:
    """The oracle knows whose omen it is, whatever the event declares."""
    caught = [
        leak_to_the_end(a_first(seed, "misdealt"), seat, seed) is not None
        for seed in range(6)
        for seat in range(3)
    ]

    assert sum(caught) >= 14


def test_blanking_keeps_sizes_and_all_else() -> None:
    first = a_first(1)

    for stored in first.log:
        assert len(blank(stored.public)) == len(stored.public)
        assert blank(blank(stored.public)) == blank(stored.public)
    assert any(blank(stored.public) != stored.public for stored in first.log)


def test_comparing_says_where() -> None:
    first = a_first(1)
    cuts = [cut(stored, 0) for stored in first.log]

    assert compare(cuts, cuts) is None
    assert compare(cuts, cuts[:-1]) == Difference(len(cuts) - 1, "one of them ends here")
    assert compare(cuts, cuts[:-1], until=len(cuts) - 1) is None
    found = compare(cuts, [*cuts[:4], cuts[5], *cuts[5:]])
    assert found is not None
    assert found.sequence == 4
