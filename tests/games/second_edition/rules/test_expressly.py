"""Effects that expressly permit paths and range through obstacles, for one investigator."""

from collections.abc import Sequence
from typing import Any

import attrs
import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema.cards import (
    Attack,
    ConditionCard,
    Convert,
    ItemCard,
    Modifier,
    ModifierKind,
    Powers,
    Reach,
    Through,
    WeaponKind,
)
from content.games.second_edition.schema.effects import (
    Amount,
    Become,
    MoveAway,
    PlaceInvestigator,
    Suffer,
    Toward,
)
from content.games.second_edition.schema.monsters import Ability, Passable
from content.games.second_edition.schema.scenario import TokenCard
from protocol.games.second_edition.events import (
    CluesGained,
    CluesGiven,
    CluesSpent,
    InvestigatorMoved,
    PowerUsed,
)
from protocol.games.second_edition.table import FeatureKind, Harm, Skill, TokenKind
from server.games.second_edition.rules import (
    activation,
    adjacency,
    combat,
    features,
    movement,
    skill_test,
    trade,
)
from server.games.second_edition.rules.stakes import Stakes
from tests.games.second_edition.rules import worlds
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    harm_card,
    monster_card,
    offered,
    proceed,
    refused,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import item, resolve, with_clues

LINES = """
+---+---+---+---+---+
| a | b : c ! d = e |
+---+---+---+---+---+
"""
"""A wall, a border, an impassable border and a door."""
THROUGH = item("item/veil", Modifier(ModifierKind.THROUGH_WALLS))
ACROSS = item("item/pole", Modifier(ModifierKind.ACROSS_IMPASSABLE))
LATCHKEY = item("item/latchkey", Modifier(ModifierKind.THROUGH_UNEXPLORED))
PURSE = item("item/purse", Modifier(ModifierKind.TRADE_CLUES))
SHOT = Attack(Reach.RANGED, WeaponKind.SPELL, 1)
ROD = ItemCard("item/rod", "unique", attack=SHOT)
LENS = ItemCard("item/lens", "unique", attack=attrs.evolve(SHOT, through=tuple(Through)))


def at_b(*has: str, space: str = "house/b", **parts: object) -> Bench:
    """Return a game with Ada and these Items in a row of spaces."""
    items = [THROUGH, ACROSS, ROD, LENS]
    return world(tiles=[tile(LINES)], at={ADA: space}, items=items, has={ADA: has}, **parts)  # type: ignore[arg-type]  # passed on


@pytest.mark.rule("MOVE-6")
@pytest.mark.rule("MOVE-7")
@pytest.mark.parametrize(
    ("has", "space", "ways"),
    [
        ((), "house/b", ["house/c"]),
        (("item/veil",), "house/b", ["house/a", "house/c"]),
        (("item/pole",), "house/b", ["house/c"]),
        ((), "house/c", ["house/b"]),
        (("item/pole",), "house/c", ["house/b", "house/d"]),
        (("item/veil",), "house/c", ["house/b"]),
    ],
)
def test_a_card_lets_its_owner_through(has: tuple[str, ...], space: str, ways: list[str]) -> None:
    """Each card opens what it names and nothing else."""
    bench = at_b(*has, space=space)

    assert sorted(movement.next_spaces(bench.game, ADA)) == ways


@pytest.mark.rule("MOVE-7")
def test_a_way_that_a_card_opens_is_offered_and_not_refused() -> None:
    bench = at_b("item/pole", space="house/c")

    assert "choice/move_to house/d" in offered(bench)
    assert refused(bench, "choice/move_to") == []
    assert "choice/go_far house/e" in offered(bench)

    proceed(bench, "house/d", "choice/stop")
    assert where(bench)[ADA] == "house/d"


HALL = tile("+---+---+\n| a : b 1\n+---+---+", id="hall")
STUDY = tile("+---+\n= s |\n+---+", id="study", column=8)
"""A door with a token on it, the room behind it on the board already."""


def at_a_door(has: Sequence[str] = (), **parts: Any) -> Bench:
    """Return a game in which Ada and Ben stand near a door with an Explore token."""
    at = {ADA: "hall/b", BEN: "hall/a"}
    door = TokenCard("token/door", TokenKind.EXPLORE, "hall/1", ())
    items = [LATCHKEY]
    return world(tiles=[HALL, STUDY], at=at, tokens=[door], items=items, has={ADA: has}, **parts)


@pytest.mark.rule("MOVE-9")
@pytest.mark.rule("DOOR-2")
def test_a_card_lets_its_owner_through_a_door_with_a_token() -> None:
    """The card does not open a Barricade on the same door, and Ben has no such card."""
    bench = at_a_door([LATCHKEY.id])

    assert movement.next_spaces(bench.game, ADA) == ("hall/a", "study/s")
    bench.emit(InvestigatorMoved(BEN, "hall/b"))
    assert movement.next_spaces(bench.game, BEN) == ("hall/a",)

    features.place(bench.game, FeatureKind.BARRICADE, "hall/b", "hall/1")
    assert movement.next_spaces(bench.game, ADA) == ("hall/a",)


@pytest.mark.rule("MOVE-9")
@pytest.mark.parametrize(("passes", "came"), [((), False), ((Passable.UNEXPLORED,), True)])
def test_a_monster_goes_through_a_door_with_a_token_where_its_abilities_say_so(
    passes: tuple[Passable, ...], came: bool
) -> None:
    slips = Ability("ability/slips", passes)
    card = monster_card(activations=(worlds.activation(spaces=2),), abilities=("ability/slips",))
    bench = at_a_door(monsters=[(DROWNED, "study/s")], monster_cards=[card], abilities=[slips])

    bench.run(activation.activate(bench.game, "m1"), ...)

    assert (bench.game_table.monsters["m1"].space == "hall/b") is came


def trading(has: Sequence[str], his: Sequence[str] = ()) -> Bench:
    """Return a game in which Ada and Ben, with these Items and a Clue each, share a space."""
    at = {ADA: "house/b", BEN: "house/b"}
    bench = world(tiles=[tile(LINES)], at=at, items=[PURSE, ROD], has={ADA: has, BEN: his})
    bench.emit(CluesGained(ADA, 1))
    bench.emit(CluesGained(BEN, 1))
    return bench


@pytest.mark.rule("CLUE-3")
@pytest.mark.rule("TRADE-6")
def test_a_card_lets_its_owner_give_clues_in_a_trade() -> None:
    """Ada gives her own Clues one at a time. Ben cannot give his."""
    bench = trading([PURSE.id], [ROD.id])

    bench.run(trade.trade(bench.game, ADA), {0: "choice/give_clue_to", 1: "choice/drop"}, ...)

    assert bench.happened(CluesGiven) == [CluesGiven(ADA, BEN, 1)]
    clues = {who: found.clues for who, found in bench.game_table.investigators.items()}
    assert clues == {ADA: 0, BEN: 2}
    assert bench.open is not None
    assert next(o.text.subject for o in bench.open.prompts[0].options) == "choice/give"
    assert [no.text.subject for no in bench.open.prompts[1].refused] == ["choice/give_clue"]


@pytest.mark.rule("CLUE-3")
def test_without_such_a_card_nobody_gives_a_clue() -> None:
    bench = trading([])

    assert "choice/trade" not in offered(bench)
    assert refused(bench, "choice/trade") == [("choice/trade", "TRADE-6")]


@pytest.mark.rule("MOVE-8")
def test_whoever_goes_through_walls_is_stopped_by_no_barricade() -> None:
    at = {ADA: "house/d", BEN: "house/d"}
    bench = world(tiles=[tile(LINES)], at=at, items=[THROUGH], has={ADA: ["item/veil"]})
    before = movement.next_spaces(bench.game, ADA)
    (door,) = adjacency.blockable(bench.game_table, "house/d")
    features.place(bench.game, FeatureKind.BARRICADE, "house/d", door)

    assert movement.next_spaces(bench.game, BEN) == ()
    assert movement.next_spaces(bench.game, ADA) == before == ("house/e",)


@pytest.mark.rule("MOVE-6")
def test_a_card_is_its_owners_alone() -> None:
    at = {ADA: "house/b", BEN: "house/b"}
    bench = world(tiles=[tile(LINES)], at=at, items=[THROUGH], has={ADA: ["item/veil"]})

    assert movement.next_spaces(bench.game, BEN) == ("house/c",)


@pytest.mark.rule("MOVE-10")
def test_a_move_away_goes_through_what_a_card_opens() -> None:
    bench = at_b("item/veil", monsters=[(DROWNED, "house/c")])

    resolve(bench, MoveAway(1), monster="m1")

    assert bench.happened(InvestigatorMoved)[-1].space == "house/a"


@pytest.mark.rule("MOVE-10")
def test_a_move_toward_a_space_goes_through_what_a_card_opens() -> None:
    bench = at_b("item/veil")

    resolve(bench, PlaceInvestigator(toward=Toward("house/a", 1)))

    assert bench.happened(InvestigatorMoved)[-1].space == "house/a"


# Dice ------------------------------------------------------------------------------

ALL = Stakes(is_all_or_nothing=True)
MONOCLE = item("item/monocle", convert=Convert(dice=2))
MATCHES = item("item/matches", convert=Convert(skill=Skill.LORE, discard=True))


def rolling(faces: str, *has: ItemCard) -> Bench:
    """Return a game in which Ada has these Items and will roll these faces."""
    bench = world(items=list(has), has={ADA: [card.id for card in has]})
    bench.give_dice(faces)
    return bench


def result_of(bench: Bench, *answers: Any, skill: Skill = Skill.LORE) -> int:
    result: int = bench.run(skill_test.make_test(bench.game, ADA, skill), *answers)
    return result


@pytest.mark.rule("TEST-8")
@pytest.mark.rule("DICE-3")
def test_a_card_converts_investigations_without_clues() -> None:
    bench = rolling("III", MONOCLE)

    assert result_of(bench, "choice/convert") == 2
    assert bench.happened(CluesSpent) == []
    assert bench.happened(PowerUsed) == [PowerUsed(ADA, "p1")]

    bench.give_dice("III")
    assert result_of(bench) == 0


@pytest.mark.rule("TEST-8")
@pytest.mark.rule("SPEND-1")
def test_a_card_that_converts_may_be_the_cost_itself() -> None:
    bench = rolling("IIB", MATCHES)

    assert result_of(bench, "choice/convert") == 1
    assert bench.game_table.investigators[ADA].possessions == ()


@pytest.mark.rule("TEST-8")
@pytest.mark.parametrize(
    ("faces", "skill"), [("IIB", Skill.WILL), ("SBB", Skill.LORE)], ids=["skill", "dice"]
)
def test_a_card_converts_nothing_else(faces: str, skill: Skill) -> None:
    """Dice of another skill, blanks and successes are not converted, so nothing is asked."""
    bench = rolling(faces, MATCHES)

    assert result_of(bench, skill=skill) == faces.count("S")
    assert bench.asked == []


@pytest.mark.rule("TEST-8")
def test_a_card_is_asked_for_where_it_can_still_gain_what_is_needed() -> None:
    """Two successes are needed: both cards can give three, the second alone gives one at most."""
    bench = rolling("IIB", MATCHES)
    needed = skill_test.make_test(bench.game, ADA, Skill.LORE, difficulty=2, stakes=ALL)
    assert bench.run(needed) == 0
    assert bench.asked == []

    bench = rolling("IIB", MATCHES, MONOCLE)
    needed = skill_test.make_test(bench.game, ADA, Skill.LORE, difficulty=2, stakes=ALL)
    assert bench.run(needed, by_card(MONOCLE)) == 2


@pytest.mark.rule("TEST-8")
def test_a_card_converts_once_in_a_test_even_if_it_is_used_up_by_nothing() -> None:
    """The card converts two of four dice and is offered again only in the next test."""
    endless = item("item/endless", convert=Convert(dice=1, once_per_round=False))
    bench = rolling("IIB", endless)

    assert result_of(bench, "choice/convert") == 1
    assert len(bench.asked) == 1

    bench.give_dice("IIB")
    assert result_of(bench, "choice/convert") == 1


@pytest.mark.rule("TEST-8")
def test_how_many_dice_a_card_converts_may_hang_on_its_owner() -> None:
    """Ben, who makes the test, converts as many as he has Clues, at least one."""
    scale = item("item/scale", convert=Convert(dice=Amount(formula=read_number("clues")[0])))
    bench = world(items=[scale], has={BEN: [scale.id]}, at={ADA: "house/a", BEN: "house/b"})
    with_clues(bench, 2, BEN)
    bench.give_dice("III")

    made = skill_test.make_test(bench.game, BEN, Skill.LORE)

    assert bench.run(made, "choice/convert", "choice/accept") == 2


@pytest.mark.rule("TEST-8")
@pytest.mark.rule("SPEND-1")
def test_conditions_and_faceup_cards_convert_too_and_are_the_cost() -> None:
    pays = Powers(convert=Convert(discard=True))
    keen = ConditionCard("condition/keen", 1, powers=pays)
    vision = harm_card("horror/vision", Harm.HORROR, keep=pays)
    bench = world(conditions=[keen], harms=[vision, harm_card("damage/plain", Harm.DAMAGE)])
    resolve(bench, Become("condition/keen"), Suffer(horror=Amount(1)))
    bench.give_dice("IIB")

    assert result_of(bench, by_name("condition/keen"), by_name("horror/vision")) == 2

    who = bench.game_table.investigators[ADA]
    assert (who.conditions, who.faceup_cards(Harm.HORROR)) == ((), ())


def by_name(card: str) -> Any:
    """Return the answer that uses the card with this id."""
    return lambda option: card in option.text.params


def by_card(card: ItemCard) -> Any:
    return lambda option: card.id in option.text.params


@pytest.mark.rule("RANGE-2")
@pytest.mark.rule("RANGE-3")
@pytest.mark.parametrize(("has", "found"), [(ROD, "bcd"), (LENS, "abcde")])
def test_an_attack_reaches_through_walls_and_doors_where_it_says_so(
    has: ItemCard, found: str
) -> None:
    """Monsters are in all five spaces; from b, the first and the last need the permission."""
    monsters = [(DROWNED, f"house/{letter}") for letter in "abcde"]
    cards = [monster_card(copies=5)]
    bench = at_b(has.id, monsters=monsters, monster_cards=cards)
    assert has.attack is not None

    hit = combat.targets(bench.game, ADA, has.attack)

    assert [bench.game_table.monsters[one].space[-1] for one in hit] == list(found)


@pytest.mark.rule("RANGE-2")
@pytest.mark.parametrize("through", [(), (Through.WALLS,)])
def test_an_activation_reaches_through_walls_where_it_says_so(through: tuple[Through, ...]) -> None:
    instruction = worlds.activation(spaces=0, ranged=True, through=through)
    bench = at_b(
        space="house/a",
        monsters=[(DROWNED, "house/b")],
        monster_cards=[monster_card(activations=(instruction,))],
    )

    assert activation.in_reach(bench.game_table, "m1", instruction) == ((ADA,) if through else ())
    found = activation.best_fitting(
        bench.game, "m1", instruction.target, (ADA,), within=instruction
    )
    assert found == ((ADA,) if through else ())


@pytest.mark.rule("CLUE-3")
@pytest.mark.parametrize("with_ben", [False, True])
def test_where_nothing_but_a_clue_can_be_given_there_is_a_trade(*, with_ben: bool) -> None:
    """The only thing to give is a Clue, and only another investigator can receive it."""
    giving = Powers(modifiers=(Modifier(ModifierKind.TRADE_CLUES),))
    at = {ADA: "house/a", BEN: "house/a" if with_ben else "house/b"}
    ada = worlds.investigator_card(ADA, ability=giving)
    bench = with_clues(world(at=at, investigators=[ada]), 1)

    offered = {option.text.subject for option in trade.menu(bench.game, ADA).options}

    assert ("choice/trade" in offered) is with_ben
