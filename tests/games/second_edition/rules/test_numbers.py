"""Numbers in content that depend on the group, the table or the memory."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.expressions import read_condition, read_number
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import Powers, Reroll
from content.games.second_edition.schema.effects import Amount, Number, Who
from content.games.second_edition.schema.requirements import Requirement
from protocol.games.second_edition.events import CluesGained, OppositionRolled, TestDeclared, Told
from protocol.games.second_edition.table import Harm, Skill
from server.games.second_edition.rules import elimination, mythos, requirements
from server.games.second_edition.rules.amounts import MOST, exact, scaled, signed
from server.games.second_edition.rules.play import Outcome, Source
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    counted,
    investigator_card,
    monster_card,
    spawned,
    world,
)
from tests.games.second_edition.rules.worlds_effects import (
    facedown_count,
    person,
    resolve,
    with_clues,
)

rule = pytest.mark.rule
PEOPLE = (ADA, BEN, CORA)


def sum_of(text: str) -> Amount:
    """Return a number written as an expression."""
    return Amount(formula=read_number(text)[0])


def condition(text: str) -> Requirement:
    return read_condition(text)[0]


def group(people: int = 2, tide: int = 0, **parts: Any) -> Bench:
    """Return a world of some investigators with a tide of this value."""
    people_at = dict.fromkeys(PEOPLE[:people], "house/a")
    bench = world(at=people_at, scenario_parts={"counters": counted("tide")}, **parts)
    resolve(bench, steps.Count("tide", add=tide))
    return bench


@rule("DECIDE-150")
@pytest.mark.parametrize(("people", "needed"), [(1, 2), (2, 3), (3, 5)])
def test_list_is_by_the_group_at_the_start(people: int, needed: int) -> None:
    bench = group(people)
    listed = Amount(listed=(2, 3, 5, 7, 9))
    assert scaled(bench.game, listed) == needed

    if people > 1:
        bench.run(elimination.eliminate(bench.game, ADA))
        assert scaled(bench.game, listed) == needed


@pytest.mark.parametrize(
    ("text", "comes_to"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("9 - 2 - 1", 6),
        ("7 / 2", 3),
        ("-7 / 2", -4),
        ("7 / 2 * 2", 6),
        ("5 / (tide - 7)", 0),
        ("min(tide, 3)", 3),
        ("max(1, tide, 3)", 7),
        ("2 * investigators + tide / 2", 9),
        ("standing", 2),
        ("round", 1),
        ("monsters", 1),
        ("clues", 4),
        ("successes", 5),
    ],
)
def test_expression_is_worked_out(text: str, comes_to: int) -> None:
    bench = group(3, tide=7)
    bench.run(elimination.eliminate(bench.game, CORA))
    spawned(bench, DROWNED, "house/c")
    with_clues(bench, 4)

    number = exact(bench.game, sum_of(text), Source(ADA), Outcome(successes=5))

    assert number == comes_to


def test_clues_are_those_of_whom_it_concerns() -> None:
    bench = with_clues(group(), 4)

    assert [exact(bench.game, sum_of("clues"), Source(who)) for who in (ADA, BEN)] == [4, 0]
    assert exact(bench.game, sum_of("clues")) == 0


def test_what_is_counted_out_is_bounded() -> None:
    """Results are between zero and a maximum; a modifier may be negative."""
    bench = group()

    assert scaled(bench.game, sum_of("tide - 5")) == 0
    assert signed(bench.game, sum_of("tide - 5")) == -5
    assert scaled(bench.game, sum_of("1000000 * 1000000")) == MOST
    assert signed(bench.game, sum_of("0 - 1000000 * 1000000")) == -MOST


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("tide = 7", True),
        ("tide != 7", False),
        ("tide < 7", False),
        ("tide <= 7", True),
        ("tide > 7", False),
        ("tide >= 7", True),
        ("tide + 1 > 7 and round = 1", True),
        ("tide > 7 or round = 1", True),
        ("not (tide > 7 or round = 1)", False),
        ("tide", True),
        ("not monsters", True),
    ],
)
def test_comparison_is_answered(text: str, holds: bool) -> None:
    bench = group(tide=7)

    resolve(bench, steps.When(condition(text), (steps.GainClues(),)))

    assert person(bench).clues == int(holds)


def test_branch_of_a_test_knows_its_successes() -> None:
    bench = group()
    bench.give_dice("SSB")
    branch = steps.When(condition("successes > 1"), (steps.GainClues(sum_of("successes")),))

    resolve(bench, steps.SkillTest(Skill.LORE, passed=(branch,)))

    assert person(bench).clues == 2


# Everywhere a number stands ----------------------------------------------------------------


def test_suffering_is_the_same_for_all_whom_it_concerns() -> None:
    """The amount is computed once, so changes in between do not matter."""
    bench = with_clues(group(), 1)

    resolve(bench, steps.Suffer(damage=sum_of("clues + 1"), facedown=True, who=Who.ALL))
    resolve(bench, steps.GainClues(sum_of("clues"), who=Who.ALL))

    assert [facedown_count(bench, Harm.DAMAGE, who) for who in (ADA, BEN)] == [2, 2]
    assert [person(bench, who).clues for who in (ADA, BEN)] == [2, 1]


def test_difficulty_and_modifier_are_declared_as_they_come_out() -> None:
    bench = group(tide=4)
    bench.give_dice("SSSSS")

    resolve(
        bench,
        steps.SkillTest(
            Skill.LORE,
            sum_of("investigators"),
            sum_of("tide / 2 + 3"),
            passed=(steps.GainClues(),),
        ),
    )

    (declared,) = bench.happened(TestDeclared)
    assert (declared.pool, declared.modifier, declared.difficulty) == (5, 2, 5)
    assert person(bench).clues == 1


def test_counter_is_changed_by_a_sum() -> None:
    bench = group(tide=9)

    resolve(bench, steps.Count("tide", add=sum_of("-(tide / 2)")))

    assert exact(bench.game, sum_of("tide")) == 5


def test_monster_has_the_health_that_its_sum_comes_to() -> None:
    strong, weak = (
        monster_card(f"monster/{name}", health=sum_of(text))
        for name, text in (("strong", "2 * investigators"), ("weak", "investigators - 9"))
    )
    bench = group(monster_cards=[strong, weak])

    found = [spawned(bench, kind.id, "house/c") for kind in (strong, weak)]

    assert [bench.game_table.monsters[monster].health for monster in found] == [4, 1]


def test_monsters_appear_in_the_number_that_the_sum_comes_to() -> None:
    bench = group(tide=2)
    resolve(bench, steps.Spawn(DROWNED, "house/c", sum_of("tide")))
    resolve(bench, steps.Spawn(DROWNED, "house/c", sum_of("tide - 2")))

    assert len(bench.game_table.monsters) == 2


def test_monster_suffers_what_the_sum_comes_to() -> None:
    bench = with_clues(group(), 2)
    monster = spawned(bench, DROWNED, "house/c")

    resolve(bench, steps.DamageMonster(sum_of("clues")), monster=monster)

    assert bench.game_table.monsters[monster].damage == 2


@pytest.mark.parametrize(
    ("step", "left"),
    [(steps.LoseActions(sum_of("tide")), 1), (steps.LoseActions(sum_of("tide - 1")), 2)],
)
def test_actions_are_lost_by_a_sum(step: steps.LoseActions, left: int) -> None:
    bench = group(tide=1)

    resolve(bench, step)

    assert bench.game_table.actions_left == left


def test_clues_are_spent_by_a_sum() -> None:
    bench = with_clues(group(), 4)

    resolve(bench, steps.SpendClues(sum_of("clues / 2")))

    assert person(bench).clues == 2


def test_harm_is_healed_and_turned_by_a_sum() -> None:
    bench = group(tide=2)
    resolve(bench, steps.Suffer(damage=3, facedown=True))

    resolve(bench, steps.TurnFaceup(Harm.DAMAGE, sum_of("tide")))
    assert facedown_count(bench, Harm.DAMAGE) == 1
    resolve(bench, steps.TurnFacedown(Harm.DAMAGE, sum_of("tide - 1")), answers=[0])
    assert facedown_count(bench, Harm.DAMAGE) == 2
    resolve(bench, steps.Heal(damage=sum_of("tide - 1")), answers=["choice/discard_facedown"])
    assert facedown_count(bench, Harm.DAMAGE) == 1


def test_move_goes_as_far_as_the_sum_comes_to() -> None:
    bench = group(tide=2)

    resolve(bench, steps.MayMove(sum_of("tide")), answers=["house/b", "house/c"])

    assert person(bench).space == "house/c"


def test_reroll_takes_as_many_dice_as_the_sum_comes_to() -> None:
    """Two investigators give two dice, and Ada rerolls both."""
    lucky = investigator_card(ability=Powers(reroll=Reroll(sum_of("investigators"))))
    bench = group(investigators=[lucky])
    bench.give_dice("BBB SS")

    resolve(
        bench,
        steps.SkillTest(Skill.LORE, difficulty=2, passed=(steps.GainClues(),)),
        answers=["choice/reroll", (0, 1)],
    )

    assert person(bench).clues == 1


@pytest.mark.parametrize(("number", "left"), [(sum_of("tide"), True), (sum_of("tide - 9"), False)])
def test_events_of_a_round_are_by_a_sum(number: Number, left: bool) -> None:
    """A round has at least one event; with the tide at 2 it has a second."""
    bench = group(tide=2)
    content = bench.game.content
    bench.game.content = attrs.evolve(
        content, scenario=attrs.evolve(content.scenario, events_each_round=number)
    )
    assert mythos.events_left(bench.game)

    bench.run(mythos.draw_event(bench.game))

    assert mythos.events_left(bench.game) is left


@pytest.mark.parametrize(("dice", "passed"), [("SSS", True), ("SSB", False)])
def test_difficulty_is_by_whoever_makes_the_test_and_what_came_before(
    dice: str, *, passed: bool
) -> None:
    test = steps.SkillTest(
        Skill.LORE, difficulty=sum_of("clues + successes"), passed=(steps.Say("text/passed"),)
    )
    bench = world()
    bench.emit(CluesGained(ADA, 2))
    bench.give_dice("SBB" + dice)

    one = steps.SkillTest(Skill.LORE, passed=(test,))
    resolve(bench, one)

    assert [event.text.subject for event in bench.happened(Told)] == ["text/passed"] * passed


def test_opposition_is_by_whoever_makes_the_test_and_what_came_before() -> None:
    test = steps.SkillTest(Skill.LORE, against=sum_of("clues + successes"))
    bench = world()
    bench.emit(CluesGained(ADA, 2))
    bench.give_dice("SBB BBB SSS")

    resolve(bench, steps.SkillTest(Skill.LORE, passed=(test,)))

    assert [len(event.faces) for event in bench.happened(OppositionRolled)] == [3]


FARTHEST = 1_000_000


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1000 * 1000", FARTHEST),
        ("1000 * 1000 + 1", FARTHEST),
        ("2000 * 1000 - 1", FARTHEST - 1),
        ("0 - 1000 * 1000", -FARTHEST),
        ("0 - 1000 * 1000 - 5", -FARTHEST),
        ("999 * 1000 + 1", 999_001),
        ("0 - 5", -5),
    ],
)
def test_no_number_is_farther_from_nothing_than_a_million(text: str, number: int) -> None:
    assert exact(world().game, sum_of(text)) == number


def test_without_a_weapon_its_damage_is_none() -> None:
    assert exact(world().game, sum_of("weapon.damage")) == 0


@pytest.mark.parametrize(("text", "is_so"), [("successes = 0", True), ("successes >= 1", False)])
def test_where_there_was_no_test_there_are_no_successes(text: str, *, is_so: bool) -> None:
    bench, asked = group(), condition(text)

    assert requirements.holds(bench.game, asked, ADA) is is_so
    assert requirements.holds_for(bench.game, asked, Source(ADA)) is is_so
    assert exact(bench.game, sum_of("successes")) == 0
