"""
A question drawn as a grid: a row for each thing, a column for each person who may have it.

Each cell holds the choice that gives the thing of its row to the person of its column. The cell of
the present owner has no choice and is marked. A game decides which of its questions are grids.
"""

from collections.abc import Iterator, Sequence

import attrs

from client.locale.speaker import Speaker
from client.text.printable import clip, width_of, wrap
from client.widgets.canvas import Pane

_OWNED = "[x]"
_LEAST_CELL = 4
_MOST_GAP = 2
"""Columns by which cells are wider than they need to be, if there is room."""
_GAP = 2
"""Columns before the name of a thing, for the mark of the cursor."""


@attrs.frozen
class GridRow:
    """A row of a grid: a thing, and the choices about the thing."""

    kind: str
    """The kind of the thing's words, such as `card`."""
    piece: str
    cells: tuple[int | None, ...]
    """For each column the index of a choice; None if there is no choice."""
    owner: int | None = None
    """The column of the present owner; None if the thing has none."""
    note: str = ""
    """The catalog key of words in place of the cells; empty for none."""


@attrs.frozen
class Grid:
    """The rows and columns of a question."""

    heads: tuple[tuple[str, str], ...]
    """For each column a name, and a letter that stands for it in narrow columns."""
    rows: tuple[GridRow, ...]
    around: tuple[int, ...]
    """The indexes of the choices that are in no cell; they are listed above the grid."""
    words: str
    """The catalog key of the words of the choices above the grid."""
    how: str
    """The catalog key of the text below while the cursor is above the grid."""

    def _lines(self) -> list[tuple[int | None, ...]]:
        """Return the indexes of the choices in each line that the cursor can reach, top down."""
        rows = (row.cells for row in self.rows if any(at is not None for at in row.cells))
        return [*((at,) for at in self.around), *rows]

    def _place(self, cursor: int) -> tuple[int, int]:
        """Return the line and the column of a choice; (0, 0) for a choice that the grid lacks."""
        lines = self._lines()
        found = ((at, cells.index(cursor)) for at, cells in enumerate(lines) if cursor in cells)
        return next(found, (0, 0))

    def column(self, cursor: int) -> int | None:
        """Return the column of a choice; None if it is in no cell."""
        return None if cursor in self.around else self._place(cursor)[1]

    def row(self, cursor: int) -> GridRow | None:
        """Return the row of a choice; None if it is in no row."""
        return next((row for row in self.rows if cursor in row.cells), None)

    def vertically(self, cursor: int, by: int, column: int) -> int:
        """Return the choice `by` lines below, going around the ends.

        In that line, it is the choice nearest to `column`.
        """
        lines = self._lines()
        cells = lines[(self._place(cursor)[0] + by) % len(lines)]
        near = [(abs(at - column), choice) for at, choice in enumerate(cells) if choice is not None]
        return min(near)[1]

    def across(self, cursor: int, by: int) -> int:
        """Return the next choice of the same line, going around the ends."""
        line, _ = self._place(cursor)
        choices = [choice for choice in self._lines()[line] if choice is not None]
        return choices[(choices.index(cursor) + by) % len(choices)]


def grid_rows(grid: Grid, speaker: Speaker, columns: int) -> int:
    """Return the number of rows of a grid, including the longest text about a thing."""
    texts = (len(_text(row, speaker, columns)) for row in grid.rows)
    return len(grid.around) + 1 + len(grid.rows) + max(texts, default=0)


def draw_grid(pane: Pane, grid: Grid, speaker: Speaker, cursor: int) -> None:
    """
    Draw a grid, and below it the text about the thing under the cursor.

    Args:
        pane: the space for the grid. If it has too few rows, those around the cursor are drawn.
        grid: the grid.
        speaker: puts it into words.
        cursor: the index of the choice under the cursor.
    """
    digits = len(str(max((*grid.around, *_cells(grid)), default=0) + 1))
    for line, at in enumerate(grid.around):
        style = "class:cursor" if at == cursor else "class:choice"
        mark = ">" if at == cursor else " "
        pane.write_clipped(line, 0, f"{mark}{at + 1} {speaker.say(grid.words)}", style)
        pane.spot("choice", str(at), row=line, rows=1)
        if at == cursor:
            pane.restyle(line, style)
    table = pane.inner(len(grid.around), 0)
    names = [speaker.name(row.kind, row.piece) for row in grid.rows]
    heads, width = _heads(grid, names, table.columns, digits)
    name_width = min(max(map(width_of, names), default=0), table.columns - len(heads) * width - 3)
    left = _GAP + name_width + 1
    for column, head in enumerate(heads):
        table.write(0, left + column * width, _centred(head, width), "class:prompt")
    here = grid.row(cursor)
    # The lines of the head and of the texts go before the row under the cursor does.
    room = max(1, table.rows - 1)
    first = 0 if here is None else max(0, grid.rows.index(here) - room + 1)
    shown = grid.rows[first : first + room]
    for line, row in enumerate(shown, 1):
        note = speaker.say(row.note) if row.note else ""
        # A note may be wider than the cells of few people; its row has a shorter name then.
        at = min(left + 1, max(_GAP + 2, table.columns - 1 - width_of(note)))
        name = clip(names[first + line - 1], min(name_width, at - _GAP - 1))
        is_here = row is here
        table.write(line, 0, ">" if is_here else " ", "class:cursor")
        table.write(line, _GAP, name, "class:cursor" if is_here else "class:choice")
        if note:
            table.write(line, at, clip(note, table.columns - at - 1), "class:hint")
            continue
        for column, choice in enumerate(row.cells):
            _draw_cell(
                table, (line, left + column * width, width), row, column, is_here=choice == cursor
            )
    if first:
        table.write_right(1, "^", "class:hint")
    if first + room < len(grid.rows):
        table.write_right(room, "v", "class:hint")
    how = wrap(speaker.say(grid.how), table.columns - 1)
    texts = how if here is None else _text(here, speaker, table.columns)
    for line, text in enumerate(texts, 1 + len(shown)):
        table.write(line, 0, text, "class:dim")


def _draw_cell(
    table: Pane, place: tuple[int, int, int], row: GridRow, column: int, *, is_here: bool
) -> None:
    """Draw a cell: the mark of the owner, or the number of the choice."""
    line, at, width = place
    choice = row.cells[column]
    if choice is None:
        if row.owner == column:
            table.write(line, at, _centred(_OWNED, width), "class:prompt")
        return
    # Brackets besides the colour, so that the cursor is seen without colours, too.
    number = f">{choice + 1}<" if is_here else f" {choice + 1} "
    table.write(line, at, _centred(number, width), "class:cursor" if is_here else "class:choice")
    table.spot("choice", str(choice), row=line, column=at, rows=1, columns=width)


def _cells(grid: Grid) -> Iterator[int]:
    return (choice for row in grid.rows for choice in row.cells if choice is not None)


def _heads(
    grid: Grid, names: Sequence[str], columns: int, digits: int
) -> tuple[tuple[str, ...], int]:
    """
    Return the heads of the columns and their width.

    Names are heads if they fit beside the things, else letters. If not even letters leave room for
    the things, the names of these are cut.
    """
    longest = max((width_of(name) for name in names), default=0)
    least = max(_LEAST_CELL, digits + 2)
    for heads in zip(*grid.heads, strict=True):
        width = max(least, max(map(width_of, heads)) + 1)
        left = columns - _GAP - 2 - longest - len(heads) * width
        if left >= 0 and len(set(heads)) == len(heads):
            return heads, width + min(_MOST_GAP, left // len(heads))
    return tuple(letter for _, letter in grid.heads), least


def _centred(text: str, width: int) -> str:
    left = max(0, (width - width_of(text)) // 2)
    return " " * left + text


def _text(row: GridRow, speaker: Speaker, columns: int) -> list[str]:
    texts = speaker.details(row.kind, row.piece)
    return [line for text in texts for line in wrap(text, columns - 1)]
