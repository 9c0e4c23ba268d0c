"""Logs of version 1: changed rules stay as they were when the game began."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.decks import DeckCard
from content.games.second_edition.schema.effects import Amount, Way
from content.games.second_edition.schema.effects.course import By, Choose, EffectChoice
from content.games.second_edition.schema.requirements import IsWon
from protocol.common.events import Asked, Picked, PickedSecretly, Settled, Shuffled
from protocol.event import Event, hidden
from protocol.games.second_edition.events import (
    BecameInsane,
    CounterSet,
    InvestigatorEliminated,
    MemoryKept,
)
from protocol.games.second_edition.table import INSANE_DECK, Harm
from server.games.second_edition.rules import counters, endings, memory
from server.games.second_edition.rules.play import GameOver
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, counted, insane_back, world
from tests.games.second_edition.rules.worlds_effects import resolve

TWO = {ADA: "house/a", BEN: "house/a"}
WAY = Way((steps.Count("tide", add=1),))
CARD = DeckCard("card", ())


def begun_before(pack_parts: Mapping[str, Any] = MappingProxyType({}), **parts: Any) -> Bench:
    """Return a world whose log is of version 1."""
    scenario_parts = {"counters": counted("tide"), **parts}
    bench = world(at=TWO, scenario_parts=scenario_parts, **pack_parts)
    bench.version = 1
    bench.table = bench.table.with_room(version=1)
    return bench


def since(bench: Bench, before: int) -> list[type[Event]]:
    """Return the types of the events on the log after the first `before` ones."""
    return [type(event) for event in bench.log[before:]]


def test_each_change_of_a_counter_is_a_record() -> None:
    """The record names the counter by an opaque id, and no memory is recorded later."""
    bench = begun_before()

    resolve(bench, steps.Count("tide", add=2), steps.Count("tide", add=1))
    memory.write_down(bench.game)

    assert [happened.counter for happened in bench.happened(CounterSet)] == ["c1", "c1"]
    assert counters.value(bench.game, "tide") == 3
    assert not bench.happened(MemoryKept)


@pytest.mark.parametrize(("ways", "bounds"), [((WAY, WAY), [2]), ((WAY,), []), ((), [])])
def test_one_of_several_is_picked_in_view_of_all(ways: tuple[Way, ...], bounds: list[int]) -> None:
    """A single option needs no pick."""
    bench = begun_before()

    resolve(bench, steps.OneOf(ways))

    assert [happened.bound for happened in bench.happened(Picked)] == bounds
    assert not bench.happened(PickedSecretly)


@pytest.mark.parametrize(("cards", "bounds"), [(2, [2]), (1, [])])
def test_card_of_a_deck_is_picked_in_view_of_all(cards: int, bounds: list[int]) -> None:
    bench = begun_before(decks={"sounds": (CARD, DeckCard("other", ()))[:cards]})

    resolve(bench, steps.Draw("sounds"))

    assert [happened.bound for happened in bench.happened(Picked)] == bounds
    assert [happened.counter for happened in bench.happened(CounterSet)] == ["d1"]


def test_number_is_dealt_from_a_pile() -> None:
    """The top number is dealt and the others are shuffled."""
    bench = begun_before()
    bench.give_order("deal/c1", ["2", "3", "1"])
    before = len(bench.log)

    resolve(bench, steps.Deal("tide", 1, 3))

    assert counters.value(bench.game, "tide") == 2
    assert since(bench, before) == [Shuffled, Shuffled, CounterSet]


def test_fresh_deal_leaves_out_what_was_dealt_until_all_have_come() -> None:
    """Blanks replace the numbers dealt, so the pile keeps its size."""
    bench = begun_before()
    found, sizes = [], []
    for _ in range(3):
        resolve(bench, steps.Deal("tide", 1, 3, fresh=True))
        found.append(counters.value(bench.game, "tide"))
        sizes.append(len(bench.game_table.piles["deal/c1"]))

    assert sorted(found) == [1, 2, 3]
    assert sizes == [2, 2, 2]


@pytest.mark.parametrize("pick", [0, 1])
def test_secret_choice_writes_what_it_does_and_no_more(pick: int) -> None:
    """Nothing is drawn in place of the draws of the other way."""
    bench = begun_before()
    ways = (EffectChoice("text/deal", (steps.Deal("tide", 1, 3),)), EffectChoice("text/none"))
    choice = Choose("text/which", ways, By.SECRET)
    before = len(bench.log)

    resolve(bench, choice, answers=(pick,))

    asked: list[type[Event]] = [Asked, Settled]
    assert since(bench, before) == asked + [[Shuffled, Shuffled, CounterSet], []][pick]


def test_only_a_facedown_card_is_picked_to_be_turned_up() -> None:
    bench = begun_before()
    resolve(bench, steps.Suffer(damage=Amount(1)))
    resolve(bench, steps.Suffer(damage=Amount(2), facedown=True))

    resolve(bench, steps.TurnFaceup(Harm.DAMAGE))

    (picked,) = bench.happened(Picked)
    assert (picked.purpose, picked.bound) == ("facedown damage", 2)


def test_a_goal_of_an_insane_back_wins_for_the_eliminated_too() -> None:
    bench = begun_before({"insane": [insane_back("insane/alone", wins=IsWon(value=False))]})
    handle = bench.game_table.piles[INSANE_DECK][0]
    bench.emit(BecameInsane(ADA, "condition/insane", handle, hidden("insane/alone")))
    bench.emit(InvestigatorEliminated(ADA, 2))

    with pytest.raises(GameOver):
        endings.end(bench.game, won=False, epilogue="text/epilogue")

    assert bench.game_table.ending is not None
    assert [result.has_won for result in bench.game_table.ending.results] == [True, False]
