"""Clues, Items, Conditions and traits: gained, lost, dropped, spent."""

from typing import Any, cast

import pytest

from content.games.second_edition.checks import CHECKS
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import (
    ConditionCard,
    HarmCard,
    InvestigatorCard,
    Powers,
)
from content.games.second_edition.schema.effects import Amount, Who
from content.reading.meanings import Bounds, mark_of
from protocol.common.events import Dealt, Picked
from protocol.games.second_edition.events import (
    CluesGained,
    PossessionDropped,
    PossessionGained,
    SupplyLaidOut,
)
from protocol.games.second_edition.table import Harm, Skill
from server.games.second_edition.rules import clues, possessions
from server.games.second_edition.rules.requirements import has_trait
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, investigator_card, world
from tests.games.second_edition.rules.worlds_effects import (
    IDOL,
    KNIFE,
    LAMP,
    conditions_of,
    given,
    item,
    items_of,
    keeps,
    person,
    resolve,
)

rule = pytest.mark.rule
BOTH = {ADA: "house/a", BEN: "house/a"}
DAZED = ConditionCard("condition/dazed", 2, traits=("mind",))


def stocked() -> Bench:
    """Return a world with one knife, two lamps and a unique idol."""
    return world(at=BOTH, items=[KNIFE, LAMP, IDOL], conditions=[DAZED])


# Clues -------------------------------------------------------------------------------------


@rule("CLUE-1")
def test_clues_are_gained() -> None:
    bench = stocked()

    resolve(bench, steps.GainClues(Amount(2)), steps.GainClues(who=Who.ALL))

    assert (person(bench).clues, person(bench, BEN).clues) == (3, 1)


@rule("CLUE-2")
@rule("CLUE-3")
@rule("POSSESSION-2")
def test_clues_are_no_possessions() -> None:
    bench = stocked()
    bench.emit(CluesGained(ADA, 3))
    resolve(bench, steps.Become(DAZED.id))

    resolve(bench, steps.DropRandomItem())
    possessions.drop_all(bench.game, ADA)

    assert person(bench).possessions == ()
    assert bench.game_table.lying == {}
    assert person(bench).clues == 3


@rule("SPEND-1")
@rule("SPEND-2")
def test_nobody_spends_clues_that_they_do_not_have() -> None:
    bench = stocked()
    bench.emit(CluesGained(ADA, 2))

    assert not clues.spend(bench.game, ADA, 3)
    assert person(bench).clues == 2
    resolve(bench, steps.SpendClues(2))
    assert person(bench).clues == 0


@rule("DECIDE-112")
def test_nobody_spends_the_clues_of_another() -> None:
    bench = stocked()
    bench.emit(CluesGained(BEN, 3))

    resolve(bench, steps.SpendClues(1))

    assert (person(bench).clues, person(bench, BEN).clues) == (0, 3)


# Items -------------------------------------------------------------------------------------


@rule("ITEM-1")
@rule("ITEM-2")
@rule("POSSESSION-1")
def test_items_of_both_decks_are_possessions_taken_faceup() -> None:
    bench = stocked()

    resolve(bench, steps.GainItem(KNIFE.id), steps.GainItem(IDOL.id))

    assert items_of(bench) == [KNIFE.id, IDOL.id]
    assert bench.game_table.supply == {KNIFE.id: 0, LAMP.id: 2, IDOL.id: 0, DAZED.id: 2}


@rule("DECIDE-125")
def test_nothing_is_gained_where_no_copy_is_left() -> None:
    bench = stocked()

    resolve(bench, steps.GainItem(KNIFE.id), steps.GainItem(KNIFE.id))

    assert items_of(bench) == [KNIFE.id]


@rule("DECIDE-131")
@rule("RANDOM-2")
def test_each_card_left_in_the_deck_is_equally_likely() -> None:
    """The three cards of the Common deck are one knife and two lamps; the idol is Unique."""
    bench = stocked()
    bench.give_picks(1)

    resolve(bench, steps.GainRandomItem("common"))

    assert len(bench.happened(Dealt)[-1].choice.value.options) == 3
    assert items_of(bench) == [LAMP.id]


@rule("DECIDE-131")
@rule("TRAIT-3")
def test_random_item_with_a_trait_comes_from_the_cards_that_have_it() -> None:
    bench = stocked()

    resolve(bench, steps.GainRandomItem("common", trait="light_source"))

    assert len(bench.happened(Dealt)[-1].choice.value.options) == 2
    assert items_of(bench) == [LAMP.id]


@rule("DECIDE-125")
def test_random_item_of_an_empty_deck_is_none() -> None:
    bench = stocked()
    bench.emit(SupplyLaidOut({KNIFE.id: 0, LAMP.id: 0}))

    resolve(bench, steps.GainRandomItem("common"))

    assert bench.happened(PossessionGained) == []
    assert bench.happened(Dealt) == []


@rule("DISCARD-1")
def test_lost_item_returns_to_its_deck() -> None:
    bench = stocked()
    given(bench, KNIFE.id, to=BEN)

    resolve(bench, steps.LoseItem(KNIFE.id))

    assert items_of(bench, BEN) == []
    assert bench.game_table.supply[KNIFE.id] == 1


@rule("EX-12")
@rule("RANDOM-3")
@rule("DROP-1")
def test_random_item_is_dropped_in_the_space_of_its_owner() -> None:
    bench = world(items=[item(f"item/{n}") for n in range(4)])
    given(bench, *(f"item/{n}" for n in range(4)))
    bench.give_picks(2)

    resolve(bench, steps.DropRandomItem())

    assert bench.happened(Picked)[-1].bound == 4
    assert bench.happened(PossessionDropped) == [PossessionDropped(ADA, "p3", "house/a")]
    assert [p.card for p in bench.game_table.lying["house/a"]] == ["item/2"]


@rule("SETUP-4")
@rule("LIMIT-2")
def test_supply_holds_every_copy_of_items_and_open_conditions() -> None:
    """The numbers come from the pack."""
    bench = stocked()

    supply = possessions.full_supply(bench.game)

    assert supply == {KNIFE.id: 1, LAMP.id: 2, IDOL.id: 1, DAZED.id: 2}


# Conditions --------------------------------------------------------------------------------


@rule("EX-13")
@rule("CONDITION-1")
@rule("CONDITION-2")
@rule("CONDITION-3")
def test_condition_is_gained_once() -> None:
    bench = stocked()

    resolve(bench, steps.Become(DAZED.id))
    assert conditions_of(bench) == [DAZED.id]

    resolve(bench, steps.Become(DAZED.id))
    assert conditions_of(bench) == [DAZED.id]
    assert bench.game_table.supply[DAZED.id] == 1


@rule("DECIDE-65")
def test_condition_already_held_is_no_second_card_for_others() -> None:
    bench = stocked()
    resolve(bench, steps.Become(DAZED.id))

    resolve(bench, steps.Become(DAZED.id, who=Who.ALL))

    assert conditions_of(bench) == conditions_of(bench, BEN) == [DAZED.id]
    assert bench.game_table.supply[DAZED.id] == 0


@rule("DECIDE-125")
def test_condition_without_a_copy_left_is_not_gained() -> None:
    bench = stocked()
    bench.emit(SupplyLaidOut({DAZED.id: 0}))

    resolve(bench, steps.Become(DAZED.id))

    assert conditions_of(bench) == []


@rule("DISCARD-1")
def test_discarded_condition_returns_to_its_deck() -> None:
    bench = stocked()
    resolve(bench, steps.Become(DAZED.id))

    resolve(bench, steps.Recover(DAZED.id), steps.Recover(DAZED.id, who=Who.OTHERS))

    assert conditions_of(bench) == []
    assert bench.game_table.supply[DAZED.id] == 2


def test_wounded_and_insane_are_not_recovered_from() -> None:
    bench = stocked()
    resolve(bench, steps.Become("condition/wounded"), steps.Become("condition/insane"))

    resolve(bench, steps.Recover("condition/wounded"), steps.Recover("condition/insane"))

    assert conditions_of(bench) == ["condition/wounded", "condition/insane"]
    assert person(bench).is_wounded
    assert person(bench).is_insane


# Traits ------------------------------------------------------------------------------------


@rule("TRAIT-1")
@rule("TRAIT-3")
def test_traits_of_items_harm_and_conditions_are_found() -> None:
    bleeding = keeps("damage/bleeding", Harm.DAMAGE, traits=("injury",))
    bench = world(items=[LAMP], conditions=[DAZED], harms=[bleeding])
    given(bench, LAMP.id)
    resolve(bench, steps.Become(DAZED.id), steps.Suffer(damage=Amount(1)))

    found = [t for t in ("light_source", "mind", "injury") if has_trait(bench.game, ADA, t)]

    assert found == ["light_source", "mind", "injury"]


@rule("TRAIT-1")
@rule("SECRET-2")
def test_traits_of_facedown_cards_are_not_found() -> None:
    bleeding = keeps("damage/bleeding", Harm.DAMAGE, traits=("injury",))
    bench = world(harms=[bleeding])

    resolve(bench, steps.Suffer(damage=Amount(1), facedown=True))

    assert not has_trait(bench.game, ADA, "injury")


@rule("TRAIT-2")
def test_trait_alone_does_nothing() -> None:
    bench = world(items=[LAMP])
    given(bench, LAMP.id)
    bench.give_dice("BBB")

    resolve(bench, steps.SkillTest(Skill.WILL))

    assert bench.asked == []


# The cards themselves ----------------------------------------------------------------------


@rule("INVESTIGATOR-1")
@rule("INVESTIGATOR-3")
def test_investigator_card_gives_health_sanity_and_six_skills() -> None:
    values = {"strength": 2, "agility": 3, "observation": 4, "lore": 5, "influence": 2, "will": 3}
    card = investigator_card(BEN, health=8, sanity=5, **values)
    bench = world(at=BOTH, investigators=[card])

    ben = person(bench, BEN)

    assert (ben.seat, ben.space) == (1, "house/a")
    assert (ben.health, ben.sanity) == (8, 5)
    assert {skill.value: value for skill, value in ben.skills.items()} == values


@rule("SKILL-2")
def test_pack_is_refused_a_skill_outside_two_to_five() -> None:
    bounds = [mark_of(Bounds, InvestigatorCard, skill.value) for skill in Skill]

    assert bounds == [Bounds(2, 5)] * 6


@rule("DAMAGE-3")
@pytest.mark.parametrize(
    ("resolve_text", "keep", "is_fine"),
    [
        ((steps.TurnThisFacedown(),), None, True),
        ((), Powers(), True),
        ((steps.TurnThisFacedown(),), Powers(), False),
        ((), None, False),
    ],
)
def test_pack_is_refused_a_card_that_is_not_of_exactly_one_sort(
    *, resolve_text: steps.Effect, keep: Powers | None, is_fine: bool
) -> None:
    card = HarmCard("damage/x", Harm.DAMAGE, 1, resolve=resolve_text, keep=keep)
    faults: list[str] = []

    def note(field: str, _reason: str) -> None:
        faults.append(field)

    CHECKS[HarmCard](card, cast("Any", note))

    assert faults == ([] if is_fine else ["resolve"])
