"""
The canvas: a grid of styled cells on which everything is drawn, through panes that clip.

Wide characters take two cells, and combining marks stay with their letter. All text is made
printable first, so that no hostile text can break the frame or reach the terminal unchanged.
"""

import functools
import itertools
from collections.abc import Iterator, Sequence

import attrs

from client.text.printable import cells, clip, measured, to_ascii, width_of
from commands.signs import REPLACEMENT

Fragment = tuple[str, str]
"""Style and text, in the form of prompt_toolkit."""
Styled = list[Fragment]
"""One line of styled pieces."""


@attrs.frozen
class Spot:
    """A mouse target under the pointer, as screens receive it."""

    kind: str
    """
    `choice`, `item` (of a list), `key`, `outside` (of a box), a pane (`map`, `journal`, …), or the
    kind of a `Point` (`space`, `investigator`, `monster`, `token`, `die`, …).
    """
    value: str = ""
    """A number from 0, a key as prompt_toolkit names it, or the id of a piece."""


_BLANK = " "
_SECOND = ""
"""The text of the second cell of a wide character."""


@attrs.define(eq=False)
class Canvas:
    """One frame: text, styles and mouse targets of all cells."""

    rows: int
    columns: int
    is_ascii: bool = False
    """True if everything drawn is folded to ASCII."""
    cursor: tuple[int, int] | None = None
    """The row and column of the terminal's cursor while a line is typed."""
    _spots: list[tuple[int, int, int, int, Spot]] = attrs.field(factory=list, init=False)
    """Rectangles (first row and column, row and column after the last) with their mouse targets."""
    _text: list[list[str]] = attrs.field(init=False)
    _style: list[list[str]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._text = [[_BLANK] * self.columns for _ in range(self.rows)]
        self._style = [[""] * self.columns for _ in range(self.rows)]

    def put(self, row: int, column: int, char: str, width: int, style: str) -> None:
        """
        Set one character.

        If it covers half of a wide character, the other half becomes blank.
        """
        self._set(row, column, [char, _SECOND][:width], style)

    def put_run(self, row: int, column: int, text: str, style: str) -> None:
        """Set adjacent characters, all of them printable and one cell wide."""
        if text:
            self._set(row, column, text, style)

    def put_below(self, row: int, column: int, rows: int, char: str, style: str) -> None:
        """Set a printable one-cell character in each of `rows` rows from `row` on."""
        for text, styles in zip(
            self._text[row : row + rows], self._style[row : row + rows], strict=True
        ):
            self._blank_halves(text, column, column + 1)
            text[column], styles[column] = char, style

    def _set(self, row: int, column: int, chars: Sequence[str], style: str) -> None:
        # The check is cheap and wide characters are rare, so most writes blank nothing.
        text, end = self._text[row], column + len(chars)
        if text[column] == _SECOND or (end < self.columns and text[end] == _SECOND):
            self._blank_halves(text, column, end)
        text[column:end] = chars
        self._style[row][column:end] = [style] * len(chars)

    def _blank_halves(self, text: list[str], column: int, end: int) -> None:
        """Blank the remaining halves of wide characters that the ends of a range cut in two."""
        if text[column] == _SECOND and column:
            text[column - 1] = _BLANK
        if end < self.columns and text[end] == _SECOND:
            text[end] = _BLANK

    def part(self, row: int, first: int, end: int) -> tuple[list[str], list[str]]:
        """Return characters and styles of a part of a line; half a wide character is blank."""
        text, style = self._text[row][first:end], self._style[row][first:end]
        if text and text[0] == _SECOND:
            text[0] = _BLANK
        if text and end < self.columns and self._text[row][end] == _SECOND:
            text[-1] = _BLANK
        return text, style

    def put_part(self, row: int, column: int, part: tuple[list[str], list[str]]) -> None:
        """Set a part of a line that `part` returned."""
        chars, styles = part
        if self.is_ascii:
            # Cell by cell: a fold to more letters would move what follows.
            chars = [to_ascii(char)[:1] if char != _SECOND else REPLACEMENT for char in chars]
        if chars:
            self._set(row, column, chars, "")
            self._style[row][column : column + len(styles)] = styles

    def restyle(self, row: int, column: int, style: str, columns: int = 1) -> None:
        """Add a style to some adjacent cells."""
        styles = self._style[row]
        end = column + columns
        styles[column:end] = [_both(was, style) for was in styles[column:end]]

    def spots_at(self, row: int, column: int) -> tuple[Spot, ...]:
        """Return all mouse targets under a cell, the topmost first."""
        return tuple(
            spot
            for top, left, bottom, right, spot in reversed(self._spots)
            if top <= row < bottom and left <= column < right
        )

    def spots_in(self, part: "Pane") -> Iterator[tuple["Pane", Spot]]:
        """Yield the mouse targets in a part of the canvas with their places, the lowest first."""
        for top, left, bottom, right, spot in self._spots:
            first, start = max(top, part.top), max(left, part.left)
            rows = min(bottom, part.top + part.rows) - first
            columns = min(right, part.left + part.columns) - start
            if rows > 0 and columns > 0:
                yield Pane(self, first, start, rows, columns), spot

    def mark(self, top: int, left: int, bottom: int, right: int, spot: Spot) -> None:
        """Make a rectangle a mouse target; later targets are above earlier ones."""
        if top < bottom and left < right:
            self._spots.append((top, left, bottom, right, spot))

    def line(self, row: int) -> Styled:
        """Return one line as styled pieces; adjacent cells of one style form one piece."""
        return self.runs(row, 0, self.columns)

    def runs(self, row: int, first: int, end: int) -> Styled:
        """Return a part of one line as styled pieces; adjacent cells of one style are joined."""
        line: Styled = []
        text, at = self._text[row], first
        for style, group in itertools.groupby(self._style[row][first:end]):
            start, at = at, at + len([*group])
            line.append((style, "".join(text[start:at])))
        return line

    def changed(self, row: int, before: "Canvas | None") -> tuple[int, int] | None:
        """Return the part of a line that differs from another canvas of the same size.

        Without another canvas, the whole line differs.

        Returns:
            First column and the column after the last; None if the lines are equal. A wide
            character is never cut in half.
        """
        if before is None:
            return (0, self.columns) if self.columns else None
        text, was = self._text[row], before._text[row]  # noqa: SLF001 (of its own kind)
        style, looked = self._style[row], before._style[row]  # noqa: SLF001 (the same)
        if text == was and style == looked:
            return None
        first, end = 0, self.columns
        # Both loops end, because the lines differ in at least one cell.
        while text[first] == was[first] and style[first] == looked[first]:
            first += 1
        while text[end - 1] == was[end - 1] and style[end - 1] == looked[end - 1]:
            end -= 1
        # A wide character is written whole, whichever of its two cells changed.
        while first and _SECOND in {text[first], was[first]}:
            first -= 1
        while end < self.columns and _SECOND in {text[end], was[end]}:
            end += 1
        return first, end

    def plain(self) -> str:
        """Return the whole frame without styles, for tests and for people without colours."""
        return "\n".join("".join(row).rstrip() for row in self._text)

    def pane(self) -> "Pane":
        return Pane(self, 0, 0, self.rows, self.columns)


NARROW = 50
"""The number of columns below which a screen has a single column of parts, without margins."""


@attrs.frozen(eq=False)
class Pane:
    """A rectangle of the canvas. Everything outside the rectangle is cut off."""

    canvas: Canvas
    top: int
    left: int
    rows: int
    columns: int

    @property
    def is_narrow(self) -> bool:
        """Whether the pane is too narrow for two columns of text."""
        return self.columns < NARROW

    def inner(
        self, row: int, column: int, rows: int | None = None, columns: int | None = None
    ) -> "Pane":
        """Return a part of this pane; without a size, the part extends to the pane's edges."""
        row, column = max(0, row), max(0, column)
        rows = self.rows - row if rows is None else min(rows, self.rows - row)
        columns = self.columns - column if columns is None else min(columns, self.columns - column)
        return Pane(self.canvas, self.top + row, self.left + column, max(0, rows), max(0, columns))

    def write(self, row: int, column: int, text: str, style: str = "") -> int:
        """Write on one line, up to the pane's edge; return the column after the text."""
        if not 0 <= row < self.rows:
            return column
        if column >= 0 and text.isascii() and text.isprintable():
            # Fast path for most texts; the code below would give the same.
            end = column + len(text)
            if end > self.columns:
                text, end = text[: max(0, self.columns - column)], max(column, self.columns)
            self.canvas.put_run(self.top + row, self.left + column, text, style)
            return end
        shown, _, is_plain = measured(to_ascii(text) if self.canvas.is_ascii else text)
        if is_plain and column >= 0:
            shown = shown[: max(0, self.columns - column)]
            self.canvas.put_run(self.top + row, self.left + column, shown, style)
            return column + len(shown)
        for char, width in cells(shown):
            if column + width > self.columns:
                break
            if column >= 0:
                self.canvas.put(self.top + row, self.left + column, char, width, style)
            column += width
        return column

    def write_below(self, row: int, column: int, char: str, style: str = "") -> None:
        """Write a one-cell character in `row` and in every row below it."""
        if column >= self.columns or row >= self.rows:
            return
        shown, width, _ = measured(to_ascii(char) if self.canvas.is_ascii else char)
        assert width == len(shown) == 1
        at, rows = self.top + row, self.rows - row
        self.canvas.put_below(at, self.left + column, rows, shown, style)

    def write_clipped(self, row: int, column: int, text: str, style: str = "") -> int:
        """Write on one line; mark the cut if the text does not fit."""
        return self.write(row, column, clip(text, self.columns - column), style)

    def write_line(self, row: int, line: Styled, column: int = 0) -> int:
        """Write styled pieces on one line; mark the cut if the pieces do not fit."""
        first = column
        for style, text in line:
            column = self.write(row, column, text, style)
        # Text that ends before the last column but one is whole: a wide character may leave that
        # column free.
        if (
            column >= self.columns - 1
            and first + width_of("".join(text for _, text in line).rstrip()) > self.columns > 0
        ):
            self.write(row, self.columns - 1, "~", "class:dim")
        return column

    def write_right(self, row: int, text: str, style: str = "") -> int:
        """Write at the right end of a line; return the first column of the text."""
        shown = clip(text, self.columns)
        start = self.columns - width_of(shown)
        self.write(row, start, shown, style)
        return start

    def fill(self, style: str = "", char: str = _BLANK) -> None:
        for row in range(self.rows):
            self.write(row, 0, char * self.columns, style)

    def lay(self, source: "Pane") -> None:
        """Copy a pane of another canvas with its mouse targets to this pane's upper left corner."""
        source = source.inner(0, 0, self.rows, self.columns)
        for row in range(source.rows):
            at, end = source.left, source.left + source.columns
            part = source.canvas.part(source.top + row, at, end)
            self.canvas.put_part(self.top + row, self.left, part)
        for found, spot in source.canvas.spots_in(source):
            top, left = self.top + found.top - source.top, self.left + found.left - source.left
            self.canvas.mark(top, left, top + found.rows, left + found.columns, spot)

    def spot(
        self,
        kind: str,
        value: str = "",
        *,
        row: int = 0,
        column: int = 0,
        rows: int | None = None,
        columns: int | None = None,
    ) -> None:
        """Make a part of this pane, or the whole pane, a mouse target."""
        row, column = max(0, row), max(0, column)
        bottom = self.rows if rows is None else min(row + rows, self.rows)
        right = self.columns if columns is None else min(column + columns, self.columns)
        top, left = self.top, self.left
        self.canvas.mark(top + row, left + column, top + bottom, left + right, Spot(kind, value))

    def restyle(self, row: int, style: str) -> None:
        if 0 <= row < self.rows:
            self.canvas.restyle(self.top + row, self.left, style, self.columns)


@functools.lru_cache(maxsize=1024)
def _both(style: str, more: str) -> str:
    return f"{style} {more}".strip()
