"""Places that lie nowhere in particular are drawn as boxes, joined by ways."""

import itertools
from collections.abc import Mapping

import pytest

from client.boards.graph import ARROWS, LINES, OPPOSITE, STEPS, Box, Cell, Links, lay_out

TOWN: Links = (
    ("quay", ("lane", "wall")),
    ("lane", ("quay", "church", "store", "window")),
    ("church", ("lane",)),
    ("store", ("lane",)),
    ("window", ("lane",)),
    ("wall", ("quay", "flats")),
    ("flats", ("wall", "quay")),
)
ROW: Links = (("a", ("b",)), ("b", ("a", "c")), ("c", ("b",)))
SIZES = [(18, 60), (13, 46), (22, 90), (30, 120)]
OPEN = {char: directions for directions, char in LINES.items()}

pytestmark = pytest.mark.issue(42)


def joined(links: Links, rows: int, columns: int) -> set[tuple[str, str]]:
    """Return the pairs of boxes that a drawn line leads from one to the other, both ways round."""
    drawing = lay_out(links, rows, columns, ())
    assert drawing is not None
    found = set()
    for box, other in itertools.permutations(drawing.boxes, 2):
        if _leads(drawing.ways, box, other, rows, columns):
            found.add((box.node, other.node))
    return found


def _leads(ways: Mapping[Cell, str], box: Box, other: Box, rows: int, columns: int) -> bool:
    """Follow each line that leaves a box straight ahead through crossings."""
    for cell in ways:
        for direction, (down, right) in STEPS.items():
            before = (cell[0] - down, cell[1] - right)
            if not box.holds(before):
                continue
            at, going = cell, direction
            for _ in range(rows * columns):
                if other.holds(at):
                    return True
                here = ways.get(at)
                if here is None:
                    break
                if here in ARROWS.values():
                    going = next(way for way, arrow in ARROWS.items() if arrow == here)
                elif here != "┼":
                    back = OPPOSITE[going]
                    if not OPEN[here] & back:
                        break
                    going = OPEN[here] & ~back
                at = (at[0] + STEPS[going][0], at[1] + STEPS[going][1])
    return False


@pytest.mark.parametrize("links", [TOWN, ROW])
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_line_leads_from_each_box_to_those_that_it_is_joined_to(
    links: Links, rows: int, columns: int
) -> None:
    wanted = {(node, to) for node, tos in links for to in tos}

    assert wanted <= joined(links, rows, columns)


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_boxes_fit_and_do_not_overlap(rows: int, columns: int) -> None:
    drawing = lay_out(TOWN, rows, columns, ())

    assert drawing is not None
    cells = [
        (row, column)
        for box in drawing.boxes
        for row in range(box.row, box.row + box.rows)
        for column in range(box.column, box.column + box.columns)
    ]
    assert len(set(cells)) == len(cells)
    assert all(0 <= row < rows and 0 <= column < columns for row, column in cells)
    assert not set(cells) & drawing.ways.keys()


def test_a_way_in_one_direction_has_an_arrow_at_its_end() -> None:
    drawing = lay_out(TOWN, 18, 60, ())

    assert drawing is not None
    assert sum(char in ARROWS.values() for char in drawing.ways.values()) == 1


def test_what_does_not_fit_is_not_drawn() -> None:
    assert lay_out(TOWN, 6, 60, ()) is None
    assert lay_out(TOWN, 18, 20, ()) is None
    assert lay_out((), 18, 60, ()) is None


def test_nodes_of_a_grid_lie_as_the_grid_does() -> None:
    square: Links = (("a", ("b", "c")), ("b", ("a", "d")), ("c", ("a", "d")), ("d", ("b", "c")))
    places = (("a", (1, 2)), ("b", (1, 3)), ("c", (2, 2)), ("d", (2, 3)))
    drawing = lay_out(square, 12, 46, places)
    assert drawing is not None
    found = {box.node: (box.row, box.column) for box in drawing.boxes}

    assert found == {"a": (0, 0), "b": (0, 24), "c": (5, 0), "d": (5, 24)}
    assert [drawing.ways[2, column] for column in (22, 23)] == ["─", "─"]


def test_a_grid_that_does_not_fit_is_not_drawn() -> None:
    wide: Links = tuple((str(at), ()) for at in range(4))
    places = tuple((str(at), (0, at)) for at in range(4))

    assert lay_out(wide, 12, 46, places) is None
    assert lay_out(wide, 12, 60, places) is not None
