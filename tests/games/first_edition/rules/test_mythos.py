"""Mythos cards: when the keeper is asked, and cards that lie face down."""

from typing import Any

import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema.cards import CardAction, Trigger
from content.games.first_edition.schema.effects import Kill, Stun, Suffer
from content.games.first_edition.schema.requirements import HasThreat
from content.games.first_edition.schema.targets import Who
from protocol.common.asks import Settle
from protocol.event import EVERYBODY
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import (
    MYTHOS_DECK,
    MYTHOS_HAND,
    FirstEditionTable,
    KeeperStep,
)
from protocol.games.first_edition.words import Attribute, FeatureKind
from server.games.first_edition.rules import effects, harm, monsters, movement
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    RAT,
    action_card,
    by_id,
    injury,
    insanity,
    item_card,
    mythos_card,
    world,
)

rule = pytest.mark.rule
CHILL = mythos_card("chill", Suffer(horror=1))
DRAUGHT = mythos_card("draught")


def seats_asked(bench: Bench) -> list[tuple[int, ...]]:
    """Return the seats that each question asked."""
    return [tuple(sorted(ask.prompts)) for ask in bench.asked]


# When the keeper is asked ------------------------------------------------------------------------


@rule("K-MYTHOS-2", "K-DECIDE-14")
def test_the_keeper_is_asked_at_the_start_and_after_each_step_but_not_after_the_last() -> None:
    bench = world(mythos=[CHILL])

    go(bench, "house/b")
    go(bench, "choice/run")
    go(bench, "house/a")
    go(bench, "house/b")
    go(bench)

    assert seats_asked(bench) == [(0, 1)] * 4


@rule("K-DECIDE-14")
def test_where_only_a_free_ability_is_left_the_keeper_is_not_asked() -> None:
    """The turn goes on, but no step of it is left."""
    whistle = item_card("whistle", actions=(CardAction("tests/text", (), free=True),))
    bench = world(mythos=[CHILL], items=by_id(whistle))
    bench.emit(fe.ItemGained(ADA, "item/whistle", (), None))
    bench.emit(fe.ActionTaken(ADA, "run"))
    bench.emit(fe.StepSpent(ADA))
    bench.emit(fe.StepSpent(ADA))

    go(bench, ...)

    assert seats_asked(bench) == [(1,)]


@rule("K-DECIDE-16", "K-SECRET-20")
def test_the_keeper_is_asked_whatever_the_cards_in_hand_are() -> None:
    cannot = mythos_card("greed", requires=HasThreat(9))
    asked = []
    for card in (CHILL, cannot):
        bench = world(mythos=[card])
        go(bench, "house/b")
        asked.append([(ask.rule, ask.about, ask.settle, tuple(ask.prompts)) for ask in bench.asked])

    assert asked[0] == asked[1]


@rule("K-DECIDE-16")
def test_without_a_mythos_card_nobody_is_asked_beside_the_step() -> None:
    bench = world(trauma=[insanity()])

    go(bench, "house/b")

    assert seats_asked(bench) == [(1,)]


@rule("K-MYTHOS-3", "K-EX-22")
def test_one_card_in_each_turn_of_an_investigator() -> None:
    bench = world((ADA, BEN), mythos=[CHILL, DRAUGHT])
    go(bench, "house/b")
    go(bench, {KIM: "mythos/chill"})
    go(bench, "house/a")
    go(bench, "choice/end_turn")
    go(bench)
    go(bench, {KIM: "mythos/draught"})

    assert [one.investigator for one in bench.happened(fe.MythosPlayed)] == [ADA, BEN]


@rule("K-MYTHOS-1")
def test_no_mythos_card_is_offered_in_the_keepers_turn() -> None:
    bench = world(
        mythos=[CHILL], actions=[action_card("walk", steps.Threat(0))], step=KeeperStep.ACTIONS
    )
    bench.emit(fe.ThreatChanged(3))

    go(bench, ...)

    assert not any("mythos" in repr(text) for text in bench.offered())


@rule("K-DECIDE-16")
def test_a_card_is_resolved_at_once_and_the_investigator_is_asked_anew() -> None:
    bench = world(mythos=[CHILL])

    go(bench, {KIM: "mythos/chill"})

    assert bench.who(ADA).horror == 1
    assert bench.game_table.active == ADA
    assert bench.game_table.steps_left == 2


@rule("K-DECIDE-69")
def test_a_card_whose_condition_does_not_hold_is_refused_with_the_reason() -> None:
    bench = world(mythos=[mythos_card("greed", requires=HasThreat(2))], threat=1)

    go(bench, ...)

    assert bench.open is not None
    (refused,) = bench.open.prompts[KIM].refused
    assert refused.reason.subject == "refusal/condition"
    assert bench.open.prompts[KIM].options == ()


@rule("K-DECIDE-69")
def test_a_printed_cost_in_threat_is_paid_or_the_card_refused() -> None:
    dear = mythos_card("dear", Suffer(horror=1), threat=2)
    poor, rich = world(mythos=[dear], threat=1), world(mythos=[dear], threat=3)

    go(poor, ...)
    go(rich, {KIM: "mythos/dear"})

    assert poor.open is not None
    assert poor.open.prompts[KIM].refused[0].reason.subject == "refusal/threat"
    assert rich.game_table.threat == 1


@rule("K-DECIDE-69")
def test_the_target_is_the_investigator_whose_turn_it_is() -> None:
    bench = world((ADA, BEN), mythos=[CHILL], active=BEN)

    go(bench, {KIM: "mythos/chill"})

    assert (bench.who(ADA).horror, bench.who(BEN).horror) == (0, 1)


@rule("K-MYTHOS-5")
def test_horror_of_a_mythos_card_is_a_trigger_for_trauma() -> None:
    bench = world(mythos=[CHILL], trauma=[insanity()])

    go(bench, {KIM: "mythos/chill"})
    go(bench, {KIM: "insanity/fear"})

    assert bench.who(ADA).insanity == "insanity/fear"


@rule("K-INFO-6", "K-MYTHOS-2")
def test_a_played_card_is_discarded_face_up() -> None:
    bench = world(mythos=[CHILL])

    go(bench, {KIM: "mythos/chill"})

    assert bench.game_table.discards[MYTHOS_DECK] == ("mythos/chill",)
    assert bench.hand(MYTHOS_HAND) == {}


@rule("K-DECIDE-71")
def test_nothing_limits_the_hand_and_nothing_is_discarded_by_choice() -> None:
    many = [mythos_card(f"card-{n}") for n in range(12)]
    bench = world(mythos=many)

    go(bench, ...)

    assert bench.open is not None
    assert len(bench.open.prompts[KIM].options) == 12
    assert {one.text.subject for one in bench.open.prompts[KIM].options} == {"choice/mythos"}


@rule("K-DECIDE-17")
def test_the_usual_times_to_interrupt_are_4_and_6_seconds() -> None:
    usual = FirstEditionTable.usual_settings

    assert (usual.least_seconds, usual.window_seconds) == (4, 6)
    assert {"least_seconds", "window_seconds"} <= set(FirstEditionTable.has_settings)


@rule("K-EX-27", "K-DECIDE-17")
def test_an_answer_waits_its_least_time_as_long_as_a_card_could_come_and_then_no_more() -> None:
    """The least time is the kernel's: it holds where one seat decides beside others."""
    greedy = mythos_card("greed", requires=HasThreat(9))
    bench = world(mythos=[CHILL, greedy, mythos_card("greed-2", requires=HasThreat(9))])

    go(bench, {KIM: "mythos/chill"})
    go(bench, "house/b")

    first, again = bench.asked
    assert (first.settle, first.decides, sorted(first.prompts)) == (Settle.BESIDE, 1, [KIM, 1])
    assert first.prompts[1].default == (len(first.prompts[1].options) - 1,)
    assert (first.prompts[KIM].at_least, first.prompts[KIM].default) == (0, ())
    assert (again.settle, sorted(again.prompts)) == (Settle.EACH, [1])
    assert bench.who(ADA).space == "house/b"


@rule("K-EX-27")
@pytest.mark.parametrize(
    ("cards", "seats"), [([mythos_card("no", requires=HasThreat(9))], 2), ([], 1)]
)
def test_the_keeper_is_asked_with_cards_that_cannot_be_played_but_not_without_cards(
    cards: list[Any], seats: int
) -> None:
    bench = world(mythos=cards)

    go(bench, "house/b")

    assert len(bench.asked[0].prompts) == seats


# Whose turn it is --------------------------------------------------------------------------------


@rule("K-DECIDE-12", "K-ROUND-2")
def test_the_first_claim_wins_and_can_be_withdrawn_before_the_first_step() -> None:
    bench = world((ADA, BEN), active=None)

    go(bench, {2: 0})
    go(bench, "choice/withdraw")
    go(bench, {1: 0})

    assert bench.game_table.active == ADA


@rule("K-DECIDE-12")
def test_a_claim_stands_after_the_first_step() -> None:
    bench = world((ADA, BEN))
    go(bench, "house/b")

    go(bench, ...)

    assert "choice/withdraw" not in bench.offered()


@rule("K-DECIDE-12")
def test_a_claim_stands_after_the_first_card_of_the_keeper() -> None:
    bench = world((ADA, BEN), mythos=[DRAUGHT])
    go(bench, {KIM: "mythos/draught"})

    go(bench, ...)

    assert "choice/withdraw" not in bench.offered()


@rule("K-DECIDE-12", "K-DECIDE-70")
def test_a_claim_stands_once_a_card_turned_up_at_the_start_of_the_turn() -> None:
    bench = laid_down(Trigger.TURN_STARTS, Suffer(horror=1), people=(ADA, BEN))
    bench.emit(fe.TurnEnded(1))
    bench.emit(fe.RoundBegan(2))

    go(bench, {1: 0})
    go(bench, ...)

    assert bench.who(ADA).horror == 1
    assert "choice/withdraw" not in bench.offered()


@rule("K-DECIDE-13")
def test_a_turn_ends_by_a_command_and_unused_steps_are_lost() -> None:
    bench = world()

    go(bench, "choice/end_turn")

    assert bench.game_table.active is None
    assert bench.game_table.steps_left == 0
    assert bench.acted == (1,)


@rule("K-DECIDE-18")
def test_the_keeper_is_not_asked_beside_the_choice_of_a_new_investigator() -> None:
    bench = world((ADA, BEN), mythos=[CHILL], active=None)
    bench.emit(fe.InvestigatorKilled(ADA, returns=True))

    go(bench, {1: 0}, "investigator/cora", ...)

    assert all(KIM not in ask.prompts for ask in bench.asked)
    assert len(bench.asked) >= 2


# Face down ---------------------------------------------------------------------------------------


def laid_down(
    trigger: Trigger, *effect: Any, people: tuple[str, ...] = (ADA,), **more: Any
) -> Bench:
    """Return a game in which a card has just been laid face down on Ada."""
    bench = world(people, mythos=[mythos_card("hush", *effect, face_down=trigger)], **more)
    go(bench, {KIM: "mythos/hush"})
    assert len(bench.who(ADA).face_down) == 1
    return bench


def is_turned(bench: Bench) -> bool:
    """Return whether the card was turned up, resolved and discarded."""
    turned = [one.card for one in bench.happened(fe.FaceDownTurned)]
    is_gone = not bench.who(ADA).face_down
    assert is_gone is (turned == ["mythos/hush"])
    assert is_gone is (bench.game_table.discards.get(MYTHOS_DECK) == ("mythos/hush",))
    assert is_gone is (bench.who(ADA).stun == 1)
    return is_gone


@rule("K-MYTHOS-4", "K-INFO-7", "K-SECRET-3")
def test_a_card_face_down_is_known_to_the_keeper_and_its_holder_alone() -> None:
    bench = laid_down(Trigger.EXPLORED, Stun(), people=(ADA, BEN))

    (laid,) = bench.happened(fe.MythosLaidDown)

    assert laid.knowers == (0, 1)
    (down,) = bench.who(ADA).face_down
    assert down.card.audience == (0, 1)
    assert EVERYBODY not in down.card.audience
    assert not is_turned(bench)


@rule("K-MYTHOS-3")
def test_a_card_face_down_is_the_card_of_the_turn() -> None:
    bench = laid_down(Trigger.EXPLORED, Stun())

    assert bench.game_table.is_struck


@rule("K-DECIDE-70", "K-INFO-6")
def test_a_card_waits_for_its_holder_to_enter_another_room() -> None:
    bench = laid_down(Trigger.ROOM_ENTERED, Stun())

    go(bench, "house/b")
    before = is_turned(bench)
    go(bench, "house/c")

    assert (before, is_turned(bench)) == (False, True)


@rule("K-DECIDE-70")
def test_who_is_moved_into_another_room_enters_it_too() -> None:
    bench = laid_down(Trigger.ROOM_ENTERED, Stun())

    bench.run(movement.put(bench.game, ADA, "house/c"))

    assert is_turned(bench)


@rule("K-DECIDE-70", "K-DECIDE-27")
def test_where_a_card_tests_several_a_failed_test_turns_cards_up_after_the_results() -> None:
    bench = laid_down(Trigger.TEST_FAILED, Stun(), people=(ADA, BEN))
    bench.give_rolls(9, 9)
    scream = (steps.Test(Attribute.WILLPOWER, failed=(Suffer(damage=1),), who=Who.ALL),)

    bench.run(effects.resolve(bench.game, scream, Source("mythos/scream", ADA)))

    kinds = (fe.TestEnded, fe.HarmTaken, fe.FaceDownTurned)
    order = [type(one) for one in bench.log if isinstance(one, kinds)]
    assert order == [*[fe.TestEnded] * 2, *[fe.HarmTaken] * 2, fe.FaceDownTurned]
    assert is_turned(bench)


@rule("K-DECIDE-12")
def test_a_trauma_card_is_a_card_of_the_keeper_that_ends_the_time_to_withdraw() -> None:
    bench = world((ADA, BEN), trauma=[insanity()])
    bench.run(harm.suffer(bench.game, ADA, horror=1))
    go(bench, {KIM: "insanity/fear"})

    go(bench, ...)

    assert "choice/withdraw" not in bench.offered()


@rule("K-DECIDE-70")
def test_a_card_waits_for_the_start_of_its_holders_turn() -> None:
    bench = laid_down(Trigger.TURN_STARTS, Stun())
    go(bench, "house/b")
    go(bench, "choice/end_turn")
    bench.emit(fe.RoundBegan(2))
    before = is_turned(bench)

    go(bench)

    assert (before, is_turned(bench)) == (False, True)
    assert bench.happened(fe.TurnBegan)[-1].steps == 2


@rule("K-DECIDE-70")
@pytest.mark.parametrize(("roll", "turned"), [(5, False), (6, True)])
def test_a_card_waits_for_a_failed_test(roll: int, turned: bool) -> None:
    bench = laid_down(
        Trigger.TEST_FAILED, Stun(), at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")]
    )
    bench.give_rolls(roll)

    go(bench, "house/c")

    assert is_turned(bench) is turned


@rule("K-DECIDE-70", "K-DECIDE-27")
def test_where_several_roll_a_failed_test_turns_cards_up_once_all_have_rolled() -> None:
    bench = laid_down(Trigger.TEST_FAILED, Stun(), people=(ADA, BEN), at={BEN: "house/b"})
    bench.give_rolls(9, 2)
    bench.run(monsters.place(bench.game, RAT, "house/a"))

    kinds = [type(one) for one in bench.log if isinstance(one, fe.TestEnded | fe.FaceDownTurned)]
    assert kinds == [fe.TestEnded, fe.TestEnded, fe.FaceDownTurned]
    assert is_turned(bench)


@rule("K-DECIDE-70")
@pytest.mark.parametrize(("damage", "horror", "turned"), [(1, 0, False), (0, 1, True)])
def test_a_card_waits_for_horror_taken(damage: int, horror: int, turned: bool) -> None:
    bench = laid_down(Trigger.HORROR_TAKEN, Stun())

    bench.run(harm.suffer(bench.game, ADA, damage=damage, horror=horror))

    assert is_turned(bench) is turned


@rule("K-DECIDE-70", "K-INSANE-4")
def test_horror_that_an_insane_investigator_does_not_take_turns_nothing_up() -> None:
    bench = laid_down(Trigger.HORROR_TAKEN, Stun())
    bench.set(ADA, horror=6)

    bench.run(harm.suffer(bench.game, ADA, horror=1))

    assert not is_turned(bench)


@rule("K-DECIDE-70", "K-TRAUMA-3")
def test_trauma_comes_before_the_card_that_waited_for_the_same_harm() -> None:
    bench = laid_down(Trigger.HORROR_TAKEN, Stun(), trauma=[insanity()])

    bench.run(harm.suffer(bench.game, ADA, horror=1), {KIM: "insanity/fear"})

    order = [type(one) for one in bench.log if isinstance(one, fe.TraumaPlayed | fe.FaceDownTurned)]
    assert order == [fe.TraumaPlayed, fe.FaceDownTurned]


@rule("K-DECIDE-70")
def test_of_a_killed_holder_the_card_is_discarded_face_up_without_its_effect() -> None:
    bench = laid_down(
        Trigger.HORROR_TAKEN,
        Suffer(damage=1, who=Who.ALL),
        people=(ADA, BEN),
        trauma=[insanity("doom", Kill())],
    )

    bench.run(harm.suffer(bench.game, ADA, horror=1), {KIM: "insanity/doom"})

    assert [one.card for one in bench.happened(fe.FaceDownTurned)] == ["mythos/hush"]
    assert bench.who(BEN).damage == 0


@rule("K-DECIDE-70")
def test_a_trigger_of_somebody_else_turns_nothing_up() -> None:
    bench = laid_down(Trigger.HORROR_TAKEN, Stun(), people=(ADA, BEN))

    bench.run(harm.suffer(bench.game, BEN, horror=1))

    assert not is_turned(bench)


@rule("K-DECIDE-81", "K-DECIDE-70")
def test_fire_and_its_failed_test_turn_up_a_card_before_the_room_is_entered() -> None:
    bench = laid_down(
        Trigger.TEST_FAILED,
        Stun(),
        at={ADA: "house/b"},
        features=[(FeatureKind.FIRE, "room/study")],
    )
    bench.give_rolls(9)

    go(bench, "house/c")

    order = [type(one) for one in bench.log if isinstance(one, fe.FaceDownTurned | fe.Moved)]
    assert order == [fe.FaceDownTurned, fe.Moved]
    assert is_turned(bench)


@rule("K-MYTHOS-3")
def test_beside_a_trauma_card_the_keeper_reads_why_there_is_no_second_mythos_card() -> None:
    bench = world(
        mythos=[CHILL, mythos_card("draught", Suffer(damage=1))],
        trauma=[injury("limp", threshold=1)],
    )
    go(bench, {KIM: "mythos/draught"})

    go(bench, ...)

    assert bench.open is not None
    refused = {one.reason.subject for one in bench.open.prompts[KIM].refused}
    assert refused == {"refusal/struck", "refusal/threshold"}
