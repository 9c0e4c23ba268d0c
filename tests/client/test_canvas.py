"""The canvas: its fast ways of writing give what writing cell by cell gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.text.printable import cells, measured, to_ascii, width_of
from client.widgets.bits import Bit, draw_bits
from client.widgets.canvas import Canvas, Pane, Spot, Styled

pytestmark = pytest.mark.issue(12)

ROWS, COLUMNS = 3, 12
WORDS = st.text("ab~ ü日\u0301\x1b", max_size=9)
PLACES = st.integers(-3, COLUMNS + 2)
"""Columns in a pane, and a few on either side."""


def write_cells(pane: Pane, row: int, column: int, text: str, style: str) -> int:
    """Write as `Pane.write` does, one cell after another."""
    if not 0 <= row < pane.rows:
        return column
    shown = measured(to_ascii(text) if pane.canvas.is_ascii else text)[0]
    for char, width in cells(shown):
        if column + width > pane.columns:
            break
        if column >= 0:
            pane.canvas.put(pane.top + row, pane.left + column, char, width, style)
        column += width
    return column


def write_pieces(pane: Pane, row: int, line: Styled, column: int) -> int:
    """Write as `Pane.write_line` does, measuring everything first."""
    end = column + width_of("".join(text for _, text in line).rstrip())
    for style, text in line:
        column = write_cells(pane, row, column, text, style)
    if end > pane.columns > 0:
        write_cells(pane, row, pane.columns - 1, "~", "class:dim")
    return column


def looks(canvas: Canvas) -> list[Styled]:
    """Return all cells with their styles."""
    return [canvas.line(row) for row in range(canvas.rows)]


def sheets(*, is_ascii: bool) -> tuple[Canvas, Canvas]:
    """Return two equal canvases full of wide characters."""
    both = Canvas(ROWS, COLUMNS + 3, is_ascii=is_ascii), Canvas(ROWS, COLUMNS + 3)
    both[1].is_ascii = is_ascii
    for canvas in both:
        for row in range(ROWS):
            for column in range(0, COLUMNS, 2):
                canvas.put(row, column, "日", 2, "under")
    return both


@given(st.booleans(), st.integers(-1, ROWS), PLACES, WORDS)
def test_what_is_written_at_once_looks_as_cell_by_cell(
    is_ascii: bool, row: int, column: int, text: str
) -> None:
    quick, slow = sheets(is_ascii=is_ascii)
    panes = [sheet.pane().inner(0, 1, ROWS, COLUMNS) for sheet in (quick, slow)]

    ends = panes[0].write(row, column, text, "s"), write_cells(panes[1], row, column, text, "s")

    # Beside the pane nothing is written, however far it would have gone.
    assert min(ends[0], COLUMNS) == min(ends[1], COLUMNS) or min(ends) >= COLUMNS
    assert looks(quick) == looks(slow)


@given(st.lists(st.tuples(st.sampled_from(["", "s", "t"]), WORDS), max_size=4), PLACES)
def test_a_line_is_marked_where_and_only_where_its_end_is_missing(
    line: Styled, column: int
) -> None:
    quick, slow = sheets(is_ascii=False)
    panes = [sheet.pane().inner(0, 1, ROWS, COLUMNS) for sheet in (quick, slow)]
    column = max(0, column)

    panes[0].write_line(1, line, column)
    write_pieces(panes[1], 1, line, column)

    assert looks(quick) == looks(slow)


@pytest.mark.parametrize("is_ascii", [False, True])
@pytest.mark.parametrize("column", [0, 1, 5, COLUMNS - 1, COLUMNS])
@pytest.mark.parametrize("row", [0, 1, ROWS])
def test_a_line_down_looks_as_row_by_row(*, is_ascii: bool, column: int, row: int) -> None:
    quick, slow = sheets(is_ascii=is_ascii)
    panes = [sheet.pane().inner(0, 1, ROWS, COLUMNS) for sheet in (quick, slow)]

    panes[0].write_below(row, column, "│", "s")
    for at in range(row, ROWS):
        write_cells(panes[1], at, column, "│", "s")

    assert looks(quick) == looks(slow)


@given(
    st.integers(-2, ROWS + 1),
    PLACES,
    st.none() | st.integers(-1, ROWS + 2),
    st.none() | st.integers(-1, COLUMNS + 2),
)
def test_a_target_lies_where_the_same_part_of_the_pane_does(
    row: int, column: int, rows: int | None, columns: int | None
) -> None:
    canvas = Canvas(ROWS + 2, COLUMNS + 3)
    pane = canvas.pane().inner(1, 1, ROWS, COLUMNS)
    part = pane.inner(row, column, rows, columns)

    pane.spot("item", "1", row=row, column=column, rows=rows, columns=columns)

    marked = [
        (at, beside)
        for at in range(canvas.rows)
        for beside in range(canvas.columns)
        if canvas.spots_at(at, beside)
    ]
    assert marked == [
        (at, beside)
        for at in range(part.top, part.top + part.rows)
        for beside in range(part.left, part.left + part.columns)
    ]


def test_each_piece_of_a_line_is_a_target_of_its_own_meaning() -> None:
    one, two = Spot("card", "1"), Spot("card", "2")
    line = [
        Bit("ab", "", one),
        Bit("c", "s", one),
        Bit("de"),
        Bit("f", "", two),
        Bit("日", "", one),
    ]
    canvas = Canvas(1, 10)

    draw_bits(canvas.pane(), [line])

    found = [canvas.spots_at(0, column) for column in range(10)]
    assert found == [(one,)] * 3 + [()] * 2 + [(two,)] + [(one,)] * 2 + [()] * 2
