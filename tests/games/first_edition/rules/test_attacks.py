"""Attacks of investigators, and the combat cards that are drawn for them: section 16."""

from typing import Any

import attrs
import pytest

from content.games.first_edition.schema.cards import (
    CardAction,
    Doing,
    Modifier,
    Trigger,
    UpperHalf,
)
from content.games.first_edition.schema.effects import PlaceMonster, Strike, Stun, Suffer
from content.games.first_edition.schema.effects import Test as Try
from content.games.first_edition.schema.story import LaidTile
from protocol.common.events import Shuffled
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import MYTHOS_HAND
from protocol.games.first_edition.words import AttackKind, Attribute, FeatureKind, Keyword, LowerUse
from protocol.games.first_edition.words import TestKind as Kind
from server.games.first_edition.rules import attacks, combat, effects, mythos, turn
from server.games.first_edition.rules.play import Source
from server.kernel.asks import Option
from server.rulekit.offers import Offers
from tests.games.first_edition.rules.fights import (
    BEAST,
    BLADED,
    BLUNT,
    HUMANOID,
    RANGED,
    UNARMED,
    deck,
    give,
    lower,
    offered,
    refused,
    upper,
    weapon,
)
from tests.games.first_edition.rules.worlds import (
    ADA,
    HALL,
    MAN,
    RAT,
    SHADE,
    by_id,
    injury,
    item_card,
    mythos_card,
    world,
)

rule = pytest.mark.rule
KNIFE, CLUB = weapon("knife"), weapon("club", BLUNT)
BOW = weapon("bow", RANGED, 1)
BURN = CardAction("item/oil", (Strike(2),), attack=True, discard=True)
OIL = attrs.evolve(weapon("oil", BLUNT, 1), actions=(BURN,))
ITEMS = by_id(KNIFE, CLUB, BOW)
LAMP = item_card("lamp", keywords=(Keyword.LANTERN,))
AIM = UpperHalf(RANGED, Attribute.MARKSMANSHIP)
LONG = """
+-----+-----+-----+
|  a  :  b  :  c  |
+-----+-----+-----+
"""


@rule("K-COMBAT-1", "K-COMBAT-2")
def test_each_weapon_and_bare_hands_are_offered_against_a_monster_in_the_space() -> None:
    bench = world(monsters_at=[(RAT, "house/a")], items={**ITEMS, **by_id(item_card("book"))})
    give(bench, "item/knife", "item/book", "item/bow")

    found = attacks.offers(bench.game, ADA)

    assert offered(found) == [
        "choice/attack_unarmed m1",
        "choice/attack_with m1",
        "choice/attack_with m1",
    ]
    assert [one.text.params[-1] for one in found.options] == [RAT, "item/knife", "item/bow"]


@rule("K-COMBAT-1")
def test_an_attack_names_weapon_and_target_and_takes_the_action() -> None:
    bench = world(monsters_at=[(RAT, "house/a"), (MAN, "house/a")], items=ITEMS)
    give(bench, "item/knife")
    bench.give_rolls(10)

    bench.run(
        turn.take_step(bench.game), lambda one: "m2" in repr(one.points) and "knife" in repr(one)
    )

    assert bench.happened(fe.Attacked) == [fe.Attacked(ADA, "m2", "item/knife")]
    assert not bench.game_table.has_action


@rule("K-COMBAT-2", "K-DECIDE-50", "K-EX-30")
def test_hands_and_blades_reach_the_own_space_alone() -> None:
    bench = world(monsters_at=[(RAT, "house/b"), (MAN, "house/c")], items=ITEMS)
    give(bench, "item/knife")

    found = attacks.offers(bench.game, ADA)

    assert offered(found) == []
    assert refused(found) == [
        ("choice/attack_unarmed", "refusal/not_in_space", "K-COMBAT-2"),
        ("choice/attack_with", "refusal/not_in_space", "K-DECIDE-50"),
    ]


@rule("K-DECIDE-50")
def test_a_blade_reaches_farther_if_its_card_says_so() -> None:
    bench = world(monsters_at=[(RAT, "house/b")], items=by_id(weapon("pike", BLADED, 1)))
    give(bench, "item/pike")

    assert offered(attacks.offers(bench.game, ADA)) == ["choice/attack_with m1"]


@rule("K-COMBAT-7", "K-EX-30", "K-DECIDE-53")
def test_an_adjacent_space_is_at_range_1_and_the_own_one_at_range_0() -> None:
    bench = world(monsters_at=[(RAT, "house/b"), (MAN, "house/a")], items=ITEMS)
    give(bench, "item/bow")

    found = attacks.offers(bench.game, ADA)

    assert "choice/attack_with m1" in offered(found)
    assert "choice/attack_with m2" in offered(found)


@rule("K-COMBAT-7")
def test_a_target_out_of_range_is_refused() -> None:
    hall = dict.fromkeys("abc", HALL)
    bench = world(
        monsters_at=[(RAT, "house/c")],
        items=ITEMS,
        story={"tiles": (LaidTile("house", 0, 0, LONG.strip("\n"), hall),)},
    )
    give(bench, "item/bow")

    found = attacks.offers(bench.game, ADA)

    assert ("choice/attack_with", "refusal/not_in_range", "K-COMBAT-7") in refused(found)
    assert found.refused[-1].reason == Text("refusal/not_in_range", (1,))


@rule("K-COMBAT-8", "K-COMBAT-9")
def test_a_target_behind_a_door_is_refused_for_want_of_sight() -> None:
    bench = world(
        at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")], items=by_id(weapon("gun", RANGED, 9))
    )
    give(bench, "item/gun")

    found = attacks.offers(bench.game, ADA)

    assert offered(found) == []
    assert refused(found) == [("choice/attack_with", "refusal/not_in_sight", "K-COMBAT-8")]


@rule("K-ACT-1")
def test_a_second_attack_is_refused_in_the_same_turn() -> None:
    bench = world(monsters_at=[(RAT, "house/a")])
    bench.emit(fe.ActionTaken(ADA, "run"))

    found = attacks.offers(bench.game, ADA)

    assert (offered(found), refused(found)) == (
        [],
        [("choice/attack", "refusal/no_action", "K-ACT-1")],
    )


@rule("K-HIDE-3")
def test_a_hidden_investigator_cannot_attack() -> None:
    bench = world(monsters_at=[(RAT, "house/a")], features=[(FeatureKind.HIDING_SPOT, "house/a")])
    bench.emit(fe.Hid(ADA, "f1"))

    found = attacks.offers(bench.game, ADA)

    assert offered(found) == []
    assert refused(found) == [("choice/attack", "refusal/hidden", "K-HIDE-3")]


@rule("K-CARD-5")
def test_a_trauma_card_can_forbid_attacks() -> None:
    frozen = injury("frozen", modifiers=(Modifier(forbids=(Doing.ATTACK,)),))
    bench = world(monsters_at=[(RAT, "house/a")], in_decks={"traumas": [frozen]})
    bench.set(ADA, injury=frozen.id)

    found = attacks.offers(bench.game, ADA)

    assert offered(found) == []
    assert refused(found) == [("choice/attack", "refusal/by_card", "K-CARD-5")]


@rule("K-COMBAT-1")
def test_without_a_monster_nothing_is_said_of_attacks() -> None:
    bench = world(items=by_id(OIL))
    give(bench, OIL.id)
    bench.emit(fe.ActionTaken(ADA, "run"))

    assert attacks.offers(bench.game, ADA) == Offers()


@rule("K-COMBAT-3")
@pytest.mark.parametrize("kind", [RAT, MAN, SHADE])
def test_the_card_comes_from_the_deck_of_the_targets_class(kind: str) -> None:
    bench = world(monsters_at=[(kind, "house/a")])
    bench.give_rolls(10)

    bench.run(attacks.attack(bench.game, ADA, "m1", None))

    (drawn,) = bench.happened(fe.CombatCardDrawn)
    assert drawn.class_ is bench.monster(kind).class_


@rule("K-COMBAT-4", "K-COMBAT-6", "K-DECIDE-49", "K-INFO-1")
@pytest.mark.parametrize(
    ("item", "kind"),
    [(None, UNARMED), ("item/knife", BLADED), ("item/club", BLUNT), ("item/bow", RANGED)],
)
def test_cards_are_drawn_in_public_until_the_kind_of_attack_matches(
    item: str | None, kind: AttackKind
) -> None:
    bench = world(monsters_at=[(RAT, "house/a")], items=ITEMS)
    if item:
        give(bench, item)
    bench.give_rolls(5)

    held = bench.who(ADA).items[0] if item else None
    bench.run(attacks.attack(bench.game, ADA, "m1", held))

    drawn = bench.happened(fe.CombatCardDrawn)
    cards = bench.game.content.pack.combat
    assert [one.is_match for one in drawn] == [False] * (len(drawn) - 1) + [True]
    assert cards[drawn[-1].card].upper.kind is kind
    assert all(cards[one.card].upper.kind is not kind for one in drawn[:-1])
    assert len(bench.happened(fe.TestDeclared)) == 1


@rule("K-COMBAT-5", "K-COMBAT-6")
def test_only_the_upper_half_of_the_matching_card_is_resolved() -> None:
    cards = deck(upper(BLADED, passed=(Suffer(damage=3),)), upper(UNARMED, failed=(Stun(),)))
    bench = world(monsters_at=[(RAT, "house/a")], combat=cards)
    bench.give_rolls(9)

    bench.run(attacks.attack(bench.game, ADA, "m1", None))

    assert (bench.who(ADA).damage, bench.who(ADA).stun) == (0, 1)
    assert bench.monster().damage == 0


@rule("K-DECIDE-51", "K-SECRET-23")
def test_skipped_cards_lie_face_up_on_the_discard_pile() -> None:
    bench = world(monsters_at=[(RAT, "house/a")], combat=deck(upper(BLADED), upper(UNARMED)))
    bench.give_rolls(10)

    bench.run(attacks.attack(bench.game, ADA, "m1", None))

    assert bench.game_table.discards["deck/combat-beast"] == ("combat/beast-1", "combat/beast-2")


@rule("K-DECIDE-51", "K-SUPPLY-1")
def test_an_empty_deck_is_shuffled_anew_and_the_search_goes_on() -> None:
    bench = world(monsters_at=[(RAT, "house/a")])
    # The eighth and last card of the deck is ranged, the first unarmed.
    combat.draw_upper(bench.game, BEAST, RANGED)
    combat.draw_upper(bench.game, BEAST, BLUNT)
    bench.log.clear()

    combat.draw_upper(bench.game, BEAST, UNARMED)

    assert len(bench.happened(Shuffled)) == 1
    assert [one.card for one in bench.happened(fe.CombatCardDrawn)] == [
        "combat/beast-8",
        "combat/beast-1",
    ]


@rule("K-DECIDE-51")
def test_the_deck_is_shuffled_once_within_a_search() -> None:
    blades = deck(*[upper(BLADED)] * 8)
    bench = world(monsters_at=[(RAT, "house/a")], combat=blades)

    with pytest.raises(LookupError):
        combat.draw_upper(bench.game, BEAST, UNARMED)

    assert len(bench.happened(Shuffled)) == 1


@rule("K-COMBAT-10", "K-TEST-4")
def test_the_outcomes_are_read_before_a_skill_point_is_spent() -> None:
    bench = world(monsters_at=[(RAT, "house/a")], combat=deck(upper(UNARMED)))
    bench.set(ADA, skill_points=1)
    bench.give_rolls(8)

    bench.run(attacks.attack(bench.game, ADA, "m1", None), "choice/spend_skill_point")

    (ask,) = bench.asked
    assert ask.about == Text("about/attack_test", (ADA, RAT, Text("combat/beast-1", field="upper")))
    order = [type(one) for one in bench.log]
    assert order.index(fe.CombatCardDrawn) < order.index(fe.TestPointSpent)
    assert bench.monster().damage == 1


@rule("K-MONSTER-1", "K-COMBAT-5")
def test_a_strike_adds_the_bonus_of_the_weapon() -> None:
    bench = world(
        monsters_at=[(RAT, "house/a")],
        items=by_id(weapon("saw", BLADED, damage=1)),
        combat=deck(upper(BLADED, 1)),
    )
    give(bench, "item/saw")
    bench.give_rolls(5)

    bench.run(attacks.attack(bench.game, ADA, "m1", bench.who(ADA).items[0]))

    assert bench.happened(fe.MonsterHurt) == [fe.MonsterHurt("m1", 2)]


@rule("K-CARD-14", "K-MONSTER-1")
def test_abilities_add_to_the_damage_of_every_attack() -> None:
    ring = item_card("ring", modifiers=(Modifier(weapon_damage=1),))
    bench = world(monsters_at=[(RAT, "house/a")], items=by_id(ring), combat=deck(upper(UNARMED, 1)))
    give(bench, "item/ring")
    bench.give_rolls(5)

    bench.run(attacks.attack(bench.game, ADA, "m1", None))

    assert bench.happened(fe.MonsterHurt) == [fe.MonsterHurt("m1", 2)]


@rule("K-CARD-8")
def test_a_weapon_is_used_up_by_its_last_attack() -> None:
    bench = world(monsters_at=[(RAT, "house/a")], items=by_id(weapon("flask", BLUNT, uses=2)))
    give(bench, "item/flask")
    bench.give_rolls(10, 10)

    bench.run(attacks.attack(bench.game, ADA, "m1", bench.who(ADA).items[0]))
    (left,) = bench.who(ADA).items
    assert left.weapon is not None
    assert left.weapon.uses == 1

    bench.run(attacks.attack(bench.game, ADA, "m1", left))
    assert bench.who(ADA).items == ()
    assert bench.game_table.spent_items == ("item/flask",)


@rule("K-CARD-8")
def test_nobody_who_dies_in_the_last_use_of_a_weapon_leaves_it() -> None:
    bench = world(
        monsters_at=[(RAT, "house/a")],
        items=by_id(weapon("flask", BLUNT, uses=1)),
        combat=deck(upper(BLUNT, failed=(Suffer(damage=9),))),
    )
    give(bench, "item/flask")
    bench.give_rolls(10)

    bench.run(attacks.attack(bench.game, ADA, "m1", bench.who(ADA).items[0]))

    assert bench.game_table.deaths == 1
    assert not any(bench.game_table.lying.values())


@rule("K-EVADE-3", "K-EX-3")
def test_attacking_needs_no_evade_test() -> None:
    bench = world(monsters_at=[(RAT, "house/a")])
    bench.give_rolls(10)

    bench.run(turn.take_step(bench.game), "attack_unarmed")

    assert [one.kind for one in bench.happened(fe.TestDeclared)] == [Kind.COMBAT]
    assert not bench.happened(fe.Evaded)


@rule("K-DARK-2", "K-DARK-3", "K-DECIDE-55", "K-EX-6")
def test_stun_and_darkness_add_up_on_an_attack() -> None:
    bench = world(
        monsters_at=[(MAN, "house/a")],
        features=[(FeatureKind.DARKNESS, "room/hall")],
        items=by_id(BOW, LAMP),
        combat=deck(AIM, AIM, class_=HUMANOID),
    )
    give(bench, "item/bow")
    seven = {**bench.who(ADA).attributes, Attribute.MARKSMANSHIP: 7}
    bench.set(ADA, stun=3, attributes=seven)
    bench.give_rolls(4, 4)

    bench.run(attacks.attack(bench.game, ADA, "m1", bench.who(ADA).items[0]))
    give(bench, "item/lamp")
    bench.run(attacks.attack(bench.game, ADA, "m1", bench.who(ADA).items[0]))

    assert [one.value for one in bench.happened(fe.TestDeclared)] == [3, 5]
    assert [one.is_passed for one in bench.happened(fe.TestEnded)] == [False, True]


@rule("K-DECIDE-55", "K-DARK-2")
def test_a_test_that_a_combat_card_asks_for_is_a_test_in_combat() -> None:
    again = Try(Attribute.DEXTERITY, passed=(Stun(),))
    bench = world(
        monsters_at=[(RAT, "house/a")],
        features=[(FeatureKind.DARKNESS, "room/hall")],
        combat=deck(upper(UNARMED, failed=(again,))),
    )
    bench.give_rolls(10, 3)

    bench.run(attacks.attack(bench.game, ADA, "m1", None))

    first, second = bench.happened(fe.TestDeclared)
    assert (first.value, second.value) == (3, 3)
    assert second.kind is Kind.COMBAT
    assert second.about.params[-1] == Text("combat/beast-1", field="upper")
    assert bench.who(ADA).stun == 1


@rule("K-DECIDE-55", "K-DARK-2")
def test_darkness_lowers_no_test_outside_of_combat() -> None:
    bench = world(features=[(FeatureKind.DARKNESS, "room/hall")])
    bench.give_rolls(5)

    bench.run(effects.resolve(bench.game, (Try(Attribute.STRENGTH),), Source("mythos/any", ADA)))

    (declared,) = bench.happened(fe.TestDeclared)
    assert (declared.value, declared.kind) == (5, Kind.CARD)


@rule("K-INFO-4")
def test_a_monster_that_hurts_its_attacker_shows_its_back() -> None:
    bench = world(
        monsters_at=[(RAT, "house/a")], combat=deck(upper(UNARMED, failed=(Suffer(damage=1),)))
    )
    bench.give_rolls(10)

    bench.run(attacks.attack(bench.game, ADA, "m1", None))

    (shown,) = bench.happened(fe.MonsterBackShown)
    assert (shown.card, shown.back.health) == ("back/rat-1", 3)


@rule("K-COMBAT-5")
def test_lower_halves_do_not_matter_to_an_attacker() -> None:
    bench = world(
        monsters_at=[(RAT, "house/a")], combat=deck(lower(LowerUse.BARRICADE), upper(UNARMED))
    )
    bench.give_rolls(10)

    bench.run(attacks.attack(bench.game, ADA, "m1", None))

    assert [one.card for one in bench.happened(fe.CombatCardDrawn)][-1] == "combat/beast-2"


@rule("K-ACT-3", "K-COMBAT-1", "K-EVADE-3", "K-DECIDE-49")
def test_a_printed_attack_is_an_attack_and_draws_no_combat_card() -> None:
    bench = world(monsters_at=[(RAT, "house/b"), (MAN, "house/a")], items=by_id(OIL))
    give(bench, OIL.id)

    bench.run(turn.take_step(bench.game), lambda one: by_card(one) and "m1" in repr(one.points))

    assert bench.happened(fe.Attacked) == [fe.Attacked(ADA, "m1", OIL.id)]
    assert bench.happened(fe.ActionTaken) == [fe.ActionTaken(ADA, "attack")]
    assert bench.monster(RAT).damage == 2
    assert bench.who(ADA).items == ()
    assert not bench.happened(fe.CombatCardDrawn)
    assert not bench.happened(fe.Evaded)


def by_card(option: Option[Any]) -> bool:
    return option.text.subject == "choice/attack_by"


@rule("K-ACT-3", "K-DECIDE-50")
def test_a_printed_attack_reaches_the_own_space_or_as_far_as_its_weapon() -> None:
    gem = item_card("gem", actions=(CardAction("item/gem", (Strike(1),), attack=True),))
    horn = item_card("horn", actions=(CardAction("item/horn", (Strike(1),)),))
    bench = world(monsters_at=[(RAT, "house/b")], items=by_id(OIL, gem, horn))
    give(bench, OIL.id, gem.id, horn.id)

    found = attacks.offers(bench.game, ADA)

    assert [one.text.params[1] for one in found.options if by_card(one)] == [
        Text("choice/use_card", (OIL.id,))
    ]
    assert ("choice/attack_by", "refusal/not_in_space", "K-DECIDE-50") in refused(found)


@rule("K-ACT-3", "K-DECIDE-89")
def test_a_printed_attack_that_cannot_be_paid_is_refused() -> None:
    costly = item_card(
        "eye", actions=(CardAction("item/eye", (Strike(1),), attack=True, horror=2),)
    )
    bench = world(monsters_at=[(RAT, "house/a")], items=by_id(costly))
    give(bench, costly.id)
    bench.set(ADA, horror=5)

    found = attacks.offers(bench.game, ADA)

    assert offered(found) == ["choice/attack_unarmed m1"]
    assert [one.rule for one in found.refused] == ["K-DECIDE-89"]


@rule("K-DECIDE-55", "K-ACT-3")
def test_a_test_of_a_printed_attack_is_in_combat() -> None:
    trial = CardAction("item/gem", (Try(Attribute.LORE),), attack=True)
    bench = world(monsters_at=[(RAT, "house/a")], items=by_id(item_card("gem", actions=(trial,))))
    give(bench, "item/gem")
    bench.give_rolls(1)

    bench.run(turn.take_step(bench.game), by_card)

    (test,) = bench.happened(fe.TestDeclared)
    assert (test.kind, test.about.params[-1]) == (Kind.COMBAT, Text("item/gem"))


@rule("K-DECIDE-89", "K-ACT-3")
def test_a_cost_in_damage_may_kill_and_then_nobody_is_struck() -> None:
    blood = CardAction("item/gem", (Strike(9),), attack=True, damage=2)
    bench = world(monsters_at=[(RAT, "house/a")], items=by_id(item_card("gem", actions=(blood,))))
    give(bench, "item/gem")
    bench.set(ADA, damage=6)

    bench.run(turn.take_step(bench.game), by_card)

    assert bench.game_table.deaths == 1
    assert bench.monster().damage == 0


@rule("K-ACT-3", "K-DECIDE-70")
def test_whoever_attacks_by_a_card_chooses_and_turns_up_what_waits_for_an_attack() -> None:
    push = CardAction("item/gem", (PlaceMonster(MAN, HALL),), attack=True)
    curse = mythos_card("curse", Suffer(horror=1), face_down=Trigger.ATTACKED)
    bench = world(
        monsters_at=[(RAT, "house/a")],
        items=by_id(item_card("gem", actions=(push,))),
        mythos=[curse],
    )
    give(bench, "item/gem")
    (handle,) = bench.hand(MYTHOS_HAND).values()
    bench.run(mythos.play_card(bench.game, ADA, handle))
    bench.give_rolls(1)

    bench.run(turn.take_step(bench.game), by_card, "house/b")

    assert list(bench.asked[-1].prompts) == [1]
    assert bench.who(ADA).horror == 1


@rule("K-DECIDE-70")
def test_an_attack_turns_up_the_card_that_waits_for_it_when_it_is_over() -> None:
    curse = mythos_card("curse", Suffer(horror=1), face_down=Trigger.ATTACKED)
    bench = world(monsters_at=[(RAT, "house/a")], mythos=[curse])
    (handle,) = bench.hand(MYTHOS_HAND).values()
    bench.run(mythos.play_card(bench.game, ADA, handle))
    bench.give_rolls(1)

    bench.run(attacks.attack(bench.game, ADA, "m1", None))

    order = [type(one) for one in bench.log]
    assert order.index(fe.MonsterHurt) < order.index(fe.FaceDownTurned)
    assert bench.who(ADA).horror == 1
