"""Steps that concern monsters: spawning, naming, healing, moving and removing them."""

from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema import monster_steps as more
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.requirements import Monsters
from content.games.second_edition.schema.scenario import Moment, Trigger
from content.games.second_edition.schema.targets import NamedMonster, OfKind, OfTrait, Which
from protocol.common.events import Dealt, Picked
from protocol.games.second_edition.events import (
    DealtWith,
    FeaturePlaced,
    InvestigatorMoved,
    MonsterDiscarded,
    MonsterHealed,
    Told,
)
from protocol.games.second_edition.table import Feature, FeatureKind, Harm
from server.games.second_edition.rules import requirements
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    RAT,
    ROW,
    activation,
    entry,
    monster_card,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolve, shown_to

rule = pytest.mark.rule
PALE, GAUNT = "monster/pale", "monster/gaunt"
GHOULS = [monster_card(kind, traits=("ghoul",), copies=1) for kind in (PALE, GAUNT)]
WARDEN = NamedMonster("the-warden")


def row(**parts: Any) -> Bench:
    """Return five spaces in a row, with Ada at the left end."""
    names = {"monsters": ("the-warden", "the-cook")}
    return world(tiles=[tile(ROW)], monster_cards=GHOULS, scenario_parts=names, **parts)


def kinds(bench: Bench) -> list[str]:
    return [monster.kind for monster in bench.game_table.monsters.values()]


# Bringing them -------------------------------------------------------------------------------


@rule("MONSTER-6")
@pytest.mark.parametrize(("damage", "suffered"), [(0, 0), (2, 2), (99, 4)])
def test_monster_comes_back_wounded(damage: int, suffered: int) -> None:
    bench = row()

    resolve(bench, steps.Spawn(DROWNED, at="house/c", health=5, damage=damage))

    (monster,) = bench.game_table.monsters.values()
    assert (monster.health, monster.damage) == (5, suffered)


@rule("MONSTER-6")
@rule("RANDOM-1")
def test_monster_of_a_trait_is_any_that_is_left() -> None:
    """There is one copy each of two ghouls.

    Chance takes the second ghoul first, so only the other is left.
    """
    bench = row()
    bench.give_picks(1)
    ghoul = steps.Spawn(trait="ghoul", at="house/c")

    resolve(bench, ghoul, ghoul, ghoul)

    assert kinds(bench) == [GAUNT, PALE]
    assert [len(dealt.choice.value.options) for dealt in bench.happened(Dealt)] == [2, 1]


def test_fresh_monster_is_of_a_kind_that_has_not_come_before() -> None:
    bench = row()
    fresh = steps.Spawn(trait="ghoul", at="house/c", fresh=True)

    resolve(bench, steps.Spawn(PALE, "house/e"), more.RemoveMonster(Which.ALL))
    resolve(bench, fresh, fresh)

    assert kinds(bench) == [GAUNT]


def test_monster_that_need_not_be_fresh_can_be_one_that_has_come() -> None:
    bench = row()
    both = (steps.Spawn(PALE, "house/e"), steps.Spawn(GAUNT, "house/e"))
    resolve(bench, *both, more.RemoveMonster(Which.ALL))

    resolve(bench, steps.Spawn(trait="ghoul", at="house/c"))

    assert len(kinds(bench)) == 1


def test_health_of_the_step_stands_for_that_of_the_card() -> None:
    """Five replaces three, and the health is never zero."""
    bench = row()
    none = Amount(base=0, each=0, listed=(0, 1, 2, 3, 4))

    resolve(bench, steps.Spawn(RAT, "house/c", health=5), steps.Spawn(RAT, health=none))

    assert [monster.health for monster in bench.game_table.monsters.values()] == [5, 1]


@pytest.mark.parametrize(
    ("at", "space"),
    [
        ("actor", "house/b"),
        ("start", "house/a"),
        ("adjacent", "house/a"),
        ("nearest", "house/c"),
        ("farthest", "house/e"),
        ("room/hall", "house/a"),
        ("random", "house/a"),
        ("house/d", "house/d"),
    ],
)
def test_monster_comes_where_a_word_or_a_room_says(at: str, space: str) -> None:
    bench = row(at={ADA: "house/b", BEN: "house/a"})

    resolve(bench, steps.Spawn(RAT, at))

    assert where(bench)["m1"] == space


def test_monster_comes_where_another_stands() -> None:
    """The step spawns a rat in the space of the monster that the effect concerns."""
    bench = row(monsters=[(DROWNED, "house/d")])

    resolve(bench, steps.Spawn(RAT, "monster"), monster="m1")

    assert where(bench)["m2"] == "house/d"


# Names ---------------------------------------------------------------------------------------


@rule("MONSTER-8")
def test_named_monster_is_the_one_that_its_name_means() -> None:
    bench = row(monsters=[(RAT, "house/c")])

    resolve(bench, steps.Spawn(RAT, "house/d", name="the-warden"))
    resolve(bench, steps.DamageMonster(2, which=WARDEN))

    assert [monster.damage for monster in bench.game_table.monsters.values()] == [0, 2]


def test_named_monster_comes_again_only_when_it_is_gone() -> None:
    """A second warden does not come beside the first."""
    bench = row()
    warden = steps.Spawn(RAT, "house/d", name="the-warden")

    resolve(bench, warden, warden)
    assert kinds(bench) == [RAT]
    resolve(bench, steps.DamageMonster(9, which=WARDEN), warden)

    assert list(bench.game_table.monsters) == ["m2"]


def test_trigger_knows_a_monster_by_its_name() -> None:
    end = Trigger("end", Moment.MONSTER_DEFEATED, (steps.Say("text/free"),), of="the-warden")
    parts = {"monsters": ("the-warden",), "triggers": (end,)}
    bench = world(scenario_parts=parts, monsters=[(RAT, "house/b")])

    resolve(bench, steps.DamageMonster(9, which=Which.ALL))
    assert bench.happened(Told) == []
    resolve(bench, steps.Spawn(RAT, name="the-warden"), steps.DamageMonster(9, which=WARDEN))

    assert [event.text.subject for event in bench.happened(Told)] == ["text/free"]


def test_requirement_asks_for_a_monster_by_its_name() -> None:
    bench = row(monsters=[(RAT, "house/c")])
    is_there = Monsters(named="the-warden", at_least=1)

    assert not requirements.holds(bench.game, is_there, ADA)
    resolve(bench, steps.Spawn(RAT, "house/d", name="the-warden"))
    assert requirements.holds(bench.game, is_there, ADA)
    resolve(bench, more.RemoveMonster(WARDEN))

    assert not requirements.holds(bench.game, is_there, ADA)


@rule("SECRET-13")
def test_name_of_a_monster_is_on_no_log() -> None:
    """The name would reveal the script."""
    bench = row()

    resolve(bench, steps.Spawn(RAT, name="the-warden"), more.Activate(WARDEN))

    assert not [word for word in shown_to(bench, 0) if "warden" in word]


# Which ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("which", "hurt"),
    [
        (Which.ALL, ["m1", "m2", "m3"]),
        (Which.RANDOM, ["m3"]),
        (Which.NEAREST, ["m2"]),
        (Which.THIS, []),
        (OfKind(RAT), ["m1"]),
        (OfTrait("ghoul"), ["m2", "m3"]),
    ],
)
def test_step_says_which_monsters_it_means(which: Any, hurt: list[str]) -> None:
    bench = row(monsters=[(RAT, "house/e"), (PALE, "house/b"), (GAUNT, "house/c")])
    bench.give_picks(2)

    resolve(bench, steps.DamageMonster(1, which=which))

    found = [m.monster_id for m in bench.game_table.monsters.values() if m.damage]
    assert found == hurt


@rule("DECIDE-103")
def test_equally_near_monsters_are_told_apart_by_the_investigators() -> None:
    bench = row(at={ADA: "house/b", BEN: "house/e"}, monsters=[(RAT, "house/a"), (PALE, "house/c")])

    resolve(bench, more.RemoveMonster(Which.NEAREST), answers=["choice/not_usual", "m2"])

    assert kinds(bench) == [RAT]


# What is done to them ------------------------------------------------------------------------


@rule("MONSTER-11")
def test_monster_heals_what_it_has_suffered_and_no_more() -> None:
    """The monster has suffered two, so a step that heals five removes two."""
    bench = row(monsters=[(RAT, "house/b")])
    heal = more.HealMonster(5, Which.ALL)

    resolve(bench, steps.DamageMonster(2, which=Which.ALL), heal, heal)

    assert bench.happened(MonsterHealed) == [MonsterHealed("m1", 2)]
    assert bench.game_table.monsters["m1"].damage == 0


@rule("MONSTER-11")
def test_monster_heals_one_damage() -> None:
    bench = row(monsters=[(RAT, "house/b")])

    resolve(bench, steps.DamageMonster(2, which=Which.ALL), more.HealMonster(1, Which.ALL))

    assert bench.game_table.monsters["m1"].damage == 1


@rule("RANDOM-1")
def test_no_monster_is_meant_at_random_where_there_is_none() -> None:
    bench = row()

    resolve(bench, steps.DamageMonster(1, which=Which.RANDOM))

    assert bench.happened(Picked) == []


@rule("DECIDE-103")
def test_the_investigators_say_whom_a_monster_moves_toward() -> None:
    bench = row(at={ADA: "house/a", BEN: "house/e"}, monsters=[(RAT, "house/c")])

    resolve(bench, more.MoveMonster(1), monster="m1", answers=["choice/not_usual", BEN])

    assert bench.asked[0].prompts[0].prompt.subject == "ask/monster_toward_by"
    assert where(bench)["m1"] == "house/d"


def test_a_monster_is_not_put_next_to_somebody_off_the_board() -> None:
    bench = row(monsters=[(RAT, "house/c")])
    bench.emit(InvestigatorMoved(ADA, None))

    resolve(bench, more.PlaceMonster("adjacent"), monster="m1")

    assert where(bench)["m1"] == "house/c"


@rule("RANDOM-1")
def test_one_monster_is_meant_at_random() -> None:
    bench = row(monsters=[(RAT, "house/b"), (RAT, "house/c")])
    bench.give_picks(1)

    resolve(bench, steps.DamageMonster(1, which=Which.RANDOM))

    assert [one.damage for one in bench.game_table.monsters.values()] == [0, 1]


@rule("MONSTER-12")
def test_removed_monster_is_not_defeated() -> None:
    bench = row(monsters=[(RAT, "house/b")])

    resolve(bench, more.RemoveMonster(OfKind(RAT)))

    assert bench.happened(MonsterDiscarded) == [MonsterDiscarded("m1", False)]


@rule("NEAREST-3")
@rule("DECIDE-105")
@pytest.mark.parametrize(
    ("toward", "space"), [("nearest", "house/d"), ("actor", "house/c"), ("house/e", "house/e")]
)
def test_monster_moves_toward_what_the_step_says(toward: str, space: str) -> None:
    """A rat in c goes toward Ada in a, the actor, or Ben in d."""
    bench = row(at={ADA: "house/a", BEN: "house/d"}, monsters=[(RAT, "house/c")])
    spaces = 2 if toward == "house/e" else 1
    if toward == "actor":
        bench = row(at={ADA: "house/a", BEN: "house/e"}, monsters=[(RAT, "house/d")])

    resolve(bench, more.MoveMonster(spaces, toward, Which.ALL))

    assert where(bench)["m1"] == space


@rule("FIRE-8")
def test_monster_that_is_placed_in_fire_burns() -> None:
    bench = row(monsters=[(RAT, "house/a")])
    bench.emit(FeaturePlaced(Feature("fire/1", FeatureKind.FIRE, "house/d")))

    resolve(bench, more.PlaceMonster("house/d", Which.ALL))

    assert where(bench)["m1"] == "house/d"
    assert bench.game_table.monsters["m1"].damage == 1


@rule("ACTIVATE-3")
@rule("ACTIVATE-5")
def test_effect_activates_a_monster_besides_the_monster_step() -> None:
    """The monster acts at once without a confirmation, and still has its own turn."""
    attack = (steps.Suffer(damage=Amount(1), facedown=True),)
    wild = monster_card(RAT, activations=(activation(attack=attack),))
    bench = world(monster_cards=[wild], monsters=[(RAT, "house/b")])

    resolve(bench, more.Activate(Which.ALL))

    assert where(bench)["m1"] == "house/a"
    assert bench.game_table.harm_count(ADA, Harm.DAMAGE) == 1
    assert bench.happened(DealtWith) == []


def test_entry_of_a_monster_can_send_it_away() -> None:
    gone = entry(more.RemoveMonster(), steps.DamageMonster(1), more.HealMonster())
    bench = world(monsters=[(RAT, "house/a")])

    resolve(bench, *gone.effect, monster="m1")

    assert bench.game_table.monsters == {}


# Whom they concern ---------------------------------------------------------------------------


def test_two_names_are_two_monsters() -> None:
    bench = row()
    cook = NamedMonster("the-cook")

    resolve(
        bench,
        steps.Spawn(RAT, "house/c", name="the-warden"),
        steps.Spawn(RAT, "house/c", name="the-cook"),
        steps.DamageMonster(1, which=cook),
    )

    assert [monster.damage for monster in bench.game_table.monsters.values()] == [0, 1]


@rule("NEAREST-1")
@pytest.mark.parametrize(
    ("step", "spaces"),
    [
        (more.MoveMonster(1, "house/c", Which.NEAREST), ["house/a", "house/d"]),
        (more.PlaceMonster("actor", Which.NEAREST), ["house/a", "house/d"]),
        (more.PlaceMonster("house/c", Which.NEAREST), ["house/a", "house/c"]),
        (more.RemoveMonster(Which.NEAREST), ["house/a"]),
    ],
)
def test_nearest_monster_is_the_nearest_to_whom_the_step_concerns(
    step: steps.Step, spaces: list[str]
) -> None:
    people = {ADA: "house/a", BEN: "house/d"}
    bench = row(at=people, monsters=[(RAT, "house/a"), (RAT, "house/e")])

    resolve(bench, step, actor=BEN)

    assert [monster.space for monster in bench.game_table.monsters.values()] == spaces


@rule("NEAREST-1")
def test_nearest_to_somebody_off_the_board_is_none() -> None:
    bench = row(monsters=[(RAT, "house/c")])
    bench.emit(InvestigatorMoved(ADA, None))

    resolve(bench, more.RemoveMonster(Which.NEAREST), more.PlaceMonster("actor", Which.ALL))

    assert where(bench)["m1"] == "house/c"


@rule("ACTIVATE-1")
def test_nearest_monster_alone_is_activated() -> None:
    bench = row(at={ADA: "house/a", BEN: "house/d"}, monsters=[(RAT, "house/b"), (RAT, "house/e")])

    resolve(bench, more.Activate(Which.NEAREST), actor=BEN)

    assert [bench.game_table.monsters[m].space for m in ("m1", "m2")] == ["house/b", "house/d"]


# Fleeing -------------------------------------------------------------------------------------


@rule("NEAREST-4")
@rule("DECIDE-105")
@pytest.mark.parametrize(
    ("at", "away_from", "spaces", "space"),
    [
        ("c", "investigators", 1, "d"),
        ("c", "investigators", 9, "e"),
        ("c", "actor", 2, "e"),
        ("c", "house/e", 2, "a"),
        ("c", "house/e", 0, "c"),
        ("e", "investigators", 1, "e"),
    ],
)
def test_monster_flees(at: str, away_from: str, spaces: int, space: str) -> None:
    """The monster flees from everybody, the actor or a space, and stops at the end of the row."""
    bench = row(at={ADA: "house/b"}, monsters=[(RAT, f"house/{at}")])

    resolve(bench, more.MoveMonster(spaces, which=Which.ALL, away_from=away_from))

    assert where(bench)["m1"] == f"house/{space}"


@rule("NEAREST-4")
def test_monster_between_two_people_does_not_run_into_one() -> None:
    """Moving in either direction would bring the monster nearer to one of the two."""
    bench = row(at={ADA: "house/a", BEN: "house/e"}, monsters=[(RAT, "house/c")])

    resolve(bench, more.MoveMonster(2, which=Which.ALL, away_from="investigators"))

    assert where(bench)["m1"] == "house/c"


@rule("DECIDE-103")
def test_investigators_choose_which_way_it_flees() -> None:
    bench = row(at={ADA: "house/c"}, monsters=[(RAT, "house/c")])

    away = more.MoveMonster(1, which=Which.ALL, away_from="investigators")
    resolve(bench, away, answers=["house/d"])

    assert where(bench)["m1"] == "house/d"


@rule("FIRE-8")
def test_monster_that_flees_into_fire_burns() -> None:
    bench = row(at={ADA: "house/a"}, monsters=[(RAT, "house/b")])
    bench.emit(FeaturePlaced(Feature("f1", FeatureKind.FIRE, "house/c")))

    resolve(bench, more.MoveMonster(1, which=Which.ALL, away_from="actor"))

    (rat,) = bench.game_table.monsters.values()
    assert (rat.space, rat.damage) == ("house/c", 1)


@rule("ACTIVATE-8")
@pytest.mark.parametrize("otherwise", [(), (steps.GainClues(),)])
def test_monster_flees_when_it_is_activated(otherwise: steps.Effect) -> None:
    """The monster moves away from Ada without a question, then attacks whom it reaches."""
    coward = monster_card(
        PALE, activations=(activation(flees=True, spaces=2, otherwise=otherwise),)
    )
    bench = world(
        tiles=[tile(ROW)],
        monster_cards=[coward],
        at={ADA: "house/a", BEN: "house/b"},
        monsters=[(PALE, "house/c")],
    )

    resolve(bench, more.Activate(Which.ALL))

    assert where(bench)["m1"] == "house/e"
    assert bench.game_table.investigators[BEN].clues == len(otherwise)


def test_monster_flees_nowhere_without_anybody_on_the_board() -> None:
    bench = row(at={ADA: "house/a"}, monsters=[(RAT, "house/b")])
    bench.emit(InvestigatorMoved(ADA, None))

    resolve(bench, more.MoveMonster(1, which=Which.ALL, away_from="investigators"))

    assert where(bench)["m1"] == "house/b"
