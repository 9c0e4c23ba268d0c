"""Effects: the scenario engine, step by step."""

from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema import requirements as asked
from content.games.second_edition.schema.cards import Attack, Reach, WeaponKind
from content.games.second_edition.schema.effects import Amount, By, EffectChoice, Step, Way, Who
from content.games.second_edition.schema.puzzles import Code
from content.reading.parts import parts_of
from protocol.common.asks import Settle
from protocol.common.events import PickedSecretly
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    GameEnded,
    MemoryKept,
    MonsterDamaged,
    ObjectiveSet,
    Told,
)
from protocol.games.second_edition.table import Skill
from server.games.second_edition.rules import counters, effects, memory
from server.games.second_edition.rules.play import GameOver
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    RAT,
    counted,
    monster_card,
    spawned,
    world,
)
from tests.games.second_edition.rules.worlds_effects import (
    person,
    resolve,
    say,
    shown_to,
    tags,
    told_words,
)

rule = pytest.mark.rule
TWO = {ADA: "house/a", BEN: "house/a"}
THREE = {ADA: "house/a", BEN: "house/a", CORA: "house/c"}


def test_every_step_has_a_resolver() -> None:
    """Without this test, a missing resolver would show only in a game."""
    kinds = {part.made for part in parts_of(Step).values()}

    assert kinds == set(effects.STEPS.known)


def test_steps_are_resolved_in_their_order() -> None:
    bench = world()

    resolve(bench, say("one"), steps.GainClues(), say("two"))

    assert tags(bench)[-3:] == ["se/told", "se/clues_gained", "se/told"]
    assert told_words(bench) == ["one", "two"]


def test_story_names_the_actor_and_the_monster() -> None:
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
    bench = world()
    step = steps.When(asked.HasClues(1), (say("with"),), (say("without"),))

    resolve(bench, step, steps.GainClues(), step)

    assert told_words(bench) == ["without", "with"]


WAYS = (
    EffectChoice("text/left", (say("went_left"),)),
    EffectChoice("text/right", (say("went_right"),)),
    EffectChoice("text/secret_way", (say("canary"),), asked.HasClues(1)),
)


@rule("INTERACT-3")
@rule("GOLDEN-4")
def test_actor_chooses_how_it_goes_on() -> None:
    """Ben is the actor, so only his seat is asked.

    An option that requires a Clue is not offered.
    """
    bench = world(at=TWO)

    resolve(bench, steps.Choose("text/which", WAYS), answers=["text/right"], actor=BEN)

    (ask,) = bench.asked
    assert list(ask.prompts) == [1]
    assert [o.text.subject for o in ask.prompts[1].options] == ["text/left", "text/right"]
    assert told_words(bench) == ["went_right"]


@rule("CONFLICT-1")
@rule("CONFLICT-3")
def test_group_chooses_together_where_the_effect_says_so() -> None:
    bench = world(at=THREE)

    resolve(bench, steps.Choose("text/which", WAYS, by=By.GROUP), answers=["text/left"])

    (ask,) = bench.asked
    assert ask.settle is Settle.AGREE
    assert list(ask.prompts) == [0, 1, 2]
    assert told_words(bench) == ["went_left"]


@rule("GOLDEN-6")
@rule("GOLDEN-7")
@rule("EX-9")
def test_offer_that_is_declined_is_gone() -> None:
    bench = world()
    offer = steps.Choose(
        "text/offer",
        (EffectChoice("text/yes", (steps.GainClues(),)), EffectChoice("text/no")),
    )

    resolve(bench, offer, say("after"), answers=["text/no"])

    assert person(bench).clues == 0
    assert told_words(bench) == ["after"]


def test_single_way_is_taken_and_none_is_passed_over() -> None:
    bench = world()

    resolve(bench, steps.Choose("text/which", WAYS[:1]), steps.Choose("text/which", WAYS[2:]))

    assert bench.asked == []
    assert told_words(bench) == ["went_left"]


@rule("SECRET-13")
@rule("SECRET-14")
def test_what_lies_behind_a_choice_is_not_sent_before_it_is_chosen() -> None:
    """The texts of the options are sent, those of the branches are not."""
    bench = world(at=TWO)

    resolve(bench, steps.Choose("text/which", WAYS), answers=["text/left"])

    seen = [*shown_to(bench, 0), *shown_to(bench, 1)]
    assert "text/right" in seen
    assert not [word for word in seen if "canary" in word or "went_right" in word]
    asked_at = tags(bench).index("asked/3")
    assert told_words(bench) == ["went_left"]
    assert "se/told" not in tags(bench)[:asked_at]


@rule("RANDOM-1")
@rule("RANDOM-2")
def test_one_of_several_effects_is_picked() -> None:
    bench = world()
    bench.give_picks(2)

    resolve(bench, steps.OneOf(tuple(Way((say(word),)) for word in ("one", "two", "three"))))

    assert bench.happened(PickedSecretly)[-1].choice.value.bound == 3
    assert told_words(bench) == ["three"]


def test_named_effect_of_the_scenario_is_called() -> None:
    bench = world(scenario_parts={"effects": {"bell": (say("bell"),)}})

    resolve(bench, steps.Call("bell"), say("after"))

    assert told_words(bench) == ["bell", "after"]


def test_for_each_makes_everybody_the_actor_in_seat_order() -> None:
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
    """Strength 3, difficulty 2, dice S S B and a Crowbar of 2 make four damage."""
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
    """The first step defeats the monster, so the second has no target."""
    bench = world()
    monster = spawned(bench, DROWNED, "house/a")

    resolve(bench, *[steps.DamageMonster(3)] * 2, monster=monster)

    assert len(bench.happened(MonsterDamaged)) == 1
    assert bench.game_table.monsters == {}


@rule("PUZZLE-7")
@pytest.mark.parametrize(("guess", "trace"), [((0, 0, 0), "open"), ((1, 0, 0), "shut")])
def test_puzzle_decides_how_it_goes_on(guess: tuple[int, ...], trace: str) -> None:
    code = Code("safe", 3, ("1", "2"))
    bench = world(scenario_parts={"codes": (code,)})
    attempt = steps.Attempt("safe", Skill.LORE, (say("open"),), (say("shut"),))
    answers: list[Any] = ["puzzle_guess", guess]
    if trace == "shut":
        answers.append("puzzle_close")

    resolve(bench, attempt, say("after"), answers=answers)

    assert told_words(bench) == [trace, "after"]


# Story, counters, the end ------------------------------------------------------------------


@rule("WIN-2")
@rule("WIN-4")
def test_objective_is_revealed_and_can_change() -> None:
    bench = world()

    resolve(bench, steps.SetObjective("text/find"), steps.SetObjective("text/flee"))

    assert [e.objective.subject for e in bench.happened(ObjectiveSet)] == ["text/find", "text/flee"]
    assert bench.game_table.objective == Text("text/flee")


def test_counters_are_added_to_and_set() -> None:
    bench = world(scenario_parts={"counters": counted("clock", "bell")})

    resolve(bench, steps.Count("bell", add=2), steps.Count("bell", add=1, to=5))

    assert counters.value(bench.game, "bell") == 6
    assert counters.value(bench.game, "clock") == 0


@rule("SECRET-13")
def test_counters_tell_neither_name_nor_number() -> None:
    """The log has the counter's position, and its value is sealed from all seats."""
    bench = world(scenario_parts={"counters": counted("clock", "bell")})

    resolve(bench, steps.Count("bell", add=77))

    memory.write_down(bench.game)
    (event,) = bench.happened(MemoryKept)
    assert event.numbers.value == {"c2": 77}
    assert event.numbers.audience == ()
    assert not [word for word in shown_to(bench, 0) if "bell" in word]


@rule("WIN-3")
def test_end_ends_the_game_and_nothing_after_it_is_resolved() -> None:
    bench = world()

    with pytest.raises(GameOver):
        resolve(bench, steps.End(won=True, epilogue="text/dawn"), say("never"))

    (event,) = bench.happened(GameEnded)
    assert event.ending.is_won
    assert event.ending.epilogue == Text("text/dawn")
    assert told_words(bench) == []
