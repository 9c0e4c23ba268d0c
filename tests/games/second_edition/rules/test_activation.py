"""Activation of monsters in the monster step."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema.effects import Amount, Negate, Say, Suffer
from content.games.second_edition.schema.monsters import Target
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    CluesGained,
    HarmTaken,
    InvestigatorMoved,
    MonsterMoved,
    TestDeclared,
    Told,
)
from protocol.games.second_edition.table import Harm, Skill
from server.games.second_edition.rules import effects
from server.games.second_edition.rules.play import Source
from tests.games.second_edition.rules import worlds
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    ROW,
    monster_card,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import activate, told, with_clues

RING = """
+---+---+
| a : b |
+...+...+
| d : c |
+---+---+
"""


def lurking(
    space: str, at: Any, *, picture: str = ROW, more: Any = None, **instruction: Any
) -> Bench:
    """Return a bench with investigators and a monster whose activation has one instruction."""
    card = monster_card(activations=(worlds.activation(**instruction),))
    return world(
        tiles=[tile(picture)],
        at=at,
        turn_of=None,
        monsters=[(DROWNED, space)],
        monster_cards=[attrs.evolve(card, **(more or {}))],
    )


def harm(bench: Bench, person: str, *, damage: int = 0, horror: int = 0) -> None:
    step = Suffer(Amount(damage), Amount(horror))
    bench.run(effects.resolve(bench.game, (step,), Source(person)))


# Moving --------------------------------------------------------------------------------------


@pytest.mark.rule("ACTIVATE-4")
@pytest.mark.rule("ACTIVATE-8")
@pytest.mark.rule("NEAREST-3")
@pytest.mark.rule("MOVE-2")
def test_a_monster_moves_toward_the_closest_investigator() -> None:
    bench = lurking("house/e", {ADA: "house/c", BEN: "house/a"}, spaces=1)

    activate(bench)

    assert bench.happened(MonsterMoved) == [MonsterMoved("m1", "house/d")]


@pytest.mark.rule("ACTIVATE-4")
@pytest.mark.rule("NEAREST-3")
def test_a_monster_stops_where_it_shares_the_space() -> None:
    bench = lurking("house/c", {ADA: "house/b"}, spaces=3)

    activate(bench)

    assert where(bench)["m1"] == "house/b"


@pytest.mark.rule("DECIDE-102")
@pytest.mark.rule("NEAREST-1")
def test_a_monster_stays_with_whom_it_shares_its_space() -> None:
    bench = lurking("house/c", {ADA: "house/c", BEN: "house/b"}, spaces=3)

    activate(bench)

    assert bench.happened(MonsterMoved) == []


@pytest.mark.rule("DECIDE-104")
@pytest.mark.rule("MOVE-6")
@pytest.mark.rule("MOVE-11")
def test_a_monster_with_nobody_to_reach_does_not_move() -> None:
    bench = lurking("house/b", {ADA: "house/a"}, picture="+---+---+\n| a | b |\n+---+---+")

    activate(bench)

    assert bench.happened(MonsterMoved) == []


@pytest.mark.rule("DECIDE-103")
@pytest.mark.rule("CONFLICT-1")
def test_among_equally_close_ones_the_investigators_choose() -> None:
    bench = lurking("house/c", {ADA: "house/b", BEN: "house/d"})

    activate(bench, "choice/not_usual", BEN)

    assert [ask.settle.value for ask in bench.asked[:2]] == ["first_or_all_pass", "agree"]
    assert where(bench)["m1"] == "house/d"


@pytest.mark.rule("DECIDE-103")
@pytest.mark.rule("ACTIVATE-6")
def test_among_those_in_its_space_who_are_equally_close_the_investigators_choose() -> None:
    """The monster moves to a space with two investigators; all seats choose its victim."""
    bench = lurking("house/b", {ADA: "house/a", BEN: "house/a"})

    activate(bench, "choice/not_usual", BEN)

    asked = [ask.prompts[0].prompt for ask in bench.asked[:2]]
    assert [prompt.subject for prompt in asked] == ["ask/monster_attacks_by"] * 2
    assert asked[0].params[1] == Text("name/whoever_nearest")
    assert bench.happened(Told)[1].text.params[0] == BEN


@pytest.mark.rule("ACTIVATE-4")
@pytest.mark.parametrize(
    ("number", "space"), [("monster.health - 2", "house/d"), ("clues", "house/c")]
)
def test_how_far_a_monster_moves_may_hang_on_it_and_on_whom_it_hunts(
    number: str, space: str
) -> None:
    spaces = Amount(formula=read_number(number)[0])
    card = worlds.activation(spaces=spaces, toward=Target.LEAST_DAMAGE)
    bench = world(
        tiles=[tile(ROW)],
        at={ADA: "house/a", BEN: "house/a"},
        monsters=[(DROWNED, "house/e")],
        monster_cards=[monster_card(activations=(card,))],
        turn_of=None,
    )
    with_clues(bench, 2, BEN)
    harm(bench, ADA, damage=1)

    activate(bench)

    assert where(bench)["m1"] == space


@pytest.mark.rule("DECIDE-103")
def test_among_equally_short_ways_the_investigators_choose() -> None:
    bench = lurking("house/c", {ADA: "house/a"}, picture=RING)

    activate(bench, "house/d")

    assert where(bench)["m1"] == "house/d"


@pytest.mark.rule("DECIDE-142")
def test_nothing_is_asked_that_cannot_matter() -> None:
    """Two investigators share a space and none is attacked, so the target does not matter."""
    bench = lurking("house/e", {ADA: "house/a", BEN: "house/a"})

    activate(bench)

    assert where(bench)["m1"] == "house/d"


# Attacking -----------------------------------------------------------------------------------


@pytest.mark.rule("ACTIVATE-3")
@pytest.mark.rule("ACTIVATE-5")
@pytest.mark.rule("ACTIVATE-7")
@pytest.mark.rule("SECRET-13")
def test_it_moves_before_it_attacks_and_the_attack_is_told_only_then() -> None:
    bench = lurking("house/b", {ADA: "house/a"}, attack=(Say("text/bite"),))

    activate(bench)

    seen = [e for e in bench.log if isinstance(e, Told | MonsterMoved)]
    assert [type(e) for e in seen] == [Told, MonsterMoved, Told, Told]
    assert told(bench) == ["text/activation", "text/attacks", "text/bite"]


@pytest.mark.rule("DECIDE-137")
@pytest.mark.rule("ACTIVATE-7")
def test_with_nobody_in_reach_the_attack_is_skipped() -> None:
    """What the monster does instead concerns the investigator toward whom it moved."""
    bench = lurking("house/e", {ADA: "house/a"}, otherwise=(Say("text/howls"),))

    activate(bench)

    assert told(bench) == ["text/activation", "text/howls"]
    assert bench.happened(Told)[-1].text.params[0] == ADA


@pytest.mark.issue(38)
@pytest.mark.rule("DECIDE-104")
@pytest.mark.rule("DECIDE-137")
@pytest.mark.parametrize(
    ("toward", "said"), [(Target.NEAREST, 0), (Target.MOST_CLUES, 1), (Target.RANDOM, 1)]
)
def test_what_happens_otherwise_where_nobody_can_be_reached(toward: Target, said: int) -> None:
    """If nobody can be reached, nobody is the nearest.

    By another criterion somebody is still the target, and the monster stays where it is.
    """
    howls = worlds.activation(toward=toward, otherwise=(Say("text/howls"),), spaces=2)
    bench = world(
        tiles=[tile("+---+---+\n| a | b |\n+---+---+")],
        at={ADA: "house/a"},
        monsters=[(DROWNED, "house/b")],
        monster_cards=[monster_card(activations=(howls,))],
    )

    activate(bench)

    assert told(bench) == ["text/activation", *["text/howls"] * said]
    assert bench.happened(MonsterMoved) == []


CRITERIA = [
    (Target.LEAST_DAMAGE, ADA),
    (Target.MOST_DAMAGE, BEN),
    (Target.MOST_HORROR, ADA),
    (Target.LEAST_HORROR, BEN),
    (Target.MOST_CLUES, ADA),
]


@pytest.mark.rule("ACTIVATE-6")
@pytest.mark.rule("DECIDE-50")
@pytest.mark.parametrize(("target", "victim"), CRITERIA)
def test_the_criterion_is_applied_to_those_in_its_space(target: Target, victim: str) -> None:
    """Cora, in another space, would meet every criterion better."""
    bench = lurking(
        "house/a",
        {ADA: "house/a", BEN: "house/a", CORA: "house/d"},
        target=target,
        attack=(Say("text/bite"),),
        toward=Target.RANDOM,
        spaces=0,
    )
    harm(bench, BEN, damage=1)
    harm(bench, ADA, horror=1)
    bench.emit(CluesGained(ADA, 1))
    if target in {Target.MOST_DAMAGE, Target.MOST_HORROR}:
        harm(bench, CORA, damage=3, horror=3)
    if target is Target.MOST_CLUES:
        bench.emit(CluesGained(CORA, 5))

    activate(bench)

    bites = [e.text for e in bench.happened(Told) if e.text.subject == "text/bite"]
    assert [text.params[0] for text in bites] == [victim]


@pytest.mark.rule("ACTIVATE-6")
@pytest.mark.rule("RANDOM-1")
def test_a_random_target_is_picked_by_chance() -> None:
    bench = lurking(
        "house/a",
        {ADA: "house/a", BEN: "house/a"},
        target=Target.RANDOM,
        attack=(Say("text/bite"),),
    )
    bench.give_picks(1)

    activate(bench)

    assert bench.happened(Told)[-1].text.params[0] == BEN


@pytest.mark.rule("RANGE-7")
@pytest.mark.rule("RANGE-1")
def test_an_attack_that_says_so_reaches_within_range() -> None:
    bench = lurking("house/d", {ADA: "house/a"}, spaces=0, ranged=True, attack=(Say("text/spit"),))

    activate(bench)

    assert told(bench)[-1] == "text/spit"


@pytest.mark.rule("RANGE-4")
@pytest.mark.rule("RANGE-7")
@pytest.mark.parametrize(
    ("at", "hit"),
    [
        ({ADA: "house/d"}, ADA),
        # Ben is one space off and cannot be reached, Ada two spaces off and can.
        ({ADA: "house/a", BEN: "house/d"}, BEN),
    ],
)
def test_the_nearest_within_range_may_be_across_an_impassable_border(
    at: dict[str, str], hit: str
) -> None:
    """The monster attacks an investigator in range although no path leads there."""
    picture = "+---+---+---+---+\n| a : b : c ! d |\n+---+---+---+---+"
    bench = lurking("house/c", at, picture=picture, spaces=0, ranged=True)

    activate(bench)

    last = bench.happened(Told)[-1].text
    assert (last.subject, last.params[0]) == ("text/attacks", hit)


@pytest.mark.rule("ACTIVATE-9")
def test_an_activation_asks_nothing_when_it_is_over() -> None:
    bench = lurking("house/e", {ADA: "house/a", BEN: "house/a"})

    activate(bench)

    assert bench.asked == []
    assert bench.game_table.done == ("m1",)


@pytest.mark.rule("CLEAR-4")
@pytest.mark.rule("DECIDE-148")
def test_whose_figure_is_off_the_board_is_no_prey() -> None:
    """Figures off the board occupy no space."""
    bench = lurking("house/c", {ADA: "house/a", BEN: "house/b"})
    bench.emit(InvestigatorMoved(BEN, None))

    activate(bench)

    assert where(bench)["m1"] == "house/b"


@pytest.mark.rule("EX-2")
@pytest.mark.rule("NEGATE-2")
@pytest.mark.rule("NEGATE-4")
@pytest.mark.rule("TEST-4")
@pytest.mark.rule("ACTIVATE-3")
def test_a_deep_one_comes_and_strikes_agatha() -> None:
    """Agatha rolls three dice (Strength 2, +1), prevents one of two Damage and takes one faceup."""
    strike = Negate(Skill.STRENGTH, modifier=1, damage=Amount(2))
    bench = world(
        tiles=[tile(ROW)],
        at={ADA: "house/a", BEN: "house/a"},
        turn_of=None,
        investigators=[worlds.investigator_card(ADA, strength=2)],
        monsters=[(DROWNED, "house/b")],
        monster_cards=[
            monster_card(
                activations=(worlds.activation(target=Target.LEAST_DAMAGE, attack=(strike,)),)
            )
        ],
    )
    harm(bench, BEN, damage=1)
    bench.give_dice("SBB")

    activate(bench)

    (test,) = bench.happened(TestDeclared)
    assert (test.investigator, test.modifier, test.pool) == (ADA, 1, 3)
    taken = [e for e in bench.happened(HarmTaken) if e.investigator == ADA]
    assert [(e.harm, e.card) for e in taken] == [(Harm.DAMAGE, "damage/plain")]
    assert {ask.rule for ask in bench.asked} <= {"TEST-8", "NEGATE-2", "NEGATE-4"}
