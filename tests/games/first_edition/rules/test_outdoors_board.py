"""Outdoor rooms, barriers and room limits: sections 4, 5 and 7, W-DECIDE-2 and 3."""

import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema.requirements import HasFeature, Investigators
from content.games.first_edition.schema.story import Deed, LaidTile, PlacementRow, Room
from content.games.first_edition.schema.targets import AllIn
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import INVESTIGATOR_LINKS, AttackKind, FeatureKind
from server.games.first_edition.rules import (
    adjacency,
    attacks,
    effects,
    exploring,
    features,
    monster_moves,
    monsters,
    movement,
    requirements,
    setup,
    turn,
)
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules import house
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.fights import give, weapon
from tests.games.first_edition.rules.lands import MEADOW, SHORE, WATER, WOOD, land, lead_to
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    MAN,
    RAT,
    by_id,
    item_card,
    world,
)

rule = pytest.mark.rule
HERE = Source("mythos/any", ADA)
BURN = Deed("deed/burn", (steps.Say("tests/burnt"),), HasFeature(FeatureKind.CAMPFIRE, "actor"))


def moves(bench: Bench) -> set[str]:
    """Return the spaces to which Ada can step now."""
    bench.run(turn.take_step(bench.game), ...)
    assert bench.open is not None
    options = bench.open.prompts[1].options
    return {o.points[0].piece for o in options if o.text.subject == "choice/move"}


# Outdoor rooms


@rule("W-OUT-1", "W-OUT-7")
def test_an_outdoor_room_is_a_room_like_any_other() -> None:
    bench = land(people=(ADA, BEN), at={BEN: "pond/c"})

    bench.run(effects.resolve(bench.game, (steps.Suffer(damage=1, who=AllIn(MEADOW)),), HERE))

    assert (bench.who(ADA).damage, bench.who(BEN).damage) == (1, 0)
    assert moves(bench) == {"pond/d"}


@rule("W-OUT-4", "W-OUT-5", "W-CARD-2")
def test_one_tile_has_rooms_indoors_and_outdoors_and_everybody_is_told_which() -> None:
    rooms = (Room(MEADOW, outdoor=True), Room(SHORE))
    tile = LaidTile("pond", 0, 0, "+---+---+\n| a : b |\n+---+---+", {"a": MEADOW, "b": SHORE})
    bench = house.before_setup(
        rooms=rooms, tiles=(tile,), start="pond/a", outdoor=True, submerged=("pond/b",)
    )

    bench.emit(fe.VariantsAgreed(()))
    setup.lay_out_board(bench.game)

    assert bench.happened(fe.LandLaid) == [fe.LandLaid((MEADOW,), ("pond/b",))]
    assert (bench.game_table.outdoor, bench.game_table.submerged) == ((MEADOW,), ("pond/b",))


@rule("W-USE-5")
def test_nothing_is_told_of_the_land_in_a_story_of_the_base_set() -> None:
    bench = house.before_setup()

    bench.emit(fe.VariantsAgreed(()))
    setup.lay_out_board(bench.game)

    assert not bench.happened(fe.LandLaid)


@rule("W-OUT-4")
@pytest.mark.parametrize(("space", "is_so"), [("pond/a", True), ("pond/e", False)])
def test_cards_can_ask_whether_somebody_is_outdoors(space: str, is_so: bool) -> None:
    bench = land(at={ADA: space})

    assert requirements.holds(bench.game, Investigators(outdoors=True), HERE) is is_so


@rule("W-OUT-4")
def test_an_action_that_needs_the_open_air_is_refused_with_that_reason() -> None:
    outside = Investigators(outdoors=True)
    bench = land(at={ADA: "pond/e"}, story={"deeds": (Deed("deed/shout", (), outside),)})

    bench.run(turn.take_step(bench.game), ...)

    assert bench.open is not None
    (reason,) = (o.reason for o in bench.open.prompts[1].refused if o.text.subject == "choice/deed")
    assert "needs/outdoors" in repr(reason)


@rule("W-OUT-8", "W-EX-3")
@pytest.mark.parametrize("has_marker", [False, True])
def test_a_camp_in_a_picture_is_no_campfire_without_its_marker(has_marker: bool) -> None:
    bench = world(story={"deeds": (BURN,)})
    if has_marker:
        features.place(bench.game, FeatureKind.CAMPFIRE, "house/a")

    bench.run(turn.take_step(bench.game), ...)

    assert ("choice/deed" in bench.offered()) is has_marker


@rule("W-OUT-6", "W-EX-3")
def test_a_fence_in_a_picture_stops_nobody() -> None:
    """Drawings of tiles have no pictures: what the line is, and nothing else, decides."""
    bench = land(monsters_at=[(RAT, "pond/d")])

    assert "pond/d" in moves(bench)
    assert lead_to(bench) == {"pond/a", "pond/e"}


# Barriers


@rule("W-BARRIER-1", "W-BARRIER-2", "W-DECIDE-3", "W-EX-8")
def test_investigators_do_not_cross_a_barrier() -> None:
    bench = land(at={ADA: "pond/e"})

    assert moves(bench) == {"pond/d", "pond/f"}


@rule("W-BARRIER-2")
def test_the_keeper_leads_nobody_across_a_barrier() -> None:
    bench = land(at={ADA: "pond/e"})

    bench.run(movement.lead(bench.game, ADA, 1, HERE), ...)

    assert bench.open is not None
    points = [point.piece for one in bench.open.prompts[KIM].options for point in one.points]
    assert points == ["pond/d", "pond/f"]


@rule("W-BARRIER-2")
def test_an_effect_that_puts_somebody_elsewhere_crosses_it() -> None:
    bench = land()

    bench.run(effects.resolve(bench.game, (steps.Move(to="pond/c"),), HERE))

    assert bench.who(ADA).space == "pond/c"


@rule("W-BARRIER-3")
@pytest.mark.parametrize("kind", [RAT, MAN])
def test_monsters_do_not_cross_a_barrier(kind: str) -> None:
    assert lead_to(land(monsters_at=[(kind, "pond/a")])) == {"pond/d"}


@rule("W-BARRIER-4", "K-DECIDE-53")
def test_a_barrier_stops_neither_sight_nor_range() -> None:
    table = land().game_table

    assert adjacency.sees(table, "pond/a", "pond/c")
    assert adjacency.distance(table, "pond/a", "pond/w") == 1
    assert adjacency.distance(table, "pond/a", "pond/c") == 2


@rule("W-EX-8", "W-BARRIER-4")
@pytest.mark.parametrize(("space", "is_legal"), [("pond/w", True), ("pond/f", False)])
def test_one_shoots_across_a_barrier_where_one_cannot_walk(space: str, is_legal: bool) -> None:
    gun = weapon("gun", AttackKind.RANGED, 2)
    bench = land(monsters_at=[(RAT, space)], items=by_id(gun))
    give(bench, "item/gun")

    reasons = dict(attacks.targets(bench.game, ADA, 2))

    assert (reasons[bench.monster().monster_id] is None) is is_legal
    assert "pond/w" not in moves(bench)


# Room limits


@rule("W-LIMIT-1", "W-LIMIT-2", "W-LIMIT-5", "W-DECIDE-2", "W-DECIDE-3")
def test_a_tile_has_several_rooms_and_a_line_between_them_may_be_dotted() -> None:
    table = land().game_table

    assert {table.room_of(f"pond/{one}") for one in "adwecf"} == {MEADOW, WATER, SHORE, WOOD}
    assert adjacency.across_barriers(table, "pond/w") == ("pond/a", "pond/c", "pond/e")
    assert "pond/w" not in adjacency.beside(table, "pond/a", INVESTIGATOR_LINKS)


@rule("W-LIMIT-3", "W-DECIDE-2")
def test_a_solid_line_between_two_rooms_is_crossed_by_one_step() -> None:
    bench = land(at={ADA: "pond/d"})

    bench.run(turn.take_step(bench.game), "pond/e")

    assert (bench.who(ADA).space, bench.game_table.steps_left) == ("pond/e", 1)


@rule("W-LIMIT-4", "K-DECIDE-53")
def test_a_room_limit_stops_neither_sight_nor_range() -> None:
    table = land().game_table

    assert adjacency.sees(table, "pond/d", "pond/e")
    assert adjacency.distance(table, "pond/d", "pond/f") == 2


@rule("W-LIMIT-6")
def test_exploring_stops_at_the_room_limit() -> None:
    rows = (PlacementRow(MEADOW, ("item/key",)), PlacementRow(SHORE, ("item/map",)))
    bench = land(
        at={ADA: "pond/d"},
        items=by_id(item_card("key"), item_card("map")),
        story={"placement": rows},
    )

    bench.run(exploring.explore(bench.game, ADA))

    assert [one.card for one in bench.who(ADA).items] == ["item/key"]
    assert SHORE in bench.game_table.laid


@rule("W-LIMIT-7")
def test_an_effect_on_a_room_stops_at_its_limit() -> None:
    bench = land(people=(ADA, BEN), at={ADA: "pond/d", BEN: "pond/e"})

    bench.run(effects.resolve(bench.game, (steps.PlaceFeature(FeatureKind.FIRE, MEADOW),), HERE))

    assert bench.game_table.is_burning(MEADOW)
    assert not bench.game_table.is_burning(SHORE)


@rule("W-LIMIT-8", "W-EX-2")
@pytest.mark.parametrize(("space", "tests"), [("pond/e", 0), ("pond/a", 1)])
def test_a_monster_across_a_room_limit_is_not_seen(space: str, tests: int) -> None:
    bench = land(at={ADA: "pond/d"})
    bench.give_rolls(*[1] * tests)

    bench.run(monsters.place(bench.game, RAT, space))

    assert len(bench.happened(fe.TestDeclared)) == tests


@rule("W-LIMIT-8")
@pytest.mark.parametrize(("begins", "ends", "tests"), [("f", "e", 0), ("e", "d", 1), ("a", "d", 0)])
def test_a_monster_that_walks_is_seen_in_its_own_room(begins: str, ends: str, tests: int) -> None:
    bench = land(monsters_at=[(RAT, f"pond/{begins}")])
    bench.give_rolls(*[1] * tests)

    bench.run(monster_moves.put(bench.game, bench.monster().monster_id, f"pond/{ends}"))

    assert len(bench.happened(fe.TestDeclared)) == tests


# Moved by others


@rule("W-MOVED-3", "W-EX-18")
def test_whom_the_keeper_moves_takes_no_evade_test_and_a_horror_test() -> None:
    bench = land(monsters_at=[(RAT, "pond/a"), (RAT, "pond/f")])
    bench.give_rolls(1)

    bench.run(effects.resolve(bench.game, (steps.Move(to="pond/c"),), HERE))

    assert [event.kind.value for event in bench.happened(fe.TestDeclared)] == ["horror"]
