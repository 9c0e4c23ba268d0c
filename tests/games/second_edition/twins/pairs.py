"""Pairs: the games that have twins, and how many pairs are compared.

A pair is what one viewer was sent in a first game and in its twin. Every viewer with the knowledge
that a twin is made for gives one pair.
"""

from collections import Counter
from collections.abc import Iterator

import attrs

from content.games.second_edition.schema.pack import Pack
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.simulate import core
from tests.games.second_edition.spellbook import spellbook
from tests.games.second_edition.twins.games import MAX_STEPS, First, Spec, play_first
from tests.games.second_edition.twins.packs import random_pack
from tests.games.second_edition.twins.twin import Comparison, Twin, knowers, play_twin

RANDOM = "random"
RANDOM_SOURCES = 4
"""Number of sources with random packs; each takes another pack every time."""


@attrs.frozen
class Source:
    """Source of games."""

    pack: str
    scenario: str
    """Id of the scenario; for a random pack, the index of the scenario."""

    def __str__(self) -> str:
        return f"{self.pack} {self.scenario}"

    def game(self, number: int, steps: int) -> tuple[Spec, Pack]:
        """Return a numbered game of this source with at most this many answers, and its pack."""
        seed = number
        if self.pack == RANDOM:
            seed = number * RANDOM_SOURCES + int(self.scenario)
            pack = random_pack(seed)
            scenario = list(pack.scenarios)[int(self.scenario)]
        else:
            pack = {"house": house, "core": core, "spells": spellbook}[self.pack]()
            scenario = self.scenario
        players = (2, 3, 3, 4, 1, 5)[(number + sum(map(ord, str(self)))) % 6]
        return Spec(str(self), scenario, seed, players, steps), pack


def sources() -> tuple[Source, ...]:
    """Return all sources: every scenario, Spells, the house, and random packs."""
    return (
        *(Source("core", scenario) for scenario in core().scenarios),
        Source("spells", next(iter(core().scenarios))),
        *(Source("house", scenario) for scenario in house().scenarios),
        *(Source(RANDOM, str(place)) for place in range(RANDOM_SOURCES)),
    )


@attrs.define
class Tally:
    """Sums over all compared pairs, and the leaks that were found."""

    by_kind: Counter[str] = attrs.field(factory=Counter)
    """Number of pairs by kind of viewer."""
    leaks: list[str] = attrs.field(factory=list)
    games: int = 0
    moved: int = 0
    """Number of secrets that differ from those of the first games."""

    @property
    def pairs(self) -> int:
        return self.by_kind.total()

    def add(self, first: First, twin: Twin, number: int) -> None:
        self.moved += twin.moved
        for compared in twin.comparisons:
            self.by_kind[compared.viewer.split()[0]] += 1
            if compared.found is not None:
                self.leaks.append(_said(first, twin, number, compared))


def _said(first: First, twin: Twin, number: int, compared: Comparison) -> str:
    assert compared.found is not None
    return (
        f"{first.spec}, twin {number} for {twin.knower}: {compared.viewer} can tell it from the"
        f" game after {compared.found.at} messages: {compared.found.reason}"
    )


def twins_of(first: First, number: int) -> Iterator[Twin]:
    """Play a twin of a game for each group of viewers with the same knowledge."""
    for knower in knowers(first):
        yield play_twin(first, knower, number)


def look_at(source: Source, start: int, *, pairs: int) -> Tally:
    """Play games and twins of a source until there are enough pairs, but at least one game.

    Args:
        start: number of the first game.
        pairs: number of pairs to reach.
    """
    tally = Tally()
    while not tally.games or tally.pairs < pairs:
        spec, pack = source.game(start + tally.games, MAX_STEPS)
        first = play_first(spec, pack)
        tally.games += 1
        for twin in twins_of(first, 0):
            tally.add(first, twin, 0)
            if tally.pairs >= pairs and tally.games > 1:
                break
    return tally


def look_once(source: Source, steps: int) -> Tally:
    """Play one game of a source with twins for public knowledge, new players, and one seat.

    Args:
        source: its index among the sources selects the seat.
        steps: number of answers.
    """
    spec, pack = source.game(0, steps)
    eyes = {None, sources().index(source) % spec.players}
    first = play_first(attrs.evolve(spec, comes=lambda _, seat: seat in eyes), pack)
    tally = Tally(games=1)
    for knower in knowers(first):
        if knower.is_heir or knower.seat in eyes:
            tally.add(first, play_twin(first, knower, 0), 0)
    return tally
