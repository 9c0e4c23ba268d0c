"""Stakes: the purpose of a test is told first, and nobody is asked if nothing can be gained."""

import attrs
import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import Attack, Reach, WeaponKind
from content.games.second_edition.schema.decks import DeckCard
from content.games.second_edition.schema.effects import (
    Amount,
    DamageMonster,
    Forfeit,
    Say,
    SkillTest,
    Suffer,
    Threshold,
)
from protocol.common.text import Text
from protocol.games.second_edition.events import DiceShown, TestDeclared, Told
from protocol.games.second_edition.table import Skill
from server.games.second_edition.rules import harm, stakes
from server.games.second_edition.rules.play import Source
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    DROWNED,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolve, with_clues

NOTHING, MORE = Text("stake/nothing"), Text("stake/more")


@pytest.mark.rule("TEST-11")
def test_success_and_failure_are_told_before_the_dice() -> None:
    bench = world(monsters=[(DROWNED, "house/a")])
    bench.give_dice("SBB")
    check = SkillTest(Skill.WILL, passed=(DamageMonster(2),), failed=(Forfeit(), Suffer(damage=1)))

    resolve(bench, check, monster="m1")

    failed = Text("stake/and", (Text("stake/forfeit"), Text("stake/damage_faceup", (1,))))
    told = Text("stakes/test", (Text("stake/monster", (DROWNED, 2)), failed))
    assert bench.stakes() == [told]
    kinds = (TestDeclared, Told, DiceShown)
    assert [type(e) for e in bench.log if isinstance(e, kinds)] == list(kinds)


@pytest.mark.rule("SECRET-16")
@pytest.mark.parametrize("needed", [1, 2, 9])
def test_a_hidden_difficulty_has_the_same_stakes_whatever_it_is(needed: int) -> None:
    bench = world()
    bench.give_dice("SBB")

    resolve(bench, SkillTest(Skill.WILL, difficulty=needed, hidden="door", passed=(Forfeit(),)))

    assert bench.stakes() == [Text("stakes/hidden", (0,))]


def test_what_a_scenario_makes_of_a_test_is_its_own_business() -> None:
    bench = world()
    bench.give_dice("SBB")

    resolve(bench, SkillTest(Skill.WILL, passed=(Suffer(damage=1),)))

    assert bench.stakes() == []


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (Say("text/entry"), NOTHING),
        (Suffer(damage=1, facedown=True), Text("stake/damage_facedown", (1,))),
        (Suffer(horror=Amount(1, each=1)), Text("stake/horror_faceup", (2,))),
        (Suffer(damage=1, who=steps.Who.RANDOM), MORE),
        (DamageMonster(successes=True), Text("stake/monster_successes", (DROWNED,))),
        (DamageMonster(1, successes=True), Text("stake/monster_by_success", (DROWNED, 1))),
        (steps.Heal(damage=2), Text("stake/damage_healed", (2,))),
        (steps.Heal(horror=1, who=steps.Who.HERE), Text("stake/horror_healed_here", (1,))),
        (steps.GainClues(2), Text("stake/clues", (2,))),
        (steps.GainClues(2, who=steps.Who.ALL), MORE),
        (steps.Become("condition/dazed"), Text("stake/become", ("condition/dazed",))),
        (steps.PlaceToken("token/x"), MORE),
    ],
)
def test_each_step_is_told_or_said_to_be_more(step: steps.Step, told: Text) -> None:
    """Story texts are no outcome. An outcome without words is announced as "more"."""
    bench = world(monsters=[(DROWNED, "house/a")])

    assert stakes.outcome_text(bench.game, (step,), Source(ADA, "m1")) == told


@pytest.mark.parametrize(("count", "told"), [(5, False), (6, True)])
def test_what_a_test_leads_to_is_told_in_part_where_it_is_long(count: int, *, told: bool) -> None:
    """The rest is announced as "more"."""
    bench = world(monsters=[(DROWNED, "house/a")])

    said = stakes.outcome_text(bench.game, (Suffer(damage=1),) * count, Source(ADA, "m1"))

    assert (MORE in said.params) is told
    assert _parts_of(said) == min(count, stakes.MOST)


def _parts_of(said: Text) -> int:
    first = said.params[0]
    return 1 + (_parts_of(first) if said.subject == "stake/and" and isinstance(first, Text) else 0)


COUNTS: tuple[steps.Step, ...] = (DamageMonster(successes=True),)
LEADING = attrs.evolve(
    world().game.content.scenario,
    effects={
        "counts": COUNTS,
        "calls counts": (steps.Call("counts"),),
        "round and round": (Say("text/entry"), steps.Call("round and round")),
    },
    decks={
        "counts": (DeckCard("text/none", ()), DeckCard("text/some", COUNTS)),
        "counts nothing": (DeckCard("text/none", ()),),
    },
)
"""A scenario whose effects lead to others."""


@pytest.mark.parametrize(
    ("step", "reads"),
    [
        (DamageMonster(successes=True), True),
        (steps.GainClues(Amount(formula=read_number("successes + 1")[0])), True),
        # What they lead to stands elsewhere.
        (steps.Call("counts"), True),
        (steps.Call("calls counts"), True),
        (steps.Call("round and round"), False),
        (steps.Draw("counts"), True),
        (steps.Draw("counts nothing"), False),
        (DamageMonster(2), False),
        (Say("text/entry"), False),
    ],
)
def test_an_effect_is_known_to_count_successes(step: steps.Step, *, reads: bool) -> None:
    """If an effect counts successes, more of them than needed may be worth a question."""
    assert stakes.reads_successes(LEADING, (step,)) is reads


@pytest.mark.parametrize(
    ("subjects", "says"),
    [
        (("stake/nothing",), False),
        (("stake/this_discarded", "stake/more"), False),
        (tuple(sorted(stakes._OF_ITSELF - {"stake/and"})), False),
        (("stake/this_flipped", "stake/damage_faceup"), True),
        (("stake/monster",), True),
    ],
)
def test_what_becomes_of_the_card_itself_tells_nothing(
    subjects: tuple[str, ...], *, says: bool
) -> None:
    outcome = Text(subjects[0])
    for subject in subjects[1:]:
        outcome = Text("stake/and", (outcome, Text(subject)))

    assert stakes.is_telling(outcome) is says


def test_what_is_worked_out_later_is_not_told() -> None:
    bench = world()
    each = Amount(1, each=1)
    formula = Amount(formula=read_number("clues")[0])
    source = Source(ADA, possession="p1")

    told = stakes.outcome_text(
        bench.game, (Suffer(damage=each), Say("text/x"), steps.GainClues(each)), source
    )
    harm_and_clues = (Text("stake/damage_faceup", (2,)), Text("stake/clues", (2,)))
    assert told == Text("stake/and", harm_and_clues)
    assert stakes.outcome_text(bench.game, (Suffer(damage=formula),), source) == MORE
    assert stakes.outcome_text(bench.game, (Say("text/x"),), source) == NOTHING


def test_clues_that_a_formula_works_out_are_not_told() -> None:
    formula = Amount(2, formula=read_number("round")[0])

    told = stakes.outcome_text(
        world().game, (steps.GainClues(formula),), Source(ADA, possession="p1")
    )

    assert told == MORE


def test_the_harm_of_a_monster_that_differs_by_the_group_is_told() -> None:
    bench = world(monsters=[(DROWNED, "house/a")])

    told = stakes.outcome_text(bench.game, (DamageMonster(Amount(1, each=1)),), Source(ADA, "m1"))

    assert told == Text("stake/monster", (DROWNED, 2))


@pytest.mark.rule("SECRET-16")
def test_what_was_gathered_for_a_hidden_difficulty_is_told() -> None:
    bench = world()
    bench.give_dice("SSB SBB")
    check = SkillTest(Skill.WILL, difficulty=9, hidden="door")

    resolve(bench, check)
    resolve(bench, check)

    assert bench.stakes() == [Text("stakes/hidden", (0,)), Text("stakes/hidden", (2,))]


@pytest.mark.rule("TEST-11")
def test_a_test_by_degrees_says_so() -> None:
    bench = world()
    bench.give_dice("SBB")

    resolve(bench, SkillTest(Skill.WILL, thresholds=(Threshold(1, ()), Threshold(2, ()))))

    assert bench.stakes() == [Text("stakes/degrees")]


@pytest.mark.rule("TEST-11")
def test_the_stakes_are_told_also_where_each_success_counts() -> None:
    bench = world(monsters=[(DROWNED, "house/a")])
    bench.give_dice("BBB")

    resolve(bench, SkillTest(Skill.WILL, passed=(DamageMonster(successes=True),)), monster="m1")

    passed = Text("stake/monster_successes", (DROWNED,))
    assert bench.stakes() == [Text("stakes/test", (passed, NOTHING))]


def test_the_damage_of_the_weapon_is_part_of_what_is_told() -> None:
    """The spear deals two and the text one. Without a monster nothing is told."""
    spear = Attack(Reach.MELEE, WeaponKind.BLADED, 2)
    bench = world(monsters=[(DROWNED, "house/a")])
    hit = (DamageMonster(1, weapon=True),)

    assert stakes.outcome_text(bench.game, hit, Source(ADA, "m1", spear)) == Text(
        "stake/monster", (DROWNED, 3)
    )
    assert stakes.outcome_text(bench.game, hit, Source(ADA, "m9", spear)) == MORE


def asked(bench: Bench) -> list[str]:
    """Return the questions about dice."""
    return [ask.rule for ask in bench.asked if ask.rule == "TEST-8"]


@pytest.mark.rule("TEST-8")
@pytest.mark.parametrize(
    ("dice", "clues", "answers"),
    [("SIB", 1, ()), ("IBB", 1, ()), ("SIB", 2, ("accept",))],
)
def test_dice_are_changed_where_that_may_decide_alone(
    dice: str, clues: int, answers: tuple[str, ...]
) -> None:
    """Dice beyond the needed result, or without a chance to reach it, are not asked about."""
    needed = {("SIB", 1): 1, ("IBB", 1): 2, ("SIB", 2): 2}[dice, clues]
    bench = with_clues(world(), clues)
    bench.give_dice(dice)

    resolve(bench, SkillTest(Skill.WILL, difficulty=needed), answers=list(answers))

    assert len(asked(bench)) == len(answers)


@pytest.mark.rule("TEST-8")
def test_successes_that_count_by_themselves_are_worth_a_question() -> None:
    """For example, each success is one more damage."""
    bench = with_clues(world(monsters=[(DROWNED, "house/a")]), 1)
    bench.give_dice("SIB")
    check = SkillTest(Skill.WILL, passed=(DamageMonster(successes=True),))

    resolve(bench, check, monster="m1", answers=["accept"])

    assert len(asked(bench)) == 1


@pytest.mark.rule("NEGATE-1")
@pytest.mark.parametrize(("dice", "is_asked"), [("SIB", True), ("SSI", False)])
def test_harm_that_is_prevented_whole_is_asked_about_no_more(dice: str, *, is_asked: bool) -> None:
    bench = with_clues(world(), 1)
    bench.give_dice(dice)

    bench.run(
        harm.negate(bench.game, ADA, skill=Skill.WILL, damage=2),
        *(["accept"] if is_asked else []),
    )

    assert bool(asked(bench)) is is_asked
    faced = Text("about/negate_damage", (ADA, 2))
    assert bench.stakes() == [Text("stakes/for", (faced, Text("stakes/negate")))]
