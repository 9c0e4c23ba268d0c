"""Changing dice: what can be used again, what is worth a question, and what is refused."""

from typing import Any

import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema.cards import Convert, Powers, Reroll
from content.games.second_edition.schema.effects import Amount
from protocol.common.text import Text
from protocol.games.second_edition.table import Skill
from server.games.second_edition.rules.skill_test import make_test
from server.games.second_edition.rules.stakes import Stakes
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, investigator_card, world
from tests.games.second_edition.rules.worlds_effects import given, item, spend, with_clues

rule = pytest.mark.rule

ALL_OR_NOTHING = Stakes(is_all_or_nothing=True)
UNLIMITED = Reroll(dice=1, once_per_round=False)
CLUES = Amount(formula=read_number("clues")[0])


def able(**powers: Any) -> Bench:
    """Return a world in which Ada, with three dice for Lore, has an ability."""
    return world(investigators=[investigator_card(ADA, lore=3, ability=Powers(**powers))])


def asked(bench: Bench, dice: str, needed: int) -> bool:
    """True if Ada is asked about her dice in a test that can only pass or fail."""
    bench.give_dice(dice)
    test = make_test(bench.game, ADA, Skill.LORE, difficulty=needed, stakes=ALL_OR_NOTHING)
    bench.run(test, ...)
    return bench.open is not None


def refusals(bench: Bench) -> list[tuple[Text, Text]]:
    """Return the choices that the open question refuses, with reasons."""
    assert bench.open is not None
    return [
        (choice.text, choice.reason)
        for prompt in bench.open.prompts.values()
        for choice in prompt.refused
    ]


@rule("TEST-8")
def test_a_conversion_gives_no_reroll_back() -> None:
    bench = with_clues(world(items=[item("item/stone", reroll=UNLIMITED)]), 1)
    given(bench, "item/stone")
    bench.give_dice("IBB B")

    bench.run(make_test(bench.game, ADA, Skill.LORE), "choice/reroll", 1, spend(1))

    assert bench.open is None


@rule("TEST-8")
@pytest.mark.parametrize(("skill", "is_asked"), [(Skill.LORE, True), (Skill.WILL, False)])
def test_a_reroll_for_the_tested_skill_alone_may_decide(skill: Skill, *, is_asked: bool) -> None:
    """One Clue turns one die of the two needed, so the other has to be rerolled."""
    reroll = Reroll(dice=1, skill=skill)
    bench = with_clues(able(reroll=reroll), 1)

    assert asked(bench, "IBB", 2) is is_asked


@rule("TEST-8")
@pytest.mark.parametrize(("skill", "is_asked"), [(Skill.LORE, True), (Skill.WILL, False)])
def test_a_conversion_for_the_tested_skill_alone_may_decide(
    skill: Skill, *, is_asked: bool
) -> None:
    """One Clue turns one die, and the card has to turn the other."""
    bench = with_clues(able(convert=Convert(dice=Amount(1), skill=skill)), 1)

    assert asked(bench, "IIB", 2) is is_asked


@rule("TEST-8")
@pytest.mark.parametrize(("clues", "is_asked"), [(1, False), (2, True)])
def test_a_reroll_of_as_many_dice_as_one_has_clues_may_decide(
    clues: int, *, is_asked: bool
) -> None:
    """Two successes are needed, and no die shows a face that a Clue could turn."""
    bench = with_clues(able(reroll=Reroll(dice=CLUES)), clues)

    assert asked(bench, "BBB", 2) is is_asked


@rule("TEST-8")
@pytest.mark.parametrize(("needed", "is_asked"), [(4, True), (5, False)])
def test_a_card_that_turns_as_many_dice_as_one_has_clues_may_decide(
    needed: int, *, is_asked: bool
) -> None:
    """Of five dice, the Clues turn two and the card another two."""
    convert = Powers(convert=Convert(dice=CLUES))
    bench = with_clues(world(investigators=[investigator_card(ADA, lore=5, ability=convert)]), 2)

    assert asked(bench, "IIIII", needed) is is_asked


@rule("CLUE-4")
def test_a_clue_that_is_not_there_is_refused_as_one() -> None:
    bench = able(reroll=UNLIMITED)
    bench.give_dice("IBB")

    bench.run(make_test(bench.game, ADA, Skill.LORE), ...)

    assert [text for text, _ in refusals(bench)] == [Text("choice/spend_clues", (1,))]


@rule("DECIDE-29")
@pytest.mark.parametrize(("dice", "is_refused"), [("SSB", True), ("SSS", False)])
def test_a_reroll_that_was_used_this_round_is_refused_by_its_name(
    dice: str, *, is_refused: bool
) -> None:
    stone = item("item/stone", reroll=UNLIMITED)
    clue = item("item/glass", convert=Convert(dice=Amount(1)))
    bench = world(
        investigators=[investigator_card(ADA, lore=3, ability=Powers(reroll=Reroll(dice=1)))],
        items=[stone, clue],
    )
    bench.give_dice("BBB S")
    bench.run(make_test(bench.game, ADA, Skill.LORE), "choice/reroll", 0)
    given(bench, "item/stone")
    bench.give_dice(dice)

    bench.run(make_test(bench.game, ADA, Skill.LORE), ...)

    told = (Text("choice/reroll", (ADA, 1)), Text("refusal/used_this_round", (ADA,)))
    assert (refusals(bench) if bench.open is not None else []) == [told] * is_refused


@rule("TEST-11")
def test_the_question_about_dice_says_what_depends_on_them() -> None:
    for text in (Text("stakes/negate"), None):
        bench = able(reroll=UNLIMITED)
        bench.give_dice("BBB")

        bench.run(make_test(bench.game, ADA, Skill.LORE, stakes=Stakes(text)), ...)

        assert bench.open is not None
        about = Text("about/test", (ADA, "skill/lore"))
        told = about if text is None else Text("about/stakes", (about, text))
        assert bench.open.about == told
