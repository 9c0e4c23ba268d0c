"""Shrunk boards have the same spaces, doors and borders as the full drawing."""

from collections.abc import Iterable, Iterator, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.boards.sketch import LEAST_COLUMNS, Need, Sketch, runs_of, sketch
from client.boards.walls import walls
from client.settings.preferences import Charset
from content.games.second_edition.maps import layouts
from content.language.boards import placed
from protocol.boards.maps import Boundary, Cell, Covering, Edge, PlacedTile, compose
from tests.games.second_edition.client.scripted import HALL, STUDY
from tests.games.second_edition.simulate import core

HOUSE = (
    PlacedTile("hall", 0, 0, HALL, (("a", "hall"), ("b", "hall"), ("c", "kitchen"))),
    PlacedTile("study", 0, 29, STUDY, (("a", "study"), ("b", "study"), ("c", "parlour"))),
)


def _small(tiles: tuple[PlacedTile, ...], *needs: Need) -> Sketch:
    return sketch(tiles, (), Charset.BOXES, (0, 0), needs)


def _text(drawn: Sketch) -> str:
    rows = range(drawn.rows)
    lines = (
        "".join(
            drawn.glyphs[row, column].char if (row, column) in drawn.glyphs else " "
            for column in range(drawn.columns)
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


# A board read off its own drawing ----------------------------------------------------------


def _around(cell: Cell) -> tuple[Cell, ...]:
    row, column = cell
    return ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))


def _kinds(shown: Sketch) -> Mapping[Cell, Boundary]:
    """Return the kind of line in each cell, by its style."""
    styles = ((cell, glyph.style) for cell, glyph in shown.glyphs.items())
    return {cell: Boundary(style.removeprefix("class:map.")) for cell, style in styles}


def _edges(shown: Sketch) -> set[Edge]:
    """Return each line between two neighbours that the cells of a board show."""
    board = shown.board
    space_at = {cell: space for space, cells in board.cells.items() for cell in cells}
    door_at = {cell: door.door for door in board.doors.values() for cell in door.cells}
    found = set()
    for cell, kind in _kinds(shown).items():
        above, below, left, right = _around(cell)
        for one, other in ((above, below), (left, right)):
            pair = {space_at.get(one, ""), space_at.get(other, "")}
            if len(pair) == 2 and "" not in pair:
                found.add(Edge(min(pair), max(pair), kind, door_at.get(cell)))
    return found


def _is_wall_beside_door(edge: Edge, left: set[Edge]) -> bool:
    doors = {(one.one, one.other) for one in left if one.line is Boundary.DOOR}
    return edge.line is Boundary.WALL and (edge.one, edge.other) in doors


def _same_board(whole: Sketch, small: Sketch) -> None:
    """Assert that a smaller board is equivalent to the whole one."""
    was, now = _edges(whole), _edges(small)
    before, after = whole.board, small.board
    assert now <= was
    assert all(_is_wall_beside_door(edge, now) for edge in was - now)
    lines = _kinds(small).keys()
    for space, cells in after.cells.items():
        # Nothing is open to the outside, or to another space.
        beside = {at for cell in cells for at in _around(cell)} - {*cells}
        assert cells
        assert beside <= lines, space
        widest = max(len(run) for _, run in runs_of(before.cells[space]))
        assert max(len(run) for _, run in runs_of(cells)) >= min(widest, LEAST_COLUMNS)
    door_at = {cell: door.door for door in after.doors.values() for cell in door.cells}
    for name, door in after.doors.items():
        assert door.cells, name
        assert {door_at.get(at, door.door) for cell in door.cells for at in _around(cell)} == {
            door.door
        }


# Boards at random --------------------------------------------------------------------------

_PIECES = st.lists(
    st.tuples(st.sampled_from(("wall", "wall", "door", "border", "impassable")), st.integers(1, 9)),
    min_size=1,
    max_size=4,
)
_WALL = (("wall", 1),)
_OPEN = (("open", 1),)


@st.composite
def _boards(draw: st.DrawFn) -> tuple[PlacedTile, ...]:
    """Draw a house: rooms in a grid with random lines between them."""
    highs = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    wides = draw(st.lists(st.integers(2, 14), min_size=1, max_size=4))
    tops = [sum(highs[:at]) + at for at in range(len(highs) + 1)]
    lefts = [sum(wides[:at]) + at for at in range(len(wides) + 1)]
    grid = [[" "] * (lefts[-1] + 1) for _ in range(tops[-1] + 1)]
    room_of = {(r, c): (r, c) for r in range(len(highs)) for c in range(len(wides))}
    for r, c in [*room_of]:
        for down, right in ((1, 0), (0, 1)):
            is_rim = (r + down, c + right) not in room_of
            pieces = _WALL if is_rim else draw(st.one_of(_PIECES, st.just(_OPEN)))
            if pieces == _OPEN:
                mine, other = room_of[r, c], room_of[r + down, c + right]
                room_of = {at: mine if of == other else of for at, of in room_of.items()}
            if down:
                _line(grid, (tops[r + 1], lefts[c] + 1), wides[c], pieces, "-.~")
            else:
                _line(grid, (tops[r] + 1, lefts[c + 1]), highs[r], pieces, "|:!")
    _rim(grid, tops, lefts)
    letters = {room: chr(ord("a") + at) for at, room in enumerate(dict.fromkeys(room_of.values()))}
    for (r, c), letter in letters.items():
        grid[tops[r] + 1][lefts[c] + 1] = letter
    drawing = tuple("".join(row) for row in grid)
    rooms = tuple((letter, f"room/{letter}") for letter in sorted(letters.values()))
    return (PlacedTile("tile", draw(st.integers(0, 3)), draw(st.integers(0, 3)), drawing, rooms),)


def _line(
    grid: list[list[str]],
    first: Cell,
    length: int,
    pieces: Iterable[tuple[str, int]],
    chars: str,
) -> None:
    """Draw pieces of a line, repeated to its length."""
    down, right = (0, 1) if chars[0] == "-" else (1, 0)
    char = {"wall": chars[0], "border": chars[1], "impassable": chars[2], "door": "=", "open": " "}
    shown = [char[kind] for kind, size in pieces for _ in range(size)]
    for at in range(length):
        grid[first[0] + at * down][first[1] + at * right] = shown[at % len(shown)]


def _rim(grid: list[list[str]], tops: list[int], lefts: list[int]) -> None:
    last, end = len(grid) - 1, len(grid[0]) - 1
    for row in range(1, last):
        grid[row][0] = "|"
    for column in range(1, end):
        grid[0][column] = "-"
    for top in tops:
        for left in lefts:
            grid[top][left] = "+"


@settings(max_examples=100, deadline=None)
@given(_boards(), st.integers(0, 25), st.integers(0, 60))
def test_a_smaller_board_is_the_same_board(
    tiles: tuple[PlacedTile, ...], rows: int, columns: int
) -> None:
    drawn = sketch(tiles, (), Charset.BOXES, (rows, columns))

    _same_board(sketch(tiles, (), Charset.BOXES), drawn)


@settings(max_examples=60, deadline=None)
@given(_boards(), st.integers(0, 25), st.integers(0, 60))
def test_no_more_is_left_out_than_must_be(
    tiles: tuple[PlacedTile, ...], rows: int, columns: int
) -> None:
    whole, least = sketch(tiles, (), Charset.BOXES), _small(tiles)
    drawn = sketch(tiles, (), Charset.BOXES, (rows, columns))

    assert drawn.rows == max(least.rows, min(rows, whole.rows))
    assert drawn.columns == max(least.columns, min(columns, whole.columns))
    assert drawn.is_whole == ((drawn.rows, drawn.columns) == (whole.rows, whole.columns))


def _layouts() -> Iterator[tuple[str, int, tuple[PlacedTile, ...]]]:
    for name, scenario in core().scenarios.items():
        for at, tiles in enumerate(layouts(scenario)):
            yield name, at, tuple(placed(tile) for tile in tiles)


@pytest.mark.parametrize(
    "tiles", [tiles for _, _, tiles in _layouts()], ids=[f"{n}-{at}" for n, at, _ in _layouts()]
)
def test_every_board_of_the_core_set_shrinks_well(tiles: tuple[PlacedTile, ...]) -> None:
    """Each board shrinks to less than a third of its width and half of its height."""
    whole, least = sketch(tiles, (), Charset.BOXES), _small(tiles)

    _same_board(whole, least)
    assert least.columns * 2 <= whole.columns
    assert least.rows * 3 <= whole.rows * 2


# What it looks like ------------------------------------------------------------------------


def test_the_smallest_board_has_all_its_lines() -> None:
    assert _text(_small(HOUSE)) == (
        "┌─────┬─────┬─────┬─────┐\n"
        "│     ╎     ║     ║     │\n"
        "├─══──┴─────┼╪╪╪╪╪┤     │\n"
        "│           │     │     │\n"
        "└───────═══─┴─────┴─────┘"
    )


def test_a_space_keeps_what_it_needs() -> None:
    drawn = _small(HOUSE, Need("hall/b", 9, 2), Need("hall/1", 1, 2), Need("study/c", 99, 99))

    runs = [len(run) for _, run in runs_of(drawn.board.cells["hall/b"])]
    assert [len(runs) >= 2, min(runs)] == [True, 9]
    assert len(drawn.board.doors["hall/1"].cells) == 2
    assert len({row for row, _ in drawn.board.cells["study/c"]}) == 9


@pytest.mark.issue(14)
def test_a_space_that_is_wider_needs_fewer_rows() -> None:
    many = Need("hall/b", 9, 3, cells=21)

    rows = [
        len(sketch(HOUSE, (), Charset.BOXES, (0, columns), (many,)).board.cells["hall/b"]) // width
        for columns, width in ((0, 9), (57, 13))
    ]

    assert rows == [3, 2]


def test_two_doors_never_become_one() -> None:
    """The wall between two doors is kept when the board shrinks."""
    drawing = ("+-----+-----+", "| a   1   b |", "|     |     |", "|     2     |", "+-----+-----+")
    tile = PlacedTile("hall", 0, 0, drawing, (("a", "room/a"), ("b", "room/b")))

    drawn = _small((tile,))

    assert [row[6] for row in _text(drawn).split("\n")] == ["┬", "║", "│", "║", "┴"]


def test_a_board_stays_as_it_is_while_there_is_room() -> None:
    """Walls must not move as figures come and go."""
    limit = (9, 50)
    bare = sketch(HOUSE, (), Charset.BOXES, limit)

    assert sketch(HOUSE, (), Charset.BOXES, limit, (Need("hall/a", 7, 1),)) is bare


def test_what_is_blank_all_around_is_never_drawn() -> None:
    tile = PlacedTile("hall", 40, 30, HALL, HOUSE[0].rooms)

    drawn = sketch((tile,), (), Charset.BOXES)

    assert [drawn.rows, drawn.columns, drawn.is_whole] == [11, 30, True]


def test_coverings_shrink_along() -> None:
    door = compose(HOUSE).doors["hall/1"]
    covering = Covering("wall", Boundary.WALL, door.cells)

    drawn = sketch(HOUSE, (covering,), Charset.BOXES, (0, 0))

    assert "hall/1" not in drawn.board.doors
    assert _text(drawn).split("\n")[1] == "│     ╎     │     ║     │"


def test_lines_keep_their_signs_in_ascii() -> None:
    drawn = sketch(HOUSE, (), Charset.ASCII, (0, 0))

    assert _text(drawn).isascii()
    kinds = {glyph.char for glyph in walls(HOUSE, (), Charset.ASCII).values()}
    assert kinds == {glyph.char for glyph in drawn.glyphs.values()}


def test_tiles_without_a_drawing_take_one_blank_cell() -> None:
    """A hostile server may send a tile without a drawing."""
    drawn = sketch((PlacedTile("hall", 7, 1, (), ()),), (), Charset.BOXES)

    assert (drawn.rows, drawn.columns, _text(drawn)) == (1, 1, "")
