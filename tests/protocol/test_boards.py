"""Sight, routes, links and corners in the libraries for boards."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.boards.links import Link, linked
from protocol.boards.maps import BadDrawing, CornerTile, PlacedTile, compose, drawn, read_drawing
from protocol.boards.routes import farthest, nearest, reach
from protocol.boards.sight import centre, is_clear, sight_table
from protocol.errors import ImpossibleValue

pytestmark = pytest.mark.issue(35)

CELLS: Final = st.tuples(st.integers(0, 12), st.integers(0, 12))
STREET: Final = {"a": "bc", "b": "ad", "c": "ad", "d": "bce", "e": "d", "f": ""}
"""Spaces one step away, by space; nothing leads to f."""


def tile(*lines: str, name: str = "t", row: int = 0, column: int = 0) -> CornerTile:
    """Return a tile whose spaces are all in one map room."""
    letters = sorted({sign for line in lines for sign in line if "a" <= sign <= "z"})
    return CornerTile(name, row, column, lines, tuple((letter, "room") for letter in letters))


# Corners ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("corner", "pairs"),
    [
        ("+", ()),
        ("/", (("t/b", "t/c"),)),
        ("\\", (("t/a", "t/d"),)),
        ("X", (("t/a", "t/d"), ("t/b", "t/c"))),
    ],
)
def test_a_corner_joins_the_spaces_that_touch_it(
    corner: str, pairs: tuple[tuple[str, str], ...]
) -> None:
    board = compose((tile("+-+-+", "|a|b|", f"+-{corner}-+", "|c|d|", "+-+-+"),))

    assert board.diagonals == pairs
    assert {edge.line.value for edge in board.edges} == {"wall"}
    assert board.diagonals_of("t/a") == (("t/d",) if ("t/a", "t/d") in pairs else ())


def test_two_tiles_may_open_one_diagonal_each() -> None:
    north = tile("+-+-+", "|a|b|", "+-/-+", name="n")
    south = tile("+-\\-+", "|c|d|", "+-+-+", name="s", row=2)

    assert compose((north, south)).diagonals == (("n/a", "s/d"), ("n/b", "s/c"))
    assert drawn((north, south))[2, 2] == "X"


def test_other_tiles_have_no_corners() -> None:
    drawing = ("+-+-+", "|a|b|", "+-X-+", "|c|d|", "+-+-+")

    with pytest.raises(BadDrawing, match="'X' means nothing here"):
        PlacedTile("t", 0, 0, drawing, ())
    with pytest.raises(BadDrawing):
        read_drawing(drawing)
    assert set(read_drawing(drawing, has_corners=True)) == set("abcd")


# Sight --------------------------------------------------------------------------------------


@given(CELLS, CELLS, st.frozensets(CELLS, max_size=30))
def test_sight_is_the_same_both_ways(
    one: tuple[int, int], other: tuple[int, int], opaque: frozenset[tuple[int, int]]
) -> None:
    assert is_clear(one, other, opaque) == is_clear(other, one, opaque)


@given(CELLS, CELLS)
def test_nothing_is_seen_through_a_closed_wall(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    row, column = other
    beyond = (row, column + 20)

    assert not is_clear(one, beyond, {(at, 16) for at in range(-1, 14)})
    assert is_clear(one, other, frozenset())


def test_a_line_passes_beside_the_end_of_a_wall() -> None:
    assert is_clear((0, 0), (4, 4), {(2, 3)})
    assert not is_clear((0, 0), (4, 4), {(2, 2)})
    assert not is_clear((0, 0), (0, 4), {(0, 2)})
    assert not is_clear((0, 0), (4, 0), {(2, 0)})


def test_the_centre_is_a_cell_of_the_space() -> None:
    assert centre([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]) == (
        1,
        1,
    )
    assert centre([(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0)]) == (0, 1)


def test_a_table_says_who_sees_whom() -> None:
    tiles = (tile("+---+---+---+", "| a : b = c |", "+---+---+---+"),)
    opaque = {cell for cell, sign in drawn(tiles).items() if sign in "+-|="}

    assert sight_table(compose(tiles), opaque) == {"t/a": ("t/b",), "t/b": ("t/a",), "t/c": ()}


# Routes -------------------------------------------------------------------------------------


def test_reach_counts_steps_nearest_first() -> None:
    assert list(reach("a", STREET.__getitem__).items()) == [
        ("a", 0),
        ("b", 1),
        ("c", 1),
        ("d", 2),
        ("e", 3),
    ]


def test_reach_stops_at_the_longest_distance() -> None:
    assert list(reach("a", STREET.__getitem__, 2)) == ["a", "b", "c", "d"]
    assert reach("ae", STREET.__getitem__, 0) == {"a": 0, "e": 0}


def test_nearest_and_farthest_leave_out_what_cannot_be_reached() -> None:
    away = reach("a", STREET.__getitem__)
    things = {"far": "e", "left": "b", "lost": "f", "right": "c"}

    assert nearest(away, things) == ("left", "right")
    assert farthest(away, things) == ("far",)
    assert nearest(away, {"lost": "f"}) == ()


# Links --------------------------------------------------------------------------------------


def test_links_join_spaces_for_those_who_may_use_them() -> None:
    links = (
        Link("duct", ("a", "b", "c")),
        Link("ladder", ("a", "d")),
        Link("duct", ("c", "d")),
        Link("duct", ("a", "c")),
    )

    assert linked(links, "a", ("duct",)) == ("b", "c")
    assert linked(links, "a", ("duct", "ladder")) == ("b", "c", "d")
    assert linked(links, "b", ("ladder",)) == ()


@pytest.mark.parametrize("spaces", [(), ("a",), ("a", "a")])
def test_a_link_joins_at_least_two_spaces(spaces: tuple[str, ...]) -> None:
    with pytest.raises(ImpossibleValue):
        Link("ladder", spaces)
