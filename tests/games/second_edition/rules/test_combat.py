"""Attack action, and damage to monsters."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.schema.cards import (
    Attack,
    ItemCard,
    Modifier,
    ModifierKind,
    Powers,
    Reach,
    WeaponKind,
)
from content.games.second_edition.schema.effects import (
    Amount,
    DamageMonster,
    GainClues,
    Say,
    SkillTest,
    Spawn,
    Suffer,
)
from content.games.second_edition.schema.scenario import Moment, Trigger
from protocol.games.second_edition.events import (
    ActionSpent,
    MonsterDamaged,
    MonsterDiscarded,
    TestFinished,
    Told,
)
from protocol.games.second_edition.table import Monster, Skill
from server.games.second_edition.rules import monsters
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    RAT,
    ROW,
    entry,
    investigator_card,
    monster_card,
    offered,
    proceed,
    refused,
    spawned,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolve

CROWBAR = ItemCard("item/crowbar", "common", attack=Attack(Reach.MELEE, WeaponKind.HEAVY, 2))
PISTOL = ItemCard("item/pistol", "common", attack=Attack(Reach.RANGED, WeaponKind.FIREARM, 3))
CANDLE = ItemCard("item/candle", "common")
ITEMS = (CROWBAR, PISTOL, CANDLE)


def fight(at: str = "house/a", *items: str, **parts: Any) -> Bench:
    """Return a bench with Ada armed in `house/a` of a row, and a monster somewhere."""
    parts.setdefault("monsters", [(DROWNED, at)])
    return world(tiles=[tile(ROW)], items=ITEMS, has={ADA: list(items)}, **parts)


def attacks(bench: Bench) -> list[str]:
    return [choice for choice in offered(bench) if "attack" in choice]


def struck(kind: WeaponKind, *steps: Any, **changes: Any) -> Any:
    """Return a monster whose answer to one kind of attack is this effect."""
    card = monster_card(**changes)
    return attrs.evolve(card, attacks={**card.attacks, kind: (entry(*steps),)})


@pytest.mark.rule("ATTACK-2")
@pytest.mark.rule("ATTACK-5")
@pytest.mark.rule("ATTACK-8")
@pytest.mark.rule("ATTACK-10")
@pytest.mark.rule("ATTACK-11")
@pytest.mark.rule("ATTACK-13")
@pytest.mark.rule("ITEM-3")
@pytest.mark.rule("EX-1")
def test_carson_strikes_a_deep_one_with_a_crowbar() -> None:
    """Weapon damage 2 and result 2 make 4 damage, for one action without an evade check."""
    blow = SkillTest(
        Skill.STRENGTH,
        difficulty=Amount(2),
        passed=(DamageMonster(weapon=True, successes=True),),
    )
    deep_one = struck(WeaponKind.HEAVY, blow, health=Amount(5))
    bench = fight("house/a", "item/crowbar", monster_cards=[deep_one])
    bench.give_dice("SSB")

    proceed(bench, "attack_with")

    assert bench.happened(TestFinished) == [TestFinished(ADA, 2, is_passed=True)]
    assert bench.happened(MonsterDamaged) == [MonsterDamaged("m1", 4)]
    assert bench.happened(ActionSpent) == [ActionSpent(ADA, "attack")]
    assert [e.text.subject for e in bench.happened(Told)] == ["text/entry"]


@pytest.mark.rule("ATTACK-3")
@pytest.mark.rule("ATTACK-4")
@pytest.mark.rule("ATTACK-9")
@pytest.mark.rule("DECIDE-47")
@pytest.mark.rule("DECIDE-9")
def test_attack_types_are_the_cards_with_an_icon_and_bare_hands() -> None:
    """A candle is no weapon. Each type is offered together with its target."""
    bench = fight("house/a", "item/crowbar", "item/pistol", "item/candle")

    assert attacks(bench) == [
        "choice/attack_with m1 p1",
        "choice/attack_with m1 p2",
        "choice/attack_unarmed m1",
    ]


@pytest.mark.rule("DECIDE-47")
@pytest.mark.rule("ATTACK-9")
@pytest.mark.parametrize(
    ("choice", "text"),
    [("p1", "text/attack_heavy"), ("p2", "text/attack_firearm"), (2, "text/attack_unarmed")],
)
def test_the_option_is_the_one_of_the_weapons_kind(choice: Any, text: str) -> None:
    bench = fight("house/a", "item/crowbar", "item/pistol")

    proceed(bench, choice)

    assert [e.text.subject for e in bench.happened(Told)] == [text]


@pytest.mark.rule("ATTACK-5")
@pytest.mark.rule("ATTACK-6")
@pytest.mark.rule("ATTACK-7")
@pytest.mark.rule("ATTACK-1")
@pytest.mark.parametrize("space", ["house/b", "house/d"])
def test_from_afar_only_a_ranged_weapon_reaches(space: str) -> None:
    """A ranged weapon reaches up to three spaces."""
    bench = fight(space, "item/crowbar", "item/pistol")

    assert attacks(bench) == ["choice/attack_with m1 p2"]


@pytest.mark.rule("ATTACK-7")
@pytest.mark.rule("RANGE-7")
def test_out_of_range_nothing_reaches() -> None:
    """The monster is four spaces away."""
    assert attacks(fight("house/e", "item/pistol")) == []


@pytest.mark.rule("DECIDE-46")
def test_a_ranged_attack_reaches_the_own_space() -> None:
    assert "choice/attack_with m1 p1" in attacks(fight("house/a", "item/pistol"))


@pytest.mark.rule("SECRET-13")
@pytest.mark.rule("ATTACK-8")
def test_the_text_of_an_attack_is_drawn_after_its_confirmation() -> None:
    card = monster_card()
    card = attrs.evolve(
        card,
        attacks={**card.attacks, WeaponKind.UNARMED: (entry(text="text/1"), entry(text="text/2"))},
    )
    bench = fight(monster_cards=[card])
    bench.give_picks(1)

    proceed(bench, "attack_unarmed")

    kinds = [type(e).__name__ for e in bench.log][-4:-1]
    assert kinds == ["ActionSpent", "Picked", "Told"]
    assert bench.happened(Told)[0].text.subject == "text/2"


@pytest.mark.rule("SECRET-7")
@pytest.mark.rule("GOLDEN-3")
def test_who_cannot_attack_is_refused() -> None:
    ability = Powers(modifiers=(Modifier(ModifierKind.NO_ATTACK),))
    bench = fight(investigators=[investigator_card(ability=ability)])

    assert attacks(bench) == []
    assert ("choice/attack", "GOLDEN-3") in refused(bench)


@pytest.mark.rule("ACTION-8")
def test_what_an_attack_does_to_the_attacker_is_part_of_the_action() -> None:
    """An attack that misses can hurt the attacker, without a second action."""
    bench = fight(monster_cards=[struck(WeaponKind.UNARMED, Suffer(Amount(1)))])

    proceed(bench, "attack_unarmed")

    assert len(bench.happened(ActionSpent)) == 1
    assert len(bench.game_table.investigators[ADA].faceup) == 1


# Damage and defeat ---------------------------------------------------------------------------


def hurt(bench: Bench, amount: int, monster: str = "m1") -> None:
    bench.run(monsters.damage(bench.game, monster, amount))


@pytest.mark.rule("MONSTER-11")
@pytest.mark.rule("ATTACK-12")
@pytest.mark.rule("MONSTER-10")
def test_damage_equal_to_its_health_defeats_a_monster() -> None:
    bench = fight()

    hurt(bench, 2)
    assert "m1" in where(bench)
    hurt(bench, 1)

    assert bench.happened(MonsterDiscarded) == [MonsterDiscarded("m1", is_defeated=True)]
    assert "m1" not in where(bench)


@pytest.mark.rule("DECIDE-48")
def test_damage_above_its_health_defeats_a_monster_too() -> None:
    bench = fight()

    hurt(bench, 9)

    assert bench.game_table.monsters == {}


@pytest.mark.rule("SECRET-12")
@pytest.mark.rule("ATTACK-11")
@pytest.mark.rule("SECRET-11")
@pytest.mark.rule("MONSTER-1")
@pytest.mark.rule("MONSTER-2")
@pytest.mark.rule("MONSTER-3")
@pytest.mark.rule("MONSTER-5")
def test_the_numbers_of_a_monster_lie_open() -> None:
    card = monster_card(awareness=3, horror_rating=2, brawn=4)
    bench = fight(monster_cards=[card])

    hurt(bench, 1)

    assert bench.game_table.monsters["m1"] == Monster(
        "m1",
        DROWNED,
        number=0,
        space="house/a",
        health=3,
        awareness=3,
        horror_rating=2,
        brawn=4,
        damage=1,
    )


@pytest.mark.rule("MONSTER-12")
def test_a_defeated_monster_can_come_again() -> None:
    """The copy of a defeated monster is set aside until another effect uses it."""
    bench = fight(monster_cards=[monster_card(copies=1)])

    hurt(bench, 3)
    spawned(bench, DROWNED, "house/c")

    assert where(bench)["m2"] == "house/c"


@pytest.mark.rule("MONSTER-11")
def test_a_defeat_sets_off_what_the_scenario_has_for_it() -> None:
    """The trigger concerns the active investigator."""
    trigger = Trigger("first", Moment.MONSTER_DEFEATED, (Say("text/down"), GainClues()))
    bench = world(
        at={ADA: "house/a", BEN: "house/a"},
        turn_of=BEN,
        monsters=[(DROWNED, "house/a"), (RAT, "house/b")],
        scenario_parts={"triggers": (trigger,)},
    )

    hurt(bench, 3)
    hurt(bench, 3, "m2")

    assert [e.text.subject for e in bench.happened(Told)] == ["text/down"]
    assert bench.game_table.investigators[BEN].clues == 1


# Appearing -----------------------------------------------------------------------------------


@pytest.mark.rule("MONSTER-6")
@pytest.mark.rule("MONSTER-13")
def test_a_spawned_monster_stands_where_the_effect_says() -> None:
    assert where(fight("house/d"))["m1"] == "house/d"


@pytest.mark.rule("MONSTER-7")
@pytest.mark.rule("DECIDE-136")
@pytest.mark.rule("DECIDE-135")
def test_further_monsters_of_a_kind_get_the_next_free_id_token() -> None:
    """The first of its kind has no token; after the box's six, the numbers continue."""
    many = monster_card(copies=9)
    bench = fight(monsters=[(DROWNED, "house/a")] * 8, monster_cards=[many])

    assert [m.number for m in bench.game_table.monsters.values()] == [0, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.rule("MONSTER-7")
@pytest.mark.rule("MONSTER-9")
def test_an_id_token_is_kept_and_given_out_again_when_it_is_free() -> None:
    bench = fight(monsters=[(DROWNED, "house/a")] * 3)

    hurt(bench, 3, "m2")
    spawned(bench, DROWNED, "house/a")
    spawned(bench, RAT, "house/a")

    numbers = {m.monster_id: m.number for m in bench.game_table.monsters.values()}
    assert numbers == {"m1": 0, "m3": 2, "m4": 1, "m5": 0}


@pytest.mark.rule("MONSTER-8")
@pytest.mark.rule("DECIDE-136")
def test_a_unique_monster_bears_a_number_as_the_first_of_its_kind() -> None:
    """Later rats must be told from the unique one, so it has number 1 although it is the first."""
    bench = fight()

    resolve(bench, Spawn(RAT, "house/b", unique=True))
    resolve(bench, Spawn(RAT, "house/b"))

    found = [(m.kind, m.number) for m in bench.game_table.monsters.values()]
    assert found == [(DROWNED, 0), (RAT, 1), (RAT, 2)]


@pytest.mark.rule("DECIDE-134")
def test_with_no_copy_left_nothing_is_spawned() -> None:
    bench = fight(monster_cards=[monster_card(copies=1)])

    assert monsters.spawn(bench.game, DROWNED, "house/b") is None
    assert list(bench.game_table.monsters) == ["m1"]


@pytest.mark.rule("DECIDE-150")
@pytest.mark.rule("MONSTER-10")
def test_the_health_of_a_monster_grows_with_the_investigators_at_the_start() -> None:
    """The health is 2, plus one for each of three investigators."""
    bench = world(
        at={ADA: "house/a", BEN: "house/a", CORA: "house/a"},
        monsters=[(DROWNED, "house/a")],
        monster_cards=[monster_card(health=Amount(2, each=1))],
    )

    assert bench.game_table.monsters["m1"].health == 5
