"""Monsters and Barricades: breaking them, what it costs, and abilities that pass them."""

from collections.abc import Sequence
from typing import Any

import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema.cards import ConditionCard, ItemCard, Powers, Reroll, Rolls
from content.games.second_edition.schema.effects import Amount, Become, PlaceFeature, Suffer
from content.games.second_edition.schema.monsters import Ability, Passable, Target
from protocol.common.events import Rolled
from protocol.event import cut
from protocol.games.second_edition.events import (
    BarricadeAssaulted,
    BarricadeRerolled,
    CluesSpent,
    FeatureRemoved,
    HarmTaken,
    MonsterMoved,
    PowerUsed,
)
from protocol.games.second_edition.table import Face, Harm, Skill
from server.games.second_edition.rules import activation, distance, skill_test
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    RAT,
    harm_card,
    monster_card,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds import activation as instruction
from tests.games.second_edition.rules.worlds_effects import activate, resolve, with_clues
from tests.games.second_edition.rules.worlds_ways import (
    PASSAGE,
    barricade,
    barricades,
    cells,
    rooms,
)

rule = pytest.mark.rule
DOOR, OTHER = "house/1", "house/2"
SCRATCH = (Suffer(Amount(1)),)


def beast(
    *, brawn: int = 3, spaces: int = 2, abilities: Sequence[str] = (), **more: Any
) -> dict[str, Any]:
    """Return world arguments for a monster that hunts the nearest investigator."""
    hunt = instruction(spaces=spaces, attack=SCRATCH, **more)
    card = monster_card(brawn=brawn, activations=(hunt,), abilities=tuple(abilities))
    return {"monster_cards": [card], "turn_of": None}


def hunted(space: str = "c", *, brawn: int = 3, **more: Any) -> Bench:
    """Return a bench with a monster in the hall and a Barricade against the hall's door."""
    parts = {"at": {ADA: f"house/{space}"}, **beast(brawn=brawn), **more}
    bench = rooms(monsters=[(DROWNED, "house/a")], **parts)
    barricade(bench, "b", DOOR)
    return bench


def faces(letters: str) -> tuple[Face, ...]:
    """Return the die faces with these initials."""
    return tuple(next(face for face in Face if face.name[0] == letter) for letter in letters)


# The roll ------------------------------------------------------------------------------------


@rule("EX-15", "BARRICADE-10", "BARRICADE-11", "BARRICADE-15", "DECIDE-88")
def test_two_successes_break_it_and_the_monster_goes_on() -> None:
    """With Brawn 3 the monster rolls S, S, B, goes through the door and on to the attic."""
    bench = hunted()
    bench.give_dice("SSB")

    activate(bench)

    assert bench.happened(BarricadeAssaulted) == [
        BarricadeAssaulted("m1", "barricade/house/b", faces("SSB"), True)
    ]
    assert barricades(bench) == []
    assert [e.space for e in bench.happened(MonsterMoved)] == ["house/b", "house/c"]
    assert len(bench.happened(HarmTaken)) == 1


GLASS = ItemCard("item/glass", "common", powers=Powers(reroll=Reroll(dice=9, once_per_round=False)))


@rule("EX-16", "BARRICADE-13", "BARRICADE-14", "BARRICADE-16")
@rule("DECIDE-86", "DECIDE-90", "DECIDE-91", "DICE-2")
def test_nothing_changes_a_monsters_dice_and_its_attack_still_follows() -> None:
    """With Brawn 4 the monster rolls S, I, I, B.

    Clues and reroll cards do not apply. Ada, in its space, is attacked; Ben, behind the door, is
    not.
    """
    card = instruction(spaces=2, toward=Target.MOST_DAMAGE, attack=SCRATCH)
    bench = rooms(
        at={ADA: "house/a", BEN: "house/c"},
        monsters=[(DROWNED, "house/a")],
        monster_cards=[monster_card(brawn=4, activations=(card,))],
        items=[GLASS],
        has={ADA: ["item/glass"], BEN: []},
        turn_of=None,
    )
    resolve(bench, Suffer(Amount(2)), actor=BEN)
    with_clues(bench, 3)
    barricade(bench, "b", DOOR)
    struck = len(bench.happened(HarmTaken))
    bench.give_dice("SIIB")

    activate(bench)

    assert bench.asked == []
    assert bench.happened(CluesSpent) == []
    assert [one.against for one in barricades(bench)] == [DOOR]
    assert where(bench)["m1"] == "house/a"
    assert [e.investigator for e in bench.happened(HarmTaken)][struck:] == [ADA]


def glass(rolls: Rolls = Rolls.BARRICADES, **terms: Any) -> ItemCard:
    """Return a card that rerolls two dice, by default once a round."""
    return ItemCard(
        "item/glass", "common", 2, powers=Powers(reroll=Reroll(2, rolls=rolls, **terms))
    )


def assaulted(dice: str, card: ItemCard, **has: Any) -> Bench:
    """Return a bench where a monster assaults a Barricade while Ada and Ben have this card."""
    bench = rooms(
        at={ADA: "house/c", BEN: "house/c"},
        monsters=[(DROWNED, "house/a")],
        items=[card],
        has=has.pop("has", {ADA: ["item/glass"], BEN: []}),
        **beast(spaces=1),
    )
    barricade(bench, "b", DOOR)
    bench.give_dice(dice)
    return bench


def rerolled(bench: Bench) -> list[tuple[str, tuple[int, ...], bool]]:
    """Return the faces, the rerolled dice and whether the Barricade breaks, for each reroll."""
    return [
        ("".join(face.name[0] for face in e.faces), e.rerolled, e.is_broken)
        for e in bench.happened(BarricadeRerolled)
    ]


@rule("BARRICADE-14", "BARRICADE-16", "DECIDE-86")
@pytest.mark.parametrize("rolls", [Rolls.BARRICADES, Rolls.ALL])
def test_a_card_that_says_so_rolls_dice_against_a_barricade_again(rolls: Rolls) -> None:
    """The roll S, S, B would break the Barricade. After the reroll only one success is left."""
    bench = assaulted("SSB BS", glass(rolls))

    activate(bench, "item/glass", (0, 1))

    assert rerolled(bench) == [("BSB", (0, 1), False)]
    assert len(barricades(bench)) == 1
    assert where(bench)["m1"] == "house/a"
    assert [e.source for e in bench.happened(PowerUsed)] == ["p1"]
    assert [list(ask.prompts) for ask in bench.asked[:2]] == [[0], [0]]


@rule("BARRICADE-14", "BARRICADE-15")
def test_dice_that_are_rolled_again_may_break_a_barricade() -> None:
    bench = assaulted("SBB SB", glass())

    activate(bench, "item/glass", (1, 2))

    assert rerolled(bench) == [("SSB", (1, 2), True)]
    assert barricades(bench) == []
    assert where(bench)["m1"] == "house/b"


@rule("BARRICADE-14")
def test_dice_are_offered_successes_first_and_counted_from_one() -> None:
    bench = assaulted("BSI B", glass())

    activate(bench, "item/glass", (0,))

    card, dice = (ask.prompts[0] for ask in bench.asked[:2])
    assert card.prompt.params == (1, 1, 1, 2)
    assert card.options[1].text.params == ("item/glass", 2)
    assert [option.text.params[0] for option in dice.options] == [2, 1, 3]
    assert (dice.default, dice.at_least, dice.at_most) == ((0,), 0, 2)
    assert rerolled(bench) == [("BBI", (1,), False)]


@rule("BARRICADE-14", "DECIDE-87")
def test_where_no_die_is_rolled_no_card_is_offered() -> None:
    bench = rooms(
        at={ADA: "house/c"},
        monsters=[(DROWNED, "house/a")],
        items=[glass()],
        has={ADA: ["item/glass"]},
        **beast(spaces=1, brawn=0),
    )
    barricade(bench, "b", DOOR)

    activate(bench)

    assert bench.asked == []


@rule("BARRICADE-14")
def test_a_card_that_rolls_one_die_again_says_so() -> None:
    one = ItemCard("item/glass", "common", powers=Powers(reroll=Reroll(rolls=Rolls.BARRICADES)))
    bench = assaulted("SSB B", one)

    activate(bench, "item/glass", (0,))

    card, dice = (ask.prompts[0] for ask in bench.asked[:2])
    assert card.options[1].text.params == ("item/glass", 1)
    assert dice.at_most == 1


@rule("BARRICADE-14", "SPEND-1")
def test_conditions_and_faceup_cards_roll_again_too_and_are_the_cost() -> None:
    number = Amount(formula=read_number("clues")[0])
    pays = Powers(reroll=Reroll(number, rolls=Rolls.ALL, once_per_round=False, discard=True))
    bench = rooms(
        at={ADA: "house/c", BEN: "house/c"},
        monsters=[(DROWNED, "house/a")],
        conditions=[ConditionCard("condition/keen", 1, powers=pays)],
        harms=[
            harm_card("horror/vision", Harm.HORROR, keep=pays),
            harm_card("damage/plain", Harm.DAMAGE),
        ],
        **beast(spaces=1),
    )
    resolve(bench, Become("condition/keen"), Suffer(horror=Amount(1)), actor=BEN)
    with_clues(bench, 2, BEN)
    barricade(bench, "b", DOOR)
    bench.give_dice("SSS BB B")

    activate(bench, "condition/keen", (0, 1), "horror/vision", (0,))

    offers = bench.asked[0].prompts[1].options[1:]
    assert {offer.text.params[1] for offer in offers} == {2}

    assert [again for _, again, _ in rerolled(bench)] == [(0, 1), (2,)]
    who = bench.game_table.investigators[BEN]
    assert (who.conditions, who.faceup_cards(Harm.HORROR)) == ((), ())


@rule("BARRICADE-14")
def test_the_roll_may_be_let_stand() -> None:
    bench = assaulted("SBB", glass())

    activate(bench, "item/glass", (), "choice/let_stand")

    assert rerolled(bench) == []
    assert bench.happened(PowerUsed) == []


@rule("BARRICADE-14")
@pytest.mark.parametrize(
    ("dice", "card"), [("SBB", glass(Rolls.TESTS)), ("SBB", glass(skill=Skill.LORE))]
)
def test_no_other_card_is_offered_against_a_barricade(dice: str, card: ItemCard) -> None:
    bench = assaulted(dice, card)
    is_named = card.powers.reroll is not None and card.powers.reroll.rolls is not Rolls.TESTS

    activate(bench, *(["choice/let_stand"] if is_named else []))

    assert len(bench.asked) == is_named


@rule("BARRICADE-13", "BARRICADE-14")
def test_the_cards_of_one_investigator_count() -> None:
    """After one investigator has used theirs, nobody else is asked."""
    both = {ADA: ["item/glass"], BEN: ["item/glass"]}
    bench = assaulted("SSB B", glass(), has=both)
    activate(bench, "choice/let_stand", "item/glass", (0,))

    assert [list(ask.prompts) for ask in bench.asked[:3]] == [[0], [1], [1]]

    bench = assaulted("SSB B", glass(), has=both)
    activate(bench, "item/glass", (0,))
    assert [list(ask.prompts) for ask in bench.asked[:2]] == [[0], [0]]


@rule("BARRICADE-14", "DECIDE-29")
def test_a_card_is_used_once_for_a_roll_and_once_in_a_round() -> None:
    bench = assaulted("SBB B SBB", glass())
    activate(bench, "item/glass", (0,))
    bench.run(activation.activate(bench.game, "m1"))
    assert len(rerolled(bench)) == 1

    bench = assaulted("SBB B SBB B", glass(once_per_round=False))
    activate(bench, "item/glass", (0,))
    activate(bench, "item/glass", (0,))
    assert len(rerolled(bench)) == 2


@rule("BARRICADE-14", "TEST-8")
def test_a_card_for_barricades_alone_does_nothing_in_a_test() -> None:
    bench = assaulted("BBB", glass())

    bench.run(skill_test.make_test(bench.game, ADA, Skill.LORE))

    assert bench.asked == []


@rule("BARRICADE-16", "DECIDE-90")
def test_a_failed_roll_costs_all_movement_left() -> None:
    """The monster tries once in an activation, however many spaces it may move."""
    bench = hunted()
    bench.give_dice("SII")

    activate(bench)

    assert len(bench.happened(BarricadeAssaulted)) == 1
    assert bench.happened(MonsterMoved) == []
    assert bench.happened(HarmTaken) == []


@rule("BARRICADE-16")
def test_what_it_moved_before_stays_moved() -> None:
    bench = rooms(at={ADA: "house/c"}, monsters=[(DROWNED, "house/a")], **beast())
    barricade(bench, "b", OTHER)
    bench.give_dice("BBB")

    activate(bench)

    assert where(bench)["m1"] == "house/b"


@rule("DECIDE-91", "BARRICADE-13")
def test_the_roll_is_open_to_all() -> None:
    bench = hunted()
    bench.give_dice("SSB")
    activate(bench)

    rolled = next(s for s, e in zip(bench.stored, bench.log, strict=True) if isinstance(e, Rolled))
    assert cut(rolled, 0).public == cut(rolled, None).public


@rule("BARRICADE-12")
@pytest.mark.parametrize(("dice", "given"), [(2, "BBBSS"), (-1, "SS")])
def test_abilities_give_and_take_dice(dice: int, given: str) -> None:
    ram = Ability("ability/ram", barricade_dice=dice)
    bench = hunted(abilities=[ram], **beast(abilities=["ability/ram"]))
    bench.give_dice(given)

    activate(bench)

    assert bench.happened(BarricadeAssaulted)[0].faces == faces(given)
    assert barricades(bench) == []


@rule("DECIDE-87")
@pytest.mark.parametrize("brawn", [0, -1])
def test_a_pool_below_one_rolls_nothing_and_fails(brawn: int) -> None:
    bench = hunted(brawn=brawn)

    activate(bench)

    assert bench.happened(BarricadeAssaulted)[0].faces == ()
    assert bench.happened(Rolled) == []
    assert where(bench)["m1"] == "house/a"


@rule("DECIDE-92", "BARRICADE-15")
def test_of_two_at_one_door_each_must_be_broken() -> None:
    """The first Barricade breaks and the second one holds, so the monster stays."""
    bench = hunted()
    barricade(bench, "a", DOOR)
    bench.give_dice("SSB SBB")

    activate(bench)

    assert [e.is_broken for e in bench.happened(BarricadeAssaulted)] == [True, False]
    assert len(bench.happened(FeatureRemoved)) == 1
    assert where(bench)["m1"] == "house/a"


@rule("BARRICADE-10", "PASSAGE-2", "DECIDE-94")
def test_a_blocked_passage_is_broken_like_a_door() -> None:
    bench = cells("a", "d", at={ADA: "house/d"}, monsters=[(DROWNED, "house/a")], **beast())
    barricade(bench, "d", "passage")
    bench.give_dice("SSS")

    activate(bench)

    assert barricades(bench) == []
    assert where(bench)["m1"] == "house/d"


# The way -------------------------------------------------------------------------------------


@rule("DECIDE-89", "DECIDE-101")
def test_blocked_is_open_for_a_monsters_distances() -> None:
    """Ada is nearest through the Barricade, although investigators have no path at all."""
    bench = rooms(
        at={ADA: "house/a", BEN: "house/c"},
        monsters=[(DROWNED, "house/b"), (RAT, "house/b")],
        **beast(toward=Target.NEAREST),
    )
    barricade(bench, "b", DOOR)
    bench.give_dice("BBB")

    assert distance.distance(bench.game_table, "house/b", "house/a") is None
    activate(bench, "investigator/ada")

    assert sorted(bench.asked[0].prompts) == [0, 1]
    assert len(bench.happened(BarricadeAssaulted)) == 1


ROUND = """
+---+---+
| a : b |
+-1-+...+
| d : c |
+---+---+
"""


@rule("DECIDE-89", "DECIDE-103", "DECIDE-88")
@pytest.mark.parametrize(("way", "rolls"), [("choice/break_through", 1), ("house/b", 0)])
def test_among_equally_short_ways_the_investigators_choose(way: str, rolls: int) -> None:
    bench = world(
        tiles=[tile(ROUND)],
        at={ADA: "house/c"},
        monsters=[(DROWNED, "house/a")],
        **beast(spaces=1),
    )
    barricade(bench, "d", DOOR)
    bench.give_dice("BBB" if rolls else "")

    activate(bench, way)

    assert len(bench.happened(BarricadeAssaulted)) == rolls
    assert where(bench)["m1"] == ("house/a" if rolls else "house/b")


@rule("DECIDE-88")
def test_the_shorter_way_is_taken_blocked_or_not() -> None:
    """The door is one space away, the open path three.

    The monster tries the door without a question.
    """
    bench = world(
        tiles=[tile(ROUND)], at={ADA: "house/d"}, monsters=[(DROWNED, "house/a")], **beast()
    )
    barricade(bench, "d", DOOR)
    bench.give_dice("BBB")

    activate(bench)

    assert where(bench)["m1"] == "house/a"
    assert bench.asked == []


def test_a_way_that_is_open_beside_a_blocked_one_is_taken() -> None:
    bench = world(
        tiles=[tile(ROUND)], at={ADA: "house/b"}, monsters=[(DROWNED, "house/a")], **beast()
    )
    for space in "ab":
        resolve(bench, PlaceFeature(PASSAGE, f"house/{space}"))
    barricade(bench, "b", "passage")

    activate(bench)

    assert where(bench)["m1"] == "house/b"
    assert bench.happened(BarricadeAssaulted) == []


# Abilities -----------------------------------------------------------------------------------

GHOSTLY = Ability("ability/ghostly", passes=(Passable.WALLS,))
FLYING = Ability("ability/flying", passes=(Passable.IMPASSABLE,))
SEEPING = Ability("ability/seeping", passes=(Passable.BARRICADES,))
EVERY = (GHOSTLY, FLYING, SEEPING)


@rule("MONSTER-4", "SECRET-11")
def test_a_monsters_abilities_lie_open_on_the_table() -> None:
    bench = hunted(abilities=EVERY, **beast(abilities=["ability/flying"]))

    assert bench.game_table.monsters["m1"].abilities == ("ability/flying",)


@rule("MONSTER-4", "MOVE-6", "MOVE-8")
def test_what_passes_walls_passes_blocked_doors_too() -> None:
    picture = "+---+---+---+\n| a | b 1 c |\n+---+---+---+"
    bench = world(
        tiles=[tile(picture)],
        at={ADA: "house/c"},
        monsters=[(DROWNED, "house/a")],
        abilities=EVERY,
        **beast(abilities=["ability/ghostly"]),
    )
    barricade(bench, "c", DOOR)

    activate(bench)

    assert where(bench)["m1"] == "house/c"
    assert bench.happened(BarricadeAssaulted) == []
    assert [one.against for one in barricades(bench)] == [DOOR]


@rule("MONSTER-4", "BARRICADE-10")
def test_what_passes_barricades_rolls_for_none() -> None:
    bench = hunted(abilities=EVERY, **beast(abilities=["ability/seeping"]))
    activate(bench)
    assert where(bench)["m1"] == "house/c"
    assert len(barricades(bench)) == 1

    walled = cells(
        at={ADA: "house/b"},
        monsters=[(DROWNED, "house/a")],
        abilities=EVERY,
        **beast(abilities=["ability/seeping"]),
    )
    activate(walled)
    assert where(walled)["m1"] == "house/a"


@rule("MONSTER-4", "MOVE-7")
@pytest.mark.parametrize(("ability", "goal"), [("flying", "house/b"), ("ghostly", "house/a")])
def test_what_passes_impassable_borders(ability: str, goal: str) -> None:
    bench = world(
        tiles=[tile("+---+---+\n| a ! b |\n+---+---+")],
        at={ADA: "house/b"},
        monsters=[(DROWNED, "house/a")],
        abilities=EVERY,
        **beast(abilities=[f"ability/{ability}"]),
    )

    activate(bench)

    assert where(bench)["m1"] == goal
