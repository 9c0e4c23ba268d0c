"""Tests with degrees, opposed tests, and tests made by others."""

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.effects import Threshold, Who
from protocol.games.second_edition.events import OppositionRolled, TestDeclared
from protocol.games.second_edition.table import Skill
from tests.games.second_edition.rules.worlds import ADA, BEN, CORA, world
from tests.games.second_edition.rules.worlds_effects import person, resolve, say, told_words

THREE = {ADA: "house/a", BEN: "house/a", CORA: "house/c"}


@pytest.mark.parametrize(
    ("dice", "trace"), [("BBB", "none"), ("SBB", "none"), ("SSB", "two"), ("SSS", "two")]
)
def test_highest_threshold_that_is_reached_counts(dice: str, trace: str) -> None:
    """No difficulty is declared. Two of three thresholds are reached."""
    bench = world()
    bench.give_dice(dice)
    ways = (Threshold(2, (say("two"),)), Threshold(0, (say("none"),)), Threshold(4, (say("four"),)))

    resolve(bench, steps.SkillTest(Skill.LORE, thresholds=ways))

    assert told_words(bench) == [trace]
    assert bench.happened(TestDeclared)[0].difficulty is None


def test_below_all_thresholds_nothing_comes_of_it() -> None:
    bench = world()
    bench.give_dice("BBB")

    resolve(bench, steps.SkillTest(Skill.LORE, thresholds=(Threshold(1, (say("one"),)),)))

    assert told_words(bench) == []


def test_thresholds_count_what_was_gathered_in_the_dark() -> None:
    bench = world()
    bench.give_dice("SBB SBB")
    ways = (Threshold(1, (say("one"),)), Threshold(2, (say("two"),)))

    resolve(bench, *[steps.SkillTest(Skill.LORE, hidden="door", thresholds=ways)] * 2)

    assert told_words(bench) == ["one", "two"]


@pytest.mark.parametrize(("dice", "trace"), [("SSB", "won"), ("SBB", "lost")])
def test_opposed_test_needs_as_many_as_stand_against_it(dice: str, trace: str) -> None:
    """Two of three opposing dice succeed; an investigation does not count, and a tie passes."""
    bench = world()
    bench.give_dice(f"SSI {dice}")
    test = steps.SkillTest(Skill.WILL, passed=(say("won"),), failed=(say("lost"),), against=3)

    resolve(bench, test)

    (opposed,) = bench.happened(OppositionRolled)
    assert len(opposed.faces) == 3
    assert bench.happened(TestDeclared)[0].difficulty == 2
    assert told_words(bench) == [trace]


def test_others_can_make_the_test_and_are_the_actors_of_what_comes_of_it() -> None:
    """Ben and Cora each test for themselves; Ada, whose effect it is, does not."""
    bench = world(at=THREE)
    bench.give_dice("SBB BBB")
    test = steps.SkillTest(Skill.WILL, passed=(steps.GainClues(),), who=Who.OTHERS)

    resolve(bench, test)

    assert [person(bench, who).clues for who in THREE] == [0, 1, 0]
