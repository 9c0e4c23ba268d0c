"""Fire, darkness, features, corpses and trading: sections 25 to 27, K-DECIDE-41, 78 to 87."""

import pytest

from content.games.first_edition.schema.cards import Doing, Modifier
from content.games.first_edition.schema.effects import (
    Move,
    PlaceFeature,
    RemoveFeature,
    SpreadFire,
    Step,
)
from content.games.first_edition.schema.requirements import HasFeature
from protocol.common.events import TimerOpened
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep
from protocol.games.first_edition.words import FeatureKind, Keyword
from server.games.first_edition.rules import burning, effects, newcomers, requirements, trade, turn
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.house import go, offered, refused
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    HALL,
    RAT,
    STUDY,
    by_id,
    injury,
    item_card,
    world,
)
from tests.kit.bench import TIME_OVER

rule = pytest.mark.rule

FIRE, DARKNESS, CORPSE = FeatureKind.FIRE, FeatureKind.DARKNESS, FeatureKind.CORPSE
SPOT, HEARTH, BARRICADE = FeatureKind.HIDING_SPOT, FeatureKind.CAMPFIRE, FeatureKind.BARRICADE
ALTAR = FeatureKind.ALTAR


def resolve(bench: Bench, *steps: Step, answers: tuple[object, ...] = ()) -> None:
    effect = effects.resolve(bench.game, steps, Source("action/any", ADA))
    bench.run(effect, *answers)  # type: ignore[arg-type]


def kinds(bench: Bench) -> list[FeatureKind]:
    return [feature.kind for feature in bench.game_table.features.values()]


@rule("K-CARD-17", "K-CARD-16")
def test_the_board_has_these_features_and_markers() -> None:
    bench = world()
    indoors = [one for one in FeatureKind if one not in {FeatureKind.PIT, FeatureKind.BOAT}]
    for kind in indoors:
        resolve(bench, PlaceFeature(kind, STUDY if kind.is_of_room else "house/a"))

    assert kinds(bench) == indoors
    assert {kind.value for kind in FeatureKind} == {
        *("barricade", "hiding_spot", "ladder", "duct", "campfire", "corpse", "altar"),
        *("pit", "boat"),
        *("fire", "darkness"),
    }


# Fire and darkness


@rule("K-FIRE-1", "K-DECIDE-80", "K-EX-17")
def test_an_investigator_burns_at_the_end_of_the_own_turn() -> None:
    bench = world((ADA, BEN), features=[(FIRE, HALL)], at={BEN: "house/b"})
    go(bench, "choice/end_turn")

    assert (bench.who(ADA).damage, bench.who(BEN).damage) == (2, 0)
    assert bench.acted == (1,)


@rule("K-FIRE-1")
def test_nobody_burns_in_a_room_that_does_not() -> None:
    bench = world(features=[(FIRE, STUDY)])
    go(bench, "choice/end_turn")

    assert bench.who(ADA).damage == 0


@rule("K-FIRE-1", "K-DECIDE-26", "K-DECIDE-80")
def test_monsters_burn_at_the_end_of_the_keepers_turn() -> None:
    bench = world(
        step=KeeperStep.END, features=[(FIRE, HALL)], monsters_at=[(RAT, "house/a")], at={}
    )
    go(bench)

    assert bench.monster().damage == 2
    assert bench.who(ADA).damage == 0


@rule("K-DECIDE-91")
def test_a_fire_that_kills_ends_the_turn_as_well() -> None:
    bench = world((ADA, BEN), features=[(FIRE, HALL)])
    bench.set(ADA, damage=7)
    go(bench, "choice/end_turn")

    assert bench.acted == (1,)
    assert bench.game_table.active is None


@rule("K-TRAUMA-3", "K-FIRE-1")
def test_trauma_of_a_burn_comes_before_the_turn_is_over() -> None:
    bench = world(features=[(FIRE, HALL)], trauma=[injury()])
    go(bench, "choice/end_turn", {KIM: "injury/limp"})

    order = [type(event) for event in bench.log]
    assert order.index(fe.TraumaPlayed) < order.index(fe.TurnEnded)


@rule("K-DECIDE-78", "K-DECIDE-79")
@pytest.mark.parametrize("kind", [FIRE, DARKNESS])
def test_fire_and_darkness_mark_a_whole_room_once(kind: FeatureKind) -> None:
    bench = world()
    for _ in range(2):
        resolve(bench, PlaceFeature(kind, HALL))

    assert kinds(bench) == [kind]
    table = bench.game_table
    marked = table.is_burning if kind is FIRE else table.is_dark
    assert marked(table.room_of("house/b"))
    assert not marked(STUDY)


@rule("K-DECIDE-79")
def test_fire_neither_spreads_nor_dies_by_itself() -> None:
    bench = world(step=KeeperStep.TRADE, features=[(FIRE, HALL), (HEARTH, "house/c")])
    while bench.game_table.round_number == 1:
        go(bench)

    assert kinds(bench) == [FIRE, HEARTH]


@rule("K-CAMP-2")
def test_a_step_of_an_effect_spreads_the_fire_of_a_campfire() -> None:
    bench = world(features=[(HEARTH, "house/a")])
    resolve(bench, SpreadFire())

    assert bench.game_table.is_burning(HALL)
    assert not bench.game_table.is_burning(STUDY)


@rule("K-CAMP-2")
def test_fire_spreads_to_the_room_that_the_keeper_chooses_among_those_beside() -> None:
    bench = world(features=[(HEARTH, "house/b")])
    resolve(bench, SpreadFire(), answers=({KIM: STUDY},))
    resolve(bench, SpreadFire())
    resolve(bench, SpreadFire())

    assert kinds(bench) == [HEARTH, FIRE, FIRE]


@rule("K-DECIDE-79")
def test_an_effect_removes_fire_and_darkness() -> None:
    bench = world(features=[(FIRE, HALL), (DARKNESS, HALL), (FIRE, STUDY)])
    resolve(bench, RemoveFeature(FIRE, HALL))
    assert kinds(bench) == [DARKNESS, FIRE]

    resolve(bench, RemoveFeature(FIRE, "chosen"))
    assert kinds(bench) == [DARKNESS]


@rule("K-DARK-5", "K-DECIDE-82")
def test_with_a_lantern_nobody_counts_as_being_in_a_dark_room() -> None:
    lamp = item_card("lamp", keywords=(Keyword.LANTERN,))
    bench = world((ADA, BEN), features=[(DARKNESS, HALL)], items=by_id(lamp))
    newcomers.gain_item(bench.game, ADA, lamp.id)
    asked = HasFeature(DARKNESS, "actor")

    holds = [requirements.holds(bench.game, asked, Source("mythos/any", who)) for who in (ADA, BEN)]
    assert holds == [False, True]


# Barricades


@rule("K-BARR-1", "K-BARR-2", "K-BARR-3", "K-DECIDE-84")
def test_a_barricade_of_the_own_space_blocks_a_door_and_frees_it() -> None:
    bench = world(at={ADA: "house/b"}, features=[(BARRICADE, "house/b")])
    go(bench, "choice/block")
    assert refused(bench)["choice/move"] == "K-BARR-3"
    assert not bench.game_table.has_action

    turn.begin(bench.game, ADA)
    go(bench, "choice/unblock")
    go(bench, "house/c")
    assert bench.who(ADA).space == "house/c"


@rule("K-BARR-1")
def test_a_barricade_of_another_space_cannot_be_moved() -> None:
    bench = world(features=[(BARRICADE, "house/b")])

    assert "choice/block" not in offered(bench)


@rule("K-DECIDE-84")
def test_a_barricade_blocks_a_door_of_its_space_alone() -> None:
    bench = world(features=[(BARRICADE, "house/a")])

    assert "choice/block" not in offered(bench)


@rule("K-BARR-1", "K-EVADE-2")
def test_moving_a_barricade_is_an_action_with_its_evade_test() -> None:
    bench = world(
        at={ADA: "house/b"}, features=[(BARRICADE, "house/b")], monsters_at=[(RAT, "house/b")]
    )
    bench.give_rolls(1)
    go(bench, "choice/block")

    assert len(bench.happened(fe.TestDeclared)) == 1


# Hiding


@rule("K-HIDE-1", "K-HIDE-2", "K-HIDE-6")
def test_hiding_takes_a_step_and_lasts_for_the_turn() -> None:
    bench = world(features=[(SPOT, "house/a")])
    go(bench, "choice/hide")

    assert bench.who(ADA).hidden_in == "f1"
    assert bench.game_table.steps_left == 1
    no = refused(bench)
    assert (no["choice/move"], no["choice/run"]) == ("K-HIDE-2", "K-HIDE-2")
    assert no["choice/leave_by_step"] == "K-HIDE-6"
    assert "choice/leave_by_action" not in offered(bench)


@rule("K-HIDE-1")
@pytest.mark.parametrize("spot", ["house/b", "house/c"])
def test_only_a_spot_of_the_own_space_hides(spot: str) -> None:
    assert "choice/hide" not in offered(world(features=[(SPOT, spot)]))


@rule("K-HIDE-1")
def test_without_a_step_nobody_hides() -> None:
    bench = world(features=[(SPOT, "house/a")])
    bench.emit(fe.StepSpent(ADA))
    bench.emit(fe.StepSpent(ADA))

    assert refused(bench)["choice/hide"] == "K-HIDE-1"


@rule("K-HIDE-5")
@pytest.mark.parametrize(("how", "left"), [("step", (1, True)), ("action", (2, False))])
def test_a_later_step_or_action_leaves_the_spot(how: str, left: tuple[int, bool]) -> None:
    bench = world(features=[(SPOT, "house/a")])
    go(bench, "choice/hide")
    go(bench, "choice/end_turn")
    turn.begin(bench.game, ADA)
    go(bench, f"choice/leave_by_{how}")

    table = bench.game_table
    assert bench.who(ADA).hidden_in is None
    assert (table.steps_left, table.has_action) == left


@rule("K-DECIDE-30")
def test_hiding_and_coming_out_have_their_evade_tests() -> None:
    bench = world(features=[(SPOT, "house/a")], monsters_at=[(RAT, "house/a")])
    bench.give_rolls(1, 1, 1)
    go(bench, "choice/hide")
    turn.begin(bench.game, ADA)
    go(bench, "choice/leave_by_step")
    bench.emit(fe.Hid(ADA, "f1"))
    turn.begin(bench.game, ADA)
    go(bench, "choice/leave_by_action")

    assert len(bench.happened(fe.TestDeclared)) == 3


@rule("K-DECIDE-85")
def test_a_spot_hides_one_investigator() -> None:
    bench = world((ADA, BEN), features=[(SPOT, "house/a")])
    go(bench, "choice/hide")
    go(bench, "choice/end_turn")
    turn.begin(bench.game, BEN)

    assert refused(bench, 2)["choice/hide"] == "K-DECIDE-85"


@rule("K-DECIDE-85")
def test_whoever_is_moved_is_hidden_no_more() -> None:
    bench = world(features=[(SPOT, "house/a")])
    go(bench, "choice/hide")
    resolve(bench, Move(to="house/b"))

    assert bench.who(ADA).hidden_in is None


def test_whoever_loses_the_spot_is_hidden_no_more() -> None:
    bench = world(features=[(SPOT, "house/a")])
    go(bench, "choice/hide")
    resolve(bench, RemoveFeature(SPOT, HALL))

    assert bench.who(ADA).hidden_in is None
    assert not kinds(bench)


# Campfires, corpses, altars


@rule("K-CAMP-1", "K-SUPPLY-3")
@pytest.mark.parametrize("count", [1, 2])
def test_one_action_burns_as_many_corpses_as_one_likes(count: int) -> None:
    bench = world(features=[(HEARTH, "house/a"), *[(CORPSE, "house/a")] * 2])
    left = bench.game_table.corpses_left
    go(bench, "choice/burn_corpses", lambda o: o.text.params == (count,))

    assert kinds(bench).count(CORPSE) == 2 - count
    assert bench.game_table.corpses_left == left + count
    assert not bench.game_table.has_action


@rule("K-CAMP-1")
@pytest.mark.parametrize(
    "features", [[(CORPSE, "house/a"), (HEARTH, "house/b")], [(HEARTH, "house/a")]]
)
def test_corpses_burn_in_the_space_of_a_campfire_alone(
    features: list[tuple[FeatureKind, str]],
) -> None:
    assert "choice/burn_corpses" not in offered(world(features=features))


@rule("K-CORPSE-3", "K-SUPPLY-3")
def test_corpses_in_a_room_that_catches_fire_are_gone() -> None:
    bench = world(features=[(CORPSE, "house/a"), (CORPSE, "house/b"), (CORPSE, "house/c")])
    left = bench.game_table.corpses_left
    resolve(bench, PlaceFeature(FIRE, HALL))

    assert kinds(bench) == [CORPSE, FIRE]
    assert bench.game_table.corpses_left == left + 2


@rule("K-CORPSE-4", "K-SUPPLY-2")
def test_any_corpse_marker_lies_in_any_room_until_none_is_left() -> None:
    bench = world(story={"corpses": 2})
    for space in ("house/a", "house/c", "house/b"):
        resolve(bench, PlaceFeature(CORPSE, space))

    assert [one.at for one in bench.game_table.features.values()] == ["house/a", "house/c"]


@rule("K-SUPPLY-4")
def test_other_markers_are_unlimited() -> None:
    bench = world(story={"corpses": 0})
    for _ in range(12):
        resolve(bench, PlaceFeature(SPOT, "house/a"))

    assert kinds(bench) == [SPOT] * 12


@rule("K-ALTAR-1")
def test_an_altar_does_nothing_by_itself() -> None:
    with_altar, without = world(features=[(ALTAR, "house/a")]), world()

    assert offered(with_altar) == offered(without)


def test_a_feature_that_is_placed_in_a_room_stands_where_the_keeper_chooses() -> None:
    bench = world()
    resolve(bench, PlaceFeature(CORPSE, HALL), answers=({KIM: "house/b"},))

    assert [one.at for one in bench.game_table.features.values()] == ["house/b"]


# Trading

ITEMS = by_id(item_card("spade"), item_card("lamp"), item_card("ring"))


def market(*people: str, at: dict[str, str] | None = None, **cards: str) -> Bench:
    """Return a world in step 1 of the keeper's turn; everybody has one item."""
    bench = world(people, step=KeeperStep.TRADE, at=at, items=ITEMS)
    for who, item in zip(people, ITEMS, strict=False):
        newcomers.gain_item(bench.game, who, item)
    return bench


def has(bench: Bench, who: str) -> list[str]:
    return [item.card for item in bench.who(who).items]


@rule("K-KEEPER-2", "K-DECIDE-41")
def test_an_item_changes_hands_with_the_consent_of_both() -> None:
    bench = market(ADA, BEN)
    bench.run(
        trade.step(bench.game),
        {1: "choice/offer"},
        {2: "choice/accept"},
        {2: lambda o: "item/lamp" in repr(o.text)},
        {1: "choice/accept"},
    )

    assert (has(bench, ADA), has(bench, BEN)) == (["item/lamp"], ["item/spade"])
    assert bench.game_table.step is KeeperStep.STUN


@rule("K-DECIDE-41")
def test_what_is_offered_and_not_accepted_stays_where_it_is() -> None:
    bench = market(ADA, BEN)
    bench.run(trade.step(bench.game), {1: "choice/offer"}, {2: "choice/trade_done"})

    assert (has(bench, ADA), has(bench, BEN)) == (["item/spade"], ["item/lamp"])


@rule("K-KEEPER-3", "K-EX-26")
def test_whoever_stands_elsewhere_takes_no_part() -> None:
    bench = market(ADA, BEN, CORA, at={CORA: "house/b"})
    bench.run(trade.step(bench.game), ...)

    assert bench.open is not None
    assert set(bench.open.prompts) == {1, 2}
    assert CORA not in repr(bench.open.prompts)


@rule("K-DECIDE-41")
def test_without_two_in_a_space_or_anything_to_give_there_is_no_trade() -> None:
    apart, empty = market(ADA, BEN, at={BEN: "house/b"}), market(ADA, BEN)
    for who in (ADA, BEN):
        empty.set(who, items=())
    for bench in (apart, empty):
        bench.run(trade.step(bench.game))

        assert not bench.asked
        assert bench.game_table.step is KeeperStep.STUN


@rule("K-KEEPER-2")
def test_an_item_can_be_passed_on_but_does_not_come_back_in_the_same_trade() -> None:
    bench = market(ADA, BEN, CORA)
    bench.set(CORA, items=())
    bench.run(
        trade.step(bench.game),
        {1: lambda o: "item/spade" in repr(o.text) and BEN in repr(o.text)},
        {2: "choice/accept"},
        ...,
    )

    assert bench.open is not None
    offers = [o.text.params for o in bench.open.prompts[2].options if o.text.params]
    assert ("item/spade", CORA) in offers
    assert ("item/spade", ADA) not in offers


@rule("K-DECIDE-41")
def test_the_trade_ends_with_its_time() -> None:
    bench = market(ADA, BEN)
    bench.run(trade.step(bench.game), {1: "choice/offer"}, TIME_OVER)

    assert bench.game_table.step is KeeperStep.STUN
    assert bench.table.room.timer is None
    assert [event.seconds for event in bench.happened(TimerOpened)] == [60]


@rule("K-DECIDE-41")
def test_an_item_that_changed_hands_is_offered_to_nobody_else() -> None:
    bench = market(ADA, BEN, CORA)
    bench.run(
        trade.step(bench.game),
        {1: lambda o: "item/spade" in repr(o.text) and BEN in repr(o.text)},
        {1: lambda o: "item/spade" in repr(o.text) and CORA in repr(o.text)},
        {2: "choice/accept"},
        ...,
    )

    assert bench.open is not None
    assert "choice/accept" not in repr(bench.open.prompts)


def test_a_card_can_forbid_to_trade() -> None:
    bench = market(ADA, BEN)
    bench.game.content.pack.items["item/lamp"] = item_card(
        "lamp", modifiers=(Modifier(forbids=(Doing.TRADE,)),)
    )
    bench.run(trade.step(bench.game))

    assert not bench.asked


@rule("K-FIRE-1")
def test_a_burn_deals_two_damage() -> None:
    bench = world(features=[(FIRE, HALL)])
    bench.run(burning.at_end_of_turn(bench.game, ADA))

    assert bench.who(ADA).damage == 2
