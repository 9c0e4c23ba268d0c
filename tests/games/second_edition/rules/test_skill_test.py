"""Skill tests: pools, rolls, rerolls, conversions, results."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import (
    ConditionCard,
    Modifier,
    ModifierKind,
    Powers,
    Reroll,
)
from content.games.second_edition.schema.effects import Amount
from protocol.common.events import Rolled
from protocol.games.second_edition.events import (
    CluesSpent,
    ConditionGained,
    DiceConverted,
    DiceShown,
    PowerUsed,
    TestDeclared,
    TestFinished,
    Told,
)
from protocol.games.second_edition.table import Face, Harm, Skill
from server.games.second_edition.rules import powers
from server.games.second_edition.rules.skill_test import dice_pool, make_test
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, investigator_card, world
from tests.games.second_edition.rules.worlds_effects import (
    conditions_of,
    dice,
    faceup,
    given,
    item,
    items_of,
    keeps,
    person,
    questions,
    resolve,
    spend,
    tags,
    told_test,
    with_clues,
)

rule = pytest.mark.rule


def lore(value: int, **changes: Any) -> Bench:
    """Return a world in which Ada has this much Lore."""
    return world(investigators=[investigator_card(ADA, lore=value, **changes)])


def make(bench: Bench, dice: str, *answers: Any, skill: Skill = Skill.LORE, **test: Any) -> int:
    """Make a test with these dice; return the result."""
    bench.give_dice(dice)
    result = bench.run(make_test(bench.game, ADA, skill, **test), *answers)
    assert isinstance(result, int)
    return result


def offered(bench: Bench, dice: str) -> list[str]:
    """Make a test with these dice; return the changes offered."""
    bench.give_dice(dice)
    bench.run(make_test(bench.game, ADA, Skill.LORE), ...)
    return bench.offered()


def pointing_at(piece: str) -> Any:
    return lambda option: piece in [point.piece for point in option.points]


def rolls(bench: Bench) -> list[int]:
    """Return the number of dice in each roll."""
    return [len(roll.faces) for roll in bench.happened(Rolled)]


# The pool ----------------------------------------------------------------------------------


@rule("TEST-3")
@rule("EX-7")
@rule("SKILL-1")
@pytest.mark.parametrize(
    ("skill", "value"),
    [
        (Skill.STRENGTH, 2),
        (Skill.AGILITY, 3),
        (Skill.OBSERVATION, 4),
        (Skill.LORE, 5),
        (Skill.INFLUENCE, 2),
        (Skill.WILL, 4),
    ],
)
def test_pool_is_the_printed_value_of_the_skill(skill: Skill, value: int) -> None:
    card = investigator_card(ADA, strength=2, agility=3, observation=4, lore=5, influence=2, will=4)
    bench = world(investigators=[card])

    make(bench, "B" * value, skill=skill)

    assert rolls(bench) == [value]


@rule("EX-5")
@rule("TEST-4")
def test_modifier_of_the_declaration_changes_the_pool() -> None:
    """Lore 4 with modifier -1 rolls three dice."""
    bench = lore(4)

    make(bench, "BBB", modifier=-1)

    assert rolls(bench) == [3]


@rule("TEST-5")
def test_cards_give_and_take_dice() -> None:
    bench = world(
        items=[item("item/lens", dice(2, Skill.LORE)), item("item/boots", dice(4, Skill.AGILITY))],
        conditions=[ConditionCard("condition/dazed", 1, Powers((dice(-1),)))],
    )
    given(bench, "item/lens", "item/boots")
    bench.emit(ConditionGained(ADA, "condition/dazed", ""))

    make(bench, "BBBB")

    assert rolls(bench) == [3 + 2 - 1]


@rule("TEST-6")
@rule("DECIDE-110")
@rule("EX-26")
def test_pool_below_one_still_rolls_one_die() -> None:
    """Two dice less three plus two from an Item leave one: the minimum is applied last."""
    bench = world(
        investigators=[investigator_card(ADA, lore=2)], items=[item("item/lens", dice(2))]
    )

    assert dice_pool(bench.game, ADA, Skill.LORE, -3) == 1
    given(bench, "item/lens")
    assert dice_pool(bench.game, ADA, Skill.LORE, -3) == 1
    assert dice_pool(bench.game, ADA, Skill.LORE, -2) == 2


@rule("TEST-7")
@rule("DECIDE-111")
@rule("EX-26")
def test_pool_above_five_is_rolled_whole() -> None:
    bench = lore(5)

    result = make(bench, "SSSSSSS", modifier=2)

    assert result == 7
    assert rolls(bench) == [7]


# The roll ----------------------------------------------------------------------------------


@rule("DICE-1")
@rule("DICE-2")
def test_die_has_three_successes_two_investigations_and_three_blanks() -> None:
    bench = lore(5)
    bench._dice += list(range(8))

    bench.run(make_test(bench.game, ADA, Skill.LORE, modifier=3))

    (shown,) = bench.happened(DiceShown)
    assert [shown.faces.count(face) for face in Face] == [3, 2, 3]
    assert bench.happened(Rolled)[0].sides == 8


@rule("DICE-3")
@rule("TEST-9")
def test_investigation_that_is_not_converted_adds_nothing() -> None:
    bench = lore(4)

    assert make(bench, "SSIB") == 2


@rule("TEST-2")
def test_steps_of_a_test_come_in_order() -> None:
    bench = with_clues(lore(3), 1)
    start = len(bench.log)

    make(bench, "SIB", spend(1))

    kept = [t for t in tags(bench)[start:] if t.startswith("se/") or t == "rolled/2"]
    assert kept == [
        "se/test_declared",
        "rolled/2",
        "se/dice_shown",
        "se/clues_spent",
        "se/dice_converted",
        "se/test_finished",
    ]


@rule("TEST-1")
@rule("TEST-15")
@rule("DECIDE-114")
@rule("EX-7")
def test_declaration_is_tested_at_once_and_entered_by_the_server() -> None:
    """The search text ends with a skill icon, so the test follows without a question."""
    bench = world()
    bench.give_dice("SSB")

    resolve(bench, steps.Say("text/papers"), steps.SkillTest(Skill.OBSERVATION))

    assert tags(bench)[-5:] == [
        "se/told",
        "se/test_declared",
        "rolled/2",
        "se/dice_shown",
        "se/test_finished",
    ]
    assert bench.asked == []


# Rerolls and conversions -------------------------------------------------------------------


@rule("CLUE-4")
@rule("SPEND-1")
def test_clues_turn_investigations_into_successes_one_for_each_die() -> None:
    bench = with_clues(lore(3), 3)

    assert make(bench, "IIB", spend(2)) == 2
    assert person(bench).clues == 1
    assert bench.happened(DiceConverted)[0].dice == (0, 1)


@rule("EX-3")
@rule("CLUE-4")
@rule("TEST-11")
def test_agatha_spends_two_clues_to_pass() -> None:
    """Agility 3, difficulty 2, dice I I B and two Clues: S S B passes."""
    bench = with_clues(world(), 2)

    result = make(bench, "IIB", spend(2), skill=Skill.AGILITY, difficulty=2)

    assert result == 2
    assert bench.happened(TestFinished)[0].is_passed is True
    assert person(bench).clues == 0


@rule("SPEND-2")
@rule("CLUE-4")
def test_no_more_clues_are_offered_than_there_are_clues_or_investigations() -> None:
    """One Clue and two investigations offer one; four Clues offer two."""
    one = offered(with_clues(lore(3), 1), "IIB")
    four = offered(with_clues(lore(3), 4), "IIB")

    assert one == ["choice/accept", "choice/spend_clues"]
    assert four == ["choice/accept", "choice/spend_clues", "choice/spend_clues"]


@rule("SPEND-3")
@rule("GOLDEN-6")
@rule("GOLDEN-7")
def test_spending_is_optional_and_a_declined_offer_is_gone() -> None:
    bench = with_clues(lore(3), 2)

    assert make(bench, "IIS", "choice/accept") == 1
    assert person(bench).clues == 2
    assert len(bench.asked) == 1


@rule("DECIDE-112")
def test_clues_of_another_cannot_be_spent() -> None:
    bench = with_clues(world(at={ADA: "house/a", BEN: "house/a"}), 3, BEN)

    assert make(bench, "IIB") == 0
    assert bench.asked == []


@rule("GOLDEN-3")
@rule("DAMAGE-5")
def test_clues_cannot_be_spent_while_a_card_forbids_it() -> None:
    fog = keeps("horror/fog", Harm.HORROR, Modifier(ModifierKind.NO_CLUES))
    bench = with_clues(world(harms=[fog]), 2)
    resolve(bench, steps.Suffer(horror=Amount(1)))

    assert faceup(bench, Harm.HORROR) == ["horror/fog"]
    assert make(bench, "IIB") == 0
    assert bench.asked == []


@rule("TEST-8")
@rule("INVESTIGATOR-2")
def test_ability_rerolls_a_die_once_in_a_round() -> None:
    ability = Powers(reroll=Reroll(dice=1))
    bench = lore(3, ability=ability)

    assert make(bench, "SBB S", "choice/reroll", 0) == 2
    assert [used.source for used in bench.happened(PowerUsed)] == [ADA]
    assert make(bench, "BBB") == 0
    assert questions(bench) == ["TEST-8", "TEST-8"]


@rule("TEST-8")
@rule("SPEND-1")
@rule("DISCARD-1")
def test_item_is_discarded_as_the_cost_of_its_reroll() -> None:
    charm = item("item/charm", reroll=Reroll(dice=2, once_per_round=False, discard=True))
    bench = world(items=[charm])
    given(bench, "item/charm")

    assert make(bench, "BBB SS", "choice/reroll", (0, 1)) == 2
    assert items_of(bench) == []
    assert bench.game_table.supply["item/charm"] == 2


@rule("TEST-8")
@rule("SPEND-1")
@rule("DISCARD-1")
def test_condition_is_discarded_as_the_cost_of_its_reroll() -> None:
    reroll = Reroll(once_per_round=False, discard=True)
    bench = world(conditions=[ConditionCard("condition/focused", 1, Powers(reroll=reroll))])
    resolve(bench, steps.Become("condition/focused"))

    assert make(bench, "SBB S", "choice/reroll", 0) == 2
    assert conditions_of(bench) == []


@rule("TEST-8")
@rule("SPEND-1")
@rule("DISCARD-2")
def test_keep_faceup_card_is_discarded_as_the_cost_of_its_reroll() -> None:
    """The Horror card returns to its deck, so its reroll cannot be used again."""
    nerve = keeps("horror/nerve", Harm.HORROR)
    reroll = Reroll(once_per_round=False, discard=True)
    bench = world(harms=[attrs.evolve(nerve, keep=Powers(reroll=reroll))])
    resolve(bench, steps.Suffer(horror=Amount(1)))

    assert make(bench, "SBB S", "choice/reroll", 0) == 2
    assert bench.game_table.harm_count(ADA, Harm.HORROR) == 0


@rule("TEST-8")
def test_reroll_without_a_limit_is_offered_once_in_a_test() -> None:
    stone = item("item/stone", reroll=Reroll(dice=1, once_per_round=False))
    bench = world(items=[stone])
    given(bench, "item/stone")

    assert make(bench, "BBB B", "choice/reroll", 0) == 0
    assert make(bench, "BBB S", "choice/reroll", 0) == 1
    assert bench.happened(PowerUsed) == []


@rule("TEST-8")
@pytest.mark.parametrize("dice", [1, 2])
def test_no_die_rolled_again_uses_and_pays_nothing(dice: int) -> None:
    charm = item("item/charm", reroll=Reroll(dice=dice, discard=True))
    bench = world(items=[charm])
    given(bench, "item/charm")
    none: object = "choice/no_die" if dice == 1 else ()

    assert make(bench, "SBB", "choice/reroll", none, "choice/accept") == 1
    assert items_of(bench) == ["item/charm"]
    assert bench.happened(PowerUsed) == []
    assert make(bench, "SBB S", "choice/reroll", none, "choice/reroll", 0) == 2
    assert items_of(bench) == []


@rule("DECIDE-29")
def test_two_copies_can_be_used_once_each_in_a_round() -> None:
    stone = item("item/stone", reroll=Reroll(dice=1))
    bench = world(items=[stone])
    given(bench, "item/stone", "item/stone")

    result = make(bench, "BBB S S", pointing_at("p1"), 0, "reroll", 0)

    assert result == 2
    assert powers.rerolls(bench.game, ADA, Skill.LORE) == ()


@rule("DECIDE-109")
def test_rerolling_a_converted_die_loses_the_clue() -> None:
    """The converted die is rerolled to a blank, and the Clue is gone."""
    bench = with_clues(lore(3, ability=Powers(reroll=Reroll(dice=1))), 1)

    result = make(bench, "SIB B", spend(1), "choice/reroll", pointing_at("1"))

    assert result == 1
    assert person(bench).clues == 0


@rule("DECIDE-109")
@rule("TEST-8")
def test_order_of_rerolls_and_conversions_is_free() -> None:
    """The reroll gives an investigation, which a Clue then converts."""
    bench = with_clues(lore(3, ability=Powers(reroll=Reroll(dice=1))), 1)

    result = make(bench, "SBB I", "choice/reroll", pointing_at("1"), spend(1))

    assert result == 2


@rule("GOLDEN-4")
def test_player_decides_for_the_investigator_they_control() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/a"})
    with_clues(bench, 1, BEN)
    bench.give_dice("IBB")

    bench.run(make_test(bench.game, BEN, Skill.LORE), ...)

    assert bench.open is not None
    assert list(bench.open.prompts) == [1]


# The result --------------------------------------------------------------------------------


@rule("EX-6")
@rule("TEST-10")
@rule("TEST-11")
@pytest.mark.parametrize(("dice", "told"), [("SSB", True), ("SSS", True), ("SBB", False)])
def test_difficulty_is_the_result_needed(dice: str, told: bool) -> None:
    bench = world()
    bench.give_dice(dice)

    resolve(bench, told_test(Skill.AGILITY, Amount(2)))

    says = [event.text.subject for event in bench.happened(Told)]
    assert says == ["text/passed" if told else "text/failed"]
    assert bench.happened(TestFinished)[0].is_passed is told


@rule("TEST-10")
def test_declared_difficulty_is_open_to_all() -> None:
    bench = world()
    bench.give_dice("SSB")

    resolve(bench, told_test(Skill.AGILITY, Amount(2)))

    assert bench.happened(TestDeclared)[0].difficulty == 2


@rule("DECIDE-150")
def test_difficulty_can_grow_with_the_investigators() -> None:
    """The difficulty is one, plus one for each of two investigators: three."""
    bench = world(at={ADA: "house/a", BEN: "house/a"})
    bench.give_dice("SSS")

    resolve(bench, told_test(Skill.AGILITY, Amount(1, each=1)))

    assert bench.happened(TestDeclared)[0].difficulty == 3


@rule("TEST-12")
@rule("TEST-13")
@rule("TEST-14")
@pytest.mark.parametrize("dice", ["SBB", "BBB"])
def test_only_the_branch_depends_on_the_outcome(dice: str) -> None:
    bench = world()
    bench.give_dice(dice)

    resolve(bench, told_test(Skill.WILL, Amount(1)), steps.Say("text/after"))

    branch = "text/passed" if "S" in dice else "text/failed"
    assert [event.text.subject for event in bench.happened(Told)] == [branch, "text/after"]


@rule("DISCARD-3")
def test_spent_clues_return_to_the_supply() -> None:
    bench = with_clues(lore(3), 1)

    make(bench, "IBB", spend(1))

    assert bench.happened(CluesSpent) == [CluesSpent(ADA, 1)]
    assert person(bench).clues == 0
