"""The keeper's turn: its steps, threat, keeper actions and insanities."""

import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema.cards import LockCard, Opening
from content.games.first_edition.schema.effects import Effect, Step
from content.games.first_edition.schema.requirements import HasThreat
from content.games.first_edition.schema.story import Counter, LockRow
from content.games.first_edition.schema.targets import AllIn, OfKind, Who
from protocol.common.asks import RefusedChoice
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import TRAUMA_HAND, KeeperStep
from protocol.games.first_edition.words import FeatureKind, Variant
from server.games.first_edition.rules import setup
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    HALL,
    MAN,
    RAT,
    STUDY,
    action_card,
    by_id,
    injury,
    insanity,
    mythos_card,
    world,
)

rule = pytest.mark.rule
NOTHING = steps.Threat(0)


def refused(bench: Bench) -> list[RefusedChoice]:
    """Return what the open question refuses the keeper."""
    assert bench.open is not None
    return list(bench.open.prompts[KIM].refused)


def acting(*effect: Step, **more: object) -> Bench:
    """Return a game at a question for keeper actions, of which there is one with this effect."""
    bench = world(
        actions=[action_card("one", *effect)],
        threat=3,
        step=KeeperStep.ACTIONS,
        **more,  # type: ignore[arg-type]
    )
    go(bench, ...)
    return bench


# Steps -------------------------------------------------------------------------------------------


@rule("K-KEEPER-1", "K-ROUND-1")
def test_the_turn_of_the_keeper_has_six_steps_in_order_then_comes_a_round() -> None:
    bench = world(actions=[action_card("one", NOTHING)])
    bench.emit(fe.TurnEnded(1))

    while bench.game_table.round_number == 1:
        go(bench, *(["end_actions"] if bench.game_table.step is KeeperStep.ACTIONS else []))

    began = [one.step for one in bench.happened(fe.KeeperStepBegan)]
    assert began == [
        KeeperStep.TRADE,
        KeeperStep.STUN,
        KeeperStep.THREAT,
        KeeperStep.ACTIONS,
        KeeperStep.ATTACKS,
        KeeperStep.EVENT,
        KeeperStep.END,
    ]
    assert bench.acted == ()


@rule("K-KEEPER-4", "K-STUN-1")
def test_each_stunned_investigator_discards_one_stun_token() -> None:
    bench = world((ADA, BEN, CORA), step=KeeperStep.STUN)
    bench.set(ADA, stun=2)
    bench.set(BEN, stun=1)

    go(bench)

    assert [bench.who(one).stun for one in (ADA, BEN, CORA)] == [1, 0, 0]


@rule("K-KEEPER-5", "K-KEEPER-6", "K-EX-7")
def test_threat_comes_for_each_investigator_and_what_was_left_is_kept() -> None:
    bench = world((ADA, BEN, CORA), threat=2, step=KeeperStep.THREAT)

    go(bench)

    assert bench.game_table.threat == 5


@rule("K-DECIDE-64", "K-EX-20", "K-KEEPER-5")
def test_a_player_who_waits_for_a_new_investigator_gives_no_threat() -> None:
    bench = world((ADA, BEN), step=KeeperStep.THREAT)
    bench.emit(fe.InvestigatorKilled(BEN, returns=True))

    go(bench)

    assert bench.game_table.threat == 1


# Costs -------------------------------------------------------------------------------------------


@rule("K-KEEPER-7", "K-KEEPER-8", "K-KEEPER-9", "K-EX-8")
def test_actions_are_used_as_often_as_they_can_be_paid_for_and_once_where_marked() -> None:
    cards = [action_card("two", NOTHING, threat=2), action_card("one", NOTHING, once=True)]
    bench = world(actions=cards, threat=6, step=KeeperStep.ACTIONS)
    go(bench, "action/two")
    go(bench, "action/one")
    go(bench, ...)
    assert [one.reason.subject for one in refused(bench)] == ["refusal/once"]
    assert [one.rule for one in refused(bench)] == ["K-KEEPER-9"]

    bench.set(ADA, horror=6)
    go(bench, "action/two")

    assert bench.game_table.threat == 1
    go(bench, ...)
    subjects = [one.reason.subject for one in refused(bench)]
    assert subjects[:2] == ["refusal/threat", "refusal/once"]
    assert bench.offered() == ["choice/end_actions"]


@rule("K-KEEPER-7", "K-KEEPER-8")
def test_a_keeper_who_can_pay_for_no_action_is_not_asked() -> None:
    cards = [action_card("two", NOTHING, threat=2), action_card("one", NOTHING, once=True)]
    bench = world(actions=cards, threat=2, step=KeeperStep.ACTIONS)
    go(bench, "action/one")

    go(bench)

    assert bench.game_table.step is KeeperStep.ATTACKS
    assert bench.game_table.threat == 1


@rule("K-INSANE-5", "K-INFO-7")
def test_the_question_about_an_insane_investigator_tells_nothing_of_the_hand() -> None:
    for hand in ([injury()], [insanity()]):
        bench = world(trauma=hand, step=KeeperStep.ACTIONS)
        bench.set(ADA, horror=6)

        go(bench, ...)

        assert "choice/end_actions" in bench.offered()


@rule("K-KEEPER-9")
def test_once_a_turn_counts_anew_in_the_next_turn() -> None:
    bench = world(
        actions=[action_card("one", NOTHING, once=True)], threat=5, step=KeeperStep.ACTIONS
    )
    go(bench, "action/one")

    bench.emit(fe.KeeperStepBegan(KeeperStep.ACTIONS))
    go(bench, "action/one")

    assert bench.game_table.threat == 3


@rule("K-DECIDE-105", "K-CARD-3")
def test_tokens_of_the_keeper_are_gained_kept_and_spent() -> None:
    gain = action_card("light", steps.Count("candle", 1))
    spend = action_card("call", NOTHING, threat=0, tokens={"candle": 2})
    bench = world(
        actions=[gain, spend],
        threat=5,
        step=KeeperStep.ACTIONS,
        story={"counters": (Counter("candle", start=1, most=3, is_token=True),)},
    )
    go(bench, ...)
    (reason,) = [one for one in refused(bench) if one.rule == "K-DECIDE-105"]
    assert reason.reason.params == (2, "story/candle")

    go(bench, "action/light")
    go(bench, "action/call")

    assert bench.game_table.counters["candle"].amount == 0


@rule("K-DECIDE-105")
def test_tokens_do_not_pass_their_limit() -> None:
    bench = world(
        actions=[action_card("light", steps.Count("candle", 5))],
        threat=5,
        step=KeeperStep.ACTIONS,
        story={"counters": (Counter("candle", start=0, most=3, is_token=True),)},
    )

    go(bench, "action/light")
    go(bench, ...)

    assert bench.game_table.counters["candle"].amount == 3
    assert [one.reason.subject for one in refused(bench)] == ["refusal/no_target"]


@rule("K-CARD-3")
def test_an_action_whose_condition_does_not_hold_is_refused() -> None:
    bench = world(
        actions=[action_card("one", NOTHING, requires=HasThreat(4))],
        threat=3,
        step=KeeperStep.ACTIONS,
    )

    go(bench, ...)

    assert [one.reason.subject for one in refused(bench)] == ["refusal/condition"]


@rule("K-DECIDE-62", "K-SECRET-17")
def test_keeper_actions_lie_open_with_their_costs() -> None:
    bench = world(actions=[action_card("one", NOTHING, threat=2, once=True)])

    (line,) = bench.game_table.actions

    assert (line.card, line.threat, line.is_once, line.uses) == ("action/one", 2, True, 0)


# Targets -----------------------------------------------------------------------------------------

STEPS_WITHOUT_TARGET = [
    (steps.MoveMonster(1),),
    (steps.HurtMonster(1, OfKind(RAT)),),
    (steps.HealMonster(1, OfKind(MAN)),),
    (steps.StunMonster(which=OfKind(RAT)),),
    (steps.KillMonster(OfKind(RAT)),),
    (steps.RemoveMonster(OfKind(RAT)),),
    (steps.Attack(OfKind(RAT)),),
    (steps.SpreadFire(),),
    (steps.Draw(mythos=1),),
    (steps.Draw(trauma=1),),
    (steps.RemoveFeature(FeatureKind.FIRE, HALL),),
    (steps.Suffer(1, who=AllIn(STUDY)),),
    (steps.Unlock(STUDY),),
    (steps.Say("tests/text"), steps.Stun(who=AllIn(STUDY))),
    (steps.Attack(),),
    (steps.Count("hours"),),
    (steps.Count("hours", -1),),
    (steps.When(HasThreat(9), then=(NOTHING,)),),
    (steps.ForEach((NOTHING,), AllIn(STUDY)),),
    (steps.Choose("tests/text", (steps.EffectChoice("tests/text", (steps.SpreadFire(),)),)),),
]


@rule("K-CARD-3")
@pytest.mark.parametrize(
    "effect", STEPS_WITHOUT_TARGET, ids=lambda effect: type(effect[0]).__name__
)
def test_an_action_without_any_target_is_refused_with_the_reason(effect: Effect) -> None:
    """A stunned humanoid stands in the hall: it cannot move, and it is not hurt."""
    bench = world(
        actions=[action_card("one", *effect)],
        threat=3,
        monsters_at=[(MAN, "house/b")],
        step=KeeperStep.ACTIONS,
        story={"counters": (Counter("hours", start=0, most=0),)},
    )
    bench.set_monster("m1", stun=1)

    go(bench, ...)

    assert [one.reason.subject for one in refused(bench)] == ["refusal/no_target"]
    assert bench.offered() == ["choice/end_actions"]


STEPS_WITH_TARGET = [
    (steps.MoveMonster(1),),
    (steps.PlaceMonster(RAT, "chosen"),),
    (steps.HurtMonster(1, OfKind(MAN)),),
    (steps.Attack(OfKind(MAN)),),
    (steps.SpreadFire(),),
    (steps.HealMonster(1, OfKind(MAN)),),
    (steps.Unlock(STUDY),),
    (steps.RemoveFeature(FeatureKind.CAMPFIRE, HALL),),
    (steps.Count("hours"),),
    (steps.Count("hours", -1),),
    (steps.Draw(mythos=1),),
    (steps.Draw(trauma=1),),
    (steps.PlaceFeature(FeatureKind.DARKNESS, HALL),),
    (steps.PlaceFeature(FeatureKind.CORPSE, "house/a"),),
    (steps.Suffer(1, who=Who.CHOSEN),),
    (steps.Say("tests/text"),),
    (steps.When(HasThreat(3), then=(NOTHING,)),),
    (steps.Choose("tests/text", (steps.EffectChoice("tests/text", (steps.Time(1),)),)),),
]


@rule("K-CARD-3", "K-CAMP-2", "K-ALTAR-1")
@pytest.mark.parametrize("effect", STEPS_WITH_TARGET, ids=lambda effect: type(effect[0]).__name__)
def test_an_action_that_finds_a_target_is_offered(effect: Effect) -> None:
    bench = world(
        actions=[action_card("one", *effect)],
        threat=3,
        monsters_at=[(MAN, "house/a")],
        features=[(FeatureKind.CAMPFIRE, "house/a")],
        in_decks={"mythos": [mythos_card("chill")], "traumas": [injury()]},
        locks=by_id(LockCard("lock/bolt", Opening(item="item/key"))),
        step=KeeperStep.ACTIONS,
        story={"locks": (LockRow(STUDY, "lock/bolt"),), "counters": (Counter("hours", start=1),)},
    )
    bench.set_monster("m1", damage=1)

    go(bench, ...)

    assert bench.offered() == ["choice/end_actions", "choice/keeper_action"]


@rule("K-CARD-3", "K-DECIDE-79")
@pytest.mark.parametrize(
    "effect",
    [
        (steps.PlaceFeature(FeatureKind.DARKNESS, HALL),),
        (steps.PlaceFeature(FeatureKind.CORPSE, "house/a"),),
    ],
)
def test_a_marker_that_lies_there_or_is_used_up_is_no_target(effect: Effect) -> None:
    bench = world(
        actions=[action_card("one", *effect)],
        threat=3,
        features=[(FeatureKind.DARKNESS, HALL)],
        step=KeeperStep.ACTIONS,
        story={"corpses": 0},
    )

    go(bench, ...)

    assert [one.reason.subject for one in refused(bench)] == ["refusal/no_target"]


@rule("K-CARD-3")
def test_a_count_for_the_tools_of_authors_is_no_target() -> None:
    bench = world(
        actions=[action_card("one", steps.Tally("mark1"), steps.Unlock(STUDY))],
        threat=3,
        step=KeeperStep.ACTIONS,
        story={"counters": (Counter("mark1"),)},
    )

    go(bench, ...)

    assert [one.reason.subject for one in refused(bench)] == ["refusal/no_target"]


@rule("K-CARD-3", "K-TRAUMA-5")
def test_an_action_draws_trauma_cards() -> None:
    bench = world(
        actions=[action_card("one", steps.Draw(trauma=2))],
        threat=3,
        in_decks={"traumas": [injury(), insanity()]},
        step=KeeperStep.ACTIONS,
    )

    go(bench, "action/one")

    assert set(bench.hand(TRAUMA_HAND)) == {"injury/limp", "insanity/fear"}


@rule("K-CARD-3")
def test_the_keeper_chooses_whom_an_action_concerns() -> None:
    bench = world(
        (ADA, BEN),
        actions=[action_card("one", steps.Suffer(1, who=Who.CHOSEN))],
        threat=3,
        step=KeeperStep.ACTIONS,
    )

    go(bench, "action/one", BEN)

    assert (bench.who(ADA).damage, bench.who(BEN).damage) == (0, 1)
    assert tuple(bench.asked[-1].prompts) == (KIM,)


# Variants ----------------------------------------------------------------------------------------


@rule("K-DECIDE-106", "K-SETUP-11")
@pytest.mark.parametrize(
    ("wanted", "agreed"),
    [
        ({0: 0, 1: 0, 2: 0}, ()),
        ({0: 3, 1: 3, 2: 3}, (Variant.TIMED_PUZZLES, Variant.MONSTER_SKILL_POINTS)),
        ({0: 3, 1: 2, 2: 3}, (Variant.MONSTER_SKILL_POINTS,)),
        ({0: 2, 1: 0, 2: 2}, ()),
    ],
)
def test_a_variant_is_used_only_if_every_seat_wants_it(
    wanted: dict[int, int], agreed: tuple[Variant, ...]
) -> None:
    bench = world((ADA, BEN))

    bench.run(setup.agree_on_variants(bench.game), wanted)

    assert bench.game_table.variants == agreed
    (ask,) = bench.asked
    assert sorted(ask.prompts) == [0, 1, 2]
    assert {prompt.default for prompt in ask.prompts.values()} == {(0,)}


@rule("K-SETUP-11")
def test_a_story_may_ask_for_no_variants() -> None:
    bench = world(story={"variants": False})

    bench.run(setup.agree_on_variants(bench.game))

    assert bench.game_table.variants == ()
    assert bench.asked == []


# Insanity as a keeper action ---------------------------------------------------------------------


def insane(
    people: tuple[str, ...] = (ADA,), *, cards: tuple[str, ...] = ("fear", "dread")
) -> Bench:
    """Return a game in step 4 in which all these investigators are insane, and nobody pays."""
    bench = world(
        people, trauma=[insanity(one) for one in cards], threat=0, step=KeeperStep.ACTIONS
    )
    for who in people:
        bench.set(who, horror=6)
    return bench


@rule("K-INSANE-5", "K-DECIDE-63", "K-EX-12", "K-TRAUMA-3")
def test_an_insanity_is_played_on_an_insane_investigator_at_no_cost() -> None:
    bench = insane()

    go(bench, "insanity/fear")

    assert bench.who(ADA).insanity == "insanity/fear"
    assert bench.happened(fe.HarmTaken) == []
    assert bench.game_table.threat == 0


@rule("K-INSANE-6", "K-EX-12")
def test_once_a_turn_for_each_insane_investigator() -> None:
    bench = insane((ADA, BEN), cards=("fear", "dread", "gloom"))
    go(bench, lambda one: one.text.params == ("insanity/fear", ADA))

    go(bench, ...)
    assert [(one.text.params, one.rule) for one in refused(bench)] == [((ADA,), "K-INSANE-6")]
    go(bench, lambda one: one.text.params == ("insanity/gloom", BEN))

    assert bench.who(ADA).insanity == "insanity/fear"
    assert bench.who(BEN).insanity == "insanity/gloom"


@rule("K-INSANE-6")
def test_in_the_next_turn_it_can_be_done_again() -> None:
    bench = insane()
    go(bench, "insanity/fear")

    bench.emit(fe.KeeperStepBegan(KeeperStep.ACTIONS))
    go(bench, "insanity/dread")

    assert bench.who(ADA).insanity == "insanity/dread"


@rule("K-INSANE-5", "K-INSANE-1", "K-INSANE-2")
def test_a_sane_investigator_is_no_target() -> None:
    bench = insane()
    bench.set(ADA, horror=5)

    go(bench)

    assert bench.game_table.step is KeeperStep.ATTACKS


@rule("K-INSANE-7")
def test_injuries_are_no_keeper_action() -> None:
    bench = world(trauma=[injury()], step=KeeperStep.ACTIONS)
    bench.set(ADA, horror=6, damage=7)

    go(bench, ...)

    assert bench.offered() == ["choice/end_actions"]
    assert [one.reason.subject for one in refused(bench)] == ["refusal/no_insanity"]


@rule("K-INSANE-3")
def test_an_insane_investigator_keeps_taking_turns() -> None:
    bench = world(active=None)
    bench.set(ADA, horror=6)

    go(bench)
    go(bench, "house/b")

    assert [one.seat for one in bench.game_table.to_act()] == [1]
    assert bench.who(ADA).space == "house/b"
