"""Pits: section 11, W-DECIDE-8 to W-DECIDE-12, and the features of the outdoors in general."""

from typing import Any

import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema.cards import PitMarker
from content.games.first_edition.schema.story import LaidFeature
from content.games.first_edition.schema.targets import Who
from protocol.common.events import Shuffled
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import PIT_SUPPLY, KeeperStep
from protocol.games.first_edition.words import AttackKind, FeatureKind, TraumaKind
from server.games.first_edition.rules import (
    death,
    effects,
    monster_moves,
    movement,
    newcomers,
    pits,
    rounds,
    setup,
    trauma,
    turn,
    water,
)
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.house import before_setup, refused, view
from tests.games.first_edition.rules.lands import BOAT, land, lead_to
from tests.games.first_edition.rules.test_outdoors_flying import BAT, BATS
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    FIVES,
    RAT,
    SHADE,
    action_card,
    by_id,
    injury,
    traits_of,
)

rule = pytest.mark.rule
BO = "ally/bo"
PIT = FeatureKind.PIT
HERE = Source("spell/any", ADA, by_actor=True)
KEEPERS = Source("mythos/any", ADA)
DEEP = PitMarker("pit/deep", 2, renewed=True)
ROOT = PitMarker("pit/root", 1)
LEAVES = PitMarker("pit/leaves", 0, copies=4)


def pitted(*at: str, markers: tuple[PitMarker, ...] = (DEEP, ROOT, LEAVES), **given: Any) -> Bench:
    """Return a world by the pond with a pit in each of these spaces, in the order of the supply."""
    features = tuple(LaidFeature(PIT, space) for space in at)
    fields = {"features": features, **given.pop("story", {})}
    bench = land(pits=by_id(*markers), story=fields, **given)
    pits.lay_out(bench.game)
    bench.log.clear()
    return bench


def supply(bench: Bench) -> list[str]:
    """Return the pits of the supply, top first."""
    table = bench.game_table
    return [table.card_of(one) for one in table.piles.get(PIT_SUPPLY, ())]


def pit_at(bench: Bench, space: str) -> list[str]:
    """Return the pits in a space."""
    table = bench.game_table
    return [table.card_of(one.handle or "") for one in table.features_at(space, PIT)]


def resolve(bench: Bench, *effect: steps.Step, source: Source = HERE, **asked: Any) -> None:
    bench.run(effects.resolve(bench.game, effect, source), *asked.get("answers", ()))


# The supply


@rule("W-PIT-1", "W-CARD-4", "W-FEATURE-1")
def test_all_copies_of_the_pits_are_shuffled_face_down_and_those_of_the_story_placed() -> None:
    bench = before_setup(
        cards={"pits": by_id(DEEP, LEAVES)},
        outdoor=True,
        features=(LaidFeature(PIT, "house/b"), LaidFeature(FeatureKind.ALTAR, "house/a")),
    )
    bench.give_order(PIT_SUPPLY, ["pit/leaves"] * 2 + ["pit/deep"] + ["pit/leaves"] * 2)

    setup.lay_out_board(bench.game)

    (mixed,) = [one for one in bench.happened(Shuffled) if one.pile == PIT_SUPPLY]
    assert (mixed.knowers, mixed.purpose) == ((), f"shuffle {PIT_SUPPLY}")
    assert (pit_at(bench, "house/b"), len(supply(bench))) == (["pit/leaves"], 4)
    assert [one.kind for one in bench.game_table.features.values()] == [FeatureKind.ALTAR, PIT]


@rule("W-PIT-1", "W-USE-5")
def test_a_house_has_no_supply_of_pits() -> None:
    bench = before_setup(cards={"pits": by_id(DEEP)})

    setup.lay_out_board(bench.game)

    assert PIT_SUPPLY not in bench.game_table.piles


@rule("W-SECRET-1", "W-SECRET-2", "W-DECIDE-11")
@pytest.mark.parametrize("seat", [KIM, 1, None])
def test_nobody_knows_a_pit_before_it_opens_or_after_it_is_shuffled_back(seat: int | None) -> None:
    bench = pitted("pond/d", "pond/f")
    before = view(bench, seat)
    lying = [one.handle or "" for one in before.features.values()]
    assert len(before.piles[PIT_SUPPLY]) == 4
    assert {before.known_card(one) for one in (*lying, *before.piles[PIT_SUPPLY])} == {None}

    bench.run(movement.put(bench.game, ADA, "pond/d"))

    after = view(bench, seat)
    assert [one.card for one in bench.happened(fe.PitTriggered)] == ["pit/deep"]
    lying = [one.handle or "" for one in after.features.values()]
    assert {after.known_card(one) for one in (*lying, *after.piles[PIT_SUPPLY])} == {None}


@rule("W-PIT-5", "W-PIT-7", "W-DECIDE-4")
def test_a_pit_that_a_trauma_card_takes_away_as_it_opens_is_shuffled_back_once() -> None:
    gone = injury("limp", steps.RemoveFeature(PIT, "pond/d"))
    bench = pitted("pond/d", trauma=(gone,))
    trauma.trigger(bench.game, ADA, TraumaKind.INJURY)

    bench.run(movement.put(bench.game, ADA, "pond/d"), {KIM: "injury/limp"})

    assert bench.who(ADA).damage == 2
    assert (pit_at(bench, "pond/d"), len(supply(bench))) == ([], 6)


@rule("W-PIT-9", "W-PIT-14", "W-DECIDE-18", "K-CARD-3")
@pytest.mark.parametrize(
    ("kind", "at", "markers"),
    [(PIT, "pond/d", (DEEP, ROOT)), (PIT, "pond/f", (DEEP,)), (BOAT, "pond/f", (DEEP, ROOT))],
)
def test_an_action_that_places_what_can_be_nowhere_is_refused(
    kind: FeatureKind, at: str, markers: tuple[PitMarker, ...]
) -> None:
    dig = action_card("dig", steps.PlaceFeature(kind, at))
    bench = pitted("pond/d", markers=markers, actions=[dig], threat=1, step=KeeperStep.ACTIONS)

    assert refused(bench, KIM) == {"choice/keeper_action": "K-CARD-3"}


@rule("W-PIT-4", "K-CARD-3")
def test_an_action_that_leads_only_who_fell_into_a_pit_is_refused() -> None:
    scurry = action_card("scurry", steps.MoveMonster(1))
    given: dict[str, Any] = {"actions": [scurry], "threat": 1, "step": KeeperStep.ACTIONS}
    bench = pitted("pond/d", monsters_at=[(SHADE, "pond/a")], **given)
    bench.run(monster_moves.put(bench.game, "m1", "pond/d"))

    assert refused(bench, KIM) == {"choice/keeper_action": "K-CARD-3"}


@rule("W-PIT-10", "W-DECIDE-11")
def test_a_pit_that_an_effect_places_is_the_top_one_of_the_supply() -> None:
    bench = pitted()

    resolve(bench, steps.PlaceFeature(PIT, "pond/f"))

    assert (pit_at(bench, "pond/f"), len(supply(bench))) == (["pit/deep"], 5)


@rule("W-PIT-9")
def test_without_a_pit_left_none_is_placed_and_nobody_is_asked_where() -> None:
    bench = pitted("pond/d", markers=(ROOT,))

    resolve(bench, steps.PlaceFeature(PIT, "pond/f"), steps.PlaceFeature(PIT, "chosen"))

    assert (bench.log, bench.asked) == ([], [])


@rule("W-PIT-14", "W-EX-13")
def test_a_space_with_a_pit_gets_no_other_one() -> None:
    bench = pitted("pond/d")

    resolve(bench, steps.PlaceFeature(PIT, "pond/d"))
    assert bench.log == []

    resolve(bench, steps.PlaceFeature(PIT, "chosen"), source=KEEPERS, answers=[...])
    assert bench.open is not None
    points = [point.piece for one in bench.open.prompts[KIM].options for point in one.points]
    assert points == ["pond/a", "pond/c", "pond/e", "pond/f", "pond/w"]


@rule("W-PIT-12")
def test_a_pit_that_is_placed_under_somebody_does_nothing() -> None:
    bench = pitted(monsters_at=[(RAT, "pond/a")])

    resolve(bench, steps.PlaceFeature(PIT, "pond/a"))

    assert pit_at(bench, "pond/a") == ["pit/deep"]
    assert (bench.who(ADA).damage, bench.monster().damage) == (0, 0)
    assert bench.game_table.trapped == ()


@rule("W-PIT-7", "W-FEATURE-1")
def test_a_pit_that_an_effect_removes_is_shuffled_into_the_supply_unseen() -> None:
    bench = pitted("pond/d")

    resolve(bench, steps.RemoveFeature(PIT, "pond/d"))

    assert pit_at(bench, "pond/d") == []
    assert sorted(supply(bench)) == ["pit/deep", *["pit/leaves"] * 4, "pit/root"]
    assert [type(one) for one in bench.log] == [fe.PitReturned, Shuffled]


# Falling


@rule("W-PIT-2", "W-PIT-3", "W-PIT-4", "W-PIT-5", "W-PIT-6", "W-PIT-7", "W-PIT-8", "W-EX-9")
def test_who_steps_onto_a_pit_falls_takes_its_damage_and_moves_no_more() -> None:
    """The arrow brings another pit of the five in the supply, before the used one is back."""
    bench = pitted("pond/e")
    go(bench, "pond/d")
    bench.log.clear()

    go(bench, "pond/e")

    assert (bench.who(ADA).space, bench.who(ADA).damage) == ("pond/e", 2)
    assert pit_at(bench, "pond/e") == ["pit/root"]
    assert sorted(supply(bench)) == ["pit/deep", *["pit/leaves"] * 4]
    of_pit = (fe.Moved, fe.PitTriggered, fe.HarmTaken, fe.PitPlaced, fe.PitReturned, Shuffled)
    assert [type(one) for one in bench.log if isinstance(one, of_pit)] == list(of_pit)
    bench.emit(fe.StepGained(ADA))
    assert refused(bench)["choice/move"] == "W-PIT-4"
    assert "choice/run" in bench.offered()


@rule("W-PIT-6", "W-PIT-9", "W-EX-10")
def test_with_an_empty_supply_no_pit_takes_the_place_of_the_used_one() -> None:
    bench = pitted("pond/d", markers=(DEEP,))

    go(bench, "pond/d")

    assert (pit_at(bench, "pond/d"), supply(bench)) == ([], ["pit/deep"])
    assert bench.who(ADA).damage == 2


@rule("W-PIT-7")
def test_a_pit_without_an_arrow_leaves_none_behind() -> None:
    bench = pitted("pond/d", markers=(ROOT, DEEP))

    go(bench, "pond/d")

    assert (pit_at(bench, "pond/d"), sorted(supply(bench))) == ([], ["pit/deep", "pit/root"])


@rule("W-PIT-2", "W-PIT-5", "W-DECIDE-8")
def test_a_monster_falls_too_and_is_not_moved_again_in_that_keeper_turn() -> None:
    bench = pitted("pond/d", monsters_at=[(RAT, "pond/a")], step=KeeperStep.ACTIONS)
    rat = bench.monster().monster_id
    lead = monster_moves.lead(bench.game, (rat,), 3, 1, Source("action/any"))

    bench.run(lead, {KIM: "pond/d"})

    assert (bench.monster().space, bench.monster().damage) == ("pond/d", 2)
    assert lead_to(bench) == set()
    bench.run(monster_moves.put(bench.game, rat, "pond/a"))
    assert bench.monster().space == "pond/d"

    bench.emit(fe.RoundBegan(2))
    bench.emit(fe.KeeperStepBegan(KeeperStep.TRADE))
    assert "pond/a" in lead_to(bench)


@rule("W-DECIDE-8", "W-PIT-4")
def test_another_monster_is_led_while_one_lies_in_a_pit_and_the_reason_is_told() -> None:
    bench = pitted("pond/d", monsters_at=[(RAT, "pond/a"), (SHADE, "pond/c")])
    rat, shade = bench.monster(RAT).monster_id, bench.monster(SHADE).monster_id
    bench.run(monster_moves.put(bench.game, rat, "pond/d"))

    bench.run(monster_moves.lead(bench.game, (rat, shade), 1, 0, Source("action/any")), ...)

    assert bench.open is not None
    (no,) = bench.open.prompts[KIM].refused
    assert (no.reason.subject, no.rule) == ("refusal/trapped", "W-PIT-4")


@rule("W-PIT-4")
def test_no_effect_moves_who_fell_in_this_turn() -> None:
    bench = pitted("pond/d")
    go(bench, "pond/d")

    resolve(bench, steps.Move(to="pond/a"), steps.Move(spaces=2))

    assert bench.who(ADA).space == "pond/d"
    assert [ask.rule for ask in bench.asked] == ["K-TURN-2"]


@rule("W-DECIDE-8")
def test_who_was_dropped_into_a_pit_in_the_keepers_turn_moves_in_the_own_one() -> None:
    bench = pitted("pond/d", step=KeeperStep.ACTIONS)
    resolve(bench, steps.Move(to="pond/d"), source=KEEPERS)
    assert bench.game_table.trapped == (ADA,)

    bench.emit(fe.RoundBegan(2))
    turn.begin(bench.game, ADA)
    go(bench, "pond/a")

    assert bench.who(ADA).space == "pond/a"


@rule("W-DECIDE-8")
def test_a_turn_that_is_given_back_frees_nobody() -> None:
    """A fall as the turn starts, out of the water, counts as part of the turn."""
    bench = pitted("pond/a", "pond/e", "pond/c", at={ADA: "pond/w"}, people=(ADA, BEN), active=None)
    turn.begin(bench.game, ADA)
    bench.run(water.leave(bench.game, ADA, 1), {1: "pond/e"})

    go(bench, ...)

    assert "choice/withdraw" not in bench.offered()


@rule("W-DECIDE-9")
def test_the_pit_opens_before_the_horror_test() -> None:
    bench = pitted("pond/e", at={ADA: "pond/d"}, monsters_at=[(SHADE, "pond/e")])
    bench.give_rolls(1)

    go(bench, "pond/e")

    of_move = (fe.StepSpent, fe.Moved, fe.PitTriggered, fe.TestDeclared)
    assert [type(one) for one in bench.log if isinstance(one, of_move)] == list(of_move)


@rule("W-PIT-5", "W-DECIDE-9")
def test_whom_a_pit_kills_takes_no_horror_test() -> None:
    bench = pitted("pond/e", people=(ADA, BEN), at={ADA: "pond/d"}, monsters_at=[(SHADE, "pond/e")])
    bench.set(ADA, damage=6)

    go(bench, "pond/e")

    assert ADA not in bench.game_table.investigators
    assert not bench.happened(fe.TestDeclared)
    assert pit_at(bench, "pond/e") == ["pit/root"]


@rule("W-PIT-13")
def test_several_who_come_together_take_the_full_damage_of_one_pit() -> None:
    bench = pitted("pond/d", people=(ADA, BEN), monsters_at=[(RAT, "pond/d")])
    rat = bench.monster().monster_id
    for who in (ADA, BEN):
        bench.emit(fe.Moved(who, "pond/d"))

    bench.run(pits.trigger(bench.game, (ADA, BEN, rat), "pond/d"))

    assert [bench.who(ADA).damage, bench.who(BEN).damage, bench.monster().damage] == [2, 2, 2]
    assert [one.figures for one in bench.happened(fe.PitTriggered)] == [(ADA, BEN, rat)]


@rule("W-FLY-4")
def test_a_flying_monster_passes_over_a_pit_and_who_comes_with_it_falls() -> None:
    bench = pitted("pond/d", monsters=BATS, monsters_at=[(BAT, "pond/a")])
    bat = bench.monster().monster_id

    bench.run(monster_moves.put(bench.game, bat, "pond/d"))
    assert (bench.monster().damage, bench.game_table.trapped) == (0, ())

    bench.emit(fe.Moved(ADA, "pond/d"))
    bench.run(pits.trigger(bench.game, (bat, ADA), "pond/d"))
    assert (bench.monster().damage, bench.who(ADA).damage) == (0, 2)


# Placed, or over it


@rule("W-PIT-11", "W-EX-12", "W-CARD-13")
def test_a_figure_that_is_placed_on_a_pit_does_not_fall_and_falls_when_it_comes_back() -> None:
    bench = pitted("pond/d", markers=(ROOT,))
    bench.give_rolls(1)
    resolve(bench, steps.PlaceMonster(RAT, "pond/d"), source=KEEPERS)
    resolve(bench, steps.Move(to="pond/d", placed=True))
    rat = bench.monster().monster_id
    assert (bench.who(ADA).damage, bench.monster().damage) == (0, 0)
    assert pit_at(bench, "pond/d") == ["pit/root"]

    bench.run(monster_moves.put(bench.game, rat, "pond/a"))
    bench.emit(fe.RoundBegan(2))
    bench.run(monster_moves.put(bench.game, rat, "pond/d"))

    assert bench.monster().damage == 1


@rule("W-PIT-11")
def test_who_fell_in_this_turn_can_still_be_placed_elsewhere() -> None:
    bench = pitted("pond/d", markers=(ROOT,))
    go(bench, "pond/d")

    resolve(bench, steps.Move(to="pond/a", placed=True))

    assert bench.who(ADA).space == "pond/a"


@rule("W-DECIDE-12")
def test_arriving_investigators_are_placed_on_the_starting_space() -> None:
    bench = pitted("pond/a", people=(ADA, CORA))
    bench.run(death.kill(bench.game, ADA))
    ids = tuple(traits_of(BEN))

    newcomers.join(bench.game, BEN, 1, (ids[0], ids[1]))

    assert (bench.who(BEN).space, bench.who(BEN).damage) == ("pond/a", 0)
    assert not bench.happened(fe.PitTriggered)


@rule("W-PIT-15", "W-CARD-13")
@pytest.mark.parametrize("over_pits", [False, True])
def test_levitation_passes_over_the_pits_of_every_space_on_the_way(over_pits: bool) -> None:
    bench = pitted("pond/d", "pond/e", markers=(ROOT, ROOT), story={"submerged": ()})
    spaces = 2 if over_pits else 1
    ways = ["pond/d", "pond/e"][:spaces]

    resolve(bench, steps.Move(spaces=2, over_pits=over_pits), answers=[{1: at} for at in ways])

    assert bench.who(ADA).space == ways[-1]
    assert bench.who(ADA).damage == (0 if over_pits else 1)


@rule("W-PIT-15")
def test_levitation_to_a_named_space_opens_no_pit_either() -> None:
    bench = pitted("pond/d")

    resolve(bench, steps.Move(to="pond/d", over_pits=True))

    assert (bench.who(ADA).space, bench.who(ADA).damage) == ("pond/d", 0)


# Out of the water


@rule("W-DECIDE-5", "W-DECIDE-9")
def test_who_gets_out_of_the_water_into_a_pit_falls() -> None:
    bench = pitted("pond/e", at={ADA: "pond/w"}, active=None)

    go(bench, {1: "pond/e"})

    assert (bench.who(ADA).damage, bench.game_table.trapped) == (4, (ADA,))


@rule("W-DECIDE-5", "W-DECIDE-8")
def test_a_monster_that_gets_out_of_the_water_into_a_pit_stays_there() -> None:
    bench = pitted("pond/e", markers=(LEAVES,), monsters_at=[(RAT, "pond/w")], active=None)

    bench.run(rounds.begin_keeper_turn(bench.game), {KIM: "pond/e"})

    assert lead_to(bench) == set()


@rule("W-PIT-2")
def test_all_whom_an_effect_moves_fall_one_by_one_into_what_lies_there_then() -> None:
    """Each is moved on its own; the second falls into the pit that took the place of the first."""
    bench = pitted("pond/d", people=(ADA, BEN))

    resolve(bench, steps.Move(to="pond/d", who=Who.ALL))

    assert (bench.who(ADA).damage, bench.who(BEN).damage) == (2, 1)


@rule("W-DECIDE-10", "W-PIT-2")
def test_an_ally_falls_too_and_nobody_is_asked_for_the_pit_that_takes_its_place() -> None:
    bench = pitted("pond/d")
    bench.emit(fe.AllyPlaced(BO, 4, 3, FIVES, AttackKind.UNARMED, 1, "pond/a"))

    bench.run(movement.put(bench.game, BO, "pond/d"))

    assert bench.game_table.allies[BO].damage == 2
    assert bench.game_table.trapped == (BO,)
    assert pit_at(bench, "pond/d") == ["pit/root"]
