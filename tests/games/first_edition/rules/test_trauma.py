"""Trauma cards: what triggers them, when the keeper is asked, and what they replace."""

from collections.abc import Sequence
from typing import Any

import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema.cards import TraumaCard
from content.games.first_edition.schema.effects import (
    Cure,
    Draw,
    ForEach,
    Heal,
    Kill,
    Stun,
    Suffer,
)
from content.games.first_edition.schema.requirements import Deaths
from content.games.first_edition.schema.targets import Who
from protocol.common.asks import Settle
from protocol.common.table import Settings
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition import words
from protocol.games.first_edition.table import TRAUMA_DECK, TRAUMA_HAND, KeeperStep
from protocol.games.first_edition.words import Attribute, TraumaKind
from server.games.first_edition.rules import (
    death,
    decks,
    effects,
    harm,
    horror,
    monsters,
    objective,
    tests,
    trauma,
)
from server.games.first_edition.rules.play import Source
from server.kernel.asks import Ask
from tests.games.first_edition.rules import worlds
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    MAN,
    RAT,
    action_card,
    injury,
    insanity,
    mythos_card,
    world,
)

rule = pytest.mark.rule
LIMP, FEAR = injury("limp"), insanity("fear")
ENDLESS = (worlds.objective(investigators=Deaths(9), keeper=Deaths(9)),)
"""An objective that nobody reaches, even once it is revealed."""


def hurt(bench: Bench, *answers: Any, who: str = ADA, damage: int = 0, horror: int = 0) -> None:
    """Deal harm, then ask about it."""
    bench.run(harm.suffer(bench.game, who, damage=damage, horror=horror))
    bench.run(trauma.settle(bench.game), *answers)


def resolve(bench: Bench, *effect: object, who: str = ADA) -> object:
    """Return the resolution of an effect on an investigator."""
    return effects.resolve(bench.game, effect, Source("mythos/chill", who))  # type: ignore[arg-type]


def cards_offered(bench: Bench) -> list[str]:
    """Return the trauma cards that the open question offers the keeper."""
    assert bench.open is not None
    options = bench.open.prompts[KIM].options
    return [str(one.text.params[0]) for one in options if one.group == "trauma"]


def faults(bench: Bench, ask: Ask[object], *places: int) -> str | None:
    """Return why a window does not take these options of the keeper; None if it does."""
    question = ask.prompts[KIM].question(0)
    return question.faults_in_window(tuple(question.choices[at].choice_id for at in places))


# What can be played ------------------------------------------------------------------------------


@rule("K-TRAUMA-3", "K-TRAUMA-13", "K-TRAUMA-1")
def test_a_card_follows_harm_at_once_on_whoever_took_it() -> None:
    bench = world((ADA, BEN), trauma=[LIMP], active=None)

    hurt(bench, {KIM: "injury/limp"}, who=BEN, damage=1)

    assert tuple(bench.asked[0].prompts) == (KIM,)
    assert bench.who(BEN).injury == "injury/limp"
    assert bench.who(ADA).injury is None
    assert bench.hand(TRAUMA_HAND) == {}


@rule("K-TRAUMA-3")
def test_no_card_is_offered_before_anybody_takes_harm() -> None:
    bench = world(trauma=[LIMP, FEAR])

    go(bench, ...)

    assert bench.open is not None
    assert tuple(bench.open.prompts) == (1,)


@rule("K-TRAUMA-3")
def test_what_the_keeper_let_pass_is_not_asked_again() -> None:
    bench = world(trauma=[FEAR], mythos=[mythos_card("chill", Suffer(horror=1))])
    go(bench, {KIM: "mythos/chill"})
    go(bench, "house/b")

    go(bench, ...)

    assert bench.open is not None
    assert tuple(bench.open.prompts) == (1,)
    assert bench.game_table.triggers == ()


@rule("K-TRAUMA-6", "K-TRAUMA-7")
@pytest.mark.parametrize(
    ("damage", "horror", "offered"), [(1, 0, ["injury/limp"]), (0, 1, ["insanity/fear"])]
)
def test_injuries_follow_damage_and_insanities_horror(
    damage: int, horror: int, offered: list[str]
) -> None:
    bench = world(trauma=[LIMP, FEAR], active=None)

    hurt(bench, ..., damage=damage, horror=horror)

    assert cards_offered(bench) == offered


@rule("K-TRAUMA-8", "K-TRAUMA-9", "K-TRAUMA-11", "K-EX-11")
@pytest.mark.parametrize(("damage", "is_offered"), [(3, False), (4, True), (5, True)])
def test_the_threshold_of_an_injury_is_checked_after_the_damage(
    damage: int, is_offered: bool
) -> None:
    bench = world(trauma=[injury("break", threshold=4)], active=None)

    hurt(bench, ..., damage=damage)

    assert bench.who(ADA).health_left == 8 - damage
    assert bool(cards_offered(bench)) is is_offered


@rule("K-TRAUMA-10", "K-TRAUMA-11")
@pytest.mark.parametrize(("horror", "is_offered"), [(3, False), (4, True)])
def test_the_threshold_of_an_insanity_is_checked_after_the_horror(
    horror: int, is_offered: bool
) -> None:
    bench = world(trauma=[insanity("dread", threshold=2)], active=None)

    hurt(bench, ..., horror=horror)

    assert bool(cards_offered(bench)) is is_offered


@rule("K-TRAUMA-8")
def test_a_card_without_a_threshold_has_no_such_condition() -> None:
    bench = world(trauma=[LIMP], active=None)

    hurt(bench, ..., damage=1)

    assert cards_offered(bench) == ["injury/limp"]


@rule("K-TRAUMA-12", "K-EX-11")
def test_a_card_stays_although_its_threshold_stops_being_met() -> None:
    bench = world(trauma=[injury("break", threshold=4)], active=None)
    hurt(bench, {KIM: "injury/break"}, damage=4)

    harm.heal(bench.game, ADA, damage=3)

    assert bench.who(ADA).health_left == 7
    assert bench.who(ADA).injury == "injury/break"


@rule("K-TRAUMA-19", "K-EX-1")
@pytest.mark.parametrize(("roll", "dies"), [(4, True), (3, False)])
def test_a_card_may_kill_outright(roll: int, dies: bool) -> None:
    doom = insanity("doom", Kill(), threshold=0)
    bench = world((ADA, BEN), trauma=[doom], at={ADA: "house/c"}, active=None)
    bench.set(ADA, horror=5, attributes={**bench.who(ADA).attributes, Attribute.WILLPOWER: 4})
    bench.give_rolls(roll)
    monsters.put(bench.game, RAT, "house/c")
    bench.set_monster("m1", horror=-1)
    bench.run(horror.on_coming(bench.game, "m1"))
    bench.run(trauma.settle(bench.game), *([{KIM: "insanity/doom"}] if dies else []))

    assert (ADA not in bench.game_table.investigators) is dies


@rule("K-TRAUMA-19")
def test_somebody_whom_a_card_kills_takes_no_further_test() -> None:
    """The keeper is asked before the next test begins, and no die is rolled for the dead."""
    bench = world((ADA, BEN), trauma=[insanity("doom", Kill())], active=None)
    bench.run(harm.suffer(bench.game, ADA, horror=1))

    test = tests.attribute_test(
        bench.game, ADA, Attribute.LUCK, kind=words.TestKind.CARD, about=Text("about/card", ("x",))
    )

    assert bench.run(test, {KIM: "insanity/doom"}) is False
    assert ADA not in bench.game_table.investigators


@rule("K-DECIDE-73")
def test_nothing_is_asked_about_somebody_who_was_just_killed() -> None:
    bench = world((ADA, BEN), trauma=[LIMP], active=None)

    hurt(bench, damage=8)

    assert ADA not in bench.game_table.investigators
    assert bench.asked == []


@rule("K-DECIDE-73")
def test_a_death_before_the_question_takes_the_trigger_along() -> None:
    bench = world((ADA, BEN), trauma=[LIMP], active=None)
    bench.run(harm.suffer(bench.game, ADA, damage=1))

    bench.run(death.kill(bench.game, ADA))

    assert bench.game_table.triggers == ()


@rule("K-TRAUMA-4", "K-TRAUMA-18", "K-DECIDE-71")
def test_cards_stay_in_hand_until_they_are_played() -> None:
    bench = world(trauma=[injury("break", threshold=1), FEAR], active=None)

    hurt(bench, {}, damage=1)

    assert set(bench.hand(TRAUMA_HAND)) == {"injury/break", "insanity/fear"}


# What is held ------------------------------------------------------------------------------------


@rule("K-TRAUMA-2", "K-DECIDE-75", "K-EX-10", "K-INFO-6")
def test_a_second_card_of_a_kind_discards_the_first() -> None:
    bench = world(trauma=[LIMP, injury("break"), FEAR], active=None)
    hurt(bench, {KIM: "injury/limp"}, damage=1)
    hurt(bench, {KIM: "insanity/fear"}, horror=1)

    hurt(bench, {KIM: "injury/break"}, damage=1)

    assert bench.who(ADA).injury == "injury/break"
    assert bench.who(ADA).insanity == "insanity/fear"
    assert bench.game_table.discards[TRAUMA_DECK] == ("injury/limp",)


@rule("K-DECIDE-75")
def test_the_old_card_is_gone_before_the_new_one_takes_effect() -> None:
    bench = world(trauma=[LIMP, injury("break", Cure(TraumaKind.INJURY))], active=None)
    hurt(bench, {KIM: "injury/limp"}, damage=1)

    hurt(bench, {KIM: "injury/break"}, damage=1)

    assert bench.game_table.discards[TRAUMA_DECK] == ("injury/limp", "injury/break")


@rule("K-DECIDE-76")
def test_an_instant_card_is_discarded_at_once_and_replaces_nothing() -> None:
    jolt = injury("jolt", Stun(), instant=True)
    bench = world(trauma=[LIMP, jolt], active=None)
    hurt(bench, {KIM: "injury/limp"}, damage=1)

    hurt(bench, {KIM: "injury/jolt"}, damage=1)

    assert bench.who(ADA).injury == "injury/limp"
    assert bench.who(ADA).stun == 1
    assert bench.game_table.discards[TRAUMA_DECK] == ("injury/jolt",)


@rule("K-TRAUMA-14")
@pytest.mark.parametrize(
    ("kind", "left"),
    [
        (TraumaKind.INJURY, (None, "insanity/fear")),
        (TraumaKind.INSANITY, ("injury/limp", None)),
        (None, (None, None)),
    ],
)
def test_effects_remove_cards_of_one_kind_or_both(
    kind: TraumaKind | None, left: tuple[str | None, str | None]
) -> None:
    bench = world(trauma=[LIMP, FEAR], active=None)
    hurt(bench, {KIM: "injury/limp"}, damage=1)
    hurt(bench, {KIM: "insanity/fear"}, horror=1)

    bench.run(resolve(bench, Cure(kind)))

    assert (bench.who(ADA).injury, bench.who(ADA).insanity) == left
    assert len(bench.game_table.discards[TRAUMA_DECK]) == left.count(None)


@rule("K-TRAUMA-14", "K-EX-13")
def test_healing_removes_no_card() -> None:
    bench = world(trauma=[FEAR], active=None)
    bench.set(ADA, horror=5)
    hurt(bench, {KIM: "insanity/fear"}, horror=1)
    assert bench.who(ADA).is_insane

    bench.run(resolve(bench, Heal(horror=1)))

    assert not bench.who(ADA).is_insane
    assert bench.who(ADA).insanity == "insanity/fear"


# Triggers ----------------------------------------------------------------------------------------


@rule("K-DECIDE-72")
def test_one_application_is_one_trigger_whatever_its_size() -> None:
    bench = world(trauma=[LIMP, injury("break")], active=None)

    hurt(bench, {KIM: "injury/limp"}, damage=3)

    assert len(bench.happened(fe.TraumaTriggered)) == 1
    assert len(bench.asked) == 1
    assert faults(bench, bench.asked[0], 1, 2) is not None


@rule("K-DECIDE-72", "K-DECIDE-27")
def test_damage_and_horror_together_are_two_triggers_and_take_a_card_each() -> None:
    bench = world(trauma=[LIMP, injury("break"), FEAR], active=None)

    hurt(bench, {KIM: 4}, damage=1, horror=1)

    texts = [one.text for one in bench.asked[0].prompts[KIM].options]
    assert [one.subject for one in texts].count("choice/both_traumas") == 2
    assert bench.who(ADA).injury == "injury/limp"
    assert bench.who(ADA).insanity == "insanity/fear"


@rule("K-DECIDE-27", "K-DECIDE-72")
def test_where_one_question_follows_two_losses_of_a_kind_they_are_one_line() -> None:
    bench = world((ADA, BEN), trauma=[FEAR], active=None)
    bench.give_rolls(9, 1)
    scream = steps.Test(
        Attribute.WILLPOWER, failed=(Suffer(horror=1), Suffer(horror=1)), who=Who.ALL
    )

    bench.run(resolve(bench, scream))

    assert bench.who(ADA).horror == 2
    assert len(bench.game_table.triggers) == 1


@rule("K-DECIDE-17")
def test_once_the_last_trauma_card_is_played_a_further_trigger_asks_nobody() -> None:
    bench = world(trauma=[LIMP], mythos=[mythos_card("chill", Suffer(damage=1, horror=1))])
    go(bench, {KIM: "mythos/chill"})
    go(bench, {KIM: "injury/limp"})

    go(bench, "house/b")

    assert [len(ask.prompts) for ask in bench.asked] == [2, 2, 1]
    assert bench.game_table.triggers == ()


@rule("K-DECIDE-72", "K-DECIDE-15")
def test_in_a_step_question_two_triggers_are_asked_about_one_after_the_other() -> None:
    bench = world(trauma=[LIMP, FEAR], mythos=[mythos_card("chill", Suffer(damage=1, horror=1))])
    go(bench, {KIM: "mythos/chill"})
    go(bench, {KIM: "injury/limp"})
    go(bench, {KIM: "insanity/fear"})

    assert bench.who(ADA).injury == "injury/limp"
    assert bench.who(ADA).insanity == "insanity/fear"
    assert all(ask.settle is Settle.BESIDE for ask in bench.asked)


@rule("K-DECIDE-74", "K-INSANE-4", "K-EX-12", "K-DAMAGE-6")
def test_an_insane_investigator_takes_no_horror_but_may_be_dealt_an_insanity() -> None:
    bench = world(trauma=[FEAR], active=None)
    bench.set(ADA, horror=6)

    hurt(bench, {KIM: "insanity/fear"}, horror=2)

    assert bench.who(ADA).horror == 6
    assert bench.happened(fe.HarmTaken) == []
    assert bench.who(ADA).insanity == "insanity/fear"


@rule("K-DECIDE-74")
def test_horror_beyond_the_remaining_sanity_is_lost_and_is_one_trigger() -> None:
    bench = world(trauma=[FEAR], active=None)
    bench.set(ADA, horror=5)

    hurt(bench, {}, horror=3)

    assert bench.who(ADA).horror == 6
    assert len(bench.happened(fe.TraumaTriggered)) == 1


@rule("K-DECIDE-27")
def test_several_who_are_tested_roll_first_then_one_question_has_a_line_for_each() -> None:
    bench = world((ADA, BEN, CORA), trauma=[FEAR, insanity("dread")], active=None)
    bench.give_rolls(9, 3, 9)

    bench.run(monsters.place(bench.game, MAN, "house/a"))
    assert bench.asked == []
    fear, dread = 1, 4
    bench.run(trauma.settle(bench.game), {KIM: (fear, dread)})

    assert [one.investigator for one in bench.happened(fe.TestEnded)] == [ADA, BEN, CORA]
    (ask,) = bench.asked
    people = [one.text.params[1] for one in ask.prompts[KIM].options if one.group == "trauma"]
    assert people == [ADA, ADA, CORA, CORA]
    assert ask.prompts[KIM].at_most == 2
    assert bench.who(ADA).insanity == "insanity/fear"
    assert bench.who(CORA).insanity == "insanity/dread"


@rule("K-DECIDE-27", "K-DECIDE-72")
def test_a_window_takes_no_two_cards_in_a_line_and_no_card_in_two_lines() -> None:
    bench = world((ADA, BEN), trauma=[FEAR, insanity("dread")], active=None)

    bench.run(resolve(bench, Suffer(horror=1, who=Who.ALL)))
    bench.run(trauma.settle(bench.game), ...)

    assert bench.open is not None
    ada_fear, ada_dread, ben_fear, ben_dread = 1, 2, 3, 4
    assert faults(bench, bench.open, ada_fear, ada_dread) == "answer/same_thing"
    assert faults(bench, bench.open, ada_fear, ben_fear) == "answer/same_thing"
    assert faults(bench, bench.open, ada_fear, ben_dread) is None
    assert faults(bench, bench.open, ada_dread) is None


@rule("K-DECIDE-27")
def test_a_card_that_has_several_take_a_test_asks_once() -> None:
    bench = world((ADA, BEN), trauma=[FEAR, insanity("dread")], active=None)
    bench.give_rolls(9, 9)
    scream = steps.Test(Attribute.WILLPOWER, failed=(Suffer(horror=1), Stun()), who=Who.ALL)

    bench.run(resolve(bench, scream))
    bench.run(trauma.settle(bench.game), {KIM: (1, 4)})

    assert len(bench.asked) == 1
    assert (bench.who(ADA).stun, bench.who(BEN).stun) == (1, 1)
    assert bench.who(BEN).insanity == "insanity/dread"


# How the keeper is asked -------------------------------------------------------------------------


@rule("K-DECIDE-15", "K-DECIDE-16")
def test_where_a_step_question_follows_on_harm_the_card_is_played_in_it() -> None:
    bench = world(trauma=[FEAR], mythos=[mythos_card("chill", Suffer(horror=1))])

    go(bench, {KIM: "mythos/chill"})
    go(bench, ...)

    assert bench.open is not None
    assert bench.open.settle is Settle.BESIDE
    assert cards_offered(bench) == ["insanity/fear"]
    assert len(bench.asked) == 2


@rule("K-DECIDE-15")
def test_a_trauma_card_is_not_the_mythos_card_of_the_turn() -> None:
    chill, draught = mythos_card("chill"), mythos_card("draught")
    bench = world(
        trauma=[FEAR], mythos=[chill, draught], at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")]
    )
    bench.give_rolls(9)
    go(bench, "house/c")
    go(bench, {KIM: "insanity/fear"})
    go(bench, {KIM: "mythos/draught"})

    assert not bench.happened(fe.TurnEnded)
    assert [one.card for one in bench.happened(fe.MythosPlayed)] == ["mythos/draught"]


@rule("K-DECIDE-15")
def test_whoever_plays_a_mythos_card_there_lets_the_trigger_be() -> None:
    bench = world(
        trauma=[FEAR],
        mythos=[mythos_card("draught", Stun())],
        at={ADA: "house/b"},
        monsters_at=[(RAT, "house/c")],
    )
    bench.give_rolls(9)
    go(bench, "house/c")

    go(bench, {KIM: "mythos/draught"})

    assert bench.game_table.triggers == ()
    assert len(bench.asked) == 2


@rule("K-DECIDE-17", "K-DECIDE-14")
def test_after_the_last_step_the_keeper_is_asked_in_a_window() -> None:
    bench = world(trauma=[FEAR], at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")])
    bench.emit(fe.ActionTaken(ADA, "run"))
    bench.emit(fe.StepSpent(ADA))
    bench.give_rolls(9)

    go(bench, "house/c", {KIM: "insanity/fear"})

    assert [ask.settle for ask in bench.asked] == [Settle.EACH, Settle.WINDOW]
    assert bench.asked[1].kind == trauma.WINDOW
    assert bench.who(ADA).insanity == "insanity/fear"


@rule("K-DECIDE-17")
def test_silence_in_a_window_is_no_card() -> None:
    bench = world(trauma=[FEAR], active=None)

    hurt(bench, {}, horror=1)

    assert bench.who(ADA).insanity is None
    assert bench.game_table.triggers == ()


@rule("K-DECIDE-17")
def test_without_a_trauma_card_nothing_is_asked() -> None:
    bench = world(active=None)

    hurt(bench, horror=1)

    assert bench.asked == []
    assert bench.happened(fe.TraumaTriggered) == []


@rule("K-DECIDE-17", "K-SECRET-20")
@pytest.mark.parametrize("card", [FEAR, LIMP, insanity("calm", threshold=0)])
def test_the_keeper_is_asked_whether_a_card_fits_or_not(card: TraumaCard) -> None:
    bench = world(trauma=[card], active=None)

    hurt(bench, {}, horror=1)

    (ask,) = bench.asked
    assert (ask.settle, tuple(ask.prompts)) == (Settle.WINDOW, (KIM,))
    assert ask.prompts[KIM].at_most == 1


@rule("K-DECIDE-17")
def test_in_the_keepers_turn_each_line_is_simply_asked() -> None:
    bench = world((ADA, BEN), trauma=[FEAR, insanity("dread")], step=KeeperStep.ACTIONS)

    bench.run(resolve(bench, Suffer(horror=1, who=Who.ALL)))
    bench.run(trauma.settle(bench.game), "insanity/fear", "insanity/dread")

    assert [ask.settle for ask in bench.asked] == [Settle.EACH, Settle.EACH]
    assert bench.who(ADA).insanity == "insanity/fear"
    assert bench.who(BEN).insanity == "insanity/dread"


@rule("K-DECIDE-27")
def test_in_the_keepers_turn_a_card_of_one_line_is_not_offered_in_the_next() -> None:
    bench = world((ADA, BEN), trauma=[FEAR, insanity("dread")], step=KeeperStep.ACTIONS)

    bench.run(resolve(bench, Suffer(horror=1, who=Who.ALL)))
    bench.run(trauma.settle(bench.game), "insanity/fear", ...)

    assert cards_offered(bench) == ["insanity/dread"]


@rule("K-DECIDE-17", "K-KEEPER-7")
def test_in_the_keepers_turn_harm_is_asked_about_before_the_next_action() -> None:
    scare = action_card("scare", Suffer(horror=1, who=Who.ALL))
    bench = world(trauma=[FEAR], actions=[scare], threat=2, step=KeeperStep.ACTIONS)

    go(bench, "action/scare", "insanity/fear")

    assert bench.who(ADA).insanity == "insanity/fear"


@rule("K-DECIDE-107")
def test_at_a_table_by_calendar_the_game_waits_for_the_answer_to_a_trigger() -> None:
    bench = world(trauma=[FEAR], at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")])
    bench.table = bench.table.with_room(settings=Settings(by_calendar=True))
    bench.give_rolls(9)

    go(bench, "house/c", "insanity/fear")

    assert [ask.settle for ask in bench.asked] == [Settle.EACH, Settle.EACH]
    assert bench.who(ADA).insanity == "insanity/fear"


# Drawing -----------------------------------------------------------------------------------------


def several(id_: str, **fields: object) -> TraumaCard:
    return injury(id_, several=True, **fields)


def drawn(people: Sequence[str], *in_deck: TraumaCard) -> Bench:
    """Return a game in which the keeper has drawn one trauma card of a deck."""
    bench = world(people, in_decks={"traumas": in_deck}, active=None)
    bench.run(resolve(bench, Draw(trauma=1)))
    return bench


@rule("K-TRAUMA-5")
def test_effects_draw_trauma_cards_into_the_hand() -> None:
    bench = drawn((ADA,), LIMP, FEAR)

    assert set(bench.hand(TRAUMA_HAND)) == {"injury/limp"}


@rule("K-TRAUMA-5")
def test_no_step_of_the_keepers_turn_draws_one() -> None:
    bench = world(in_decks={"traumas": [LIMP]}, step=KeeperStep.TRADE)

    for _ in range(7):
        go(bench)

    assert bench.hand(TRAUMA_HAND) == {}


@rule("K-TRAUMA-15", "K-TRAUMA-16", "K-EX-20")
def test_alone_a_card_for_several_is_discarded_and_another_is_drawn() -> None:
    alone = drawn((ADA,), several("brawl"), LIMP)
    two = drawn((ADA, BEN), several("brawl"), LIMP)

    assert set(alone.hand(TRAUMA_HAND)) == {"injury/limp"}
    assert alone.game_table.discards[TRAUMA_DECK] == ("injury/brawl",)
    assert set(two.hand(TRAUMA_HAND)) == {"injury/brawl"}


@rule("K-DECIDE-64", "K-EX-20")
def test_drawing_counts_the_investigators_on_the_board_not_who_waits() -> None:
    bench = world(
        (ADA, BEN),
        trauma=[several("feud"), several("brawl")],
        in_decks={"traumas": [several("row"), LIMP]},
        active=None,
    )
    bench.run(death.kill(bench.game, BEN))

    bench.run(resolve(bench, Draw(trauma=1)))

    assert set(bench.hand(TRAUMA_HAND)) == {"injury/feud", "injury/brawl", "injury/limp"}
    assert bench.game_table.discards[TRAUMA_DECK] == ("injury/row",)


@rule("K-TRAUMA-17", "K-DECIDE-64", "K-EX-20")
def test_when_all_players_but_one_are_eliminated_cards_for_several_are_exchanged() -> None:
    bench = world(
        (ADA, BEN),
        trauma=[several("feud"), FEAR, several("brawl")],
        in_decks={"traumas": [LIMP, several("row"), injury("cut")]},
        active=None,
        story={"objectives": ENDLESS},
    )
    objective.reveal(bench.game)

    bench.run(death.kill(bench.game, BEN))

    assert set(bench.hand(TRAUMA_HAND)) == {"insanity/fear", "injury/limp", "injury/cut"}
    assert bench.game_table.discards[TRAUMA_DECK] == (
        "injury/feud",
        "injury/brawl",
        "injury/row",
    )


@rule("K-TRAUMA-17")
def test_while_two_players_are_left_nothing_is_exchanged() -> None:
    bench = world(
        (ADA, BEN, CORA),
        trauma=[several("feud")],
        in_decks={"traumas": [LIMP]},
        active=None,
        story={"objectives": ENDLESS},
    )
    objective.reveal(bench.game)

    bench.run(death.kill(bench.game, BEN))

    assert set(bench.hand(TRAUMA_HAND)) == {"injury/feud"}


@rule("K-TRAUMA-17", "K-DECIDE-64")
def test_a_player_who_waits_for_a_new_investigator_counts_as_one_who_is_left() -> None:
    bench = world(
        (ADA, BEN, CORA), trauma=[several("feud")], in_decks={"traumas": [LIMP]}, active=None
    )
    bench.emit(fe.InvestigatorKilled(CORA, returns=True))
    bench.emit(fe.InvestigatorKilled(BEN, returns=False))

    trauma.discard_those_for_several(bench.game)

    assert set(bench.hand(TRAUMA_HAND)) == {"injury/feud"}


@rule("K-DECIDE-77")
def test_if_only_cards_for_several_are_left_nothing_is_drawn() -> None:
    bench = drawn((ADA,), several("feud"), several("brawl"))

    assert bench.hand(TRAUMA_HAND) == {}
    assert len(bench.game_table.piles[TRAUMA_DECK]) == 2


@rule("K-DECIDE-77", "K-SUPPLY-1")
def test_the_redraw_goes_on_through_the_discards() -> None:
    bench = world((ADA,), trauma=[LIMP], in_decks={"traumas": [several("feud")]}, active=None)
    hurt(bench, {KIM: "injury/limp"}, damage=1)
    trauma.cure(bench.game, ADA, None)

    bench.run(resolve(bench, Draw(trauma=1)))

    assert set(bench.hand(TRAUMA_HAND)) == {"injury/limp"}


@rule("K-SUPPLY-1")
def test_an_empty_deck_is_made_anew_of_its_discards() -> None:
    bench = world(mythos=[mythos_card("chill"), mythos_card("draught")])
    go(bench, {KIM: "mythos/chill"})

    decks.draw_mythos(bench.game)

    assert set(bench.hand("hand/mythos")) == {"mythos/chill", "mythos/draught"}
    assert bench.game_table.discards.get("deck/mythos", ()) == ()


@rule("K-SUPPLY-1")
def test_without_deck_and_discards_nothing_is_drawn() -> None:
    bench = world(mythos=[mythos_card("chill")])

    decks.draw_mythos(bench.game)

    assert set(bench.hand("hand/mythos")) == {"mythos/chill"}


@rule("K-SECRET-2", "K-SECRET-12")
def test_a_drawn_card_cannot_be_followed_into_the_hand() -> None:
    bench = world(trauma=[LIMP], in_decks={"traumas": [FEAR]}, active=None)
    before = set(bench.game_table.hand(TRAUMA_HAND))

    decks.draw_trauma(bench.game)

    drew = bench.happened(fe.KeeperDrew)[-1]
    assert len(bench.game_table.hand(TRAUMA_HAND)) == 2
    assert before.isdisjoint(bench.game_table.hand(TRAUMA_HAND))
    assert drew.handle not in bench.game_table.hand(TRAUMA_HAND)


@rule("K-DECIDE-27")
def test_an_effect_for_each_of_several_asks_the_keeper_once_after_all_of_them() -> None:
    bench = world((ADA, BEN), trauma=[injury("limp"), injury("cut")])
    slips = steps.Test(Attribute.STRENGTH, failed=(Suffer(damage=1),))
    bench.give_rolls(9, 9)

    bench.run(
        effects.resolve(bench.game, (ForEach((slips,), Who.ALL),), Source("event/one")),
        {},
    )

    (window,) = bench.asked
    assert [bench.who(one).damage for one in (ADA, BEN)] == [1, 1]
    assert window.about.subject == "about/traumas"
