"""Steps that concern several investigators, one after another, and their triggers."""

from typing import Any

import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema import board_steps as more
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import ConditionCard, Reroll
from content.games.second_edition.schema.effects import Amount, Step, Who
from content.games.second_edition.schema.scenario import Moment, TokenCard, Trigger
from content.games.second_edition.schema.targets import OneInvestigator
from protocol.common.events import Rolled
from protocol.games.second_edition.events import ActionsLost, InvestigatorMoved, Told
from protocol.games.second_edition.table import FeatureKind, Skill, TokenKind
from server.games.second_edition.rules.skill_test import make_test
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    HOUSE_ROOMS,
    RAT,
    begin_turn,
    proceed,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import (
    KNIFE,
    given,
    item,
    items_of,
    person,
    questions,
    resolve,
)
from tests.games.second_edition.spellbook import SPELLS

rule = pytest.mark.rule
LORE = Skill.LORE
TOGETHER = {ADA: "house/a", BEN: "house/a"}
SHED = """
+-----+
=     |
=  a  |
|     |
+-----+
"""


def watched(moment: Moment, of: str | None = None, **parts: Any) -> Bench:
    """Return a world of Ada and Ben with a trigger that tells whom this moment concerns."""
    trigger = Trigger("watch", moment, (steps.Say("text/watched"),), of=of, once=False)
    scenario_parts = {"triggers": (trigger,), **parts.pop("scenario_parts", {})}
    return world(at=TOGETHER, scenario_parts=scenario_parts, **parts)


def concerned(bench: Bench) -> list[str]:
    """Return whom each event concerned."""
    return [str(event.text.params[0]) for event in bench.happened(Told)]


# Tests of several --------------------------------------------------------------------------


@rule("TEST-1")
def test_everybody_concerned_makes_the_test() -> None:
    """Each investigator rolls three dice and has their own result."""
    bench = world(at=TOGETHER)
    bench.give_dice("SBB BBB")

    resolve(bench, steps.SkillTest(LORE, passed=(steps.GainClues(),), who=Who.ALL))

    assert len(bench.happened(Rolled)) == 2
    assert [person(bench, who).clues for who in TOGETHER] == [1, 0]


@rule("DECIDE-69")
def test_who_falls_to_the_test_of_another_makes_none() -> None:
    """Ada's failure eliminates Ben before his own test."""
    bench = world(at=TOGETHER)
    fatal = steps.Suffer(damage=7, who=OneInvestigator(BEN))
    bench.give_dice("BBB")

    resolve(bench, steps.SkillTest(LORE, failed=(fatal, fatal), who=Who.ALL), answers=[0])

    assert person(bench, BEN).is_eliminated
    assert len(bench.happened(Rolled)) == 1


def test_return_in_the_test_of_one_ends_those_of_the_others() -> None:
    bench = world(at=TOGETHER)
    bench.give_dice("BBB")

    test = steps.SkillTest(LORE, failed=(steps.Return(),), who=Who.ALL)
    resolve(bench, test, steps.GainClues(), answers=[0])

    assert len(bench.happened(Rolled)) == 1
    assert person(bench).clues == 0


@rule("FORFEIT-1")
@pytest.mark.parametrize(("dice", "is_forfeited"), [("BBB SSS", True), ("SSS BBB", False)])
def test_only_ones_own_failure_forfeits_ones_action(dice: str, *, is_forfeited: bool) -> None:
    """Ada takes the action, and Ben is tested after her."""
    bench = world(at=TOGETHER)
    bench.give_dice(dice)

    test = steps.SkillTest(LORE, failed=(steps.Forfeit(),), who=Who.ALL)

    assert resolve(bench, test).is_forfeited == is_forfeited


@rule("NEGATE-1")
def test_successes_that_negate_count_for_the_steps_after() -> None:
    bench = world()
    bench.give_dice("SSB")
    gained = steps.GainClues(Amount(formula=read_number("successes")[0]))

    resolve(bench, steps.Negate(LORE, damage=2), gained)

    assert person(bench).clues == 2


# What is set off ---------------------------------------------------------------------------


@rule("MONSTER-6")
def test_monster_that_appears_concerns_whom_the_step_concerns() -> None:
    bench = watched(Moment.MONSTER_SPAWNED)

    resolve(bench, steps.Spawn(RAT, "house/c"), actor=BEN)

    assert concerned(bench) == [BEN]


@rule("INSANE-2")
def test_who_becomes_insane_by_a_step_sets_it_off() -> None:
    bench = watched(Moment.INVESTIGATOR_INSANE)

    resolve(bench, steps.Become("condition/insane"), actor=BEN)

    assert concerned(bench) == [BEN]


@rule("CONDITION-1")
@pytest.mark.parametrize("moment", [Moment.INVESTIGATOR_WOUNDED, Moment.INVESTIGATOR_INSANE])
def test_another_condition_is_no_wound_and_no_insanity(moment: Moment) -> None:
    bench = watched(moment, conditions=[ConditionCard("condition/dazed", 1)])

    resolve(bench, steps.Become("condition/dazed"))

    assert concerned(bench) == []


@rule("SPELL-1")
def test_spell_that_is_gained_is_something_gained() -> None:
    bench = watched(Moment.ITEM_GAINED, of="spell/ward", spells=SPELLS)

    resolve(bench, steps.GainSpell("spell/ward"), actor=BEN)

    assert concerned(bench) == [BEN]


@rule("DECIDE-131")
def test_random_item_that_is_gained_is_something_gained() -> None:
    bench = watched(Moment.ITEM_GAINED, of=KNIFE.id, items=[KNIFE])

    resolve(bench, steps.GainRandomItem("common"), actor=BEN)

    assert concerned(bench) == [BEN]


@rule("DECIDE-131")
def test_fresh_item_is_not_given_twice() -> None:
    """A lost Item returns to its deck and is not given again."""
    bench = world(items=[KNIFE])
    fresh = steps.GainRandomItem("common", fresh=True)

    resolve(bench, fresh, steps.LoseItem(KNIFE.id), fresh)
    assert items_of(bench) == []
    resolve(bench, steps.GainRandomItem("common"))
    assert items_of(bench) == [KNIFE.id]


@rule("TILE-4")
@pytest.mark.parametrize(("of", "whom"), [("room/shed", [BEN]), ("room/hall", [])])
def test_tile_reveals_its_own_rooms_to_whom_the_step_concerns(of: str, whom: list[str]) -> None:
    shed = tile(SHED, {"a": "room/shed"}, id="shed", column=20)
    bench = watched(Moment.ROOM_REVEALED, of, tiles=[tile(rooms=HOUSE_ROOMS), shed])
    resolve(bench, more.RemoveTile("shed"))

    resolve(bench, steps.PlaceTile("shed"), actor=BEN)

    assert concerned(bench) == whom


# Places ------------------------------------------------------------------------------------


@rule("DISCARD-3")
def test_fire_of_one_space_is_put_out_and_no_other() -> None:
    bench = world()
    for space in ("house/a", "house/c"):
        resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, space))

    resolve(bench, steps.RemoveFeature(FeatureKind.FIRE, "house/a"))

    assert bench.game_table.spaces_with(FeatureKind.FIRE) == ("house/c",)


@rule("DECIDE-148")
@pytest.mark.parametrize(
    "step",
    [more.MoveToken("token/desk", "actor"), steps.PlaceInvestigator("actor", who=Who.OTHERS)],
)
def test_nothing_is_put_beside_somebody_off_the_board(step: Step) -> None:
    desk = TokenCard("token/desk", TokenKind.SEARCH, "house/c", ())
    bench = world(at=TOGETHER, tokens=[desk])
    bench.emit(InvestigatorMoved(ADA, None))

    resolve(bench, step)

    assert bench.game_table.tokens["token/desk"].at == "house/c"
    assert where(bench)[BEN] == "house/a"


@rule("MOVE-13")
def test_others_are_placed_beside_whom_the_step_concerns() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/c"})

    resolve(bench, steps.PlaceInvestigator("actor", who=Who.OTHERS), actor=BEN)

    assert where(bench)[ADA] == "house/c"


# Turns -------------------------------------------------------------------------------------


@rule("TURN-2")
def test_no_actions_are_lost_where_none_are_left() -> None:
    bench = world()
    begin_turn(bench, ADA, 0)

    resolve(bench, steps.LoseActions(2))

    assert bench.happened(ActionsLost) == []


@rule("DECIDE-22")
@pytest.mark.parametrize(("actions", "asked"), [(1, []), (2, ["MOVE-2"])])
def test_move_that_can_only_end_ends_by_itself(actions: int, asked: list[str]) -> None:
    """The door closes behind Ada for good. With an action left, the question tells her so."""
    shut = Trigger("shut", Moment.SPACE_ENTERED, (steps.PlaceWall("house/1"),), of="house/c")
    bench = world(at={ADA: "house/b"}, scenario_parts={"triggers": (shut,)})
    begin_turn(bench, ADA, actions)

    proceed(bench, "house/c", *["choice/stop"] * len(asked))

    assert questions(bench)[1:] == asked
    assert where(bench)[ADA] == "house/c"


# Questions ---------------------------------------------------------------------------------


@rule("DECIDE-149")
def test_who_is_to_be_chosen_is_asked_by_the_rule_that_says_so() -> None:
    bench = world(at=TOGETHER)

    resolve(bench, steps.GainClues(who=Who.CHOSEN), answers=[BEN])

    assert questions(bench) == ["DECIDE-149"]
    assert person(bench, BEN).clues == 1


@rule("TEST-8")
def test_who_is_too_late_rerolls_the_worst_die() -> None:
    bench = world(items=[item("item/charm", reroll=Reroll(dice=2))])
    given(bench, "item/charm")
    bench.give_dice("SBB")

    bench.run(make_test(bench.game, ADA, LORE), "choice/reroll", ...)

    assert bench.open is not None
    prompt = bench.open.prompts[0]
    (late,) = prompt.default or ()
    assert prompt.options[late].value == 1
