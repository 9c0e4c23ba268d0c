"""Darkness: Clues are of no use in a dark space unless there is light."""

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import ConditionCard, ItemCard, Powers, Reroll
from content.games.second_edition.schema.puzzles import Code
from protocol.games.second_edition.events import CluesSpent, PossessionDropped
from protocol.games.second_edition.table import Skill
from server.games.second_edition.rules.puzzles.attempt import attempt
from server.games.second_edition.rules.skill_test import make_test
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, refused, tile, world
from tests.games.second_edition.rules.worlds_effects import (
    KNIFE,
    LAMP,
    given,
    resolve,
    spend,
    with_clues,
)
from tests.games.second_edition.rules.worlds_fire import DARKNESS, FIRE, laid

rule = pytest.mark.rule

SAFE = Code("safe", 3, ("1", "2"))
HOUSE = """
+---+---+---+
| b : a = c |
+---+---+---+
| d | e |
+---+---+
"""
"""Map around space a: b across a border, c across a door, e behind a wall; d is not adjacent."""
LIT = ConditionCard("condition/aglow", 4, traits=("light_source",))


def dark(ben: str = "house/e", more: tuple[ItemCard, ...] = ()) -> Bench:
    """Return Ada with two Clues in the dark of space a, and Ben elsewhere."""
    bench = world(
        at={ADA: "house/a", BEN: ben},
        tiles=[tile(HOUSE)],
        items=[LAMP, KNIFE, *more],
        conditions=[ConditionCard("condition/wounded", 4), LIT],
        scenario_parts={"codes": (SAFE,)},
    )
    return laid(with_clues(bench, 2), dark="a")


def can_convert(bench: Bench) -> bool:
    """True if a test that shows I, I, B offers to spend Clues."""
    bench.give_dice("IIB")
    test = make_test(bench.game, ADA, Skill.LORE)
    bench.run(test, ...)
    if bench.open is None:
        return False
    test.close()
    return True


def can_buy_steps(bench: Bench) -> bool:
    """True if an attempt at a code offers to spend a Clue."""
    attempting = attempt(bench.game, ADA, "safe", Skill.LORE)
    bench.run(attempting, ...)
    is_offered = "choice/puzzle_clue" in bench.offered()
    attempting.close()
    return is_offered


def useful(bench: Bench) -> bool:
    """True if Clues can convert dice; assert that they can buy steps in the same case."""
    answer = can_convert(bench)
    assert can_buy_steps(bench) is answer
    return answer


@rule("DARKNESS-1")
def test_in_darkness_no_clue_converts() -> None:
    bench = dark()
    bench.give_dice("IIB IIB")

    assert bench.run(make_test(bench.game, ADA, Skill.LORE)) == 0
    resolve(bench, steps.RemoveFeature(DARKNESS, "actor"))

    test = make_test(bench.game, ADA, Skill.LORE)
    assert bench.run(test, spend(2)) == 2


@rule("DARKNESS-2")
def test_in_darkness_no_clue_buys_a_step() -> None:
    bench = dark()
    assert not can_buy_steps(bench)

    resolve(bench, steps.RemoveFeature(DARKNESS, "actor"))

    assert can_buy_steps(bench)


@rule("DARKNESS-1", "DARKNESS-2")
def test_where_somebody_decides_anyway_they_are_told_why() -> None:
    """Questions about dice and about a code refuse the Clue and name the rule."""
    lucky = ItemCard("item/coin", "common", powers=Powers(reroll=Reroll()))
    bench = dark(more=(lucky,))
    given(bench, lucky.id)
    bench.give_dice("IIB")

    bench.run(make_test(bench.game, ADA, Skill.LORE), ...)
    assert refused(bench) == [("choice/spend_clues", "DARKNESS-1")]
    bench.run(attempt(bench.game, ADA, "safe", Skill.LORE), ...)

    assert refused(bench) == [("choice/puzzle_clue", "DARKNESS-2")]


def test_darkness_elsewhere_is_nothing_to_ada() -> None:
    bench = dark()
    resolve(bench, steps.RemoveFeature(DARKNESS, "actor"), steps.PlaceFeature(DARKNESS, "house/b"))

    assert useful(bench)


@rule("DARKNESS-3", "DARKNESS-4", "WALL-2")
@pytest.mark.parametrize(
    ("letter", "is_lit"), [("a", True), ("b", True), ("c", True), ("d", False), ("e", False)]
)
def test_fire_lights_its_space_and_those_next_to_it(letter: str, is_lit: bool) -> None:
    """Light crosses a border and a door, not a wall, and reaches one space."""
    bench = dark()

    resolve(bench, steps.PlaceFeature(FIRE, f"house/{letter}"))

    assert useful(bench) is is_lit


@rule("DARKNESS-3", "DARKNESS-4", "DARKNESS-5", "WALL-2")
@pytest.mark.parametrize(
    ("letter", "is_lit"), [("a", True), ("b", True), ("c", True), ("d", False), ("e", False)]
)
def test_a_light_that_somebody_has_does_too(letter: str, is_lit: bool) -> None:
    bench = dark(f"house/{letter}")
    given(bench, KNIFE.id, to=BEN)
    assert not useful(bench)

    given(bench, LAMP.id, to=BEN)

    assert useful(bench) is is_lit


@rule("DARKNESS-5")
def test_ones_own_light_is_enough() -> None:
    """Any card with the trait gives light, not only an Item."""
    lamp, aglow = dark(), dark()

    given(lamp, LAMP.id)
    resolve(aglow, steps.Become(LIT.id))

    assert useful(lamp)
    assert useful(aglow)


@rule("DARKNESS-6")
@pytest.mark.parametrize(("letter", "is_lit"), [("a", True), ("b", True), ("e", False)])
def test_a_light_that_lies_there_does_too(letter: str, is_lit: bool) -> None:
    bench = dark()
    (knife, lamp) = given(bench, KNIFE.id, LAMP.id, to=BEN)

    bench.emit(PossessionDropped(BEN, knife, f"house/{letter}"))
    bench.emit(PossessionDropped(BEN, lamp, f"house/{letter}"))

    assert useful(bench) is is_lit


@rule("EX-29", "DARKNESS-1", "DARKNESS-2")
def test_example_clues_in_the_dark() -> None:
    """Rolling I, I, B gives 0.

    A companion's light in the next space makes Clues usable, unless behind a wall.
    """
    bench = dark("house/c")
    bench.give_dice("IIB")
    assert bench.run(make_test(bench.game, ADA, Skill.LORE)) == 0
    assert not can_buy_steps(bench)

    given(bench, LAMP.id, to=BEN)
    bench.give_dice("IIB")
    assert bench.run(make_test(bench.game, ADA, Skill.LORE), spend(1), "choice/accept") == 1
    assert can_buy_steps(bench)

    resolve(bench, steps.PlaceInvestigator("house/e", steps.Who.OTHERS))
    bench.give_dice("IIB")
    assert bench.run(make_test(bench.game, ADA, Skill.LORE)) == 0
    assert bench.happened(CluesSpent) == [CluesSpent(ADA, 1)]
