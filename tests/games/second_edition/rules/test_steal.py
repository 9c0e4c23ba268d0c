"""Stealing."""

from typing import Any

import pytest

from content.games.second_edition.schema.cards import ItemCard, Powers, Reroll
from content.games.second_edition.schema.effects import Forfeit, MoveAway, Say
from content.games.second_edition.schema.scenario import Moment, Trigger
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    ActionForfeited,
    ActionSpent,
    CluesGained,
    CluesSpent,
    PossessionTaken,
    TestDeclared,
    Told,
)
from protocol.games.second_edition.table import Skill
from server.games.second_edition.rules.skill_test import dice_pool
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    entry,
    monster_card,
    offered,
    proceed,
    refused,
    world,
)
from tests.games.second_edition.rules.worlds_effects import items_of, questions

ROPE, BOOK, COIN = "item/rope", "item/book", "item/coin"
CHARM = ItemCard("item/charm", "common", powers=Powers(reroll=Reroll(discard=True)))
ITEMS = (*(ItemCard(card, "common", copies=3) for card in (ROPE, BOOK, COIN)), CHARM)
TOGETHER = {ADA: "house/a", BEN: "house/a", CORA: "house/b"}


def den(*, bens: tuple[str, ...] = (ROPE, BOOK, COIN), **parts: Any) -> Bench:
    """Return a bench with Ada and Ben in one space and Cora in the next."""
    return world(at=TOGETHER, items=ITEMS, has={BEN: bens, CORA: [ROPE]}, **parts)


@pytest.mark.rule("EX-20")
@pytest.mark.rule("STEAL-1")
@pytest.mark.rule("STEAL-2")
@pytest.mark.rule("STEAL-3")
@pytest.mark.rule("STEAL-4")
@pytest.mark.rule("DECIDE-42")
@pytest.mark.rule("DECIDE-43")
def test_each_success_above_the_victims_is_worth_one_possession() -> None:
    """With Agility, 3 against 1 is worth up to 2 of Ben's 3, which Ada chooses after both rolls."""
    bench = den()
    bench.give_dice("SSS SBB")

    proceed(bench, "choice/steal", "skill/agility", (ROPE, COIN))

    assert bench.happened(TestDeclared) == [
        TestDeclared(ADA, Skill.AGILITY, 0, None, 3),
        TestDeclared(BEN, Skill.AGILITY, 0, None, 3),
    ]
    loot = bench.asked[-1].prompts[0]
    assert (loot.at_least, loot.at_most) == (0, 2)
    assert len(loot.options) == 3
    assert (items_of(bench, ADA), items_of(bench, BEN)) == ([ROPE, COIN], [BOOK])
    assert bench.happened(PossessionTaken) == [
        PossessionTaken(BEN, ADA, "p1"),
        PossessionTaken(BEN, ADA, "p3"),
    ]
    assert bench.happened(ActionSpent) == [ActionSpent(ADA, "steal")]


@pytest.mark.rule("EX-20")
@pytest.mark.rule("STEAL-5")
@pytest.mark.rule("FORFEIT-1")
@pytest.mark.parametrize("dice", ["SSB SSB", "SBB SSS"])
def test_as_many_successes_forfeit_the_action(dice: str) -> None:
    """A tie is not enough, and nothing is taken."""
    bench = den()
    bench.give_dice(dice)

    proceed(bench, "choice/steal", "skill/strength")

    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "steal")]
    assert items_of(bench, ADA) == []
    assert bench.game_table.actions_left == 1


@pytest.mark.rule("STEAL-2")
def test_one_steals_by_strength_agility_or_observation() -> None:
    bench = den()

    proceed(bench, "choice/steal", ...)

    assert bench.open is not None
    assert [option.text for option in bench.open.prompts[0].options] == [
        Text("choice/skill", (f"skill/{skill.value}", dice_pool(bench.game, ADA, skill, 0)))
        for skill in (Skill.STRENGTH, Skill.AGILITY, Skill.OBSERVATION)
    ]


@pytest.mark.rule("STEAL-4")
@pytest.mark.rule("DECIDE-43")
def test_no_more_than_there_is_can_be_taken() -> None:
    """With 3 against 0 and one possession, Ada may take one, or none."""
    bench = den(bens=(BOOK,))
    bench.give_dice("SSS BBB")

    proceed(bench, "choice/steal", "skill/agility", ())

    assert bench.asked[-1].prompts[0].at_most == 1
    assert items_of(bench, BEN) == [BOOK]
    assert bench.happened(ActionForfeited) == []


@pytest.mark.rule("STEAL-1")
def test_only_who_shares_the_space_can_be_robbed() -> None:
    bench = den()

    steals = [offer for offer in offered(bench) if offer.startswith("choice/steal")]

    assert steals == [f"choice/steal {BEN}"]


@pytest.mark.rule("STEAL-6")
@pytest.mark.rule("CLUE-2")
def test_nothing_but_possessions_is_stolen() -> None:
    bench = den(bens=())
    bench.emit(CluesGained(BEN, 3))

    assert not [offer for offer in offered(bench) if offer.startswith("choice/steal")]
    assert ("choice/steal", "STEAL-6") in refused(bench)


@pytest.mark.rule("DECIDE-42")
@pytest.mark.rule("CLUE-4")
def test_the_thief_is_done_before_the_victim_rolls_and_both_can_spend_clues() -> None:
    """Ada converts, then Ben rolls and converts: 2 against 2 gains her nothing."""
    bench = den()
    bench.emit(CluesGained(ADA, 1))
    bench.emit(CluesGained(BEN, 1))
    bench.give_dice("SIB SIB")

    proceed(
        bench,
        "choice/steal",
        "skill/observation",
        {0: "choice/spend_clues"},
        {1: "choice/spend_clues"},
    )

    kinds = (TestDeclared, CluesSpent)
    deeds = [(type(e), e.investigator) for e in bench.log if isinstance(e, kinds)]
    assert deeds == [
        (TestDeclared, ADA),
        (CluesSpent, ADA),
        (TestDeclared, BEN),
        (CluesSpent, BEN),
    ]
    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "steal")]


@pytest.mark.rule("STEAL-4")
def test_what_was_spent_on_the_test_cannot_be_stolen() -> None:
    """Ben's only charm pays for a reroll, so nothing is left to steal or ask."""
    bench = den(bens=("item/charm",))
    bench.give_dice("SSS BBB B")

    proceed(bench, "choice/steal", "skill/agility", {1: "choice/reroll"}, {1: (0,)})

    assert items_of(bench, ADA) == []
    assert "STEAL-4" not in questions(bench)


@pytest.mark.rule("DECIDE-38")
@pytest.mark.rule("EVADE-4")
def test_the_thief_alone_evades() -> None:
    """The thief evades once, before the rolls; a forfeit means nobody rolls."""
    strict = monster_card(evades=(entry(Forfeit()),))
    bench = den(monsters=[(DROWNED, "house/a")], monster_cards=[strict])

    proceed(bench, "choice/steal")

    assert [told.text.params[0] for told in bench.happened(Told)] == [ADA]
    assert bench.happened(TestDeclared) == []


@pytest.mark.rule("STEAL-1")
def test_who_was_driven_away_by_the_check_steals_nothing() -> None:
    fierce = monster_card(evades=(entry(MoveAway(1)),))
    bench = den(monsters=[(DROWNED, "house/a")], monster_cards=[fierce])

    proceed(bench, "choice/steal")

    assert bench.happened(TestDeclared) == []
    assert items_of(bench, BEN) == [ROPE, BOOK, COIN]


@pytest.mark.rule("STEAL-4")
def test_what_is_stolen_is_gained_by_the_thief() -> None:
    """The triggers of gaining the possession concern Ada."""
    gained = Trigger("gained", Moment.ITEM_GAINED, (Say("text/gained"),), of=ROPE)
    bench = den(bens=(ROPE,), scenario_parts={"triggers": (gained,)})
    bench.give_dice("SSS SBB")

    proceed(bench, "choice/steal", "skill/agility", (ROPE,))

    assert [(e.text.subject, e.text.params[0]) for e in bench.happened(Told)] == [
        ("text/gained", ADA)
    ]
