"""Maps drawn as text: how drawings are read, which are refused, and how tiles form a board."""

import inspect
import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.boards import maps
from protocol.boards.maps import (
    CELLS_SHARED,
    MAX_COLUMNS,
    MAX_ROWS,
    BadDrawing,
    Boundary,
    Covering,
    Edge,
    Map,
    PlacedTile,
    compose,
    drawn,
    read_drawing,
    shared_tile,
    wall_between,
)


def lines(picture: str) -> tuple[str, ...]:
    """Return a picture in a test as the lines of a drawing."""
    return tuple(inspect.cleandoc(picture).split("\n"))


def tile(name: str, picture: str, row: int = 0, column: int = 0) -> PlacedTile:
    """Return a tile in which each space is a room of the space's letter."""
    drawing = lines(picture)
    letters = sorted({c for line in drawing for c in line if c.islower()})
    rooms = tuple((letter, f"room/{name}-{letter}") for letter in letters)
    return PlacedTile(name, row, column, drawing, rooms)


def board(*tiles: PlacedTile) -> Map:
    """Return the map of the given tiles."""
    return compose(tiles)


def shown(*tiles: PlacedTile, covered: tuple[Covering, ...] = ()) -> list[str]:
    """Return a board as a picture, with the letter of each space in its first cell."""
    characters = drawn(tiles, covered)
    letters = {cells[0]: space[-1] for space, cells in compose(tiles, covered).cells.items()}
    height = max(row for row, _ in characters) + 1
    width = max(column for _, column in characters) + 1
    rows = [
        "".join(letters.get((r, c), characters.get((r, c), " ")) for c in range(width))
        for r in range(height)
    ]
    return [row.rstrip() for row in rows]


def said(edges: Sequence[Edge]) -> list[str]:
    """Return edges in words."""
    return [
        f"{edge.one} {edge.line.value} {edge.other}" + (f" {edge.door}" if edge.door else "")
        for edge in edges
    ]


HALL = """
    +-------+-----+
    |       :     |
    |   a   :  b  1
    |       :     =
    +--==---+-----+
"""
STUDY = """
    +-----+
    |     |
    =  c  |
    =     |
    +-----+
"""


class TestReading:
    """Tests of reading one drawing."""

    def test_areas_are_read_by_letter(self) -> None:
        areas = read_drawing(lines("+--+-+\n|a : |\n|  :b|\n+--+-+"))

        assert areas == {
            "a": ((1, 1), (1, 2), (2, 1), (2, 2)),
            "b": ((1, 4), (2, 4)),
        }

    def test_area_may_have_any_shape(self) -> None:
        areas = read_drawing(
            lines("""
                +-----+
                |     |
                | +-+ |
                | |b| |
                | +-+a|
                +-+   |
                  +---+
            """)
        )

        assert len(areas["a"]) == 5 + 2 + 2 + 2 + 3
        assert areas["b"] == ((3, 3),)

    def test_outside_needs_no_letter(self) -> None:
        areas = read_drawing(lines("+-+  +-+\n|a|  |b|\n| +--+ |\n|  .   |\n+------+"))

        assert set(areas) == {"a", "b"}

    def test_lines_may_be_ragged(self) -> None:
        assert set(read_drawing(("+-+", "|a|", "| +--+", "|....|", "| b  |", "+----+"))) == {
            "a",
            "b",
        }

    def test_blank_drawing_has_no_areas(self) -> None:
        assert read_drawing(("", "   ", "")) == {}

    @pytest.mark.parametrize("character", "+-|=0123456789:.!~")
    def test_line_characters_separate(self, character: str) -> None:
        areas = read_drawing(("+---+", f"|a{character}b|", "+---+"))

        assert areas == {"a": ((1, 1),), "b": ((1, 3),)}

    @pytest.mark.parametrize(
        ("drawing", "row", "column", "reason"),
        [
            (("+-+", "|a#", "+-+"), 1, 2, "the character '#' means nothing here"),
            (("+-+", "|A|", "+-+"), 1, 1, "the character 'A' means nothing here"),
            (("+-+", "|é|", "+-+"), 1, 1, "the character 'é' means nothing here"),
            (("+-+", "|a\t", "+-+"), 1, 2, "the character '\\t' means nothing here"),
            (("+-+-+", "|a| |", "+-+-+"), 1, 3, "an area without a letter"),
            (("+---+", "|a b|", "+---+"), 1, 3, "a second letter in one area"),
            (("+---+", "|a:a|", "+---+"), 1, 3, "the letter a a second time"),
            (("+-+", "|a|", "+ +"), 1, 1, "the area of a is open to the outside"),
            (("+-+", "|a ", "+-+"), 1, 1, "the area of a is open to the outside"),
            (("+-+", " a|", "+-+"), 1, 1, "the area of a is open to the outside"),
            (("+-+", "|a|"), 1, 1, "the area of a is open to the outside"),
            (("|a|", "+-+"), 0, 1, "the area of a is open to the outside"),
            (("+--+", "|a |", "+-"), 1, 1, "the area of a is open to the outside"),
            (("a",), 0, 0, "the area of a is open to the outside"),
            (("",) * (MAX_ROWS + 1), MAX_ROWS, 0, f"more than {MAX_ROWS} rows"),
            (
                ("", "-" * (MAX_COLUMNS + 1)),
                1,
                MAX_COLUMNS,
                f"more than {MAX_COLUMNS} columns",
            ),
        ],
    )
    def test_a_bad_drawing_is_refused_with_its_place(
        self, drawing: tuple[str, ...], row: int, column: int, reason: str
    ) -> None:
        with pytest.raises(BadDrawing) as caught:
            read_drawing(drawing)

        assert (caught.value.row, caught.value.column, caught.value.reason) == (row, column, reason)
        assert str(caught.value) == f"row {row + 1}, column {column + 1}: {reason}"

    def test_largest_drawing_is_read(self) -> None:
        inside = "|" + " " * (MAX_COLUMNS - 2) + "|"
        rim = "+" + "-" * (MAX_COLUMNS - 2) + "+"
        drawing = [rim, *[inside] * (MAX_ROWS - 2), rim]
        drawing[1] = "|a" + inside[2:]

        assert len(read_drawing(drawing)["a"]) == (MAX_ROWS - 2) * (MAX_COLUMNS - 2)

    @given(st.lists(st.text("+-|=1:.!~ ab#", max_size=8), max_size=8))
    def test_any_drawing_is_areas_or_bad(self, drawing: list[str]) -> None:
        try:
            areas = read_drawing(drawing)
        except BadDrawing:
            return

        cells = [cell for area in areas.values() for cell in area]
        assert len(cells) == len(set(cells))


class TestOneTile:
    """Tests of the map of one tile."""

    def test_spaces_are_named_by_tile_and_letter(self) -> None:
        made = board(tile("hall", HALL))

        assert made.rooms == {"hall/a": "room/hall-a", "hall/b": "room/hall-b"}

    def test_spaces_of_a_room(self) -> None:
        """Several spaces can be one room (ROOM-1)."""
        rooms = (("a", "room/hall"), ("b", "room/hall"))
        made = board(PlacedTile("hall", 0, 0, lines(HALL), rooms))

        assert made.spaces_of("room/hall") == ("hall/a", "hall/b")
        assert made.spaces_of("room/none") == ()

    def test_cells_lie_where_the_tile_does(self) -> None:
        laid = tile("t", "+-+\n|a|\n+-+", row=3, column=5)

        assert board(laid).cells == {"t/a": ((4, 6),)}
        assert drawn((laid,))[3, 5] == "+"
        assert drawn((laid,))[4, 6] == " "

    @pytest.mark.parametrize(
        ("character", "line"),
        [
            ("|", Boundary.WALL),
            ("-", Boundary.WALL),
            ("+", Boundary.WALL),
            ("!", Boundary.IMPASSABLE),
            ("~", Boundary.IMPASSABLE),
            (":", Boundary.BORDER),
            (".", Boundary.BORDER),
            ("=", Boundary.DOOR),
            ("7", Boundary.DOOR),
        ],
    )
    def test_upright_and_level_lines(self, character: str, line: Boundary) -> None:
        beside = board(tile("t", f"+---+\n|a{character}b|\n+---+"))
        below = board(tile("t", f"+-+\n|a|\n+{character}+\n|b|\n+-+"))

        for made in (beside, below):
            (edge,) = made.edges
            assert (edge.one, edge.other, edge.line) == ("t/a", "t/b", line)

    def test_several_kinds_of_line(self) -> None:
        """Each kind counts once, however long the line is (BORDER-1)."""
        made = board(tile("t", "+---+\n| : |\n|a:b|\n| | |\n| ! |\n| = |\n+---+"))

        assert said(made.edges) == [
            "t/a border t/b",
            "t/a door t/b t/a=t/b",
            "t/a impassable t/b",
            "t/a wall t/b",
        ]

    def test_corner_makes_no_edge(self) -> None:
        """Spaces that touch only at a corner share nothing (ADJACENT-1)."""
        made = board(tile("t", "+---+\n|a:b|\n|.+.|\n|c:d|\n+---+"))

        assert said(made.edges) == [
            "t/a border t/b",
            "t/a border t/c",
            "t/b border t/d",
            "t/c border t/d",
        ]

    def test_wall_that_ends_in_a_space_makes_no_edge(self) -> None:
        assert board(tile("t", "+---+\n| | |\n|a  |\n+---+")).edges == ()

    def test_outline_makes_no_edge(self) -> None:
        assert board(tile("t", "+-+\n|a|\n+=+")).edges == ()

    def test_edges_of_a_space(self) -> None:
        made = board(tile("t", "+-----+\n|a:b|c|\n+-----+"))

        edges = made.edges_of("t/b")

        assert [(edge.across("t/b"), edge.line) for edge in edges] == [
            ("t/a", Boundary.BORDER),
            ("t/c", Boundary.WALL),
        ]
        assert made.edges_of("t/z") == ()


class TestDoors:
    """Tests of finding and naming doors."""

    def test_digit_names_a_door(self) -> None:
        door = board(tile("hall", HALL)).doors["hall/1"]

        assert door.door == "hall/1"
        assert door.cells == ((2, 14), (3, 14))

    def test_door_at_the_end_of_the_map_has_one_side(self) -> None:
        doors = board(tile("hall", HALL)).doors

        assert doors["hall/1"].sides == ("hall/b",)
        assert doors["hall/a"].sides == ("hall/a",)

    def test_door_without_a_digit_goes_by_its_sides(self) -> None:
        made = board(tile("t", "+---+\n|a=b|\n+---+"))

        assert made.doors["t/a=t/b"].sides == ("t/a", "t/b")
        assert made.edges[0].door == "t/a=t/b"

    def test_edge_names_its_door(self) -> None:
        made = board(tile("t", "+---+\n|a3b|\n| = |\n+---+"))

        assert said(made.edges) == ["t/a door t/b t/3"]

    def test_two_doors_between_two_spaces(self) -> None:
        made = board(tile("t", "+---+\n|a1b|\n| | |\n| 2 |\n+---+"))

        assert said(made.edges) == ["t/a door t/b t/1", "t/a door t/b t/2", "t/a wall t/b"]

    def test_only_doors_have_names(self) -> None:
        assert [edge.door for edge in board(tile("t", "+---+\n|a:b|\n+---+")).edges] == [None]

    @pytest.mark.parametrize("study", [STUDY, STUDY.replace("=", "|")])
    def test_door_where_two_tiles_meet_is_one(self, study: str) -> None:
        made = board(tile("hall", HALL), tile("study", study, 0, 14))

        assert said(made.edges) == [
            "hall/a border hall/b",
            "hall/b door study/c hall/1",
            "hall/b wall study/c",
        ]
        assert made.doors["hall/1"].sides == ("hall/b", "study/c")

    def test_name_of_either_tile_finds_the_door(self) -> None:
        study = STUDY.replace("=     |", "2     |")
        made = board(tile("hall", HALL), tile("study", study, 0, 14))

        assert made.doors["study/2"] == made.doors["hall/1"]

    def test_name_stays_when_a_tile_is_joined(self) -> None:
        """A token must stay on its door when the room beyond is added."""
        before = board(tile("hall", HALL))
        after = board(tile("hall", HALL), tile("study", STUDY, 0, 14))

        assert before.doors["hall/1"].door == after.doors["hall/1"].door == "hall/1"


class TestBoard:
    """Tests of several tiles on one board."""

    def test_the_more_open_of_two_lines_shows_in_the_picture(self) -> None:
        assert shown(tile("hall", HALL), tile("study", STUDY, 0, 14)) == [
            "+-------+-----+-----+",
            "|a      :b    |c    |",
            "|       :     1     |",
            "|       :     =     |",
            "+--==---+-----+-----+",
        ]

    def test_order_of_tiles_does_not_change_the_picture(self) -> None:
        hall, study = tile("hall", HALL), tile("study", STUDY, 0, 14)

        one, other = board(hall, study), board(study, hall)

        assert one.rooms == other.rooms
        assert one.edges == other.edges
        assert {c: x in "=1" for c, x in drawn((hall, study)).items()} == {
            c: x in "=1" for c, x in drawn((study, hall)).items()
        }

    @pytest.mark.parametrize(
        ("one", "other", "line"),
        [
            ("|", "|", Boundary.WALL),
            ("|", "!", Boundary.IMPASSABLE),
            ("|", ":", Boundary.BORDER),
            ("!", ":", Boundary.BORDER),
            ("|", "=", Boundary.DOOR),
            (":", "=", Boundary.DOOR),
            ("1", "|", Boundary.DOOR),
        ],
    )
    def test_more_open_line_holds(self, one: str, other: str, line: Boundary) -> None:
        for left, right in ((one, other), (other, one)):
            made = board(
                tile("l", f"+-+\n|a{left}\n+-+"), tile("r", f"+-+\n{right}b|\n+-+", column=2)
            )

            assert [(edge.one, edge.other, edge.line) for edge in made.edges] == [
                ("l/a", "r/b", line)
            ]

    def test_tiles_apart_share_nothing(self) -> None:
        assert board(tile("l", "+-+\n|a:\n+-+"), tile("r", "+-+\n:b|\n+-+", column=3)).edges == ()

    def test_blank_around_a_tile_covers_nothing(self) -> None:
        corner = "+-+\n|a|\n| +-+\n|   |\n+---+"
        tiles = (tile("l", corner), tile("r", "+-+\n|b|\n+-+", column=2))

        assert shown(*tiles) == [
            "+-+-+",
            "|a|b|",
            "| +-+",
            "|   |",
            "+---+",
        ]
        assert said(board(*tiles).edges) == ["l/a wall r/b"]

    def test_a_tile_below_joins_along_the_level_line(self) -> None:
        tiles = (tile("t", "+---+\n| a |\n+-1-+"), tile("u", "+===+\n| b |\n+---+", row=2))

        assert said(board(*tiles).edges) == ["t/a door u/b t/1"]
        assert shown(*tiles)[2] in {"+=1=+", "+===+"}

    def test_a_board_without_tiles_is_empty(self) -> None:
        made = board()

        assert (drawn(()), made.rooms, made.doors, made.edges, made.walls) == ({}, {}, {}, (), {})

    def test_edges_are_sorted(self) -> None:
        made = board(tile("z", HALL), tile("m", STUDY, 0, 14))

        keys = [(edge.one, edge.other, edge.line.value, edge.door or "") for edge in made.edges]
        assert keys == sorted(keys)
        assert all(edge.one < edge.other for edge in made.edges)

    def test_spaces_are_sorted(self) -> None:
        made = board(tile("z", HALL), tile("m", STUDY, 0, 14))

        assert list(made.rooms) == list(made.cells) == ["m/c", "z/a", "z/b"]

    def test_bad_tile_is_bad_on_the_board(self) -> None:
        with pytest.raises(BadDrawing):
            board(PlacedTile("t", 0, 0, ("a",), (("a", "room/a"),)))


class TestCoverings:
    """Tests of tokens that make a wall of a door, and a door of a wall."""

    def test_a_covered_door_is_a_wall(self) -> None:
        placed = (tile("h", HALL), tile("s", STUDY, 0, 14))
        cells = compose(placed).doors["h/1"].cells
        covered = (Covering("w", Boundary.WALL, cells),)
        made = compose(placed, covered)

        assert said(made.edges) == ["h/a border h/b", "h/b wall s/c"]
        assert "h/1" not in made.doors
        assert shown(*placed, covered=covered)[2] == "|       :     |     |"

    def test_a_level_wall_is_drawn_level(self) -> None:
        placed = (tile("t", "+---+\n| a |\n+-1-+"), tile("u", "+---+\n| b |\n+---+", row=2))
        covered = (Covering("w", Boundary.WALL, ((2, 2),)),)

        assert shown(*placed, covered=covered)[2] == "+---+"

    def test_a_door_comes_into_the_middle_of_a_wall(self) -> None:
        placed = (tile("t", "+-------+\n|   a   |\n+-------+\n|   b   |\n+-------+"),)
        cells = wall_between(compose(placed), "t/b", "t/a")
        covered = (Covering("d", Boundary.DOOR, cells),)

        assert shown(*placed, covered=covered)[2] == "+--===--+"
        assert said(compose(placed, covered).edges) == ["t/a door t/b d", "t/a wall t/b"]

    def test_a_door_fits_into_no_other_line(self) -> None:
        placed = (tile("t", "+---+---+---+\n| a : b = c |\n|   :   |   |\n+---+---+---+"),)
        made = compose(placed)

        assert wall_between(made, "t/a", "t/b") == ()
        assert wall_between(made, "t/b", "t/c") == ()
        assert wall_between(made, "t/a", "t/c") == ()

    def test_where_no_line_is_nothing_is_covered(self) -> None:
        placed = (tile("h", HALL),)

        for line in Boundary:
            made = compose(placed, (Covering("x", line, ((1, 1), (90, 90))),))
            assert made == compose(placed)

    def test_the_latest_covering_counts(self) -> None:
        placed = (tile("t", "+---+---+\n| a | b |\n+---+---+"),)
        door, wall = (Covering(name, Boundary(name), ((1, 4),)) for name in ("door", "wall"))

        assert said(compose(placed, (door,)).edges) == ["t/a door t/b door"]
        assert said(compose(placed, (door, wall)).edges) == ["t/a wall t/b"]


def test_a_placed_tile_needs_a_room_for_every_letter() -> None:
    """A hostile server's tile is refused when it is read, not when it is drawn."""
    drawing = ("+--+", "|a |", "+--+")

    with pytest.raises(ValueError, match="are not those that have rooms"):
        PlacedTile("t", 0, 0, drawing, (("b", "room/x"),))
    with pytest.raises(ValueError, match="without a letter"):
        PlacedTile("t", 0, 0, ("+--+", "|  |", "+--+"), ())


@pytest.mark.issue(12)
def test_boards_have_equal_parts_in_common() -> None:
    """A server keeps hundreds of boards, most of which hardly differ."""
    hall, room = tile("h", HALL), tile("r", "+-----+\n|  a  |\n+-----+", row=40)
    one, both = compose((hall,)), compose((hall, room))

    assert len(one.edges) == len(both.edges) > 0
    assert all(a is b for a, b in zip(one.edges, both.edges, strict=True))
    assert all(cells is both.cells[space] for space, cells in one.cells.items())
    assert all(door is both.doors[name] for name, door in one.doors.items())
    assert all(wall is both.walls[pair] for pair, wall in one.walls.items())
    elsewhere = compose((tile("x", HALL),))
    cells = zip(one.cells.values(), elsewhere.cells.values(), strict=True)
    assert all(a is b for own, others in cells for a, b in zip(own, others, strict=True))
    assert shared_tile(tile("h", HALL)) is shared_tile(hall)


@pytest.mark.issue(12)
def test_cells_in_common_are_no_more_than_a_bound() -> None:
    before = compose((tile("h", HALL),))
    for row, column in itertools.product(range(-500, 501, 20), range(-1000, 1001, 100)):
        far = compose((tile("h", HALL, row=row, column=column),))
        assert len(maps._CELLS) <= CELLS_SHARED
        assert [tuple((r - row, c - column) for r, c in own) for own in far.cells.values()] == list(
            before.cells.values()
        )
