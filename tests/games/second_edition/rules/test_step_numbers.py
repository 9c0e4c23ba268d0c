"""Numbers in steps: computed for each investigator concerned, after the preceding test."""

from collections.abc import Callable
from typing import Any

import pytest

from content.games.second_edition.expressions import read_condition, read_number
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema import monster_steps as more
from content.games.second_edition.schema.cards import Attack, Reach, WeaponKind
from content.games.second_edition.schema.counters import Counter, Scope
from content.games.second_edition.schema.effects import Amount, Step
from content.games.second_edition.schema.targets import Which
from protocol.common.events import Rolled
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    HarmDiscarded,
    ObjectiveSet,
    OppositionRolled,
    Told,
)
from protocol.games.second_edition.table import Harm, Skill
from server.games.second_edition.rules import counters, effects, monsters
from server.games.second_edition.rules.play import Outcome, Source
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    ROW,
    ROW_ROOMS,
    monster_card,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import facedown_count, faceup, person

rule = pytest.mark.rule
TWO = Amount(formula=read_number("nerve + successes")[0])
"""
Amount of two for Ada, whose nerve is 1, and of one for Ben, whose nerve is 0; the test had one
success.
"""
DAMAGE, HORROR = Harm.DAMAGE, Harm.HORROR
LORE = Skill.LORE


def row() -> Bench:
    """Return a row of five spaces with a monster, Ada and her counter at one end."""
    own = {"nerve": Counter(of=Scope.INVESTIGATOR), "tide": Counter(most=9)}
    bench = world(
        at={ADA: "row/a", BEN: "row/e"},
        tiles=[tile(ROW, ROW_ROOMS, id="row")],
        monsters=[(DROWNED, "row/a")],
        monster_cards=[monster_card(health=Amount(9))],
        scenario_parts={"counters": own},
    )
    counters.put(bench.game, "nerve", 1, ADA)
    return bench


def after_a_success(bench: Bench, *todo: Step, answers: tuple[Any, ...] = ()) -> None:
    """Resolve steps for Ada and the monster beside her, after a test with one success."""
    source = Source(ADA, next(iter(bench.game_table.monsters)))
    bench.run(effects.resolve(bench.game, todo, source, Outcome(successes=1)), *answers)


def harm_of(bench: Bench) -> tuple[int, int]:
    """Return Ada's Damage and Horror."""
    return bench.game_table.harm_count(ADA, DAMAGE), bench.game_table.harm_count(ADA, HORROR)


def beast(bench: Bench, at: int = 0) -> Any:
    """Return a monster by its order of appearance."""
    return list(bench.game_table.monsters.values())[at]


@rule("DECIDE-150")
@pytest.mark.parametrize(
    ("step", "seen", "comes_to"),
    [
        (steps.Suffer(damage=TWO), harm_of, (2, 0)),
        (steps.Suffer(horror=TWO), harm_of, (0, 2)),
        (steps.GainClues(TWO), lambda b: person(b).clues, 2),
        (steps.Spawn(at="row/e", kind=DROWNED, count=TWO), lambda b: len(b.game_table.monsters), 3),
        (steps.Spawn(at="row/e", kind=DROWNED, health=TWO), lambda b: beast(b, 1).health, 2),
        (steps.DamageMonster(TWO), lambda b: beast(b).damage, 2),
        (more.MoveMonster(TWO, toward="row/e"), lambda b: beast(b).space, "row/c"),
        (steps.LoseActions(TWO), lambda b: b.game_table.actions_left, 0),
        (steps.MoveAway(TWO), lambda b: where(b)[ADA], "row/c"),
        (
            steps.PlaceInvestigator(toward=steps.Toward("row/e", TWO)),
            lambda b: where(b)[ADA],
            "row/c",
        ),
        (steps.Count("tide", add=TWO), lambda b: counters.value(b.game, "tide"), 2),
        (steps.Count("tide", to=TWO), lambda b: counters.value(b.game, "tide"), 2),
        (steps.SetCounters({"tide": TWO}), lambda b: counters.value(b.game, "tide"), 2),
    ],
)
def test_number_of_a_step(step: Step, seen: Callable[[Bench], Any], comes_to: Any) -> None:
    bench = row()

    after_a_success(bench, step)

    assert seen(bench) == comes_to


@rule("CLUE-1")
def test_number_of_clues_spent() -> None:
    bench = row()
    after_a_success(bench, steps.GainClues(3), steps.SpendClues(TWO))

    assert person(bench).clues == 1


@rule("MONSTER-11")
def test_number_of_damage_that_a_monster_is_healed_of() -> None:
    bench = row()
    bench.run(monsters.damage(bench.game, beast(bench).monster_id, 3))

    after_a_success(bench, more.HealMonster(TWO, Which.ALL))

    assert beast(bench).damage == 1


@rule("DAMAGE-9")
@pytest.mark.parametrize(
    ("step", "left"), [(steps.Heal(TWO), (1, 3)), (steps.Heal(0, TWO), (3, 1))]
)
def test_number_of_cards_that_are_healed(step: Step, left: tuple[int, int]) -> None:
    """The cards are facedown, so none need be chosen."""
    bench = row()
    after_a_success(bench, steps.Suffer(3, 3, facedown=True), step)

    assert harm_of(bench) == left
    assert len(bench.happened(HarmDiscarded)) == 2


@rule("DAMAGE-8")
def test_number_of_cards_that_are_turned_faceup() -> None:
    bench = row()
    after_a_success(bench, steps.Suffer(3, facedown=True), steps.TurnFaceup(DAMAGE, TWO))

    assert len(faceup(bench, DAMAGE)) == 2


@rule("DAMAGE-6")
def test_number_of_cards_that_are_turned_facedown() -> None:
    bench = row()
    todo = (steps.Suffer(3), steps.TurnFacedown(DAMAGE, TWO))
    after_a_success(bench, *todo, answers=(0, 0))

    assert facedown_count(bench, DAMAGE) == 2


@rule("NEGATE-1")
@pytest.mark.parametrize(
    ("negated", "suffered"),
    [(steps.Negate(LORE, damage=TWO), (2, 0)), (steps.Negate(LORE, horror=TWO), (0, 2))],
)
def test_number_of_harm_that_can_be_negated(
    negated: steps.Negate, suffered: tuple[int, int]
) -> None:
    """Three blanks negate no harm."""
    bench = row()
    bench.give_dice("BBB")

    after_a_success(bench, negated)

    assert harm_of(bench) == suffered


@rule("TEST-5")
@pytest.mark.parametrize(
    "step", [steps.SkillTest(LORE, TWO), steps.Negate(LORE, TWO, damage=1)], ids=("test", "negate")
)
def test_number_of_dice_that_a_step_gives(step: Step) -> None:
    bench = row()
    bench.give_dice("SSSSS")

    after_a_success(bench, step)

    assert [len(roll.faces) for roll in bench.happened(Rolled)] == [5]


@rule("TEST-10")
@pytest.mark.parametrize(("dice", "text"), [("SSB", "text/passed"), ("SBB", "text/failed")])
def test_number_of_successes_that_a_test_needs(dice: str, text: str) -> None:
    """Two are needed: the preceding test's successes add to the difficulty, not to the result."""
    bench = row()
    bench.give_dice(dice)

    after_a_success(
        bench,
        steps.SkillTest(
            LORE,
            difficulty=TWO,
            passed=(steps.Say("text/passed"),),
            failed=(steps.Say("text/failed"),),
        ),
    )

    assert [event.text.subject for event in bench.happened(Told)] == [text]


@rule("DICE-1")
def test_number_of_dice_that_the_keeper_rolls_against_a_test() -> None:
    bench = row()
    bench.give_dice("BB SSS")

    after_a_success(bench, steps.SkillTest(LORE, against=TWO))

    (rolled,) = bench.happened(OppositionRolled)
    assert len(rolled.faces) == 2


@rule("MOVE-14")
def test_number_of_spaces_that_one_may_move() -> None:
    """The move is two spaces, without a further question."""
    bench = row()

    after_a_success(bench, steps.MayMove(TWO), answers=("row/b", "row/c"))

    assert where(bench)[ADA] == "row/c"


# Numbers that a text tells, and numbers of the monster and the weapon --------------------------


def said(bench: Bench) -> Text:
    told: Text = bench.happened(Told)[-1].text
    return told


def test_text_tells_numbers_behind_the_monster() -> None:
    """The parameters are the actor, the monster, then each number's current value."""
    bench = row()
    values = (TWO, Amount(formula=read_number("tide + 40")[0]))

    after_a_success(bench, steps.Say("house/tide", values))

    assert said(bench) == Text("house/tide", (ADA, DROWNED, 2, 40))


def test_text_with_numbers_has_an_empty_name_where_no_monster_is() -> None:
    bench = row()

    bench.run(effects.resolve(bench.game, (steps.Say("house/tide", (7,)),), Source(ADA)))

    assert said(bench) == Text("house/tide", (ADA, "", 7))


@rule("WIN-4")
def test_objective_tells_numbers() -> None:
    """The numbers are those of the moment it is set. An update needs the step again."""
    bench = row()
    tide = Amount(formula=read_number("tide")[0])
    again = steps.SetObjective("house/seals", (tide,))

    after_a_success(bench, again, steps.Count("tide", add=3), again)

    assert [one.objective.params[2] for one in bench.happened(ObjectiveSet)] == [0, 3]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("monster.health", 9),
        ("monster.damage", 4),
        ("monster.awareness", 1),
        ("monster.horror", 2),
        ("monster.brawn", 3),
        ("weapon.damage", 5),
    ],
)
def test_numbers_of_the_monster_and_the_weapon_are_known(name: str, number: int) -> None:
    card = monster_card(health=9, awareness=1, horror_rating=2, brawn=3)
    bench = world(tiles=[tile(ROW)], monsters=[(DROWNED, "house/a")], monster_cards=[card])
    monster = next(iter(bench.game_table.monsters))
    bench.run(monsters.damage(bench.game, monster, 4))
    weapon = Attack(Reach.MELEE, WeaponKind.HEAVY, 5)
    holds = read_condition(f"{name} = {number}")[0]
    told = steps.When(holds, (steps.Say("house/so"),), (steps.Say("house/not"),))

    bench.run(effects.resolve(bench.game, (told,), Source(ADA, monster, weapon)))

    assert said(bench).subject == "house/so"


def test_numbers_of_nobody_are_nothing() -> None:
    bench = row()
    monster = next(iter(bench.game_table.monsters))
    bench.run(monsters.discard(bench.game, monster))
    values = tuple(
        Amount(formula=read_number(name)[0]) for name in ("monster.health", "weapon.damage")
    )

    for source in (Source(ADA), Source(ADA, monster)):
        bench.run(effects.resolve(bench.game, (steps.Say("house/so", values),), source))

        assert said(bench).params[2:] == (0, 0)
