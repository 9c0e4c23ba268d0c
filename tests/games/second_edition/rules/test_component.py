"""Component actions of cards."""

import pytest

from content.games.second_edition.schema.cards import ComponentAction, ItemCard, Powers
from content.games.second_edition.schema.effects import (
    Forfeit,
    GainClues,
    LoseItem,
    Say,
    SpendClues,
)
from content.games.second_edition.schema.requirements import HasClues
from protocol.games.second_edition.events import (
    ActionForfeited,
    CluesGained,
    PossessionDiscarded,
    Told,
)
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    entry,
    monster_card,
    offered,
    proceed,
    refused,
    world,
)
from tests.games.second_edition.rules.worlds_effects import spent

BELL = ItemCard(
    "item/bell",
    "common",
    powers=Powers(action=ComponentAction((GainClues(),), once_per_round=True)),
)


@pytest.mark.rule("COMPONENT-1")
@pytest.mark.rule("COMPONENT-2")
@pytest.mark.rule("ACTION-4")
@pytest.mark.rule("COMPONENT-4")
def test_a_card_grants_an_action_to_its_holder() -> None:
    bench = world(items=[BELL], has={ADA: ["item/bell"]})

    proceed(bench, "choice/component")

    assert spent(bench) == ["component"]
    assert bench.game_table.investigators[ADA].clues == 1


@pytest.mark.rule("COMPONENT-2")
def test_nobody_uses_a_card_that_somebody_else_holds() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/a"}, items=[BELL], has={BEN: ["item/bell"]})

    assert not any("component" in choice for choice in offered(bench))


@pytest.mark.rule("COMPONENT-1")
def test_a_component_action_that_was_used_up_is_refused() -> None:
    bench = world(items=[BELL], has={ADA: ["item/bell"]})
    proceed(bench, "choice/component")

    offered(bench)

    assert refused(bench) == [("choice/component", "COMPONENT-1")]


@pytest.mark.rule("COMPONENT-1")
@pytest.mark.rule("SPEND-1")
def test_a_component_action_can_cost_the_card() -> None:
    flask = ItemCard(
        "item/flask",
        "common",
        powers=Powers(action=ComponentAction((GainClues(),), discard=True)),
    )
    bench = world(items=[flask], has={ADA: ["item/flask"]})

    proceed(bench, "choice/component")

    assert bench.happened(PossessionDiscarded) == [PossessionDiscarded(ADA, "p1")]
    assert bench.game_table.investigators[ADA].clues == 1


@pytest.mark.rule("EVADE-4")
@pytest.mark.rule("FORFEIT-1")
def test_a_component_action_is_evaded_for_and_can_be_forfeited() -> None:
    strict = monster_card(evades=(entry(Forfeit()),))
    bench = world(
        items=[BELL],
        has={ADA: ["item/bell"]},
        monsters=[(DROWNED, "house/a")],
        monster_cards=[strict],
    )

    proceed(bench, "choice/component")

    assert bench.happened(ActionForfeited) == [ActionForfeited(ADA, "component")]
    assert bench.game_table.investigators[ADA].clues == 0
    assert bench.game_table.actions_left == 1


@pytest.mark.rule("COMPONENT-2")
@pytest.mark.rule("EVADE-4")
def test_a_card_that_the_check_took_away_does_nothing() -> None:
    """The evade check takes the card from its holder before the action is performed."""
    thief = monster_card(evades=(entry(LoseItem("item/bell")),))
    bench = world(
        items=[BELL],
        has={ADA: ["item/bell"]},
        monsters=[(DROWNED, "house/a")],
        monster_cards=[thief],
    )

    proceed(bench, "choice/component")

    assert bench.game_table.investigators[ADA].clues == 0


@pytest.mark.rule("COMPONENT-1")
def test_a_component_action_asks_for_what_the_card_asks() -> None:
    lamp = ItemCard(
        "item/lamp",
        "common",
        powers=Powers(action=ComponentAction((GainClues(),), requires=HasClues(1))),
    )
    bench = world(items=[lamp], has={ADA: ["item/lamp"]})

    offered(bench)

    assert refused(bench) == [("choice/component", "COMPONENT-1")]


@pytest.mark.rule("COMPONENT-1")
@pytest.mark.rule("ACTION-8")
def test_a_card_whose_price_the_check_took_does_nothing() -> None:
    """The monster takes the Clue the card costs; the action is spent anyway."""
    lamp = ItemCard(
        "item/lamp",
        "common",
        powers=Powers(action=ComponentAction((Say("text/shines"),), requires=HasClues(1))),
    )
    bench = world(
        items=[lamp],
        has={ADA: ["item/lamp"]},
        monsters=[(DROWNED, "house/a")],
        monster_cards=[monster_card(evades=(entry(SpendClues(1)),))],
    )
    bench.emit(CluesGained(ADA, 1))

    proceed(bench, "choice/component")

    assert spent(bench) == ["component"]
    assert "text/shines" not in [event.text.subject for event in bench.happened(Told)]


@pytest.mark.rule("COMPONENT-2")
@pytest.mark.rule("EVADE-4")
def test_another_card_does_not_stand_in_for_one_that_was_taken() -> None:
    """Ada has a second card with an action, and did not choose it."""
    horn = ItemCard("item/horn", "common", powers=Powers(action=ComponentAction((GainClues(),))))
    thief = monster_card(evades=(entry(LoseItem("item/bell")),))
    bench = world(
        items=[BELL, horn],
        has={ADA: ["item/bell", "item/horn"]},
        monsters=[(DROWNED, "house/a")],
        monster_cards=[thief],
    )

    proceed(bench, lambda option: "item/bell" in repr(option.text))

    assert bench.game_table.investigators[ADA].clues == 0
