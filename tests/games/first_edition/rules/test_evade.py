"""Evade tests: section 10, K-DECIDE-28 to K-DECIDE-32 and K-DECIDE-60."""

from typing import Any

import pytest

from content.games.first_edition.schema.cards import Modifier
from content.games.first_edition.schema.effects import Kill
from protocol.common.asks import Settle
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import Attribute, MonsterClass
from protocol.games.first_edition.words import TestKind as Kind
from server.games.first_edition.rules import movement, turn
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.fights import give
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    MAN,
    RAT,
    SHADE,
    by_id,
    injury,
    insanity,
    item_card,
    monster_card,
    world,
)

rule = pytest.mark.rule
LET, SPARE, NEVER = "choice/let_damage", "choice/spare'", "choice/spare_never"


def cornered(**parts: Any) -> Bench:
    """Return a bench on which Ada shares her space with a rat."""
    return world(**{"monsters_at": [(RAT, "house/a")], **parts})


def kinds(bench: Bench) -> list[Kind]:
    """Return the kinds of the tests taken."""
    return [one.kind for one in bench.happened(fe.TestDeclared)]


@rule("K-EVADE-1", "K-EVADE-6")
def test_whoever_moves_away_from_a_monster_is_tested_first() -> None:
    bench = cornered()
    bench.give_rolls(5)

    bench.run(turn.take_step(bench.game), "house/b")

    assert kinds(bench) == [Kind.EVADE]
    order = [type(one) for one in bench.log]
    assert order.index(fe.TestEnded) < order.index(fe.StepSpent) < order.index(fe.Moved)


@rule("K-EVADE-2", "K-EVADE-6", "K-DECIDE-30")
def test_whoever_acts_beside_a_monster_is_tested_first() -> None:
    bench = cornered()
    bench.give_rolls(5)

    bench.run(turn.take_step(bench.game), "choice/run")

    assert kinds(bench) == [Kind.EVADE]
    order = [type(one) for one in bench.log]
    assert order.index(fe.TestEnded) < order.index(fe.ActionTaken)


@rule("K-EVADE-1", "K-DECIDE-30")
def test_a_monster_in_another_space_of_the_room_holds_nobody() -> None:
    bench = world(monsters_at=[(RAT, "house/b")])

    bench.run(turn.take_step(bench.game), "choice/run")
    bench.run(turn.take_step(bench.game), "house/b")

    assert kinds(bench) == []


@rule("K-DECIDE-30")
def test_ending_the_turn_needs_no_test() -> None:
    bench = cornered()

    bench.run(turn.take_step(bench.game), "choice/end_turn")

    assert kinds(bench) == []


@rule("K-EVADE-4", "K-EVADE-5", "K-EX-3")
def test_one_test_against_each_monster_that_is_not_stunned() -> None:
    bench = world(monsters_at=[(RAT, "house/a"), (MAN, "house/a"), (SHADE, "house/a")])
    bench.set_monster("m2", stun=1)
    bench.give_rolls(1, 1)

    bench.run(turn.take_step(bench.game), "choice/run")

    assert bench.happened(fe.Evaded) == [fe.Evaded(ADA, "m1"), fe.Evaded(ADA, "m3")]


@rule("K-EVADE-7", "K-DECIDE-28")
@pytest.mark.parametrize(("awareness", "value"), [(-2, 3), (1, 6)])
def test_the_test_is_one_of_dexterity_with_the_awareness_of_the_monster(
    awareness: int, value: int
) -> None:
    watchful = monster_card(RAT, MonsterClass.BEAST, awareness=awareness)
    bench = cornered(monsters=by_id(watchful))
    bench.set(ADA, attributes={**dict.fromkeys(Attribute, 9), Attribute.DEXTERITY: 5})
    bench.give_rolls(1)

    bench.run(movement.step(bench.game, ADA, "house/b"))

    (test,) = bench.happened(fe.TestDeclared)
    assert (test.attribute, test.value) == (Attribute.DEXTERITY, value)
    assert test.about == Text("about/evade_test", (ADA, RAT))


@rule("K-EVADE-8", "K-EVADE-9", "K-DECIDE-31")
def test_on_a_failure_the_damage_of_the_monster_is_dealt_and_the_move_goes_on() -> None:
    bench = cornered()
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), LET)

    assert bench.who(ADA).damage == 2
    assert bench.who(ADA).space == "house/b"


@rule("K-EVADE-8", "K-DECIDE-31")
def test_the_keeper_need_not_deal_it() -> None:
    bench = cornered()
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), SPARE)

    assert (bench.who(ADA).damage, bench.who(ADA).space) == (0, "house/b")


@rule("K-DECIDE-31", "K-DECIDE-17")
def test_silence_deals_the_damage() -> None:
    bench = cornered()
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), {})

    assert bench.who(ADA).damage == 2
    (ask,) = bench.asked
    assert (ask.settle, ask.rule, list(ask.prompts)) == (Settle.WINDOW, "K-DECIDE-31", [KIM])


@rule("K-EX-2")
@pytest.mark.parametrize(("roll", "damage"), [(4, 0), (5, 3)])
def test_the_second_worked_example(roll: int, damage: int) -> None:
    card = monster_card(RAT, MonsterClass.BEAST, awareness=-2)
    fierce = type(card)(
        card.id,
        card.class_,
        -2,
        0,
        2,
        tuple(type(back)(back.id, 3, 3, ()) for back in card.backs),
    )
    bench = cornered(monsters=by_id(fierce))
    bench.set(ADA, attributes={**bench.who(ADA).attributes, Attribute.DEXTERITY: 6})
    bench.give_rolls(roll)

    bench.run(movement.step(bench.game, ADA, "house/b"), *([LET] if damage else []))

    assert (bench.who(ADA).damage, bench.who(ADA).space) == (damage, "house/b")


@rule("K-DECIDE-29", "K-EX-3")
@pytest.mark.parametrize(("once", "tests"), [(False, 2), (True, 1)])
def test_a_second_test_against_the_same_monster_in_one_turn(
    once: bool,
    tests: int,
) -> None:
    bench = cornered(story={"evade_once_per_turn": once})
    bench.give_rolls(1, 1)

    bench.run(turn.take_step(bench.game), "choice/run")
    bench.run(turn.take_step(bench.game), "house/b")

    assert len(kinds(bench)) == tests


@rule("K-DECIDE-29")
def test_evaded_once_counts_for_that_turn_and_that_monster_alone() -> None:
    bench = world(
        monsters_at=[(RAT, "house/a"), (MAN, "house/b")], story={"evade_once_per_turn": True}
    )
    bench.give_rolls(1, 1, 1)

    bench.run(turn.take_step(bench.game), "house/b")
    bench.run(turn.take_step(bench.game), "house/a")
    bench.run(turn.take_step(bench.game), "choice/run")
    assert [one.monster for one in bench.happened(fe.Evaded)] == ["m1", "m2"]

    bench.run(turn.take_step(bench.game), "choice/end_turn")
    turn.begin(bench.game, ADA)
    bench.run(turn.take_step(bench.game), "choice/run")
    assert [one.monster for one in bench.happened(fe.Evaded)] == ["m1", "m2", "m1"]


@rule("K-EVADE-10")
def test_whoever_is_moved_by_the_keeper_takes_no_test() -> None:
    bench = cornered()

    bench.run(movement.put(bench.game, ADA, "house/b"))
    bench.run(movement.lead(bench.game, ADA, 1, Source("mythos/any", ADA)), "house/a")

    assert bench.who(ADA).space == "house/a"
    assert kinds(bench) == []


@rule("K-DECIDE-31")
def test_in_the_same_window_the_keeper_may_play_an_injury() -> None:
    bench = cornered(trauma=[injury("limp"), insanity("fear")])
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), "injury/limp")

    assert len(bench.asked) == 1
    assert "insanity/fear" not in repr(bench.asked[0].prompts)
    order = [type(one) for one in bench.log]
    assert order.index(fe.HarmTaken) < order.index(fe.TraumaPlayed) < order.index(fe.Moved)
    assert (bench.who(ADA).damage, bench.who(ADA).injury) == (2, "injury/limp")
    assert bench.game_table.triggers == ()


@rule("K-DECIDE-31", "K-TRAUMA-9", "K-TRAUMA-11")
def test_the_window_offers_an_injury_by_the_health_after_the_damage() -> None:
    cards = [injury("deep", threshold=6), injury("deeper", threshold=5)]
    bench = cornered(trauma=cards)
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), LET)

    offered = repr(bench.asked[0].prompts[KIM].options)
    assert "injury/deep'" in offered
    assert "injury/deeper" not in offered


@rule("K-DECIDE-31")
def test_let_be_the_trigger_is_past_when_the_window_is_over() -> None:
    bench = cornered(trauma=[injury("limp")])
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), LET)

    assert bench.game_table.triggers == ()


@rule("K-DECIDE-31", "K-DECIDE-73")
def test_no_injury_is_offered_for_damage_that_kills() -> None:
    bench = cornered(trauma=[injury("limp")])
    bench.set(ADA, damage=6)
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), LET)

    assert "injury/limp" not in repr(bench.asked[0].prompts)
    assert bench.game_table.deaths == 1


@rule("K-DECIDE-31")
def test_a_keeper_who_spares_no_more_is_asked_for_the_trauma_alone() -> None:
    bench = cornered(trauma=[injury("limp")])
    bench.give_rolls(6, 6)

    bench.run(turn.take_step(bench.game), "choice/run", NEVER, "choice/no_trauma")
    assert bench.game_table.may_spare is False
    assert bench.who(ADA).damage == 2
    bench.run(turn.take_step(bench.game), "house/b", "injury/limp")

    window = bench.asked[-1]
    assert (window.settle, window.rule) == (Settle.WINDOW, "K-TRAUMA-3")
    assert (bench.who(ADA).damage, bench.who(ADA).injury) == (4, "injury/limp")
    order = [type(one) for one in bench.log]
    assert order.index(fe.TraumaPlayed) < order.index(fe.Moved)


@rule("K-DECIDE-31")
def test_without_sparing_and_without_cards_no_window_opens() -> None:
    bench = cornered()
    bench.emit(fe.SparesNoMore())
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"))

    assert bench.asked == []
    assert bench.who(ADA).damage == 2


@rule("K-DECIDE-31", "K-SECRET-20")
def test_the_window_opens_by_what_everybody_sees_whatever_the_cards_are() -> None:
    bench = cornered(trauma=[insanity("fear")])
    bench.emit(fe.SparesNoMore())
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), "choice/no_trauma")

    (ask,) = bench.asked
    assert len(ask.prompts[KIM].options) == 1


@rule("K-DECIDE-32")
def test_whoever_dies_in_an_evade_test_does_not_move_and_the_turn_is_over() -> None:
    bench = world((ADA, BEN), monsters_at=[(RAT, "house/a"), (MAN, "house/a")])
    bench.set(ADA, damage=7)
    bench.give_rolls(6)

    bench.run(turn.take_step(bench.game), "house/b", LET)

    assert bench.game_table.active is None
    assert bench.acted == (1,)
    assert not bench.happened(fe.Moved)
    assert len(kinds(bench)) == 1


@rule("K-DECIDE-60", "K-INFO-4", "K-SECRET-15")
@pytest.mark.parametrize(("answer", "shown"), [(LET, 1), (SPARE, 0)])
def test_damage_of_a_failed_evade_shows_the_back_and_sparing_does_not(
    answer: str, shown: int
) -> None:
    bench = cornered()
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), answer)

    assert len(bench.happened(fe.MonsterBackShown)) == shown


@rule("K-CARD-14")
def test_armour_takes_off_the_damage_of_a_failed_evade() -> None:
    coat = item_card("coat", modifiers=(Modifier(armour=1),))
    bench = cornered(items=by_id(coat), trauma=[injury("deep", threshold=6)])
    give(bench, coat.id)
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), LET)

    assert bench.who(ADA).damage == 1
    assert "injury/deep" not in repr(bench.asked[0].prompts)


@rule("K-DECIDE-32", "K-TRAUMA-3")
def test_whoever_a_trauma_card_kills_between_two_evade_tests_goes_nowhere() -> None:
    bench = world(
        monsters_at=[(RAT, "house/a"), (MAN, "house/a")],
        trauma=[injury("stop", Kill(), instant=True)],
    )
    bench.give_rolls(6)

    bench.run(turn.take_step(bench.game), "house/b", NEVER, "injury/stop")

    assert bench.game_table.deaths == 1
    assert len(kinds(bench)) == 1
    assert not bench.happened(fe.StepSpent)


@rule("K-CARD-14", "K-DECIDE-31")
def test_armour_that_takes_off_all_leaves_nothing_to_injure() -> None:
    plate = item_card("plate", modifiers=(Modifier(armour=3),))
    bench = cornered(items=by_id(plate), trauma=[injury("limp")])
    give(bench, plate.id)
    bench.give_rolls(6)

    bench.run(movement.step(bench.game, ADA, "house/b"), LET)

    assert "injury/limp" not in repr(bench.asked[0].prompts)
    assert not bench.happened(fe.HarmTaken)
    assert not bench.happened(fe.MonsterBackShown)
