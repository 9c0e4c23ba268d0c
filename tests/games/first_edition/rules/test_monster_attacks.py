"""Attacks of monsters: section 14, K-DECIDE-47, 48 and 52, K-VAR-6 and K-VAR-7."""

from typing import Any

import attrs
import pytest

from content.games.first_edition.schema.cards import Modifier
from content.games.first_edition.schema.effects import Attack, SpecialAttack, Stun, Suffer
from content.games.first_edition.schema.effects import Test as Try
from content.games.first_edition.schema.targets import OfKind, Which
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep
from protocol.games.first_edition.words import (
    Attribute,
    FeatureKind,
    LowerUse,
    MonsterClass,
)
from protocol.games.first_edition.words import TestKind as Kind
from protocol.values import evolve
from server.games.first_edition.rules import (
    attacks,
    effects,
    monster_attacks,
    monster_moves,
    monsters,
    turn,
)
from server.games.first_edition.rules.monster_attacks import Reach
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.fights import deck, give, lower, offered, refused, weapon
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    MAN,
    RAT,
    SHADE,
    action_card,
    by_id,
    injury,
    item_card,
    monster_card,
    world,
)

rule = pytest.mark.rule
ATTACKS = KeeperStep.ATTACKS
STOP = "choice/no_attack"
BITE = lower(failed=(Suffer(damage=1),))
"""Half a card that bites without a test."""


def attacked(**parts: Any) -> Bench:
    """Return a bench in step 5, on which a rat shares Ada's space; its first card bites."""
    return world(
        **{
            "monsters_at": [(RAT, "house/a")],
            "step": ATTACKS,
            "combat": deck(BITE, BITE),
            **parts,
        }
    )


def run(bench: Bench, *answers: Any) -> None:
    """Run one procedure of step 5."""
    bench.run(monster_attacks.step(bench.game), *answers)


@rule("K-MATTACK-1", "K-MATTACK-4", "K-KEEPER-1")
def test_each_monster_with_somebody_in_reach_may_attack_once() -> None:
    bench = attacked(monsters_at=[(RAT, "house/a"), (MAN, "house/b")])

    run(bench, "choice/monster_attack")

    assert bench.happened(fe.MonsterAttacked) == [fe.MonsterAttacked("m1", ADA)]
    assert bench.who(ADA).damage == 1
    assert bench.game_table.step is ATTACKS
    run(bench)
    assert bench.game_table.step is KeeperStep.EVENT
    assert len(bench.asked) == 1


@rule("K-MATTACK-2")
def test_attacking_is_optional() -> None:
    bench = attacked(monsters_at=[(RAT, "house/a"), (MAN, "house/a")])
    bench.give_rolls(1)

    run(bench, "m2")
    run(bench, STOP)

    assert [one.monster for one in bench.happened(fe.MonsterAttacked)] == ["m2"]
    assert bench.game_table.step is KeeperStep.EVENT
    assert bench.asked[0].prompts[KIM].ending_places == (0,)


@rule("K-DECIDE-48")
def test_the_keeper_picks_the_order_of_monsters_and_their_targets() -> None:
    bench = attacked(people=(ADA, BEN), monsters_at=[(RAT, "house/a"), (MAN, "house/a")])
    bench.give_rolls(1)

    run(bench, lambda one: one.text.params == (MAN, BEN))
    run(bench, lambda one: one.text.params == (RAT, ADA))

    assert bench.happened(fe.MonsterAttacked) == [
        fe.MonsterAttacked("m2", BEN),
        fe.MonsterAttacked("m1", ADA),
    ]
    assert list(bench.asked[0].prompts) == [KIM]


@rule("K-MATTACK-3", "K-STUN-7", "K-STUN-1")
def test_a_stunned_monster_loses_one_token_in_place_of_its_attack() -> None:
    bench = attacked()
    bench.set_monster("m1", stun=2)

    run(bench)

    assert bench.asked == []
    assert bench.monster().stun == 1
    assert bench.game_table.step is KeeperStep.EVENT


@rule("K-MATTACK-3", "K-STUN-7")
def test_a_monster_that_loses_its_last_token_attacks_only_in_the_next_turn() -> None:
    bench = attacked(monsters_at=[(RAT, "house/a"), (MAN, "house/a")])
    bench.set_monster("m1", stun=1)
    bench.give_rolls(1)

    run(bench, "m2")
    run(bench)
    assert bench.monster(RAT).stun == 0
    assert bench.game_table.step is KeeperStep.EVENT

    bench.emit(fe.KeeperStepBegan(ATTACKS))
    run(bench, "m1")
    assert bench.happened(fe.MonsterAttacked)[-1].monster == "m1"


@rule("K-MATTACK-4", "K-DECIDE-52")
def test_cards_are_drawn_until_a_lower_half_is_against_an_investigator() -> None:
    bench = attacked(
        combat=deck(lower(LowerUse.HIDDEN), lower(LowerUse.BARRICADE), lower(failed=(Stun(),)))
    )

    run(bench, "m1")

    drawn = bench.happened(fe.CombatCardDrawn)
    assert [one.is_match for one in drawn] == [False, False, True]
    assert bench.who(ADA).stun == 1


@rule("K-MATTACK-6", "K-DECIDE-52")
def test_a_hidden_investigator_is_met_by_the_other_results() -> None:
    bench = attacked(
        combat=deck(BITE, lower(LowerUse.HIDDEN, failed=(Suffer(horror=1),))),
        features=[(FeatureKind.HIDING_SPOT, "house/a")],
    )
    bench.emit(fe.Hid(ADA, "f1"))

    run(bench, "m1")

    assert [one.card for one in bench.happened(fe.CombatCardDrawn)] == [
        "combat/beast-1",
        "combat/beast-2",
    ]
    assert (bench.who(ADA).damage, bench.who(ADA).horror) == (0, 1)


@rule("K-MATTACK-4", "K-DECIDE-55", "K-DARK-2")
@pytest.mark.parametrize(("roll", "damage"), [(1, 0), (2, 2)])
def test_the_test_of_the_lower_half_decides_and_is_in_combat(roll: int, damage: int) -> None:
    half = lower(attribute=Attribute.LORE, modifier=-2, failed=(Suffer(damage=2),))
    bench = attacked(combat=deck(half), features=[(FeatureKind.DARKNESS, "room/hall")])
    bench.give_rolls(roll)

    run(bench, "m1")

    (test,) = bench.happened(fe.TestDeclared)
    assert (test.attribute, test.value, test.kind) == (Attribute.LORE, 1, Kind.COMBAT)
    assert bench.who(ADA).damage == damage


@rule("K-MATTACK-7", "K-COMBAT-10")
def test_a_skill_point_may_be_spent_once_the_outcomes_are_known() -> None:
    half = lower(attribute=Attribute.LORE, failed=(Suffer(damage=2),))
    bench = attacked(combat=deck(half))
    bench.set(ADA, skill_points=1)
    bench.give_rolls(10)

    run(bench, "m1", "choice/spend_skill_point")

    ask = bench.asked[1]
    assert list(ask.prompts) == [1]
    assert ask.about == Text(
        "about/monster_attack_test", (ADA, RAT, Text("combat/beast-1", field="lower"))
    )
    order = [type(one) for one in bench.log]
    assert order.index(fe.CombatCardDrawn) < order.index(fe.TestPointSpent)
    assert bench.who(ADA).damage == 0


SNARLING = by_id(monster_card(RAT, MonsterClass.BEAST, Suffer(damage=2), Stun()))


@rule("K-MATTACK-5", "K-INFO-4", "K-MONSTER-8")
def test_a_special_attack_turns_the_back_up_and_is_resolved() -> None:
    bench = attacked(combat=deck(lower(special=True)), monsters=SNARLING)

    run(bench, "m1")

    order = [type(one) for one in bench.log]
    assert order.index(fe.MonsterBackShown) < order.index(fe.HarmTaken)
    assert (bench.who(ADA).damage, bench.who(ADA).stun) == (2, 1)
    assert len(bench.happened(fe.MonsterBackShown)) == 1


@rule("K-MATTACK-5", "K-INFO-4")
def test_a_special_attack_shows_the_back_even_if_it_hurts_nobody() -> None:
    harmless = by_id(monster_card(RAT, MonsterClass.BEAST, Stun()))
    bench = attacked(combat=deck(lower(special=True)), monsters=harmless)

    run(bench, "m1")

    assert [one.monster for one in bench.happened(fe.MonsterBackShown)] == ["m1"]


@rule("K-DECIDE-55", "K-MATTACK-7")
def test_a_test_of_a_special_attack_is_in_combat_and_its_text_is_read_before() -> None:
    clawing = Try(Attribute.DEXTERITY, failed=(Suffer(damage=2),))
    bench = attacked(
        combat=deck(lower(special=True)),
        monsters=by_id(monster_card(RAT, MonsterClass.BEAST, clawing)),
    )
    bench.set(ADA, skill_points=1)
    bench.give_rolls(10)

    run(bench, "m1", "choice/roll")

    (test,) = bench.happened(fe.TestDeclared)
    assert test.kind is Kind.COMBAT
    assert bench.asked[1].about == Text(
        "about/stakes_test", (ADA, "back/rat-1", Text("back/rat-1"))
    )


@rule("K-INFO-4")
@pytest.mark.parametrize(("effect", "shown"), [(Suffer(damage=1), 1), (Suffer(horror=1), 0)])
def test_damage_of_a_monster_shows_its_back_and_horror_does_not(effect: Suffer, shown: int) -> None:
    bench = attacked(combat=deck(lower(failed=(effect,))))

    run(bench, "m1")

    assert len(bench.happened(fe.MonsterBackShown)) == shown


@rule("K-INFO-4")
def test_a_back_is_shown_once() -> None:
    bench = attacked()

    run(bench, "m1")
    bench.emit(fe.KeeperStepBegan(ATTACKS))
    run(bench, "m1")

    assert bench.who(ADA).damage == 2
    assert len(bench.happened(fe.MonsterBackShown)) == 1


@rule("K-CARD-14", "K-INFO-4")
def test_armour_takes_off_the_damage_of_monsters_alone() -> None:
    coat = item_card("coat", modifiers=(Modifier(armour=1),))
    bench = attacked(items=by_id(coat))
    give(bench, coat.id)

    run(bench, "m1")
    assert bench.who(ADA).damage == 0
    assert not bench.happened(fe.MonsterBackShown)

    bench.run(effects.resolve(bench.game, (Suffer(damage=1),), Source("mythos/any", ADA)))
    assert bench.who(ADA).damage == 1


@rule("K-TRAUMA-3", "K-DECIDE-17")
def test_in_step_5_the_keeper_is_simply_asked_for_a_trauma_card() -> None:
    bench = attacked(trauma=[injury("limp")])

    run(bench, "m1", "injury/limp")

    assert bench.who(ADA).injury == "injury/limp"
    assert bench.game_table.triggers == ()


@rule("K-DECIDE-47", "K-EX-30")
@pytest.mark.parametrize(("reach", "possible"), [(Reach.SPACE, False), (Reach.ROOM, True)])
def test_a_monster_on_the_other_side_of_a_white_line(
    reach: Reach,
    possible: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if reach is not Reach.SPACE:
        monkeypatch.setattr(monster_attacks, "MONSTER_ATTACK_REACH", reach)
    bench = attacked(monsters_at=[(RAT, "house/b"), (MAN, "house/c")])

    run(bench, *(["m1"] if possible else []))

    assert bool(bench.happened(fe.MonsterAttacked)) is possible
    assert "m2" not in repr([ask.prompts for ask in bench.asked])


@rule("K-EX-30", "K-DECIDE-25", "K-MATTACK-1")
def test_led_across_the_line_a_monster_frightens_nobody_and_attacks() -> None:
    walk = action_card("walk")
    bench = attacked(
        monsters_at=[(RAT, "house/b")], actions=[walk], threat=2, step=KeeperStep.ACTIONS
    )
    bench.emit(fe.KeeperActed(walk.id))
    bench.run(monster_moves.lead(bench.game, ["m1"], 1, 1, Source(walk.id)), "house/a")
    assert not bench.happened(fe.TestDeclared)
    bench.emit(fe.KeeperStepBegan(ATTACKS))

    run(bench, "m1")
    run(bench)

    assert len(bench.happened(fe.MonsterAttacked)) == 1
    assert bench.game_table.threat == 1


@rule("K-EX-30", "K-COMBAT-2", "K-COMBAT-7", "K-EVADE-1")
def test_from_across_the_line_only_a_shot_reaches_it_and_nothing_holds() -> None:
    bench = world(monsters_at=[(RAT, "house/b")], items=by_id(weapon("bow", range_=1)))
    give(bench, "item/bow")

    found = attacks.offers(bench.game, ADA)
    assert offered(found) == ["choice/attack_with m1"]
    assert refused(found) == [("choice/attack_unarmed", "refusal/not_in_space", "K-COMBAT-2")]

    bench.run(turn.take_step(bench.game), "house/b")
    assert not bench.happened(fe.TestDeclared)


def with_points(bench: Bench, points: int) -> Bench:
    """Return the bench with skill points of the monsters."""
    bench.table = bench.with_game(evolve(bench.game_table, keeper_skill_points=points))
    return bench


@rule("K-VAR-6", "K-VAR-7", "K-VAR-3")
def test_for_a_skill_point_a_monster_makes_its_special_attack_and_no_card_is_drawn() -> None:
    bench = with_points(attacked(monsters=SNARLING), 1)

    run(bench, "choice/special_attack")

    assert not bench.happened(fe.CombatCardDrawn)
    assert bench.who(ADA).stun == 1
    assert bench.game_table.keeper_skill_points == 0
    order = [type(one) for one in bench.log]
    assert order.index(fe.RollForced) < order.index(fe.MonsterBackShown)


@rule("K-VAR-6")
@pytest.mark.parametrize(("points", "options"), [(0, 2), (2, 3)])
def test_without_skill_points_the_keeper_cannot_choose_it(points: int, options: int) -> None:
    bench = with_points(attacked(monsters=SNARLING), points)

    run(bench, "choice/monster_attack")

    assert len(bench.asked[0].prompts[KIM].options) == options
    assert bench.game_table.keeper_skill_points == points


@rule("K-MATTACK-1", "K-CARD-4")
def test_an_effect_can_have_monsters_attack_at_once() -> None:
    bench = world(
        monsters_at=[(RAT, "house/a"), (MAN, "house/a"), (SHADE, "house/b")], combat=deck(BITE)
    )
    source = Source("mythos/any", ADA)

    bench.run(effects.resolve(bench.game, (Attack(OfKind(RAT)),), source), "m1")
    assert bench.who(ADA).damage == 1
    assert "m2" not in repr(bench.asked[0].prompts)

    bench.give_rolls(1, 1)
    bench.run(effects.resolve(bench.game, (Attack(Which.ALL, 0),), source), "m2", "m1")
    assert [one.monster for one in bench.happened(fe.MonsterAttacked)] == ["m1", "m2", "m1"]


@rule("K-MATTACK-2", "K-STUN-7")
def test_in_an_effect_too_attacks_are_optional_and_not_for_stunned_monsters() -> None:
    bench = world(monsters_at=[(RAT, "house/a"), (MAN, "house/a")])
    bench.set_monster("m2", stun=1)
    source = Source("mythos/any", ADA)

    bench.run(effects.resolve(bench.game, (Attack(Which.ALL, 2),), source), STOP)

    assert "m2" not in repr(bench.asked[0].prompts)
    assert not bench.happened(fe.MonsterAttacked)
    assert bench.monster(MAN).stun == 1


@rule("K-MATTACK-5", "K-STUN-7")
@pytest.mark.parametrize(("stun", "shown"), [(0, 1), (1, 0)])
def test_an_effect_can_ask_for_the_special_attack_of_its_monster(stun: int, shown: int) -> None:
    bench = world(monsters_at=[(RAT, "house/a")], monsters=SNARLING)
    bench.set_monster("m1", stun=stun)

    bench.run(effects.resolve(bench.game, (SpecialAttack(),), Source("mythos/any", ADA, "m1")))

    assert len(bench.happened(fe.MonsterBackShown)) == shown
    assert bench.who(ADA).stun == shown


@rule("K-VAR-6", "K-TRAUMA-3")
def test_the_keeper_may_play_an_injury_on_a_special_attack_that_was_paid_for() -> None:
    bench = with_points(attacked(monsters=SNARLING, trauma=[injury("limp")]), 1)

    run(bench, "choice/special_attack", "injury/limp")

    assert bench.who(ADA).injury == "injury/limp"


@rule("K-DECIDE-55", "K-MATTACK-4")
def test_a_test_in_the_result_of_a_lower_half_is_in_combat() -> None:
    bench = attacked(combat=deck(lower(failed=(Try(Attribute.LORE),))))
    bench.give_rolls(1)

    run(bench, "m1")

    (test,) = bench.happened(fe.TestDeclared)
    assert (test.kind, test.about.params[-1]) == (
        Kind.COMBAT,
        Text("combat/beast-1", field="lower"),
    )


@rule("K-MATTACK-5", "K-MONSTER-8", "K-CARD-14")
def test_the_special_attack_is_that_of_the_monsters_own_token_and_armour_helps() -> None:
    card = monster_card(RAT, MonsterClass.BEAST, Stun())
    first, second = card.backs
    backs = (first, attrs.evolve(second, special=(Suffer(damage=3),)))
    coat = item_card("coat", modifiers=(Modifier(armour=1),))
    bench = attacked(
        monsters_at=[],
        monsters=by_id(attrs.evolve(card, backs=backs)),
        combat=deck(lower(special=True)),
        items=by_id(coat),
    )
    give(bench, coat.id)
    bench.give_picks(1)
    monsters.put(bench.game, RAT, "house/a")

    run(bench, "m1")

    assert (bench.who(ADA).damage, bench.who(ADA).stun) == (2, 0)
    assert bench.happened(fe.MonsterBackShown)[0].card == "back/rat-2"
