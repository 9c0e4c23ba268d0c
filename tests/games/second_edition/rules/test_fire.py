"""Fire: whom it hurts, when it does not, and how it spreads."""

from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.monster_steps import Activate
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.asks import Settle
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    DealtWith,
    FeaturePlaced,
    HarmTaken,
    InvestigatorEliminated,
    InvestigatorMoved,
    MonsterDamaged,
    MonsterDiscarded,
    MonsterMoved,
    MythosStepBegan,
    PhaseBegan,
    Told,
    TurnEnded,
)
from protocol.games.second_edition.table import Harm, MythosStep, Phase, TokenKind
from server.games.second_edition.rules import activation
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    entry,
    investigator_card,
    monster_card,
    offered,
    proceed,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds import activation as instruction
from tests.games.second_edition.rules.worlds_effects import LAMP, person, resolve, resolves
from tests.games.second_edition.rules.worlds_fire import (
    FIRE,
    HOLDER,
    burning,
    damage,
    forfeits,
    harms,
    laid,
    pair,
    row,
    search,
)

rule = pytest.mark.rule


# Entering ------------------------------------------------------------------------------------


@rule("FIRE-1")
def test_each_entry_costs_one_facedown_damage() -> None:
    bench = row(burning="b")

    proceed(bench, "house/b", "house/c")
    assert damage(bench) == 1
    proceed(bench, "house/b", "choice/stop")

    assert damage(bench) == 2


@rule("FIRE-1", "DECIDE-30")
def test_being_placed_in_fire_is_entering_it() -> None:
    bench = pair(burning="d")

    resolve(bench, steps.PlaceInvestigator("house/d", steps.Who.OTHERS))

    assert (damage(bench, ADA), damage(bench, BEN)) == (0, 1)


@rule("FIRE-1")
def test_movement_of_any_kind_is_entering() -> None:
    """The movement may be offered by an effect or be involuntary."""
    bench = row(burning="b", monsters=[(DROWNED, "house/a")])

    resolve(bench, steps.MayMove(1), answers=["house/b"])
    assert damage(bench) == 1
    resolve(bench, steps.PlaceInvestigator("house/a"), steps.MoveAway(1), monster="m1")

    assert damage(bench) == 2


@rule("DECIDE-69", "FIRE-1")
def test_a_move_ends_where_fire_ends_its_mover() -> None:
    """Ada is Wounded and one Damage from elimination, so the rest of her move is not asked for."""
    bench = pair(burning="b", investigators=[investigator_card(health=2)])
    for count in (2, 1):
        resolve(bench, steps.Suffer(damage=Amount(count), facedown=True))

    proceed(bench, "house/b")

    assert bench.happened(InvestigatorEliminated)[0].investigator == ADA
    assert bench.happened(TurnEnded)
    assert where(bench)[ADA] is None


@rule("DECIDE-51")
def test_fire_within_other_harm_is_part_of_it() -> None:
    text = (steps.TurnThisFacedown(), steps.PlaceInvestigator("house/b"))
    flight = resolves("damage/flight", Harm.DAMAGE, *text)
    bench = row(burning="b", harms=[flight], investigators=[investigator_card(health=2)])

    resolve(bench, steps.Suffer(damage=Amount(2)))

    assert [event.card for event in bench.happened(HarmTaken)] == [
        *("damage/flight", None, "damage/flight", None),
    ]
    assert person(bench).is_wounded
    assert not bench.happened(InvestigatorEliminated)


# Acting --------------------------------------------------------------------------------------


def look_around() -> TokenCard:
    """Return a Sight token."""
    return TokenCard("token/view", TokenKind.SIGHT, "house/a", (TokenOption("text/view", ()),))


@rule("FIRE-2", "DECIDE-5")
@pytest.mark.parametrize(
    ("parts", "answers"),
    [
        ({"tokens": [search()]}, ["text/search"]),
        ({"has": {ADA: [LAMP.id]}}, ["choice/trade", "choice/trade_close"]),
        ({"monsters": [(DROWNED, "house/a")]}, ["choice/attack_unarmed"]),
    ],
)
def test_acting_in_fire_costs_one(parts: dict[str, Any], answers: list[str]) -> None:
    """Each action except a move action costs one Damage."""
    bench = row(burning="a", **parts)

    for count in (1, 2):
        proceed(bench, *answers)
        assert damage(bench) == count


@rule("FIRE-2", "DECIDE-5")
def test_a_move_action_in_fire_costs_nothing() -> None:
    """In a burning space, neither staying nor leaving by a move action costs Damage."""
    bench = row(burning="a")

    proceed(bench, "choice/move_later", "choice/stop")
    proceed(bench, "house/b", "house/c")

    assert damage(bench) == 0


@rule("FIRE-2")
def test_what_costs_no_action_costs_no_damage() -> None:
    """Looking at a Sight token takes no action."""
    bench = row(burning="a", tokens=[look_around()])

    proceed(bench, "text/view")

    assert damage(bench) == 0


@rule("FIRE-2")
def test_fire_that_is_gone_after_the_action_does_not_hurt() -> None:
    """The space must still burn when the action ends."""
    bench = row(burning="a", tokens=[search(steps.RemoveFeature(FIRE, "actor"))])

    proceed(bench, "text/search")

    assert damage(bench) == 0


@rule("DECIDE-79")
def test_the_space_where_the_action_began_counts() -> None:
    away = row(burning="a", tokens=[search(steps.PlaceInvestigator("house/c"))])
    into = row(burning="ab", tokens=[search(steps.PlaceInvestigator("house/b"))])

    proceed(away, "text/search")
    proceed(into, "text/search")

    assert (damage(away), damage(into)) == (0, 1)


@rule("DECIDE-79", "DECIDE-78")
def test_fire_that_comes_during_the_action_does_not_hurt() -> None:
    """The space did not burn when the action began, and fire that appears hurts nobody."""
    bench = row(tokens=[search(steps.PlaceFeature(FIRE, "actor"))])

    proceed(bench, "text/search")
    assert (burning(bench), damage(bench)) == ("a", 0)
    proceed(bench, "text/search")

    assert damage(bench) == 1


@rule("DECIDE-78")
def test_staying_in_fire_without_acting_costs_nothing() -> None:
    bench = row(burning="a")

    proceed(bench, "choice/end_turn")

    assert damage(bench) == 0


@rule("DECIDE-82")
def test_fire_hurts_before_an_interrupted_move_goes_on() -> None:
    bench = row(burning="a", tokens=[search()])

    proceed(bench, "choice/move_later", "text/search", "house/b", "choice/stop")

    kinds = [type(event) for event in bench.log]
    assert damage(bench) == 1
    assert kinds.index(HarmTaken) < len(kinds) - kinds[::-1].index(InvestigatorMoved)
    assert kinds.index(HarmTaken) < kinds.index(InvestigatorMoved, kinds.index(PhaseBegan))


# Forfeiting ----------------------------------------------------------------------------------


@rule("FIRE-3", "DECIDE-81")
@pytest.mark.parametrize("answer", ["text/search", "house/b"])
def test_a_forfeited_action_costs_one_and_no_more(answer: str) -> None:
    """A forfeited move action costs one Damage too; without fire, no forfeit costs any."""
    parts: dict[str, Any] = {
        "monsters": [(DROWNED, "house/a")],
        "monster_cards": [HOLDER],
        "tokens": [search()],
    }
    bench, cool = row(burning="a", **parts), row(**parts)

    proceed(bench, answer)
    proceed(cool, answer)

    assert (forfeits(bench), damage(bench)) == (1, 1)
    assert (forfeits(cool), damage(cool)) == (1, 0)


@rule("DECIDE-81")
def test_an_interrupting_action_that_is_forfeited_costs_one() -> None:
    """The interrupted move continues and costs nothing more."""
    shy = monster_card(evades=(entry(steps.Forfeit(), steps.DamageMonster(3)),))
    bench = row(
        burning="a",
        monsters=[(DROWNED, "house/a")],
        monster_cards=[shy],
        tokens=[search()],
    )

    proceed(bench, "choice/move_later", "text/search", "house/b", "choice/stop")

    assert (forfeits(bench), damage(bench)) == (1, 1)
    assert where(bench)[ADA] == "house/b"


# Monsters ------------------------------------------------------------------------------------


def activated(*, at: str, burns: str, health: int = 3, **changes: Any) -> Bench:
    """Return a bench after the activation of a monster that moves two spaces toward Ada in e."""
    card = monster_card(
        health=Amount(health), activations=(instruction(**{"spaces": 2, **changes}),)
    )
    bench = row(
        burning=burns,
        at={ADA: "house/e"},
        monsters=[(DROWNED, f"house/{at}")],
        monster_cards=[card],
    )
    bench.run(activation.activate(bench.game, "m1"))
    return bench


@rule("FIRE-7", "FIRE-8")
@pytest.mark.parametrize(("burns", "amount"), [("", 0), ("a", 1), ("b", 1), ("ac", 2), ("de", 0)])
def test_fire_hurts_monsters_that_begin_in_it_or_enter_it(burns: str, amount: int) -> None:
    """Each burning space costs one damage on the way from a to c."""
    bench = activated(at="a", burns=burns)

    assert bench.game_table.monsters["m1"].damage == amount
    assert where(bench)["m1"] == "house/c"


@rule("FIRE-7", "DECIDE-85")
@pytest.mark.parametrize(("health", "moves"), [(2, 1), (1, 0)])
def test_fire_hurts_a_monster_that_an_effect_activates(health: int, moves: int) -> None:
    card = monster_card(health=Amount(health))
    bench = row(
        burning="a", at={ADA: "house/e"}, monsters=[(DROWNED, "house/a")], monster_cards=[card]
    )

    resolve(bench, Activate(), monster="m1")

    assert len(bench.happened(MonsterDamaged)) == 1
    assert len(bench.happened(MonsterMoved)) == moves


@rule("FIRE-7", "DECIDE-85")
def test_a_monster_that_burns_to_death_at_the_start_does_nothing() -> None:
    """The monster neither moves nor attacks, and there is nothing to confirm."""
    card = monster_card(health=Amount(1))
    bench = row(burning="a", monsters=[(DROWNED, "house/a")], monster_cards=[card])

    bench.run(activation.activate(bench.game, "m1"))

    assert bench.happened(MonsterDiscarded) == [MonsterDiscarded("m1", is_defeated=True)]
    assert [type(e) for e in bench.log[bench.log.index(DealtWith("m1")) :]] == [
        *(DealtWith, MonsterDamaged, MonsterDiscarded),
    ]


@rule("FIRE-8", "DECIDE-85")
def test_a_monster_that_burns_to_death_on_its_way_does_not_attack() -> None:
    """The monster would have reached Ada."""
    bench = activated(at="c", burns="d", health=1, attack=(steps.Suffer(damage=Amount(1)),))

    assert bench.game_table.monsters == {}
    assert [moved.space for moved in bench.happened(MonsterMoved)] == ["house/d"]
    assert [told.text.subject for told in bench.happened(Told)] == ["text/activation"]
    assert harms(bench) == 0


# Spreading -----------------------------------------------------------------------------------


def to_the_mythos_phase(bench: Bench, *answers: Any) -> None:
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    proceed(bench, *answers)


@rule("FIRE-9", "MYTHOS-3", "FIRE-12")
def test_fire_takes_one_more_space_before_the_first_event() -> None:
    bench = row(burning="a")

    to_the_mythos_phase(bench)

    placed, began, _ = bench.log[-3:]
    assert isinstance(placed, FeaturePlaced)
    assert placed.feature.space == "house/b"
    assert began == MythosStepBegan(MythosStep.EVENT)
    assert bench.happened(Told) == [Told(Text("told/fire_spreads"))]


@rule("FIRE-9")
def test_without_fire_nothing_spreads() -> None:
    bench = row()

    to_the_mythos_phase(bench)

    assert burning(bench) == ""
    assert bench.happened(Told) == []


@rule("DECIDE-74", "DECIDE-75")
def test_the_investigators_decide_on_the_one_space() -> None:
    """Two spaces burn and three could catch fire. All seats are asked, and one space is chosen."""
    bench = pair(burning="bd", turn_of=None)

    to_the_mythos_phase(bench, "choice/not_usual", "house/c")

    _, ask = bench.asked
    assert (ask.rule, ask.settle, sorted(ask.prompts)) == ("FIRE-9", Settle.AGREE, [0, 1])
    assert [o.points[0].piece for o in ask.prompts[1].options] == ["house/c", "house/e", "house/a"]
    assert burning(bench) == "bcd"


LINES = """
+---+---+---+
| b : a ! c |
+---+-=-+---+
    | d | e |
    +---+---+
"""
"""Map around space a: a border, an impassable border, a door; e is behind walls."""


@rule("DECIDE-76", "FIRE-10")
def test_fire_spreads_across_every_line_but_walls() -> None:
    explore = TokenCard("token/door", TokenKind.EXPLORE, "house/a=house/d", ())
    bench = laid(world(tiles=[tile(LINES)], tokens=[explore]), burning="a")

    to_the_mythos_phase(bench, "house/d")
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))
    bench.emit(PhaseBegan(Phase.MYTHOS, 2))
    proceed(bench, ...)

    assert burning(bench) == "ad"
    assert bench.open is not None
    assert [o.points[0].piece for o in bench.open.prompts[0].options] == ["house/b", "house/c"]


@rule("DECIDE-77", "FIRE-11")
def test_with_nowhere_to_go_fire_stays() -> None:
    bench = row(burning="abcde")

    to_the_mythos_phase(bench)

    assert burning(bench) == "abcde"
    assert bench.happened(Told) == []


@rule("DECIDE-78")
def test_fire_that_spreads_under_somebody_does_not_hurt_them() -> None:
    """Nobody enters the space, acts in it or forfeits an action there."""
    bench = pair(burning="a")

    to_the_mythos_phase(bench)

    assert burning(bench) == "ab"
    assert (damage(bench, ADA), damage(bench, BEN)) == (0, 0)


EX_25 = """
+---+---+---+
| a : b | c |
+---+---+---+
| d |
+---+
"""


@rule("EX-25", "FIRE-10")
def test_example_fire_spreads() -> None:
    """Fire is in a and d; b is across a border, and c only behind a wall."""
    bench = laid(world(at={ADA: "house/c"}, tiles=[tile(EX_25)]), burning="ad")

    to_the_mythos_phase(bench)

    assert burning(bench) == "abd"
    assert bench.asked == []
    assert bench.log[-2] == MythosStepBegan(MythosStep.EVENT)


@rule("DECIDE-14", "SETFIRE-4")
def test_nobody_reports_fire() -> None:
    """A card places the fire, and no action reports it; the fire spreads anyway."""
    bench = row()
    resolve(bench, steps.PlaceFeature(FIRE, "house/e"))

    assert [choice for choice in offered(bench) if "fire" in choice] == ["choice/fight_fire"]
    to_the_mythos_phase(bench)

    assert burning(bench) == "de"


@rule("FIRE-1", "FIRE-8")
def test_what_is_pushed_into_fire_is_hurt() -> None:
    bench = row(at={ADA: "house/a", BEN: "house/a"}, burning="b", monsters=[(DROWNED, "house/a")])
    bench.give_dice("SBB")

    proceed(bench, pushes(DROWNED), "choice/stay")
    assert bench.game_table.monsters["m1"].damage == 1
    proceed(bench, pushes(BEN), "choice/go_along", "house/b")

    assert (damage(bench, ADA), damage(bench, BEN)) == (1, 1)


def pushes(piece: str) -> Any:
    return lambda option: option.text == Text("choice/push", (piece,))


@rule("FIRE-3")
def test_a_push_that_fails_in_fire_costs_one() -> None:
    """A failed push is forfeited (PUSH-9)."""
    bench = row(burning="a", monsters=[(DROWNED, "house/a")])
    bench.give_dice("BBB")

    proceed(bench, pushes(DROWNED))

    assert (forfeits(bench), damage(bench)) == (1, 1)
