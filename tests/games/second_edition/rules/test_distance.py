"""Adjacency, range and distance."""

import pytest

from content.games.second_edition.schema.cards import Through
from content.games.second_edition.schema.scenario import MapRoom, TokenCard
from protocol.boards.maps import Boundary, compose
from protocol.games.second_edition.events import MonsterMoved
from protocol.games.second_edition.table import TokenKind
from server.games.second_edition.rules import adjacency, board, distance, monsters
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    neighbours,
    placed,
    rooms_beside,
    tile,
    where,
    world,
)

LINES = """
+---+---+---+---+---+
| a : b ! c = d | e |
+---+---+---+---+---+
"""
"""A border, an impassable border, a door and a wall."""

ROOMS = {
    "a": "room/hall",
    "b": "room/hall",
    "c": "room/hall",
    "d": "room/study",
    "e": "room/attic",
}


def lines(**parts: object) -> Bench:
    """Return a bench with five spaces and every kind of line between them."""
    return world(tiles=[tile(LINES, ROOMS)], **parts)  # type: ignore[arg-type]  # passed on


def spaces(letters: str) -> tuple[str, ...]:
    """Return the ids of spaces of the tile `house`."""
    return tuple(f"house/{letter}" for letter in letters)


@pytest.mark.rule("ADJACENT-1")
@pytest.mark.rule("SPACE-1")
@pytest.mark.parametrize(
    ("space", "expected"), [("a", "b"), ("b", "ac"), ("c", "bd"), ("d", "ce"), ("e", "d")]
)
def test_spaces_are_adjacent_across_every_kind_of_line(space: str, expected: str) -> None:
    found = neighbours(lines().game_table, f"house/{space}")

    assert spaces(expected) == found


@pytest.mark.rule("ADJACENT-2")
def test_rooms_are_adjacent_across_a_door_and_a_wall() -> None:
    found = rooms_beside(lines().game_table.map, "room/study")

    assert found == {"room/attic", "room/hall"}


@pytest.mark.rule("ADJACENT-3")
@pytest.mark.rule("DOOR-1")
def test_a_door_is_adjacent_to_the_two_spaces_at_its_sides() -> None:
    house = lines().game_table.map
    doors = {door.door: door.sides for door in house.doors.values()}

    assert list(doors.values()) == [spaces("cd")]
    assert [door.sides for door in adjacency.doors_of(house, "house/c")] == [spaces("cd")]
    assert adjacency.doors_of(house, "house/a") == ()


@pytest.mark.rule("ADJACENT-4")
@pytest.mark.rule("MOVE-5")
@pytest.mark.rule("MOVE-6")
@pytest.mark.rule("MOVE-7")
@pytest.mark.rule("BORDER-1")
@pytest.mark.rule("BORDER-2")
@pytest.mark.rule("WALL-1")
@pytest.mark.rule("DOOR-2")
@pytest.mark.parametrize(
    ("space", "expected"), [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("e", "")]
)
def test_steps_cross_borders_and_doors_but_no_walls(space: str, expected: str) -> None:
    found = adjacency.steps(lines().game_table, f"house/{space}")

    assert spaces(expected) == found


@pytest.mark.rule("WALL-2")
@pytest.mark.rule("DECIDE-106")
def test_what_reaches_adjacent_spaces_stops_at_walls() -> None:
    """An effect on adjacent spaces crosses every kind of line except a wall."""
    house = lines().game_table

    assert adjacency.reached(house, "house/d") == spaces("c")
    assert adjacency.reached(house, "house/b") == spaces("ac")


@pytest.mark.rule("MOVE-9")
@pytest.mark.rule("DOOR-2")
def test_an_explore_token_shuts_its_door_to_everybody() -> None:
    token = TokenCard("token/door", TokenKind.EXPLORE, "house/c=house/d", ())
    bench = lines(tokens=[token])

    assert adjacency.steps(bench.game_table, "house/c") == ()
    board.remove_token(bench.game, "token/door")
    assert adjacency.steps(bench.game_table, "house/c") == spaces("d")


@pytest.mark.rule("BORDER-3")
@pytest.mark.rule("ROOM-1")
@pytest.mark.rule("ROOM-2")
def test_a_room_groups_spaces_under_one_name() -> None:
    house = lines().game_table.map

    assert house.spaces_of("room/hall") == spaces("abc")
    assert house.rooms["house/d"] == "room/study"


@pytest.mark.rule("DECIDE-107")
def test_the_edge_where_two_tiles_meet_is_one_line() -> None:
    one = placed("+---+\n| a =\n+---+", {"a": "room/hall"}, id="one")
    other = placed("+---+\n| a |\n+---+", {"a": "room/study"}, id="two", column=4)

    assert [(e.one, e.other, e.line) for e in compose((one, other)).edges] == [
        ("one/a", "two/a", Boundary.DOOR)
    ]


# Range ---------------------------------------------------------------------------------------

RANGE_CASES = [
    pytest.param("a : b : c : d : e", "abcd", id="borders"),
    pytest.param("a : b ! c : d : e", "abcd", id="impassable border"),
    pytest.param("a : b | c : d : e", "ab", id="wall"),
    pytest.param("a : b = c : d : e", "ab", id="door"),
]


@pytest.mark.rule("RANGE-1")
@pytest.mark.rule("RANGE-2")
@pytest.mark.rule("RANGE-3")
@pytest.mark.rule("RANGE-4")
@pytest.mark.rule("RANGE-6")
@pytest.mark.rule("DECIDE-100")
@pytest.mark.rule("EX-27")
@pytest.mark.parametrize(("row", "expected"), RANGE_CASES)
def test_range_is_three_spaces_across_borders_alone(row: str, expected: str) -> None:
    """Four spaces are too far. Walls and doors block range, impassable borders do not."""
    picture = f"+---+---+---+---+---+\n| {row} |\n+---+---+---+---+---+"
    bench = world(tiles=[tile(picture)])

    assert distance.within_range(bench.game_table, "house/a") == spaces(expected)


@pytest.mark.rule("RANGE-2")
@pytest.mark.rule("RANGE-3")
@pytest.mark.parametrize(
    ("through", "reached"),
    [((), "abc"), ((Through.DOORS,), "abcd"), (tuple(Through), "abcde"), ((Through.WALLS,), "abc")],
)
def test_an_effect_can_say_that_range_is_counted_through_walls_and_doors(
    through: tuple[Through, ...], reached: str
) -> None:
    """From space b, d is two spaces away and e three."""
    bench = lines()

    found = distance.within_range(bench.game_table, "house/b", distance.seen_through(through))

    assert sorted(space[-1] for space in found) == list(reached)


# Near and far --------------------------------------------------------------------------------

RING = """
+---+---+
| a : b |
+...+...+
| d : c |
+...+---+
| e |
+---+
"""


@pytest.mark.rule("NEAREST-1")
@pytest.mark.rule("DECIDE-102")
def test_what_shares_the_space_is_closest() -> None:
    bench = world(tiles=[tile(RING)])
    things = {"here": "house/a", "next": "house/b"}

    assert distance.nearest(bench.game_table, "house/a", things) == ("here",)


@pytest.mark.rule("NEAREST-2")
@pytest.mark.rule("DECIDE-103")
def test_those_equally_far_are_all_farthest() -> None:
    """The investigators decide a tie."""
    bench = world(tiles=[tile(RING)])
    things = {"one": "house/c", "two": "house/e", "three": "house/b"}

    assert distance.farthest(bench.game_table, "house/a", things) == ("one", "two")


@pytest.mark.rule("DECIDE-101")
@pytest.mark.rule("DECIDE-104")
def test_what_cannot_be_reached_is_neither_closest_nor_farthest() -> None:
    """Distance counts legal steps, and none lead through a wall."""
    bench = lines()
    things = {"behind": "house/e", "next": "house/d"}

    assert distance.nearest(bench.game_table, "house/c", things) == ("next",)
    assert distance.farthest(bench.game_table, "house/c", things) == ("next",)
    assert distance.nearest(bench.game_table, "house/c", {"behind": "house/e"}) == ()
    assert distance.distance(bench.game_table, "house/c", "house/e") is None


@pytest.mark.rule("DECIDE-101")
def test_an_unexplored_door_counts_as_no_way() -> None:
    token = TokenCard("token/door", TokenKind.EXPLORE, "house/c=house/d", ())

    assert distance.distance(lines().game_table, "house/c", "house/d") == 1
    assert distance.distance(lines(tokens=[token]).game_table, "house/c", "house/d") is None


@pytest.mark.rule("NEAREST-3")
def test_each_step_toward_reduces_the_distance() -> None:
    table = world(tiles=[tile(RING)]).game_table

    assert distance.steps_toward(table, "house/c", "house/a") == spaces("bd")
    assert distance.steps_toward(table, "house/e", "house/a") == spaces("d")
    assert distance.steps_toward(table, "house/a", "house/a") == ()


@pytest.mark.rule("NEAREST-4")
@pytest.mark.rule("DECIDE-105")
def test_each_step_away_increases_the_distance() -> None:
    table = world(tiles=[tile(RING)]).game_table

    assert distance.steps_away(table, "house/d", "house/a") == spaces("ce")
    assert distance.steps_away(table, "house/e", "house/a") == ()


TRIANGLE = """
+---+---+
| a : b |
+...+...+
|   c   |
+-------+
"""


@pytest.mark.rule("NEAREST-3")
@pytest.mark.rule("NEAREST-4")
def test_a_step_that_keeps_the_distance_is_neither_toward_nor_away() -> None:
    table = world(tiles=[tile(TRIANGLE)]).game_table

    assert distance.steps_toward(table, "house/b", "house/a") == spaces("a")
    assert distance.steps_away(table, "house/b", "house/a") == ()


@pytest.mark.rule("ROOM-3")
@pytest.mark.rule("ROOM-4")
@pytest.mark.rule("ROOM-5")
def test_every_room_is_indoor_or_outdoor_and_so_are_its_spaces() -> None:
    rooms = (MapRoom("room/hall"), MapRoom("room/study", outdoor=True), MapRoom("room/attic"))
    bench = lines(scenario_parts={"rooms": rooms})

    outdoor = [at for at in spaces("abcde") if board.is_outdoor(bench.game, at)]

    assert outdoor == ["house/d"]


@pytest.mark.rule("SPACE-2")
@pytest.mark.rule("MONSTER-15")
@pytest.mark.rule("DECIDE-31")
def test_any_number_of_figures_share_a_space() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/a"}, monsters=[(DROWNED, "house/a")] * 3)
    bench.emit(MonsterMoved("m3", "house/b"))

    assert where(bench) == {
        ADA: "house/a",
        BEN: "house/a",
        "m1": "house/a",
        "m2": "house/a",
        "m3": "house/b",
    }
    assert monsters.here(bench.game_table, "house/a") == ("m1", "m2")
