"""Skill points of the monsters, a variant."""

from typing import Any

import pytest

from protocol.common.asks import Settle
from protocol.common.table import Settings
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition import words
from protocol.games.first_edition.table import KeeperStep
from protocol.games.first_edition.words import Attribute, Variant
from server.games.first_edition.rules import setup
from server.games.first_edition.rules.tests import attribute_test
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.worlds import ADA, BEN, CORA, world

rule = pytest.mark.rule


def with_points(points: int = 1, step: KeeperStep | None = None) -> Bench:
    """Return a game in which the keeper has so many skill points."""
    bench = world((ADA, BEN, CORA), step=step)
    bench.emit(fe.KeeperEquipped(0, points, (), {}, 0))
    return bench


def roll_for(bench: Bench, *answers: Any, kind: words.TestKind = words.TestKind.COMBAT) -> bool:
    """Have Ada take a test of strength 5; return whether it is passed."""
    about = Text("about/card_test", (ADA, "combat/x"))
    passed = attribute_test(bench.game, ADA, Attribute.STRENGTH, kind=kind, about=about)
    return bool(bench.run(passed, *answers))


@rule("K-VAR-2", "K-EX-23")
@pytest.mark.parametrize("variants", [(), (Variant.MONSTER_SKILL_POINTS,)])
def test_the_keeper_starts_with_a_point_for_each_investigator_player(
    variants: tuple[Variant, ...],
) -> None:
    bench = world((ADA, BEN, CORA))
    bench.table = bench.with_game(type(bench.game_table)())
    bench.emit(fe.VariantsAgreed(variants))

    setup.lay_out_board(bench.game)

    assert bench.game_table.keeper_skill_points == (3 if variants else 0)


@rule("K-VAR-4", "K-VAR-5", "K-EX-23")
def test_the_keeper_has_a_roll_in_combat_made_again_and_the_new_one_stands() -> None:
    bench = with_points(2)
    bench.give_rolls(3, 9)

    passed = roll_for(bench, {KIM: "choice/force_roll"})

    assert not passed
    assert [one.roll for one in bench.happened(fe.TestRolled)] == [3, 9]
    assert len(bench.asked) == 1
    assert bench.game_table.keeper_skill_points == 1


@rule("K-VAR-3")
def test_a_point_that_was_spent_does_not_come_back() -> None:
    bench = with_points(1)
    bench.give_rolls(3, 9, 4)
    roll_for(bench, {KIM: "choice/force_roll"})

    bench.emit(fe.RoundBegan(2))
    roll_for(bench)

    assert len(bench.asked) == 1
    assert bench.game_table.keeper_skill_points == 0


@rule("K-VAR-4", "K-DECIDE-17")
def test_the_roll_stands_once_the_investigator_goes_on_and_the_keeper_said_nothing() -> None:
    """The least time, and that bots have none, is the kernel's where one decides beside others."""
    bench = with_points()
    bench.give_rolls(3)

    assert roll_for(bench, "choice/let_roll")
    (asked,) = bench.asked
    assert (asked.settle, asked.decides) == (Settle.BESIDE, bench.game.seat_of(ADA))
    assert set(asked.prompts) == {KIM, asked.decides}
    assert bench.game_table.keeper_skill_points == 1


@rule("K-VAR-4", "K-DECIDE-107")
def test_by_calendar_the_game_waits_for_the_keepers_answer_to_a_roll() -> None:
    bench = with_points()
    bench.table = bench.table.with_room(settings=Settings(by_calendar=True))
    bench.give_rolls(3)

    assert roll_for(bench, {KIM: "choice/let_roll"})
    assert bench.asked[0].settle is Settle.EACH


@rule("K-VAR-4", "K-DECIDE-55")
@pytest.mark.parametrize(
    "kind", [one for one in words.TestKind if one is not words.TestKind.COMBAT]
)
def test_rolls_outside_combat_are_safe(kind: words.TestKind) -> None:
    bench = with_points()
    bench.give_rolls(3)

    assert roll_for(bench, kind=kind)


@rule("K-VAR-4", "K-DECIDE-17")
def test_in_the_own_turn_the_keeper_is_simply_asked() -> None:
    bench = with_points(step=KeeperStep.ATTACKS)
    bench.give_rolls(3)

    assert roll_for(bench, "choice/let_roll")
    assert bench.asked[0].settle is Settle.EACH
