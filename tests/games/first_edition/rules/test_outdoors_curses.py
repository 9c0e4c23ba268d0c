"""Curses: section 9, W-DECIDE-34, W-DECIDE-35 and W-DECIDE-38."""

from typing import Any

import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema import requirements
from content.games.first_edition.schema.targets import Who
from protocol.common.asks import Settle
from protocol.common.events import TimerClosed, TimerOpened
from protocol.common.table import Branch, Settings
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition import words
from protocol.games.first_edition.table import KeeperStep
from protocol.games.first_edition.words import Attribute
from protocol.values import evolve
from server.games.first_edition.rules import effects, evade, features, horror
from server.games.first_edition.rules.play import Source
from server.games.first_edition.rules.requirements import holds
from server.games.first_edition.rules.tests import attribute_test
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.worlds import ADA, BEN, SHADE, with_points, world
from tests.kit.bench import TIME_OVER

rule = pytest.mark.rule
HERE = Source("mythos/any", ADA)
CURSE, FORCE, LET = "choice/use_curse", "choice/force_roll", "choice/let_roll"
ABOUT = Text("about/card_test", (ADA, "combat/x"))


def cursed(count: int = 1, **given: Any) -> Bench:
    """Return a game in which Ada has so many curse tokens."""
    bench = world((ADA, BEN), **given)
    for _ in range(count):
        bench.emit(fe.Cursed(ADA, 1))
    bench.log.clear()
    return bench


def roll_for(
    bench: Bench,
    *answers: Any,
    who: str = ADA,
    kind: words.TestKind = words.TestKind.CARD,
    attribute: Attribute = Attribute.WILLPOWER,
) -> bool:
    """Have somebody take a test; return whether it is passed."""
    test = attribute_test(bench.game, who, attribute, kind=kind, about=ABOUT)
    return bool(bench.run(test, *answers))


def rolls(bench: Bench) -> list[int]:
    return [one.roll for one in bench.happened(fe.TestRolled)]


# Tokens


@rule("W-CURSE-1", "W-CURSE-2", "W-CARD-6")
def test_each_curse_gives_exactly_one_token_whatever_is_there() -> None:
    bench = cursed(2)

    bench.run(effects.resolve(bench.game, (steps.Curse(Who.ALL),), HERE))

    assert (bench.who(ADA).curses, bench.who(BEN).curses) == (3, 1)
    assert {one.count for one in bench.happened(fe.Cursed)} == {1}


@rule("W-CURSE-1")
def test_a_card_can_ask_whether_somebody_is_cursed() -> None:
    bench = cursed()
    asked = requirements.Investigators(cursed=True, at_least=2)

    assert not holds(bench.game, asked, HERE)

    bench.emit(fe.Cursed(BEN, 1))
    assert holds(bench.game, asked, HERE)


@rule("W-CURSE-6")
def test_an_effect_takes_away_as_many_tokens_as_there_are() -> None:
    bench = cursed(2)

    bench.run(effects.resolve(bench.game, (steps.Uncurse(9, Who.ALL),), HERE))

    assert bench.happened(fe.Cursed) == [fe.Cursed(ADA, -2)]
    assert bench.who(ADA).curses == 0


@rule("W-CURSE-6")
def test_a_token_stays_through_rounds_until_it_is_used() -> None:
    bench = cursed()
    bench.give_rolls(3, 3, 8)
    roll_for(bench, LET)
    bench.emit(fe.RoundBegan(2))

    roll_for(bench, {KIM: CURSE})

    assert bench.who(ADA).curses == 0


# The second roll


@rule("W-CURSE-3", "W-CURSE-4", "W-CURSE-10")
@pytest.mark.parametrize(("first", "second"), [(3, 9), (9, 3)])
def test_the_keeper_has_any_roll_made_again_and_the_new_one_stands(first: int, second: int) -> None:
    bench = cursed()
    bench.give_rolls(first, second)

    passed = roll_for(bench, {KIM: CURSE})

    assert passed is (second <= 5)
    assert rolls(bench) == [first, second]
    assert bench.happened(fe.CurseUsed) == [fe.CurseUsed(ADA)]


@rule("W-CURSE-3")
@pytest.mark.parametrize("kind", list(words.TestKind))
def test_a_curse_is_about_every_kind_of_test(kind: words.TestKind) -> None:
    bench = cursed()
    bench.give_rolls(3, 9)

    assert not roll_for(bench, {KIM: CURSE}, kind=kind)


@rule("W-CURSE-3")
def test_horror_evade_and_fire_tests_are_spoilt_where_they_are_taken() -> None:
    bench = cursed(3, monsters_at=[(SHADE, "house/a")])
    shade = bench.monster().monster_id
    bench.give_rolls(3, 9, 3, 9, 3, 9)

    bench.run(horror.rolls(bench.game, ADA, shade), {KIM: CURSE})
    bench.run(evade.before(bench.game, ADA), {KIM: CURSE}, {KIM: "choice/spare'"})
    bench.emit(fe.FeaturePlaced(words.FeatureKind.FIRE, "room/study"))
    bench.run(features.enter_fire(bench.game, ADA, "room/study"), {KIM: CURSE})

    assert [one.is_passed for one in bench.happened(fe.TestEnded)] == [False, False, False]


@rule("W-CURSE-3")
def test_the_curse_of_another_one_spoils_nothing() -> None:
    bench = cursed()
    bench.give_rolls(3)

    assert roll_for(bench, who=BEN)
    assert bench.asked == []


@rule("W-CURSE-5", "W-EX-14")
def test_a_second_token_cannot_be_used_on_the_same_test() -> None:
    """The skill point that was kept may be spent before the second roll."""
    bench = cursed(2)
    with_points(bench, ADA, 1, luck=2)
    bench.give_rolls(4, 7)

    passed = roll_for(bench, {1: "choice/roll"}, {KIM: CURSE}, {1: "choice/spend_skill_point"})

    assert passed
    assert (bench.game_table.test.value, rolls(bench)) == (7, [4, 7])  # type: ignore[union-attr]
    assert bench.who(ADA).curses == 1


@rule("W-CURSE-7", "W-EX-15")
def test_a_point_that_was_spent_counts_for_the_second_roll_and_no_other_can_be() -> None:
    bench = cursed()
    with_points(bench, ADA, 2, luck=2)
    bench.give_rolls(4, 8)

    assert not roll_for(bench, {1: "choice/spend_skill_point"}, {KIM: CURSE})

    assert bench.who(ADA).skill_points == 1
    assert bench.game_table.test.value == 7  # type: ignore[union-attr]


@rule("W-CURSE-7")
def test_with_the_point_the_second_roll_passes_up_to_its_value() -> None:
    bench = cursed()
    with_points(bench, ADA, 1, luck=2)
    bench.give_rolls(10, 7)

    assert roll_for(bench, {1: "choice/spend_skill_point"}, {KIM: CURSE})


@rule("W-CURSE-8")
def test_without_a_point_or_in_a_test_of_luck_nothing_is_asked_before_the_second_roll() -> None:
    bench = cursed(2)
    bench.give_rolls(3, 3, 3, 3)
    roll_for(bench, {KIM: CURSE})
    with_points(bench, ADA, 1)

    roll_for(bench, {KIM: CURSE}, attribute=Attribute.LUCK)

    assert len(bench.asked) == 2


# How the keeper is asked


@rule("W-DECIDE-34", "W-EX-26")
def test_the_roll_counts_once_the_investigator_goes_on_and_the_keeper_said_nothing() -> None:
    """The least time, and that bots have none, is the kernel's where one decides beside others."""
    bench = cursed()
    bench.give_rolls(3)

    assert roll_for(bench, {1: LET})

    (asked,) = bench.asked
    assert (asked.settle, asked.decides, asked.rule) == (Settle.BESIDE, 1, "W-CURSE-3")
    assert set(asked.prompts) == {KIM, 1}
    assert bench.who(ADA).curses == 1


@rule("W-DECIDE-34", "W-EX-26")
def test_the_roll_counts_once_the_least_time_is_over_whoever_says_nothing() -> None:
    bench = cursed()
    bench.give_rolls(3)

    assert roll_for(bench, TIME_OVER)

    (opened,) = bench.happened(TimerOpened)
    assert opened.seconds == Settings().least_seconds
    assert len(bench.happened(TimerClosed)) == 1
    assert bench.who(ADA).curses == 1


@rule("W-DECIDE-34")
@pytest.mark.parametrize(
    "room",
    [{"settings": Settings(least_seconds=0)}, {"source": Branch("r" * 16, bytes(32), 9)}],
)
def test_no_time_runs_where_the_table_has_none_and_in_a_practice_game(room: dict[str, Any]) -> None:
    bench = cursed()
    bench.table = bench.table.with_room(**room)
    bench.give_rolls(3)

    assert roll_for(bench, {1: LET})
    assert bench.happened(TimerOpened) == []


@rule("W-DECIDE-34", "W-EX-26")
def test_a_bot_as_keeper_is_simply_asked() -> None:
    bench = cursed()
    seats = bench.table.room.seats
    bench.table = bench.table.with_room(seats={**seats, KIM: evolve(seats[KIM], is_bot=True)})
    bench.give_rolls(3)

    assert roll_for(bench, {KIM: LET})
    assert bench.asked[0].settle is Settle.EACH
    assert bench.happened(TimerOpened) == []


@rule("W-DECIDE-34", "W-EX-26")
def test_after_a_token_was_used_nobody_waits() -> None:
    bench = cursed()
    bench.give_rolls(3, 8)

    assert not roll_for(bench, {KIM: CURSE})
    assert len(bench.asked) == 1


@rule("W-DECIDE-34", "W-EX-26")
def test_without_a_curse_there_is_no_time_to_wait() -> None:
    bench = cursed(0)
    bench.give_rolls(3)

    assert roll_for(bench)
    assert bench.asked == []


@rule("W-DECIDE-34")
def test_in_the_own_turn_the_keeper_is_simply_asked() -> None:
    bench = cursed(step=KeeperStep.ATTACKS)
    bench.give_rolls(3)

    assert roll_for(bench, {KIM: LET})
    assert bench.asked[0].settle is Settle.EACH


@rule("W-DECIDE-34")
def test_by_calendar_the_game_waits_for_the_keepers_answer() -> None:
    bench = cursed()
    bench.table = bench.table.with_room(settings=Settings(by_calendar=True))
    bench.give_rolls(3, 9)

    assert not roll_for(bench, {KIM: CURSE})
    assert bench.asked[0].settle is Settle.EACH


@rule("W-DECIDE-35")
@pytest.mark.parametrize("way", [CURSE, FORCE])
def test_a_curse_or_a_skill_point_of_the_monsters_spoils_a_test_not_both(way: str) -> None:
    bench = cursed(2)
    bench.emit(fe.KeeperEquipped(0, 2, (), {}, 0))
    bench.give_rolls(3, 9)

    roll_for(bench, {KIM: way}, kind=words.TestKind.COMBAT)

    (asked,) = bench.asked
    offered = [one.text.subject for one in asked.prompts[KIM].options]
    assert offered == [FORCE, CURSE]
    left = (bench.game_table.keeper_skill_points, bench.who(ADA).curses)
    assert left == ((2, 1) if way == CURSE else (1, 2))
    assert bench.game_table.test.is_spoilt  # type: ignore[union-attr]


@rule("W-CURSE-8", "K-VAR-4")
def test_a_roll_that_a_point_of_the_monsters_spoilt_brings_no_skill_point() -> None:
    bench = cursed(0)
    bench.emit(fe.KeeperEquipped(0, 1, (), {}, 0))
    with_points(bench, ADA, 1)
    bench.give_rolls(3, 9)

    roll_for(bench, {1: "choice/roll"}, {KIM: FORCE}, kind=words.TestKind.COMBAT)

    assert len(bench.asked) == 2


@rule("W-DECIDE-38")
@pytest.mark.parametrize("is_passed", [False, True])
def test_a_test_that_a_card_decides_has_no_die_point_or_curse(is_passed: bool) -> None:
    bench = cursed()
    with_points(bench, ADA, 1)
    bench.emit(fe.TestFixed(ADA, is_passed, ()))

    assert roll_for(bench) is is_passed
    assert (bench.asked, rolls(bench), bench.who(ADA).curses) == ([], [], 1)
