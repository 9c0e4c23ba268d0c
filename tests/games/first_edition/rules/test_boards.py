"""The board, and how figures move on it: sections 3, 6 and K-DECIDE-19, 20, 34, 81, 86, 87."""

import pytest

from content.games.first_edition.schema.cards import Doing, Modifier
from content.games.first_edition.schema.effects import Move
from content.games.first_edition.schema.story import LaidTile, Room
from protocol.boards.links import Link
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import (
    INVESTIGATOR_LINKS,
    MONSTER_LINKS,
    FeatureKind,
    MonsterClass,
)
from server.games.first_edition.rules import adjacency, effects, movement, newcomers, turn
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    HALL,
    RAT,
    STUDY,
    by_id,
    item_card,
    world,
)

rule = pytest.mark.rule

PLAN = """
+-----+-----+
|     :     |
|  a  :  b  |
|     :     |
+--=--X--=--+
|     |     |
|  c  |  d  |
|     |     |
+-----+-----+
"""
LADDER, DUCT = Link("ladder", ("house/a", "house/c")), Link("duct", ("house/a", "house/c"))
FIRE, CORPSE = FeatureKind.FIRE, FeatureKind.CORPSE


def corners() -> Bench:
    """Return a world of four spaces around a corner that can be crossed."""
    rooms = {"a": HALL, "b": HALL, "c": STUDY, "d": "room/attic"}
    story = {
        "tiles": (LaidTile("house", 0, 0, PLAN.strip("\n"), rooms),),
        "rooms": (Room(HALL), Room(STUDY), Room("room/attic")),
    }
    return world(story=story)


def near(table: FirstEditionTable, space: str, links: tuple[str, ...] = ()) -> set[str]:
    return set(adjacency.steps(table, space, links))


def moves(bench: Bench) -> set[str]:
    """Return the spaces to which Ada can step now."""
    bench.run(turn.take_step(bench.game), ...)
    assert bench.open is not None
    options = bench.open.prompts[1].options
    return {o.points[0].piece for o in options if o.text.subject == "choice/move"}


@rule("K-MAP-1", "K-MAP-2", "K-MAP-3")
def test_a_board_has_tiles_with_rooms_of_spaces() -> None:
    table = corners().game_table

    assert [tile.tile for tile in table.tiles] == ["house"]
    assert {table.room_of(f"house/{letter}") for letter in "ab"} == {HALL}
    assert table.room_of("house/c") == STUDY


@rule("K-MAP-3", "K-MAP-4", "K-MAP-5", "K-MAP-6", "K-DECIDE-19", "K-MOVE-1")
def test_lines_doors_and_corners_can_be_crossed_and_walls_cannot() -> None:
    bench = corners()

    assert moves(bench) == {"house/b", "house/c", "house/d"}
    bench.emit(fe.Moved(ADA, "house/c"))
    assert moves(bench) == {"house/a", "house/b"}


@rule("K-MOVE-2")
def test_a_step_inside_a_room_costs_what_one_through_a_door_costs() -> None:
    bench = corners()
    bench.run(turn.take_step(bench.game), "house/b")
    bench.run(turn.take_step(bench.game), "house/d")

    assert len(bench.happened(fe.StepSpent)) == 2
    assert bench.game_table.steps_left == 0


@rule("K-TURN-1")
def test_two_steps_are_all_that_a_turn_has() -> None:
    bench = world()
    bench.run(turn.take_step(bench.game), "house/b")
    bench.run(turn.take_step(bench.game), "house/a")

    assert moves(bench) == set()
    assert bench.open is not None
    assert {r.rule for r in bench.open.prompts[1].refused if r.text.subject == "choice/move"} == {
        "K-TURN-1"
    }


@rule("K-DECIDE-20")
def test_any_number_of_figures_shares_a_space() -> None:
    bench = world((ADA, BEN), at={BEN: "house/b"}, monsters_at=[(RAT, "house/b")] * 2)
    bench.run(turn.take_step(bench.game), "house/b")

    assert bench.who(ADA).space == bench.who(BEN).space == "house/b"


@rule("K-LADDER-1", "K-LADDER-2", "K-DUCT-1", "K-DUCT-2", "K-DECIDE-86")
def test_ladders_and_ducts_join_spaces_for_those_who_can_use_them() -> None:
    ways = {}
    for link in (LADDER, DUCT):
        table = world(links=[link]).game_table
        users: dict[str, tuple[str, ...]] = {"investigator": INVESTIGATOR_LINKS}
        users |= {class_.value: MONSTER_LINKS[class_] for class_ in MonsterClass}
        ways[link.kind] = {
            who for who, links in users.items() if "house/c" in near(table, "house/a", links)
        }

    assert ways == {"ladder": {"investigator", "humanoid"}, "duct": {"beast"}}


@rule("K-LADDER-1", "K-DECIDE-86")
def test_a_ladder_costs_a_step_and_serves_no_range() -> None:
    bench = world(links=[LADDER])
    bench.run(turn.take_step(bench.game), "house/c")

    assert bench.who(ADA).space == "house/c"
    assert bench.game_table.steps_left == 1
    assert adjacency.distance(bench.game_table, "house/a", "house/c") is None


@rule("K-DECIDE-34")
def test_running_is_an_action_that_gives_one_step_more() -> None:
    bench = world()
    bench.run(turn.take_step(bench.game), "choice/run")
    for space in ("house/b", "house/c", "house/b"):
        bench.run(turn.take_step(bench.game), space)

    assert bench.who(ADA).space == "house/b"
    assert bench.happened(fe.ActionTaken) == [fe.ActionTaken(ADA, "run")]
    bench.run(turn.take_step(bench.game))
    assert bench.game_table.active is None


def test_a_card_can_forbid_to_run() -> None:
    bench = world(items=by_id(item_card("brace", modifiers=(Modifier(forbids=(Doing.RUNNING,)),))))
    newcomers.gain_item(bench.game, ADA, "item/brace")
    bench.run(turn.take_step(bench.game), ...)

    assert "choice/run" not in bench.offered()


# Fire on the way


@rule("K-FIRE-2", "K-FIRE-3", "K-FIRE-4", "K-EX-17")
@pytest.mark.parametrize(("roll", "horror"), [(5, 0), (6, 1)])
def test_entering_a_fire_tests_the_will_and_goes_on_whatever_comes(roll: int, horror: int) -> None:
    bench = world(at={ADA: "house/b"}, features=[(FIRE, STUDY)])
    bench.give_rolls(roll)

    bench.run(turn.take_step(bench.game), "house/c")

    assert (bench.who(ADA).space, bench.who(ADA).horror) == ("house/c", horror)
    kinds = [type(event) for event in bench.log]
    assert kinds.index(fe.TestEnded) < kinds.index(fe.Moved)


@rule("K-DECIDE-81")
def test_moving_inside_a_burning_room_needs_no_test() -> None:
    bench = world(features=[(FIRE, HALL)])
    bench.run(turn.take_step(bench.game), "house/b")

    assert not bench.happened(fe.TestDeclared)


@rule("K-DECIDE-81")
def test_evade_comes_before_the_fire_and_the_sight_of_a_monster_after_it() -> None:
    bench = world(
        at={ADA: "house/b"},
        features=[(FIRE, STUDY)],
        monsters_at=[(RAT, "house/b"), (RAT, "house/c")],
    )
    bench.give_rolls(1, 1, 1)

    bench.run(turn.take_step(bench.game), "house/c")

    assert [event.kind.value for event in bench.happened(fe.TestDeclared)] == [
        "evade",
        "fire",
        "horror",
    ]
    kinds = [type(event) for event in bench.log]
    assert kinds.index(fe.Moved) > [n for n, k in enumerate(kinds) if k is fe.TestEnded][1]


# Corpses


@rule("K-CORPSE-1", "K-CORPSE-2", "K-DECIDE-87")
def test_whoever_moves_may_drag_one_corpse_at_no_cost() -> None:
    bench = world(features=[(CORPSE, "house/a")] * 2)

    bench.run(turn.take_step(bench.game), lambda o: o.text.subject == "choice/drag")

    at = sorted(feature.at for feature in bench.game_table.features.values())
    assert at == ["house/a", "house/b"]
    assert bench.game_table.steps_left == 1


@rule("K-DECIDE-87")
def test_a_corpse_stays_where_nothing_was_said_of_it() -> None:
    bench = world(features=[(CORPSE, "house/a")])
    bench.run(turn.take_step(bench.game), lambda o: o.text.subject == "choice/move")

    (corpse,) = bench.game_table.features.values()
    assert corpse.at == "house/a"


@rule("K-DECIDE-87", "K-EVADE-10")
def test_whom_the_keeper_moves_drags_nothing_and_evades_nobody() -> None:
    bench = world(features=[(CORPSE, "house/a")], monsters_at=[(RAT, "house/a")])

    bench.run(
        effects.resolve(bench.game, (Move(spaces=2),), Source("mythos/any", ADA)),
        {KIM: "house/b"},
        {KIM: "choice/end_leading"},
    )

    assert bench.who(ADA).space == "house/b"
    assert next(iter(bench.game_table.features.values())).at == "house/a"
    assert not bench.happened(fe.TestDeclared)


@rule("K-CORPSE-3")
def test_a_corpse_that_is_dragged_into_a_fire_is_gone() -> None:
    bench = world(at={ADA: "house/b"}, features=[(CORPSE, "house/b"), (FIRE, STUDY)])
    bench.give_rolls(1)
    left = bench.game_table.corpses_left

    bench.run(turn.take_step(bench.game), lambda o: "house/c" in repr(o) and "drag" in repr(o))

    assert not bench.game_table.features_at("house/c", CORPSE)
    assert bench.game_table.corpses_left == left + 1


# Moved by others


@rule("K-EVADE-10")
def test_an_effect_puts_somebody_at_a_place() -> None:
    bench = world()
    bench.run(
        effects.resolve(bench.game, (Move(to=STUDY),), Source("mythos/any", ADA)),
    )
    assert bench.who(ADA).space == "house/c"

    bench.run(
        effects.resolve(bench.game, (Move(to=HALL),), Source("mythos/any", ADA)),
        {KIM: "house/b"},
    )
    assert bench.who(ADA).space == "house/b"


@rule("K-HORROR-1")
def test_whom_the_keeper_moves_to_a_monster_sees_it() -> None:
    bench = world(at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")])
    bench.give_rolls(10)
    bench.run(movement.put(bench.game, ADA, "house/c"))

    assert bench.who(ADA).horror == 1
