"""Powers of cards: what they do for their owner, and what others can notice."""

import typing
from typing import Any

import attrs
import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import (
    Attack,
    ComponentAction,
    ConditionCard,
    InvestigatorCard,
    Modifier,
    ModifierKind,
    Powers,
    Reach,
    Reroll,
    WeaponKind,
)
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.requirements import HasClues
from protocol.common.text import Text
from protocol.games.second_edition.events import CluesGained, PhaseBegan, PowerUsed
from protocol.games.second_edition.table import Harm, Phase, Skill
from server.games.second_edition.rules import clues, component, interplay, powers
from server.games.second_edition.rules.powers import PRIVATE_KINDS
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, insane_back, investigator_card, world
from tests.games.second_edition.rules.worlds_effects import (
    conditions_of,
    dice,
    faceup,
    given,
    item,
    items_of,
    keeps,
    person,
    resolve,
)

rule = pytest.mark.rule
ONE_CLUE = (steps.GainClues(),)
CLUBS = Attack(Reach.MELEE, WeaponKind.HEAVY, 2)


def able(**ability: Any) -> Bench:
    """Return a world in which Ada has this ability."""
    return world(investigators=[investigator_card(ADA, ability=Powers(**ability))])


# Constant effects --------------------------------------------------------------------------


@rule("INVESTIGATOR-2")
@rule("TEST-5")
def test_ability_is_in_force() -> None:
    bench = able(modifiers=(dice(1, Skill.LORE),))

    assert powers.dice(bench.game, ADA, Skill.LORE) == 1
    assert powers.dice(bench.game, ADA, Skill.WILL) == 0


@rule("INVESTIGATOR-2")
def test_ability_is_its_owners_alone() -> None:
    ada = investigator_card(ADA, ability=Powers((dice(1),)))
    bench = world(at={ADA: "house/a", BEN: "house/a"}, investigators=[ada])

    assert powers.dice(bench.game, BEN, Skill.LORE) == 0


@rule("TEST-5")
@rule("DAMAGE-5")
def test_all_open_cards_add_up() -> None:
    """Ability 1, Item 1, Keep Faceup -3 and Condition -1 make two dice fewer."""
    bench = world(
        investigators=[investigator_card(ADA, ability=Powers((dice(1),)))],
        items=[item("item/charm", dice(1))],
        harms=[keeps("horror/dread", Harm.HORROR, dice(-3))],
        conditions=[ConditionCard("condition/dazed", 1, Powers((dice(-1),)))],
    )
    given(bench, "item/charm")
    resolve(bench, steps.Suffer(horror=Amount(1)), steps.Become("condition/dazed"))

    assert powers.dice(bench.game, ADA, Skill.WILL) == -2


@rule("GOLDEN-1")
def test_card_changes_how_far_a_move_action_goes() -> None:
    bench = able(modifiers=(Modifier(ModifierKind.SPACES, 1),))

    assert powers.spaces(bench.game, ADA) == 1


@rule("ITEM-3")
@pytest.mark.parametrize(("weapon", "damage"), [(CLUBS, 3), (None, 1)])
def test_weapon_deals_its_value_and_what_cards_add(weapon: Attack | None, damage: int) -> None:
    """A club of 2 with a strong arm of 1 deals three; unarmed has no value of its own."""
    bench = able(modifiers=(Modifier(ModifierKind.WEAPON_DAMAGE, 1),))

    assert powers.weapon_damage(bench.game, ADA, weapon) == damage


@rule("GOLDEN-3")
def test_cannot_holds_whatever_else_a_card_gives() -> None:
    """One card forbids the search and another gives dice for it: it is forbidden."""
    no_search = keeps("damage/blind", Harm.DAMAGE, Modifier(ModifierKind.NO_SEARCH))
    bench = world(harms=[no_search], items=[item("item/lens", dice(3))])
    given(bench, "item/lens")
    resolve(bench, steps.Suffer(damage=Amount(1)))

    reason = powers.reason_barred(bench.game, ADA, ModifierKind.NO_SEARCH)
    assert reason == Text("refusal/barred", ("damage/blind",))
    assert powers.reason_barred(bench.game, ADA, ModifierKind.NO_ATTACK) is None


@rule("INVESTIGATOR-4")
def test_only_the_one_ability_of_the_card_can_do_anything() -> None:
    """The rest of the card is numbers and a story without powers."""
    fields = typing.get_type_hints(InvestigatorCard)

    assert [name for name, kind in fields.items() if kind is Powers] == ["ability"]
    assert {kind for name, kind in fields.items() if name not in {"id", "ability"}} == {int}


# The Insane back ---------------------------------------------------------------------------


def insane(*modifiers: Modifier, **more: Any) -> Bench:
    """Return a world in which Ada is Insane with this back."""
    back = insane_back("insane/mine", powers=Powers(modifiers, **more))
    bench = world(insane=[back])
    resolve(bench, steps.Become(interplay.INSANE))
    return bench


@rule("SECRET-6")
@rule("INSANE-7")
@pytest.mark.parametrize("kind", PRIVATE_KINDS)
def test_back_bars_what_it_forbids_and_names_itself_to_its_owner(kind: ModifierKind) -> None:
    """The reason appears only in the owner's question."""
    bench = insane(Modifier(kind))

    reason = powers.reason_barred(bench.game, ADA, kind)

    assert reason == Text("refusal/barred", ("insane/mine",))


@rule("SECRET-7")
def test_back_changes_nothing_that_others_could_see() -> None:
    """Dice, spaces, damage, rerolls, actions and Clues are as without a back."""
    bench = insane(
        dice(-2),
        Modifier(ModifierKind.SPACES, -1),
        Modifier(ModifierKind.WEAPON_DAMAGE, 2),
        Modifier(ModifierKind.NO_CLUES),
        reroll=Reroll(),
        action=ComponentAction(ONE_CLUE),
    )
    bench.emit(CluesGained(ADA, 1))

    assert powers.dice(bench.game, ADA, Skill.LORE) == 0
    assert powers.spaces(bench.game, ADA) == 0
    assert powers.weapon_damage(bench.game, ADA, None) == 0
    assert powers.rerolls(bench.game, ADA, Skill.LORE) == ()
    assert powers.component_actions(bench.game, ADA) == []
    assert clues.to_convert(bench.game, ADA) == 1


@rule("DECIDE-61")
def test_missing_back_bars_nothing() -> None:
    back = insane_back("insane/mine", copies=0)
    bench = world(insane=[back])

    resolve(bench, steps.Become(interplay.INSANE))

    assert person(bench).is_insane
    assert powers.reason_barred(bench.game, ADA, ModifierKind.NO_TRADE) is None


# Component actions -------------------------------------------------------------------------


def performed(bench: Bench, position: int = 0) -> None:
    chosen = powers.component_actions(bench.game, ADA)[position]
    assert chosen.refused is None
    bench.run(component.perform(bench.game, ADA, chosen))


@rule("COMPONENT-1")
@rule("COMPONENT-2")
@rule("COMPONENT-4")
@rule("ACTION-4")
def test_card_gives_its_holder_the_action_that_it_describes() -> None:
    bench = world(
        at={ADA: "house/a", BEN: "house/a"},
        items=[item("item/book", action=ComponentAction(ONE_CLUE))],
    )
    given(bench, "item/book")

    performed(bench)

    assert person(bench).clues == 1
    assert powers.component_actions(bench.game, BEN) == []


@rule("COMPONENT-2")
def test_harm_and_ability_can_give_actions_too() -> None:
    splint = Powers(action=ComponentAction(ONE_CLUE))
    wound = attrs.evolve(keeps("damage/splint", Harm.DAMAGE), keep=splint)
    ada = investigator_card(ADA, ability=Powers(action=ComponentAction(ONE_CLUE)))
    bench = world(harms=[wound], investigators=[ada])

    resolve(bench, steps.Suffer(damage=Amount(1)))

    sources = [found.origin.source for found in powers.component_actions(bench.game, ADA)]
    assert sources == [ADA, "damage/splint"]


@rule("COMPONENT-1")
@rule("DISCARD-2")
def test_action_can_discard_the_card_that_gives_it() -> None:
    bandage = Powers(action=ComponentAction((steps.DiscardThis(),)))
    bench = world(harms=[attrs.evolve(keeps("damage/cut", Harm.DAMAGE), keep=bandage)])
    resolve(bench, steps.Suffer(damage=Amount(1)))

    performed(bench)

    assert bench.game_table.harm_count(ADA, Harm.DAMAGE) == 0


@rule("SPEND-1")
@rule("DISCARD-1")
def test_card_is_discarded_as_the_cost_before_its_effect() -> None:
    heal = ComponentAction((steps.Heal(damage=1),), discard=True)
    bench = world(items=[item("item/flask", action=heal)])
    given(bench, "item/flask")
    resolve(bench, steps.Suffer(damage=Amount(1)))

    performed(bench)

    assert items_of(bench) == []
    assert bench.game_table.harm_count(ADA, Harm.DAMAGE) == 0


@rule("SPEND-1")
@rule("DISCARD-1")
def test_condition_can_be_the_cost_of_its_own_action() -> None:
    focused = ConditionCard(
        "condition/focused", 1, Powers(action=ComponentAction(ONE_CLUE, discard=True))
    )
    bench = world(conditions=[focused])
    resolve(bench, steps.Become("condition/focused"))

    performed(bench)

    assert conditions_of(bench) == []
    assert bench.game_table.supply["condition/focused"] == 1
    assert person(bench).clues == 1


@rule("SPEND-1")
@rule("DISCARD-2")
def test_keep_faceup_card_can_be_the_cost_of_its_own_action() -> None:
    sling = keeps("damage/sling", Harm.DAMAGE)
    action = ComponentAction(ONE_CLUE, discard=True)
    bench = world(harms=[attrs.evolve(sling, keep=Powers(action=action))])
    resolve(bench, steps.Suffer(damage=Amount(1)))
    assert faceup(bench, Harm.DAMAGE) == ["damage/sling"]

    performed(bench)

    assert bench.game_table.harm_count(ADA, Harm.DAMAGE) == 0
    assert person(bench).clues == 1


@rule("COMPONENT-1")
@rule("DECIDE-29")
def test_action_once_in_a_round_is_refused_until_the_next() -> None:
    bench = able(action=ComponentAction(ONE_CLUE, once_per_round=True))

    performed(bench)

    (found,) = powers.component_actions(bench.game, ADA)
    assert found.refused == Text("refusal/used_this_round", (ADA,))
    assert len(bench.happened(PowerUsed)) == 1

    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))
    (found,) = powers.component_actions(bench.game, ADA)
    assert found.refused is None


@rule("COMPONENT-1")
@rule("TRAIT-3")
def test_action_asks_for_what_it_requires() -> None:
    """With one Clue of the two needed the action is refused."""
    bench = able(action=ComponentAction(ONE_CLUE, requires=HasClues(2)))
    bench.emit(CluesGained(ADA, 1))

    (found,) = powers.component_actions(bench.game, ADA)

    assert found.refused == Text("refusal/requirement")


@rule("SECRET-2")
def test_facedown_card_gives_nothing() -> None:
    wound = keeps("damage/cut", Harm.DAMAGE, dice(-1))
    bench = world(harms=[wound])

    resolve(bench, steps.Suffer(damage=Amount(1), facedown=True))

    assert powers.modifiers(bench.game, ADA) == ()


@rule("TEST-5")
@rule("MOVE-1")
@rule("ITEM-3")
def test_card_that_changes_one_thing_changes_no_other() -> None:
    kinds = (ModifierKind.DICE, ModifierKind.SPACES, ModifierKind.WEAPON_DAMAGE)
    found = {}
    for kind in kinds:
        game = able(modifiers=(Modifier(kind, 1),)).game
        dice_and_spaces = powers.dice(game, ADA, Skill.LORE), powers.spaces(game, ADA)
        found[kind] = (*dice_and_spaces, powers.weapon_damage(game, ADA, None))

    assert found == dict(zip(kinds, [(1, 0, 0), (0, 1, 0), (0, 0, 1)], strict=True))


@rule("DECIDE-29")
def test_what_a_card_limits_to_the_round_limits_nothing_else_on_it() -> None:
    """A used action leaves the reroll of the card available, and the other way round."""
    action, reroll = ComponentAction(ONE_CLUE), Reroll(once_per_round=False)
    limited = able(action=attrs.evolve(action, once_per_round=True), reroll=reroll)
    limited.emit(PowerUsed(ADA, ADA))
    assert len(powers.rerolls(limited.game, ADA, Skill.LORE)) == 1

    free = able(action=action, reroll=attrs.evolve(reroll, once_per_round=True))
    free.emit(PowerUsed(ADA, ADA))

    (found,) = powers.component_actions(free.game, ADA)
    assert found.refused is None


@rule("DECIDE-29")
def test_used_reroll_for_another_skill_is_not_looked_for() -> None:
    """A reroll for another skill could not be used in this test anyway."""
    bench = able(reroll=Reroll(skill=Skill.WILL))
    bench.emit(PowerUsed(ADA, ADA))

    assert powers.used_rerolls(bench.game, ADA, Skill.LORE) == ()
    assert len(powers.used_rerolls(bench.game, ADA, Skill.WILL)) == 1
