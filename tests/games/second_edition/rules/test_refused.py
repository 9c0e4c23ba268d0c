"""Refused choices and their rules, listed in case a player looks for them."""

from typing import Any

import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema.cards import (
    Attack,
    ItemCard,
    Modifier,
    ModifierKind,
    Powers,
    Reach,
    Reroll,
    WeaponKind,
)
from content.games.second_edition.schema.effects import Amount, RemoveToken, Say, SpendClues, Step
from content.games.second_edition.schema.puzzles import Code
from content.games.second_edition.schema.requirements import HasClues
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    ActionSpent,
    CluesGained,
    OptionChosen,
    PossessionDropped,
    PowerUsed,
    Told,
)
from protocol.games.second_edition.table import Skill, TokenKind
from server.games.second_edition.rules import trade
from server.games.second_edition.rules.puzzles.attempt import attempt
from server.games.second_edition.rules.skill_test import make_test
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    ROW,
    entry,
    investigator_card,
    monster_card,
    offered,
    proceed,
    refused,
    tile,
    where,
    world,
)

rule = pytest.mark.rule

PISTOL = ItemCard("item/pistol", "common", attack=Attack(Reach.RANGED, WeaponKind.FIREARM, 3))
ROPE = ItemCard("item/rope", "common", copies=3)
COIN = ItemCard("item/coin", "common", copies=3, powers=Powers(reroll=Reroll()))
STONE = ItemCard(
    "item/stone", "common", powers=Powers(reroll=Reroll(once_per_round=False, discard=True))
)
SIGHT = TokenCard("token/peep", TokenKind.SIGHT, "house/c", (TokenOption("text/peep", ()),))
CHEST = TokenCard("token/chest", TokenKind.SEARCH, "house/e", (TokenOption("text/chest", ()),))


def row(**parts: Any) -> Bench:
    """Return a bench with a row of rooms, Ada in the first."""
    items = (PISTOL, ROPE, COIN, STONE)
    return world(tiles=[tile(ROW)], items=items, **parts)


def reasons(bench: Bench, subject: str) -> list[str]:
    """Return the reasons for the refused choices with this subject."""
    assert bench.open is not None
    return [
        no.reason.subject
        for prompt in bench.open.prompts.values()
        for no in prompt.refused
        if no.text.subject == subject
    ]


# On a turn -----------------------------------------------------------------------------------


@rule("TURN-2")
def test_whoever_has_no_action_left_is_told_so() -> None:
    bench = row(tokens=[SIGHT])
    bench.emit(ActionSpent(ADA, "search"))
    offered(bench)
    assert refused(bench, "choice/action") == []

    bench.emit(ActionSpent(ADA, "search"))
    offered(bench)

    assert refused(bench) == [("choice/action", "TURN-2")]
    assert reasons(bench, "choice/action") == ["refusal/no_actions"]


@rule("TURN-2", "MOVE-3")
def test_a_move_by_the_last_action_is_not_interrupted_by_another() -> None:
    """The question during the move names the rule."""
    bench = row()
    bench.emit(ActionSpent(ADA, "search"))

    proceed(bench, "house/b", ...)

    assert refused(bench, "choice/action") == [("choice/action", "TURN-2")]


@rule("ATTACK-1")
@pytest.mark.parametrize(
    ("items", "reason"),
    [([], "refusal/none_in_space"), ([PISTOL.id], "refusal/none_in_range")],
)
def test_an_attack_is_refused_where_no_monster_can_be_reached(
    items: list[str], reason: str
) -> None:
    bench = row(monsters=[(DROWNED, "house/e")], has={ADA: items})
    offered(bench)

    assert refused(bench, "choice/attack") == [("choice/attack", "ATTACK-1")]
    assert reasons(bench, "choice/attack") == [reason]


@rule("ATTACK-1")
@pytest.mark.parametrize("monsters", [[], [(DROWNED, "house/a")]])
def test_an_attack_is_not_refused_without_need(monsters: list[tuple[str, str]]) -> None:
    bench = row(monsters=monsters)
    offered(bench)

    assert refused(bench, "choice/attack") == []


@rule("TRADE-6")
def test_a_trade_of_nothing_is_refused() -> None:
    bench = row(at={ADA: "house/a", BEN: "house/a"})
    offered(bench)
    assert refused(bench, "choice/trade") == [("choice/trade", "TRADE-6")]

    with_rope = row(at={ADA: "house/a", BEN: "house/a"}, has={BEN: [ROPE.id]})
    offered(with_rope)

    assert refused(with_rope, "choice/trade") == []


@rule("DECIDE-25")
def test_what_is_too_far_away_is_refused_last() -> None:
    """A board has many tokens; refusals that concern this space come first."""
    bench = row(tokens=[CHEST], monsters=[(DROWNED, "house/e")])
    offered(bench)

    assert refused(bench) == [
        ("choice/attack", "ATTACK-1"),
        ("choice/trade", "TRADE-6"),
        ("text/chest", "SEARCH-2"),
    ]


@rule("MOVE-7")
@rule("MOVE-9")
def test_a_shut_way_is_refused_in_the_middle_of_a_move_too() -> None:
    door = TokenCard("token/door", TokenKind.EXPLORE, "house/1", (TokenOption("text/open", ()),))
    bench = world(tiles=[tile(WAYS)], tokens=[door])

    proceed(bench, "house/b", ...)

    shut = [("choice/move_to", "MOVE-7"), ("choice/move_to", "MOVE-9")]
    assert sorted(refused(bench, "choice/move_to")) == shut


WAYS = """
+---+---+---+
| a : b 1 c |
+---+~~~+---+
    | d |
    +---+
"""


# In a trade ----------------------------------------------------------------------------------


@rule("TRADE-1")
def test_alone_in_a_trade_there_is_nobody_to_give_to() -> None:
    bench = row(has={ADA: [ROPE.id]})

    bench.run(trade.trade(bench.game, ADA), ...)

    assert refused(bench) == [("choice/give_something", "TRADE-1")]


@rule("CLUE-3")
def test_clues_are_refused_to_a_trade_once_for_each_seat_that_has_some() -> None:
    """A player without Clues is not listed, and one with two investigators is listed once."""
    at = {ADA: "house/a", BEN: "house/a"}
    apart = row(at=at, has={ADA: [ROPE.id], BEN: [ROPE.id]})
    apart.emit(CluesGained(BEN, 1))
    apart.run(trade.trade(apart.game, ADA), ...)
    assert apart.open is not None
    counts = {seat: len(prompt.refused) for seat, prompt in apart.open.prompts.items()}
    assert counts == {0: 0, 1: 1}

    together = row(at=at, seats=((0, ADA), (0, BEN)), has={ADA: [ROPE.id]})
    for who in (ADA, BEN):
        together.emit(CluesGained(who, 1))
    together.run(trade.trade(together.game, ADA), ...)

    assert refused(together) == [("choice/give_clue", "CLUE-3")]


# In tests and at puzzles -----------------------------------------------------------------------


def rolled(bench: Bench, dice: str) -> Bench:
    """Return the bench at the question about these dice of Ada's."""
    bench.give_dice(dice)
    bench.run(make_test(bench.game, ADA, Skill.LORE), ...)
    return bench


@rule("SPEND-2")
@pytest.mark.parametrize(("dice", "is_told"), [("IBB", True), ("SBB", False)])
def test_without_a_clue_an_investigation_stays_what_it_is(dice: str, *, is_told: bool) -> None:
    """Without an investigation among the dice, the refusal is not listed."""
    bench = rolled(row(has={ADA: [COIN.id]}), dice)

    told = [("choice/spend_clues", "SPEND-2")] if is_told else []
    assert refused(bench) == told


@rule("GOLDEN-3")
def test_a_card_that_bars_clues_is_named() -> None:
    bars = Powers(modifiers=(Modifier(ModifierKind.NO_CLUES),))
    bench = row(investigators=[investigator_card(ability=bars)], has={ADA: [COIN.id]})
    rolled(bench, "IBB")

    assert refused(bench) == [("choice/spend_clues", "GOLDEN-3")]


@rule("DECIDE-29")
def test_a_reroll_that_was_used_this_round_is_refused_once() -> None:
    """Copies of the card do not repeat the refusal."""
    bench = row(has={ADA: [COIN.id, COIN.id, STONE.id]})
    for possession in ("p1", "p2"):
        bench.emit(PowerUsed(ADA, possession))

    rolled(bench, "SBB")

    assert refused(bench) == [("choice/reroll", "DECIDE-29")]
    assert reasons(bench, "choice/reroll") == ["refusal/used_this_round"]


@rule("DECIDE-29")
def test_a_reroll_of_this_very_test_is_not_refused() -> None:
    bench = row(has={ADA: [COIN.id, STONE.id]})
    bench.give_dice("SBB B")

    bench.run(make_test(bench.game, ADA, Skill.LORE), "item/coin", 0, ...)

    assert refused(bench) == []


@rule("SPEND-2")
def test_without_a_clue_no_step_can_be_bought() -> None:
    bench = row(scenario_parts={"codes": (Code("safe", 3, ("1", "2")),)})

    bench.run(attempt(bench.game, ADA, "safe", Skill.LORE), ...)

    assert refused(bench) == [("choice/puzzle_clue", "SPEND-2")]


@rule("TRADE-1")
@rule("TRADE-7")
def test_alone_with_nothing_to_give_nobody_is_missed() -> None:
    bench = row(has={ADA: [ROPE.id]})
    bench.emit(PossessionDropped(ADA, "p1", "house/a"))

    bench.run(trade.trade(bench.game, ADA), ...)

    assert refused(bench) == []


@rule("CLUE-3")
def test_alone_with_clues_they_are_not_what_stays() -> None:
    bench = row(has={ADA: [ROPE.id]})
    bench.emit(CluesGained(ADA, 1))

    bench.run(trade.trade(bench.game, ADA), ...)

    assert refused(bench) == [("choice/give_something", "TRADE-1")]


@rule("MOVE-1")
@rule("GOLDEN-1")
@pytest.mark.parametrize("fewer", [-2, -3])
def test_with_no_space_left_to_go_a_move_action_is_no_step(fewer: int) -> None:
    """A move of fewer than zero spaces counts as none; the action can be taken and ends at once."""
    slow = Powers(modifiers=(Modifier(ModifierKind.SPACES, fewer),))
    bench = row(investigators=[investigator_card(ability=slow)])
    assert not any("house/b" in choice for choice in offered(bench))

    proceed(bench, "choice/move_later")

    assert where(bench)[ADA] == "house/a"
    assert bench.game_table.actions_left == 1


@rule("DECIDE-29")
@pytest.mark.parametrize(("skill", "is_told"), [(Skill.LORE, True), (Skill.WILL, False)])
def test_a_reroll_that_was_used_is_refused_in_tests_of_its_skill(
    skill: Skill, *, is_told: bool
) -> None:
    charm = ItemCard("item/charm", "common", powers=Powers(reroll=Reroll(skill=skill)))
    bench = world(items=[charm, STONE], has={ADA: [charm.id, STONE.id]})
    bench.emit(PowerUsed(ADA, "p1"))

    rolled(bench, "SBB")

    assert refused(bench) == ([("choice/reroll", "DECIDE-29")] if is_told else [])


@rule("TEST-8")
@rule("DECIDE-29")
def test_a_reroll_says_how_many_dice_whoever_makes_the_test_has() -> None:
    """The number is that of Ada's Clues, at least one, for the new and the used card alike."""
    dice = Reroll(Amount(formula=read_number("clues")[0]))
    cards = [ItemCard(f"item/{n}", "common", powers=Powers(reroll=dice)) for n in ("new", "used")]
    for clues in (0, 2):
        bench = world(items=cards, has={ADA: [card.id for card in cards]})
        bench.emit(CluesGained(ADA, clues))
        bench.emit(PowerUsed(ADA, "p2"))

        rolled(bench, "BBB")

        assert bench.open is not None
        prompt = bench.open.prompts[0]
        said = [prompt.options[-1].text.params[1], prompt.refused[-1].text.params[1]]
        assert said == [max(1, clues)] * 2

        bench.give_dice("BBB")
        bench.run(make_test(bench.game, ADA, Skill.LORE), "choice/reroll", ...)
        assert bench.open.prompts[0].prompt == Text("ask/reroll", ("item/new", max(1, clues)))


@rule("ACTION-8")
@rule("EVADE-4")
@pytest.mark.parametrize("taken", [RemoveToken("token/desk"), SpendClues(1)])
def test_a_search_finds_nothing_where_the_check_took_what_it_needs(taken: Step) -> None:
    """The check takes the token, or the Clue that the search costs. The action is spent anyway."""
    option = TokenOption("text/desk", (Say("text/found"),), requires=HasClues(1))
    bench = row(
        tokens=[TokenCard("token/desk", TokenKind.SEARCH, "house/a", (option,))],
        monsters=[(DROWNED, "house/a")],
        monster_cards=[monster_card(evades=(entry(taken),))],
    )
    bench.emit(CluesGained(ADA, 1))

    proceed(bench, "text/desk")

    assert bench.happened(OptionChosen) == []
    assert "text/found" not in [event.text.subject for event in bench.happened(Told)]
    assert bench.game_table.actions_left == 1
