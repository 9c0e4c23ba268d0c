"""Effects: the scenario engine, step by step."""

from typing import Any

import attrs
import pytest

from content.schema import effects as steps
from content.schema import requirements as asked
from content.schema.cards import Attack, Reach, WeaponKind
from content.schema.effects import Amount, EffectChoice, Step, Who
from content.schema.registry import parts_of
from content.schema.scenario import Code, TokenCard
from protocol.common.asks import Settle
from protocol.common.events import Picked
from protocol.common.text import Text
from protocol.second_edition.events import (
    ActionForfeited,
    CounterSet,
    GameEnded,
    MonsterDamaged,
    ObjectiveSet,
    Told,
)
from protocol.second_edition.table import Harm, Skill, TokenKind
from server.rules.second_edition import actions, counters, effects
from server.rules.second_edition.play import GameOver
from tests.rules.bench import Bench
from tests.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    RAT,
    entry,
    monster_card,
    spawned,
    where,
    world,
)
from tests.rules.worlds_effects import (
    IDOL,
    KNIFE,
    facedown_count,
    faceup,
    given,
    items_of,
    person,
    questions,
    resolve,
    shown_to,
    tags,
)

rule = pytest.mark.rule
TWO = {ADA: "house/a", BEN: "house/a"}
THREE = {ADA: "house/a", BEN: "house/a", CORA: "house/c"}


def say(word: str) -> steps.Say:
    """Return a step that leaves a trace."""
    return steps.Say(f"text/{word}")


def told(bench: Bench) -> list[str]:
    """Return the traces, in order."""
    return [event.text.subject.removeprefix("text/") for event in bench.happened(Told)]


def test_every_step_has_a_resolver() -> None:
    """A new kind of step without one is found here, not in a game."""
    kinds = {part.made for part in parts_of(Step).values()}

    assert kinds == set(effects.resolved_kinds())


def test_steps_are_resolved_in_their_order() -> None:
    """One after another."""
    bench = world()

    resolve(bench, say("one"), steps.GainClues(), say("two"))

    assert tags(bench)[-3:] == ["se/told", "se/clues_gained", "se/told"]
    assert told(bench) == ["one", "two"]


def test_story_names_the_actor_and_the_monster() -> None:
    """The texts of the pack can use both."""
    bench = world()
    first = spawned(bench, RAT, "house/a")
    second = spawned(bench, RAT, "house/a")

    resolve(bench, say("bare"))
    resolve(bench, say("first"), monster=first)
    resolve(bench, say("second"), monster=second)

    assert [event.text.params for event in bench.happened(Told)] == [
        (ADA,),
        (ADA, RAT),
        (ADA, Text("name/numbered", (RAT, 1))),
    ]


# Branches ----------------------------------------------------------------------------------


@rule("EVENT-3")
def test_when_does_one_thing_or_the_other() -> None:
    """By whether Ada has a Clue."""
    bench = world()
    step = steps.When(asked.HasClues(1), (say("with"),), (say("without"),))

    resolve(bench, step, steps.GainClues(), step)

    assert told(bench) == ["without", "with"]


WAYS = (
    EffectChoice("text/left", (say("went_left"),)),
    EffectChoice("text/right", (say("went_right"),)),
    EffectChoice("text/secret_way", (say("canary"),), asked.HasClues(1)),
)


@rule("INTERACT-3")
@rule("GOLDEN-4")
def test_actor_chooses_how_it_goes_on() -> None:
    """Ben is the actor: his seat alone is asked, and what requires a Clue is not offered."""
    bench = world(at=TWO)

    resolve(bench, steps.Choose("text/which", WAYS), answers=["text/right"], actor=BEN)

    (ask,) = bench.asked
    assert list(ask.prompts) == [1]
    assert [o.text.subject for o in ask.prompts[1].options] == ["text/left", "text/right"]
    assert told(bench) == ["went_right"]


@rule("CONFLICT-1")
@rule("CONFLICT-3")
def test_group_chooses_together_where_the_effect_says_so() -> None:
    """All seats have a voice."""
    bench = world(at=THREE)

    resolve(bench, steps.Choose("text/which", WAYS, by_group=True), answers=["text/left"])

    (ask,) = bench.asked
    assert ask.settle is Settle.AGREE
    assert list(ask.prompts) == [0, 1, 2]
    assert told(bench) == ["went_left"]


@rule("GOLDEN-6")
@rule("GOLDEN-7")
@rule("EX-9")
def test_offer_that_is_declined_is_gone() -> None:
    """A "may" with a way to decline: nothing happens, and nothing more is asked."""
    bench = world()
    offer = steps.Choose(
        "text/offer",
        (EffectChoice("text/yes", (steps.GainClues(),)), EffectChoice("text/no")),
    )

    resolve(bench, offer, say("after"), answers=["text/no"])

    assert person(bench).clues == 0
    assert told(bench) == ["after"]


def test_single_way_is_taken_and_none_is_passed_over() -> None:
    """Nothing is asked in either case."""
    bench = world()

    resolve(bench, steps.Choose("text/which", WAYS[:1]), steps.Choose("text/which", WAYS[2:]))

    assert bench.asked == []
    assert told(bench) == ["went_left"]


@rule("SECRET-13")
@rule("SECRET-14")
def test_what_lies_behind_a_choice_is_not_sent_before_it_is_chosen() -> None:
    """The words of the options are there, those of the branches are not."""
    bench = world(at=TWO)

    resolve(bench, steps.Choose("text/which", WAYS), answers=["text/left"])

    seen = [*shown_to(bench, 0), *shown_to(bench, 1)]
    assert "text/right" in seen
    assert not [word for word in seen if "canary" in word or "went_right" in word]
    asked_at = tags(bench).index("asked")
    assert told(bench) == ["went_left"]
    assert "se/told" not in tags(bench)[:asked_at]


@rule("RANDOM-1")
@rule("RANDOM-2")
def test_one_of_several_effects_is_picked() -> None:
    """Three ways, each as likely; the third comes up."""
    bench = world()
    bench.give_picks(2)

    resolve(bench, steps.OneOf(((say("one"),), (say("two"),), (say("three"),))))

    assert bench.happened(Picked)[-1].bound == 3
    assert told(bench) == ["three"]


def test_named_effect_of_the_scenario_is_called() -> None:
    """And then it goes on."""
    bench = world(scenario_parts={"effects": {"bell": (say("bell"),)}})

    resolve(bench, steps.Call("bell"), say("after"))

    assert told(bench) == ["bell", "after"]


def test_for_each_makes_everybody_the_actor_in_seat_order() -> None:
    """Each tests for themselves."""
    bench = world(at=THREE)
    bench.give_dice("SBB BBB SBB")
    test = steps.SkillTest(Skill.WILL, passed=(steps.GainClues(),))

    resolve(bench, steps.ForEach(Who.ALL, (test,)))

    assert [person(bench, who).clues for who in THREE] == [1, 0, 1]


# Tests and puzzles -------------------------------------------------------------------------


@rule("EX-1")
@rule("ATTACK-11")
@rule("TEST-9")
@rule("TEST-11")
def test_weapon_and_result_add_up_on_the_monster() -> None:
    """Strength 3, difficulty 2, dice S S B, a Crowbar of 2: four damage."""
    bench = world(monster_cards=[monster_card(health=Amount(9))])
    monster = spawned(bench, DROWNED, "house/a")
    bench.give_dice("SSB")
    hit = steps.DamageMonster(weapon=True, successes=True)

    resolve(
        bench,
        steps.SkillTest(Skill.STRENGTH, difficulty=Amount(2), passed=(hit,)),
        monster=monster,
        weapon=Attack(Reach.MELEE, WeaponKind.HEAVY, 2),
    )

    assert bench.happened(MonsterDamaged) == [MonsterDamaged(monster, 4)]


def test_monster_that_is_gone_suffers_nothing() -> None:
    """The first step defeats it; the second has no target."""
    bench = world()
    monster = spawned(bench, DROWNED, "house/a")

    resolve(bench, *[steps.DamageMonster(3)] * 2, monster=monster)

    assert len(bench.happened(MonsterDamaged)) == 1
    assert bench.game_table.monsters == {}


@rule("PUZZLE-7")
@pytest.mark.parametrize(("guess", "trace"), [((0, 0, 0), "open"), ((1, 0, 0), "shut")])
def test_puzzle_decides_how_it_goes_on(guess: tuple[int, ...], trace: str) -> None:
    """Solved or not solved; what follows is done either way."""
    code = Code("safe", 3, ("1", "2"))
    bench = world(scenario_parts={"codes": (code,)})
    attempt = steps.AttemptCode("safe", Skill.LORE, (say("open"),), (say("shut"),))
    answers: list[Any] = ["puzzle_guess", guess]
    if trace == "shut":
        answers.append("puzzle_close")

    resolve(bench, attempt, say("after"), answers=answers)

    assert told(bench) == [trace, "after"]


# Story, counters, the end ------------------------------------------------------------------


@rule("WIN-2")
@rule("WIN-4")
def test_objective_is_revealed_and_can_change() -> None:
    """First one, then another."""
    bench = world()

    resolve(bench, steps.SetObjective("text/find"), steps.SetObjective("text/flee"))

    assert [e.objective.subject for e in bench.happened(ObjectiveSet)] == ["text/find", "text/flee"]
    assert bench.game_table.objective == Text("text/flee")


def test_counters_are_added_to_and_set() -> None:
    """2, then 5 and 1 more."""
    bench = world(scenario_parts={"counters": ("clock", "bell")})

    resolve(bench, steps.Count("bell", add=2), steps.Count("bell", add=1, to=5))

    assert counters.value(bench.game, "bell") == 6
    assert counters.value(bench.game, "clock") == 0


@rule("SECRET-13")
def test_counters_tell_neither_name_nor_number() -> None:
    """On the log they go by their position, and the value is sealed to everybody."""
    bench = world(scenario_parts={"counters": ("clock", "bell")})

    resolve(bench, steps.Count("bell", add=77))

    (event,) = bench.happened(CounterSet)
    assert event.counter == "c2"
    assert event.value.audience == ()
    assert not [word for word in shown_to(bench, 0) if "bell" in word]


@rule("WIN-3")
def test_end_ends_the_game_and_nothing_after_it_is_resolved() -> None:
    """Won, with its epilogue."""
    bench = world()

    with pytest.raises(GameOver):
        resolve(bench, steps.End(won=True, epilogue="text/dawn"), say("never"))

    (event,) = bench.happened(GameEnded)
    assert event.ending.is_won
    assert event.ending.epilogue == Text("text/dawn")
    assert told(bench) == []


# The action and the turn -------------------------------------------------------------------


@rule("EVADE-6")
def test_forfeit_is_handed_to_whoever_made_the_check() -> None:
    """Also out of a branch, and what follows is still resolved."""
    bench = world()
    bench.give_dice("BBB")
    test = steps.SkillTest(Skill.AGILITY, failed=(steps.Forfeit(),))

    outcome = resolve(bench, test, say("after"))

    assert outcome.is_forfeited
    assert told(bench) == ["after"]
    assert not resolve(bench, say("other")).is_forfeited


@rule("EVADE-6")
def test_only_the_actor_forfeits_for_the_actor() -> None:
    """Ben's share of the effect does not cost Ada her action."""
    bench = world(at=TWO)

    assert not resolve(bench, steps.ForEach(Who.OTHERS, (steps.Forfeit(),))).is_forfeited
    assert resolve(bench, steps.ForEach(Who.ALL, (steps.Forfeit(),))).is_forfeited


@rule("FORFEIT-1")
def test_forfeited_action_is_lost_without_any_of_its_effects() -> None:
    """The evade check before a search forfeits: the action is spent and does not go on."""
    card = monster_card(evades=(entry(steps.Forfeit()),))
    bench = world(monster_cards=[card], monsters=[(DROWNED, "house/a")])

    goes_on = bench.run(actions.begin(bench.game, ADA, "search"))

    assert goes_on is False
    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "search")]
    assert bench.game_table.actions_left == 1


@rule("TURN-2")
@pytest.mark.parametrize(("lost", "left"), [(1, 1), (2, 0), (3, 0)])
def test_actions_of_the_turn_are_lost_as_far_as_there_are_any(lost: int, left: int) -> None:
    """Ada has two; Ben, whose turn it is not, has none to lose."""
    bench = world(at=TWO)

    resolve(bench, steps.LoseActions(1), actor=BEN)
    resolve(bench, steps.LoseActions(lost))

    assert bench.game_table.actions_left == left


@rule("MOVE-14")
def test_may_move_is_the_actors_choice() -> None:
    """One space, willingly."""
    bench = world(at=TWO)

    resolve(bench, steps.MayMove(1), answers=["house/b"], actor=BEN)

    assert where(bench) == {ADA: "house/a", BEN: "house/b"}


@rule("EX-10")
@rule("MOVE-15")
@rule("EVADE-8")
def test_move_away_is_not_asked() -> None:
    """Out of the monster's space, without an evade check."""
    bench = world()
    monster = spawned(bench, DROWNED, "house/a")

    resolve(bench, steps.MoveAway(1), monster=monster)

    assert where(bench)[ADA] == "house/b"
    assert told(bench) == []


@rule("MOVE-12")
@rule("MOVE-13")
def test_figures_are_placed_without_passing_through() -> None:
    """Ada and Ben are put behind the door; Cora, elsewhere, is not."""
    bench = world(at={**THREE, CORA: "house/b"})

    resolve(bench, steps.PlaceInvestigator("house/c", who=Who.HERE))

    assert where(bench) == {ADA: "house/c", BEN: "house/c", CORA: "house/b"}


# The board ---------------------------------------------------------------------------------

DOORMAT = TokenCard("token/mat", TokenKind.SEARCH, "house/b", ())


@rule("TILE-4")
@rule("TOKEN-1")
@rule("DISCARD-3")
def test_tiles_and_tokens_are_placed_and_tokens_removed() -> None:
    """As the effect says."""
    bench = world(tokens=[DOORMAT])

    resolve(bench, steps.RemoveToken("token/mat"))
    assert bench.game_table.tokens == {}

    resolve(bench, steps.PlaceToken("token/mat"), steps.PlaceTile("house"))
    assert list(bench.game_table.tokens) == ["token/mat"]
    assert len(bench.game_table.tiles) == 1


@rule("EXPLORE-3")
@rule("EXPLORE-4")
@rule("GOLDEN-6")
def test_entry_through_a_door_is_an_offer() -> None:
    """Accepted: one space through the door."""
    bench = world(at={ADA: "house/b"})

    resolve(bench, steps.MayEnter("house/1"), answers=["house/c"])

    assert where(bench)[ADA] == "house/c"
    assert questions(bench) == ["EXPLORE-3"]


@rule("MONSTER-6")
@rule("EVENT-5")
def test_monsters_appear_where_the_effect_says() -> None:
    """In a space, with the actor, or in a random space of the board."""
    bench = world(at={ADA: "house/b"})
    bench.give_picks(2)

    resolve(
        bench,
        steps.Spawn(RAT, "house/a"),
        steps.Spawn(RAT, "actor"),
        steps.Spawn(DROWNED, "random"),
    )

    assert list(where(bench).values()) == ["house/b", "house/a", "house/b", "house/c"]
    assert bench.happened(Picked)[-1].bound == 3


@rule("DECIDE-150")
@rule("DECIDE-134")
def test_number_of_monsters_grows_with_the_investigators_and_ends_with_the_box() -> None:
    """Two for each of three investigators is six; four copies are there."""
    bench = world(at=THREE)

    resolve(bench, steps.Spawn(RAT, "house/a", count=Amount(0, each=2)))

    assert len(bench.game_table.monsters) == 4


def test_monster_does_not_appear_off_the_board() -> None:
    """A space that is not there yet."""
    bench = world()

    resolve(bench, steps.Spawn(RAT, "cellar/a"))

    assert bench.game_table.monsters == {}


# The card whose text it is -----------------------------------------------------------------


@rule("DISCARD-1")
def test_item_discards_itself() -> None:
    """Once; a second time there is nothing left to discard."""
    bench = world(items=[KNIFE, IDOL])
    (knife, _) = given(bench, KNIFE.id, IDOL.id)

    resolve(bench, steps.DiscardThis(), steps.DiscardThis(), possession=knife)

    assert items_of(bench) == [IDOL.id]


@rule("DISCARD-2")
@rule("DECIDE-58")
def test_harm_card_turns_itself_down_or_discards_itself() -> None:
    """Each once; the second time it does not lie there any more."""
    bench = world()
    resolve(bench, steps.Suffer(damage=Amount(2)))
    first, second = person(bench).faceup_cards(Harm.DAMAGE)

    resolve(bench, *[steps.TurnThisFacedown()] * 2, harm=Harm.DAMAGE, handle=first.handle)
    resolve(bench, *[steps.DiscardThis()] * 2, harm=Harm.DAMAGE, handle=second.handle)

    assert faceup(bench, Harm.DAMAGE) == []
    assert facedown_count(bench, Harm.DAMAGE) == 1


def test_effect_without_a_card_of_its_own_turns_nothing() -> None:
    """There is no "this"."""
    bench = world()
    before = attrs.evolve(bench.game_table)

    resolve(bench, steps.TurnThisFacedown(), steps.DiscardThis())

    assert bench.game_table == before
