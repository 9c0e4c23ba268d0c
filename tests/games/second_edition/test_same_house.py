"""Same house: a fixed setup gives the same house, whatever the players do.

Two tables share the keys of setup and deal, but have different dice and different players. They
must meet the same Mythos events, gain the same Items, see the same monsters in the same places, and
get the same numbers, each in order. What is impossible at one table must not affect the rest: a
common draw may differ only if its result was impossible at the other table.
"""

import functools
import hashlib
from collections.abc import Iterator, Mapping

import attrs

from protocol.common.chance import Chance, SeededChance, Stream
from protocol.common.events import Dealt, SecretDeal, Shuffled
from protocol.event import everything, read
from server.kernel.chance import MakeChance
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.simulate import Simulation, core, simulate

PLAYERS = 3
LONG, SHORT = "core/sluice-house", "house/hours"
"""A scenario of the core pack, and a scenario with much chance."""


@attrs.frozen
class House:
    """Results of the setup and deal chance at one table."""

    dealt: Mapping[tuple[str, int], SecretDeal]
    """Secret deals, by purpose and number."""
    mixed: Mapping[tuple[str, int], tuple[str, ...]]
    """Orders from the streams of setup and deal, by purpose and number."""


def chance_of(setup_seed: bytes, play_seed: bytes, deal_seed: bytes) -> MakeChance:
    """Return a chance factory with these seeds in place of a ceremony's."""
    seeds = {Stream.SETUP: setup_seed, Stream.DEAL: deal_seed, Stream.PLAY: play_seed}

    def make(stream: Stream, _key: bytes) -> Chance:
        return SeededChance(hashlib.sha256(stream.value.encode() + seeds[stream]).digest())

    return make


@functools.cache
def house_of(
    scenario: str, seed: int, house_seed: bytes = b"house", deal_seed: bytes | None = None
) -> House:
    """Play a whole random game and return its house; `seed` determines dice and answers."""
    pack = core() if scenario in core().scenarios else house()
    make = chance_of(house_seed, b"play %d" % seed, deal_seed or house_seed)
    game = simulate(seed, PLAYERS, make_chance=make, pack=pack)
    game.scenario = scenario
    game.play()
    return met(game)


def met(game: Simulation) -> House:
    """Return the deals and shuffles of a game, except those of the play stream."""
    dealt: dict[tuple[str, int], SecretDeal] = {}
    mixed: dict[tuple[str, int], tuple[str, ...]] = {}
    for stored in game.room.log:
        happened = read(game.room.room_id, everything(stored)).event
        if isinstance(happened, Dealt):
            dealt[happened.purpose, happened.number] = happened.choice.value
        elif isinstance(happened, Shuffled) and happened.stream is not Stream.PLAY:
            mixed[happened.purpose, happened.number] = happened.order.value
    return House(dealt, mixed)


def contradictions(one: House, other: House) -> Iterator[tuple[str, int]]:
    """Yield the deals that differ though possible at both tables, and the shuffles that differ."""
    for at in one.dealt.keys() & other.dealt.keys():
        mine, theirs = one.dealt[at], other.dealt[at]
        could = mine.result in theirs.options and theirs.result in mine.options
        if could and mine.result != theirs.result:
            yield at
    for at in one.mixed.keys() & other.mixed.keys():
        if one.mixed[at] != other.mixed[at]:
            yield at


def in_common(one: House, other: House, purpose: str) -> int:
    """Return the number of draws with this purpose that are equal at both tables."""
    both = [at for at in one.dealt.keys() & other.dealt.keys() if at[0].startswith(purpose)]
    return sum(one.dealt[at].result == other.dealt[at].result for at in both)


def test_two_tables_meet_the_same_house_whatever_they_do() -> None:
    """Dice and all answers differ."""
    one, other = (house_of(LONG, seed) for seed in (1, 2))

    assert list(contradictions(one, other)) == []
    counted = [at for at in one.dealt if at[0].startswith("counter")]
    assert counted
    assert all(one.dealt[at] == other.dealt[at] for at in counted)
    assert in_common(one, other, "mythos event") >= 3
    assert len(one.mixed.keys() & other.mixed.keys()) >= 3


def test_two_tables_see_the_same_monsters_and_items() -> None:
    """Kinds and places are compared as far as both tables have them."""
    one, other = (house_of(SHORT, seed) for seed in (3, 4))

    assert list(contradictions(one, other)) == []
    assert in_common(one, other, "space") >= 1
    assert in_common(one, other, "deck") >= 1


def test_another_house_holds_other_things() -> None:
    """With another house the results differ, so the equality tested above means something."""
    one, other = (house_of(SHORT, 3, house_seed) for house_seed in (b"house", b"home"))

    assert list(contradictions(one, other))


def test_a_deal_that_goes_by_the_dice_is_seen() -> None:
    """Plants the fault that the deal follows the seed of play."""
    one, other = (house_of(SHORT, seed, deal_seed=b"play %d" % seed) for seed in (3, 4))

    assert list(contradictions(one, other))
