"""Pushing monsters and investigators."""

from typing import Any

import pytest

from content.games.second_edition.schema.effects import DamageMonster, Forfeit, MoveAway, PlaceWall
from content.games.second_edition.schema.monsters import Ability, Passable
from protocol.games.second_edition.events import (
    ActionForfeited,
    ActionSpent,
    CluesSpent,
    InvestigatorMoved,
    MonsterMoved,
    TestDeclared,
    TestFinished,
    Told,
)
from protocol.games.second_edition.table import Skill
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    RAT,
    entry,
    monster_card,
    offered,
    proceed,
    refused,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import questions, with_clues

CELLS = """
+---+---+---+---+
| a : b ! c | d |
+-:-+-=-+---+---+
| e : f : g : h |
+---+---+---+---+
"""
"""Map around space b: a border to a, a door to f, an impassable border to c."""
DROWNED_ID = "m1"
BRAWNY = monster_card(DROWNED, brawn=2)


def cells(**parts: Any) -> Bench:
    """Return a bench with the cells, Ada in `b` and the others named."""
    parts.setdefault("at", {ADA: "cells/b"})
    return world(tiles=[tile(CELLS, id="cells")], **parts)


def with_monster(*, clues: int = 0, **parts: Any) -> Bench:
    """Return a bench with Ada and a monster of brawn 2 in the same space."""
    parts.setdefault("monster_cards", [BRAWNY])
    bench = cells(monsters=[(DROWNED, "cells/b")], **parts)
    return with_clues(bench, clues) if clues else bench


def with_ben(**parts: Any) -> Bench:
    """Return a bench with Ada and Ben in the same space."""
    return cells(at={ADA: "cells/b", BEN: "cells/b"}, **parts)


def pushes(bench: Bench) -> list[str]:
    """Return the pushes offered to the active investigator."""
    return [offer for offer in offered(bench) if offer.startswith("choice/push")]


def spaces(bench: Bench) -> set[str]:
    """Return the spaces to which the open question offers to push."""
    assert bench.open is not None
    (prompt,) = bench.open.prompts.values()
    return {option.points[0].piece for option in prompt.options}


def pushing(piece: str) -> Any:
    return lambda option: option.text.subject == "choice/push" and option.points[0].piece == piece


def evaded(bench: Bench) -> list[tuple[Any, ...]]:
    """Return who evaded what, in order."""
    return [told.text.params for told in bench.happened(Told)]


# A monster -----------------------------------------------------------------------------------


@pytest.mark.rule("EX-18")
@pytest.mark.rule("PUSH-2")
@pytest.mark.rule("PUSH-5")
@pytest.mark.rule("PUSH-7")
@pytest.mark.rule("PUSH-8")
@pytest.mark.rule("PUSH-10")
@pytest.mark.rule("PUSH-11")
def test_a_monster_is_pushed_by_its_brawn() -> None:
    """With brawn 2 and result 2 the monster moves one space, and Ada follows it."""
    bench = with_monster()
    bench.give_dice("SSI")

    proceed(bench, "choice/push", "cells/a", "cells/a")

    assert bench.happened(TestDeclared) == [TestDeclared(ADA, Skill.STRENGTH, 0, 2, 3)]
    assert where(bench) == {ADA: "cells/a", DROWNED_ID: "cells/a"}
    assert bench.happened(MonsterMoved) == [MonsterMoved(DROWNED_ID, "cells/a")]
    assert bench.happened(ActionSpent) == [ActionSpent(ADA, "push")]


@pytest.mark.rule("PUSH-11")
@pytest.mark.rule("GOLDEN-6")
def test_following_is_offered_and_not_forced() -> None:
    bench = with_monster()
    bench.give_dice("SSI")

    proceed(bench, "choice/push", "cells/a", "choice/stay")

    follow = bench.asked[-1].prompts[0].options
    assert [[p.piece for p in option.points] for option in follow] == [["cells/a"], []]
    assert where(bench) == {ADA: "cells/b", DROWNED_ID: "cells/a"}


@pytest.mark.rule("EX-18")
@pytest.mark.rule("PUSH-9")
@pytest.mark.rule("FORFEIT-1")
def test_a_push_that_falls_short_forfeits_the_action() -> None:
    """With brawn 2 and result 1 nothing moves, and nobody is asked to follow."""
    bench = with_monster()
    bench.give_dice("SIB")

    proceed(bench, "choice/push", "cells/a")

    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "push")]
    assert where(bench) == {ADA: "cells/b", DROWNED_ID: "cells/b"}
    assert bench.game_table.actions_left == 1


@pytest.mark.rule("PUSH-7")
@pytest.mark.rule("CLUE-4")
def test_clues_help_in_a_push() -> None:
    bench = with_monster(clues=1)
    bench.give_dice("SIB")

    proceed(bench, "choice/push", "cells/a", "choice/spend_clues", "choice/stay")

    assert bench.happened(CluesSpent) == [CluesSpent(ADA, 1)]
    assert where(bench)[DROWNED_ID] == "cells/a"


# The evade check -----------------------------------------------------------------------------


@pytest.mark.rule("PUSH-12")
@pytest.mark.rule("EVADE-4")
def test_the_evade_check_comes_before_the_push() -> None:
    """If the check forfeits, no test of Strength is made."""
    strict = monster_card(DROWNED, brawn=0, evades=(entry(Forfeit()),))
    bench = with_monster(monster_cards=[strict])

    proceed(bench, "choice/push")

    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "push")]
    assert bench.happened(TestDeclared) == []
    assert where(bench)[DROWNED_ID] == "cells/b"


@pytest.mark.rule("PUSH-7")
@pytest.mark.rule("ACTION-8")
def test_who_finds_every_way_shut_after_the_check_pushes_nobody() -> None:
    """The check walls up the only way; the action is spent."""
    shutting = monster_card(DROWNED, evades=(entry(PlaceWall("house/1")),))
    bench = world(
        at={ADA: "house/c", BEN: "house/c"},
        monsters=[(DROWNED, "house/c")],
        monster_cards=[shutting],
    )

    proceed(bench, pushing(BEN))

    assert where(bench)[BEN] == "house/c"
    assert bench.happened(ActionSpent) == [ActionSpent(ADA, "push")]


@pytest.mark.rule("DECIDE-37")
@pytest.mark.rule("EVADE-2")
def test_the_most_alert_is_evaded_whoever_is_pushed() -> None:
    """The rat is pushed, and the more alert drowned one is evaded."""
    alert = monster_card(DROWNED, awareness=3, evades=(entry(Forfeit()),))
    bench = cells(monsters=[(DROWNED, "cells/b"), (RAT, "cells/b")], monster_cards=[alert])

    proceed(bench, pushing("m2"))

    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "push")]


@pytest.mark.rule("PUSH-12")
@pytest.mark.rule("DECIDE-36")
def test_what_the_check_removed_is_not_pushed() -> None:
    """Nothing is left to push, and nothing is forfeited."""
    brittle = monster_card(DROWNED, evades=(entry(DamageMonster(amount=9)),))
    bench = with_monster(monster_cards=[brittle])

    proceed(bench, "choice/push")

    assert bench.game_table.monsters == {}
    assert bench.happened(TestDeclared) == []
    assert bench.happened(ActionForfeited) == []


@pytest.mark.rule("PUSH-12")
def test_who_was_driven_away_by_the_check_pushes_nothing() -> None:
    """The check moved Ada to another space."""
    fierce = monster_card(DROWNED, evades=(entry(MoveAway(1)),))
    bench = cells(at={ADA: "cells/a"}, monsters=[(DROWNED, "cells/a")], monster_cards=[fierce])

    proceed(bench, "choice/push", "cells/e")

    assert where(bench) == {ADA: "cells/e", DROWNED_ID: "cells/a"}


@pytest.mark.rule("PUSH-11")
@pytest.mark.rule("DECIDE-35")
@pytest.mark.rule("EVADE-1")
def test_who_follows_evades_what_stays_behind() -> None:
    """Of two monsters one is pushed; the other is evaded again on the way out."""
    wary = monster_card(DROWNED, awareness=3)
    bench = cells(monsters=[(DROWNED, "cells/b"), (RAT, "cells/b")], monster_cards=[wary])
    bench.give_dice("SSS")

    proceed(bench, pushing("m2"), "cells/a", "choice/slip_away")

    assert evaded(bench) == [(ADA, DROWNED), (ADA, DROWNED)]
    assert where(bench) == {ADA: "cells/a", "m1": "cells/b", "m2": "cells/a"}


@pytest.mark.rule("DECIDE-35")
def test_a_forfeit_while_following_loses_the_step_alone() -> None:
    """The second check holds Ada back. The push stands, and no action is lost."""
    fickle = monster_card(DROWNED, evades=(entry(), entry(Forfeit())))
    bench = with_ben(monsters=[(DROWNED, "cells/b")], monster_cards=[fickle])
    bench.give_picks(0, 1)

    proceed(bench, pushing(BEN), "cells/a", "choice/go_along", "choice/slip_away")

    assert bench.happened(ActionForfeited) == []
    assert where(bench) == {ADA: "cells/b", BEN: "cells/a", DROWNED_ID: "cells/b"}


# Another investigator ------------------------------------------------------------------------


@pytest.mark.rule("EX-19")
@pytest.mark.rule("PUSH-3")
@pytest.mark.rule("PUSH-6")
@pytest.mark.rule("DECIDE-41")
def test_who_stands_firm_sets_the_difficulty() -> None:
    """Ben rolls first: 1 success makes difficulty 2, and Ada has 2."""
    bench = with_ben()
    bench.give_dice("SBB SSB")

    proceed(bench, "choice/push", "cells/a", {1: "choice/resist"}, "choice/stay")

    assert bench.happened(TestDeclared) == [
        TestDeclared(BEN, Skill.STRENGTH, 0, None, 3),
        TestDeclared(ADA, Skill.STRENGTH, 0, 2, 3),
    ]
    assert questions(bench) == ["TURN-2", "PUSH-2", "PUSH-3", "PUSH-11"]
    assert where(bench) == {ADA: "cells/b", BEN: "cells/a"}


@pytest.mark.rule("EX-19")
@pytest.mark.rule("PUSH-9")
def test_who_stands_firm_enough_is_not_moved() -> None:
    """Ada needs one success more than Ben."""
    bench = with_ben()
    bench.give_dice("SBB SBB")

    proceed(bench, "choice/push", "cells/a", {1: "choice/resist"})

    assert bench.happened(TestFinished)[-1] == TestFinished(ADA, 1, is_passed=False)
    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "push")]
    assert where(bench) == {ADA: "cells/b", BEN: "cells/b"}


@pytest.mark.rule("EX-19")
@pytest.mark.rule("PUSH-3")
@pytest.mark.rule("PUSH-4")
def test_who_goes_along_is_moved_without_a_test() -> None:
    bench = with_ben()

    proceed(bench, "choice/push", "cells/a", {1: "choice/go_along"}, "choice/stay")

    assert list(bench.asked[2].prompts) == [1]
    assert bench.happened(TestDeclared) == []
    assert where(bench)[BEN] == "cells/a"


@pytest.mark.rule("DECIDE-40")
@pytest.mark.rule("DECIDE-38")
@pytest.mark.rule("EVADE-8")
def test_who_is_pushed_evades_nothing() -> None:
    """Only Ada, who pushes, has evaded the monster."""
    bench = with_ben(monsters=[(DROWNED, "cells/b")])

    proceed(
        bench,
        pushing(BEN),
        "cells/a",
        "choice/go_along",
        "choice/stay",
    )

    assert evaded(bench) == [(ADA, DROWNED)]
    assert bench.happened(InvestigatorMoved)[-1] == InvestigatorMoved(BEN, "cells/a")


# Whom and where ------------------------------------------------------------------------------


@pytest.mark.rule("PUSH-1")
@pytest.mark.rule("PUSH-2")
def test_only_who_shares_the_space_can_be_pushed() -> None:
    """Cora and another monster are next door, and Ada cannot push herself."""
    bench = cells(
        at={ADA: "cells/b", BEN: "cells/b", CORA: "cells/a"},
        monsters=[(RAT, "cells/b"), (DROWNED, "cells/a")],
    )

    assert pushes(bench) == ["choice/push m1", f"choice/push {BEN}"]


@pytest.mark.rule("PUSH-1")
def test_with_nobody_here_there_is_no_push() -> None:
    bench = cells()

    assert pushes(bench) == []
    assert "choice/push" not in dict(refused(bench))


@pytest.mark.rule("DECIDE-39")
@pytest.mark.rule("MOVE-11")
def test_the_space_is_one_that_the_target_could_enter() -> None:
    bench = with_monster()

    proceed(bench, "choice/push", ...)

    assert spaces(bench) == {"cells/a", "cells/f"}


@pytest.mark.rule("DECIDE-39")
def test_with_no_way_out_nobody_can_be_pushed() -> None:
    """The push is refused and costs nothing."""
    bench = cells(at={ADA: "cells/d", BEN: "cells/d"})

    assert pushes(bench) == []
    assert ("choice/push", "DECIDE-39") in refused(bench)


@pytest.mark.rule("PUSH-2")
def test_where_one_way_leads_out_it_is_that() -> None:
    bench = cells(at={ADA: "cells/h", BEN: "cells/h"})

    proceed(bench, "choice/push", "choice/go_along", "choice/stay")

    assert where(bench)[BEN] == "cells/g"


@pytest.mark.rule("DECIDE-21")
@pytest.mark.rule("DECIDE-34")
def test_a_push_can_interrupt_a_move() -> None:
    """Ada moves to Ben, pushes him and follows; one space of her move is left."""
    bench = cells(at={ADA: "cells/a", BEN: "cells/b"})

    proceed(
        bench,
        lambda o: o.text.subject == "choice/move_to" and o.points[0].piece == "cells/b",
        "choice/push",
        "cells/f",
        "choice/go_along",
        "choice/move_to",
        "cells/g",
    )

    assert where(bench) == {ADA: "cells/g", BEN: "cells/f"}


@pytest.mark.rule("ACTION-3")
@pytest.mark.parametrize("who", [ADA, BEN])
def test_everybody_can_push_and_steal(who: str) -> None:
    bench = with_ben(turn_of=who)
    other = BEN if who == ADA else ADA

    assert f"choice/push {other}" in offered(bench)
    assert ("choice/steal", "STEAL-6") in refused(bench)


@pytest.mark.rule("DECIDE-39")
def test_monster_is_pushed_where_it_could_go_by_itself() -> None:
    """The monster can pass walls, so it can be pushed into the two cells behind them."""
    ghost = Ability("ability/ghost", passes=(Passable.WALLS,))
    card = monster_card(DROWNED, brawn=0, abilities=("ability/ghost",))
    bench = cells(
        at={ADA: "cells/d"},
        monsters=[(DROWNED, "cells/d")],
        monster_cards=[card],
        abilities=[ghost],
    )
    bench.give_dice("BBB")

    proceed(bench, "choice/push", "cells/h")

    assert where(bench) == {ADA: "cells/d", DROWNED_ID: "cells/h"}
