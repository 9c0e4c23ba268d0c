"""Proposals: open decisions take the usual course unless a seat objects."""

from typing import Any

import pytest

from content.games.second_edition.schema.cards import ComponentAction, ItemCard, Powers, Reroll
from content.games.second_edition.schema.effects import GainClues
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    FeaturePlaced,
    HarmTaken,
    MythosStepBegan,
    PhaseBegan,
    PossessionGiven,
    PowerUsed,
)
from protocol.games.second_edition.table import FeatureKind, Harm, MythosStep, Phase, Skill, deck
from server.games.second_edition.rules import activation, features, fire, powers, proposals
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    always_as_proposed,
    monster_card,
    world,
)
from tests.games.second_edition.rules.worlds import activation as instruction

rule = pytest.mark.rule

AT = {ADA: "house/a", BEN: "house/a", CORA: "house/a"}
USUAL = ["choice/usual_phase", "choice/usual_once", "choice/not_usual"]


def night(**parts: Any) -> Bench:
    """Return three people beside a monster that attacks one of them, in the Mythos phase."""
    card = monster_card(activations=(instruction(spaces=0),))
    bench = world(at=AT, monsters=[(DROWNED, "house/a")], monster_cards=[card], **parts)
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    bench.emit(MythosStepBegan(MythosStep.MONSTER))
    return bench


def act(bench: Bench, *answers: Any) -> None:
    bench.run(activation.act(bench.game, "m1"), *answers)


@rule("DECIDE-103")
@rule("CONFLICT-1")
def test_a_tie_is_proposed_to_all_and_holds_for_the_phase() -> None:
    """One confirmation by each seat settles this tie and later ones, even in the next step."""
    bench = night()

    act(bench, 0)
    act(bench)
    bench.run(_next_step(bench))
    act(bench)

    (ask,) = bench.asked
    assert ask.settle.value == "first_or_all_pass"
    assert ask.kind == proposals.TIES
    assert sorted(ask.prompts) == [0, 1, 2]
    assert [option.text.subject for option in ask.prompts[0].options] == USUAL


async def _next_step(bench: Bench) -> None:
    proposals.begin_step(bench.game, MythosStep.HORROR)


@rule("DECIDE-103")
def test_what_was_agreed_ends_with_the_phase() -> None:
    bench = night()
    act(bench, 0)

    bench.emit(PhaseBegan(Phase.MYTHOS, 2))
    act(bench, 0)

    assert len(bench.asked) == 2


@rule("DECIDE-103")
def test_a_seat_can_keep_the_usual_to_this_one_time() -> None:
    bench = night()

    act(bench, {0: 0, 1: "choice/usual_once", 2: 0})
    act(bench, 0)

    assert len(bench.asked) == 2


@rule("CONFLICT-1")
def test_a_table_that_takes_what_is_proposed_is_not_asked_about_ties() -> None:
    bench = always_as_proposed(night())

    act(bench)

    assert bench.asked == []


@rule("DECIDE-103")
def test_who_can_bear_most_is_proposed() -> None:
    """Ada has suffered two, so Ben comes first, before Cora."""
    bench = night()
    bench.emit(HarmTaken(ADA, Harm.HORROR, bench.game_table.piles[deck(Harm.HORROR)][0], None))

    act(bench, 0)

    usual = bench.asked[0].prompts[0].options[0].text
    assert usual == Text("choice/usual_phase", (Text("choice/who", (BEN,)),))


@rule("FIRE-9")
@rule("DECIDE-74")
def test_fire_is_proposed_for_a_space_without_investigators() -> None:
    """The fire could also spread to the space in which all three investigators are."""
    bench = night()
    features.place(bench.game, FeatureKind.FIRE, "house/b")

    bench.run(fire.spread(bench.game), 0)

    assert bench.happened(FeaturePlaced)[-1].feature.space != "house/a"


LENS = ItemCard(
    "item/lens",
    "common",
    copies=2,
    powers=Powers(action=ComponentAction((GainClues(),), once_per_round=True), reroll=Reroll()),
)


@rule("DECIDE-29")
def test_what_was_used_this_round_stays_used_when_it_is_handed_on() -> None:
    """Both the action and the reroll of the card stay used.

    Another copy is unused, and the next round resets both.
    """
    bench = world(at=AT, items=[LENS], has={ADA: [LENS.id], BEN: [LENS.id]})
    bench.emit(PowerUsed(ADA, "p1"))

    bench.emit(PossessionGiven(ADA, CORA, "p1"))

    (action,) = powers.component_actions(bench.game, CORA)
    assert action.refused == Text("refusal/used_this_round", (LENS.id,))
    assert powers.rerolls(bench.game, CORA, Skill.LORE) == ()
    assert len(powers.rerolls(bench.game, BEN, Skill.LORE)) == 1
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))
    assert len(powers.rerolls(bench.game, CORA, Skill.LORE)) == 1
