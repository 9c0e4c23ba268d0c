"""
Sketches: a board of the same shape for a pane that is smaller, or far larger, than the board.

A row may be left out if the row beside it looks the same: this joins no two spaces and cuts no
space in two. The same holds for columns. A row with a straight piece of wall may also be left out
if the wall has a door in the neighbouring row. Nothing else is ever left out, so every space, line
and door keeps its neighbours.

To make a board larger, rows and columns inside spaces are drawn more than once.

In the code a *band* is a group of adjacent rows (or columns) that look alike, and *lines* are
single rows or columns.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence

import attrs

from client.boards.walls import Glyph, walls
from client.settings.preferences import Charset
from protocol.boards.maps import Cell, Covering, Map, PlacedTile, compose

LEAST_COLUMNS, LEAST_ROWS = 5, 1
"""The minimum size inside a space: room for brackets around one bracketed figure."""

_BRACKETS = 2
"""Columns of a space that are reserved for brackets."""
_OUTSIDE = ""
_LEVEL, _UPRIGHT = "─", "│"
_LEVELS, _UPRIGHTS = frozenset("─┄╪"), frozenset("│╎╫")
"""Characters of horizontal lines and of vertical lines."""
_PLENTY = 1_000_000
"""More cells than any board has."""
_MOST_GROWTH = 2
"""The maximum factor by which a board grows."""


@attrs.frozen
class Need:
    """The minimum size of a space or door in a sketch; one that is smaller keeps its size."""

    place: str
    columns: int
    rows: int
    cells: int = 0
    """
    The total number of cells to keep, since a wider space needs fewer rows. 0 if `rows` always
    counts.
    """


@attrs.frozen(eq=False)
class Sketch:
    """
    A board as it is drawn, with its upper left corner at (0, 0).

    Some rows and columns may be missing.
    """

    board: Map
    """The board, with cells at their drawn positions."""
    glyphs: Mapping[Cell, Glyph]
    """The characters of the lines."""
    rows: int
    columns: int
    is_whole: bool
    """Whether all rows and columns except the blank margin are drawn."""
    is_grown: bool = False
    """Whether some rows or columns are drawn more than once."""

    @functools.cached_property
    def styles(self) -> frozenset[str]:
        """The styles of the board's lines."""
        return frozenset(glyph.style for glyph in self.glyphs.values())


@attrs.frozen
class _Band:
    """A group of adjacent rows, or columns, that look alike."""

    first: int
    size: int
    labels: tuple[str, ...]
    """
    The content of each cell of the line: the id of a space or door, or the character of a wall.
    """


@attrs.frozen(eq=False)
class _Shape:
    """A board divided into bands of rows and bands of columns."""

    board: Map
    rows: tuple[_Band, ...]
    columns: tuple[_Band, ...]
    doors: frozenset[str]
    boxes: Mapping[str, tuple[range, range]]
    """The largest rectangle of each space and door: its bands of rows, and its bands of columns."""

    @functools.cached_property
    def size(self) -> tuple[int, int]:
        """The numbers of rows and columns, without the blank margin."""
        return sum(band.size for band in self.rows), sum(band.size for band in self.columns)


def sketch(
    tiles: tuple[PlacedTile, ...],
    coverings: tuple[Covering, ...],
    charset: Charset,
    limit: tuple[int, int] | None = None,
    needs: tuple[Need, ...] = (),
    *,
    may_grow: bool = False,
) -> Sketch:
    """
    Return the board in the size that a pane shows.

    Args:
        tiles: the tiles of the board; at least one.
        coverings: the Wall and Door tokens on the board's lines.
        charset: the characters of the lines.
        limit: rows and columns of the pane; None for a whole board. The board loses no more rows
            and columns than needed. A board that cannot fit is as small as possible.
        needs: the room to keep in spaces and doors that need more than the minimum size.
        may_grow: whether a board grows into a larger pane, up to twice its size.
    """
    shape = _shape(tiles, coverings)
    rows, columns = shape.size if limit is None else limit
    if may_grow and rows >= shape.size[0] and columns >= shape.size[1]:
        most = (min(rows, _MOST_GROWTH * shape.size[0]), min(columns, _MOST_GROWTH * shape.size[1]))
        return _grown(tiles, coverings, charset, most)
    limit = min(rows, shape.size[0]), min(columns, shape.size[1])
    usual = _sketch(tiles, coverings, charset, limit, ())
    # Without needs first: if every space is large enough by chance, the board looks the same while
    # figures move, and the sketch is found in the cache.
    if all(_has_room(usual, need) for need in needs):
        return usual
    return _sketch(tiles, coverings, charset, limit, needs)


@functools.lru_cache(maxsize=512)
def _has_room(drawn: Sketch, need: Need) -> bool:
    board = drawn.board
    cells = board.cells.get(need.place)
    if cells is None:
        cells = board.doors[need.place].cells if need.place in board.doors else ()
    runs = [len(run) for _, run in runs_of(cells)]
    return sum(run >= need.columns for run in runs) >= need.rows


@functools.lru_cache(maxsize=32)
def _sketch(
    tiles: tuple[PlacedTile, ...],
    coverings: tuple[Covering, ...],
    charset: Charset,
    limit: tuple[int, int],
    needs: tuple[Need, ...],
) -> Sketch:
    shape = _shape(tiles, coverings)
    # The order does not depend on the height, so one cached order serves all heights.
    rows, columns = _orders(shape, needs, limit[1]) if limit != shape.size else ((), ())
    kept = (
        _without(shape.rows, rows[: shape.size[0] - limit[0]]),
        _without(shape.columns, columns[: shape.size[1] - limit[1]]),
    )
    sizes = (len(kept[0]), len(kept[1]))
    board, glyphs = _redrawn(shape.board, walls(tiles, coverings, charset), kept)
    return Sketch(board, glyphs, *sizes, is_whole=sizes == shape.size)


@functools.lru_cache(maxsize=32)
def _grown(
    tiles: tuple[PlacedTile, ...],
    coverings: tuple[Covering, ...],
    charset: Charset,
    most: tuple[int, int],
) -> Sketch:
    shape = _shape(tiles, coverings)
    kept = (
        _repeated(shape.rows, shape, _UPRIGHTS, most[0]),
        _repeated(shape.columns, shape, _LEVELS, most[1]),
    )
    sizes = (len(kept[0]), len(kept[1]))
    board, glyphs = _redrawn(shape.board, walls(tiles, coverings, charset), kept)
    return Sketch(board, glyphs, *sizes, is_whole=True, is_grown=sizes != shape.size)


def _repeated(
    bands: Sequence[_Band], shape: _Shape, across: frozenset[str], most: int
) -> list[int]:
    """
    Return the lines of a board that has grown, at most `most`; repeated lines come twice or more.

    Only bands inside spaces grow, all in proportion to their size.

    Args:
        bands: the bands of rows, or of columns.
        shape: the board.
        across: the styles of the lines that may cross a repeated band.
        most: the maximum number of lines.
    """
    sizes = [band.size for band in bands]
    # A door along a line continues as that line at both ends, so a band across it may be repeated.
    known = shape.doors | shape.board.cells.keys() | across | {_OUTSIDE}
    can = [
        at
        for at, band in enumerate(bands)
        # No line runs along the band, and it is part of some space.
        if known.issuperset(band.labels) and not shape.board.cells.keys().isdisjoint(band.labels)
    ]
    while can and sum(sizes) < most:
        # The band that has grown least for its size comes next, so that the board keeps its shape.
        least = min(can, key=lambda at: (sizes[at] + 1) / bands[at].size)
        sizes[least] += 1
    return [
        band.first + max(0, line - (size - band.size))
        for band, size in zip(bands, sizes, strict=True)
        for line in range(size)
    ]


_Lines = tuple[Sequence[int], Sequence[int]]
"""Rows and columns to draw, in order. A line that appears twice is drawn twice."""


def _redrawn(
    board: Map, lines: Mapping[Cell, Glyph], kept: _Lines
) -> tuple[Map, Mapping[Cell, Glyph]]:
    """Return a board and its lines with only the kept rows and columns."""
    places = _places(kept[0]), _places(kept[1])
    redrawn = attrs.evolve(
        board,
        cells={space: _moved_cells(cells, *places) for space, cells in board.cells.items()},
        doors={
            name: attrs.evolve(door, cells=_moved_cells(door.cells, *places))
            for name, door in board.doors.items()
        },
        walls={pair: _moved_cells(cells, *places) for pair, cells in board.walls.items()},
    )
    rows, columns = places
    return redrawn, {
        (new_row, new_column): glyph
        for (row, column), glyph in lines.items()
        for new_row in rows.get(row, ())
        for new_column in columns.get(column, ())
    }


def _places(kept: Sequence[int]) -> Mapping[int, Sequence[int]]:
    """Return the new positions of each kept line, by its old position."""
    places: dict[int, list[int]] = {}
    for new, old in enumerate(kept):
        places.setdefault(old, []).append(new)
    return places


def _moved_cells(
    cells: Iterable[Cell], rows: Mapping[int, Sequence[int]], columns: Mapping[int, Sequence[int]]
) -> tuple[Cell, ...]:
    return tuple(
        (new_row, new_column)
        for row, column in cells
        for new_row in rows.get(row, ())
        for new_column in columns.get(column, ())
    )


# The shape of a board ----------------------------------------------------------------------


@functools.lru_cache(maxsize=8)
def _shape(tiles: tuple[PlacedTile, ...], coverings: tuple[Covering, ...]) -> _Shape:
    board = compose(tiles, coverings)
    labels = {cell: glyph.char for cell, glyph in walls(tiles, coverings, Charset.BOXES).items()}
    doors = frozenset(f"={door.door}" for door in board.doors.values())
    for door in board.doors.values():
        labels.update(dict.fromkeys(door.cells, f"={door.door}"))
    for space, cells in board.cells.items():
        labels.update(dict.fromkeys(cells, space))
    # A hostile server may send tiles on which nothing is drawn.
    labels = labels or {(0, 0): " "}
    top, bottom = min(row for row, _ in labels), max(row for row, _ in labels)
    left, right = min(column for _, column in labels), max(column for _, column in labels)
    grid = [
        tuple(labels.get((row, column), _OUTSIDE) for column in range(left, right + 1))
        for row in range(top, bottom + 1)
    ]
    rows, columns = _bands(grid, top), _bands(list(zip(*grid, strict=True)), left)
    # A door at the end of the known map may have the name of its only space: the space wins.
    places = {**{name: door.cells for name, door in board.doors.items()}, **board.cells}
    boxes = {name: _box(cells, rows, columns) for name, cells in places.items()}
    return _Shape(board, rows, columns, doors, boxes)


def _bands(lines: Sequence[tuple[str, ...]], first: int) -> tuple[_Band, ...]:
    bands: list[_Band] = []
    for at, line in enumerate(lines, first):
        if bands and bands[-1].labels == line:
            bands[-1] = attrs.evolve(bands[-1], size=bands[-1].size + 1)
        else:
            bands.append(_Band(at, 1, line))
    return tuple(bands)


def _box(
    cells: Iterable[Cell], rows: Sequence[_Band], columns: Sequence[_Band]
) -> tuple[range, range]:
    """Return the bands of rows and of columns of the largest rectangle in some cells.

    A rectangle of `LEAST_COLUMNS` columns is preferred to a narrower one with more cells.
    """
    runs: dict[int, list[range]] = {}
    for row, run in runs_of(cells):
        runs.setdefault(row, []).append(run)
    best, most = (range(0), range(0)), (0, 0)
    for row, run in ((row, run) for row, here in runs.items() for run in here):
        top = bottom = row
        while any(run[0] in wide and run[-1] in wide for wide in runs.get(top - 1, ())):
            top -= 1
        while any(run[0] in wide and run[-1] in wide for wide in runs.get(bottom + 1, ())):
            bottom += 1
        size = (min(len(run), LEAST_COLUMNS), (bottom + 1 - top) * len(run))
        if size > most:
            most, best = size, (range(top, bottom + 1), run)
    return _within(best[0], rows), _within(best[1], columns)


def _within(lines: range, bands: Sequence[_Band]) -> range:
    inside = [at for at, band in enumerate(bands) if band.first in lines]
    return range(inside[0], inside[-1] + 1)


def runs_of(cells: Iterable[Cell]) -> list[tuple[int, range]]:
    """Return each horizontal run of adjacent cells as its row and its range of columns."""
    runs: list[tuple[int, range]] = []
    for row, column in sorted(cells):
        if runs and runs[-1][0] == row and runs[-1][1].stop == column:
            runs[-1] = row, range(runs[-1][1].start, column + 1)
        else:
            runs.append((row, range(column, column + 1)))
    return runs


# What is left out --------------------------------------------------------------------------


@functools.lru_cache(maxsize=32)
def _orders(
    shape: _Shape, needs: tuple[Need, ...], width: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """
    Return the order in which rows and columns are left out, each as a sequence of bands.

    The columns are planned first. The rows that a space needs depend on its width, and so on the
    columns that remain at `width`.
    """
    more = {need.place: need for need in needs}
    least = {
        place: Need(place, LEAST_COLUMNS, LEAST_ROWS)
        if place in shape.board.cells
        else Need(place, 1, 1)
        for place in shape.boxes
    }
    wide = [
        (box[1], max(more.get(place, least[place]).columns, least[place].columns))
        for place, box in shape.boxes.items()
    ]
    columns = tuple(_Squeeze(shape.columns, _LEVEL, shape.doors, wide).order())
    kept = frozenset(_without(shape.columns, columns[: shape.size[1] - width]))
    high = [
        (box[0], max(_rows_needed(more.get(place, least[place]), box[1], shape, kept), LEAST_ROWS))
        for place, box in shape.boxes.items()
    ]
    return tuple(_Squeeze(shape.rows, _UPRIGHT, shape.doors, high).order()), columns


def _rows_needed(need: Need, box: range, shape: _Shape, kept: frozenset[int]) -> int:
    """Return the number of rows that a place needs, given the columns that are kept."""
    if not need.cells:
        return need.rows
    lines = (
        band.first + at for band in shape.columns[box.start : box.stop] for at in range(band.size)
    )
    width = sum(line in kept for line in lines) - _BRACKETS
    return min(need.rows, -(-need.cells // max(1, width)))


def _without(bands: Sequence[_Band], order: Iterable[int]) -> list[int]:
    """Return the lines that remain if each band loses one line per occurrence in `order`."""
    sizes = [band.size for band in bands]
    for at in order:
        sizes[at] -= 1
    return [
        band.first + line for band, size in zip(bands, sizes, strict=True) for line in range(size)
    ]


@attrs.define(eq=False)
class _Squeeze:
    """
    A board that loses rows, or columns, one by one.

    Each lost line comes from the band whose narrowest place is widest, so that all spaces shrink
    alike. Each band has a cached rank. A lost line updates only the ranks of bands nearby, because
    every new size of the pane repeats the whole computation.
    """

    bands: Sequence[_Band]
    straight: str
    """The character of a wall that runs straight from one line to the next."""
    doors: frozenset[str]
    needs: Sequence[tuple[range, int]]
    """Ranges of bands, each with the number of lines that must remain in the range."""
    _sizes: list[int] = attrs.field(init=False)
    _widths: list[int] = attrs.field(init=False)
    """The number of lines that remain in each range of `needs`."""
    _needs_of: list[list[int]] = attrs.field(init=False)
    """The positions in `needs` of the ranges that contain a band, for each band."""
    _worths: list[tuple[int, bool, int]] = attrs.field(init=False)
    """The rank of each band; see `_rank`."""

    _judged: dict[tuple[int, int, int], bool] = attrs.field(factory=dict, init=False)
    """Whether the last line of a band can be left out, by the band and its two neighbours."""

    def __attrs_post_init__(self) -> None:
        self._sizes = [band.size for band in self.bands]
        self._widths = [sum(self._sizes[one.start : one.stop]) for one, _ in self.needs]
        self._needs_of = [
            [number for number, (one, _) in enumerate(self.needs) if at in one]
            for at in range(len(self.bands))
        ]
        self._worths = [self._rank(at) for at in range(len(self.bands))]

    def order(self) -> Iterable[int]:
        """Yield the band of each line that is left out, until no further line can be left out."""
        while (at := self._next_band()) is not None:
            self._sizes[at] -= 1
            changed = {at}
            for number in self._needs_of[at]:
                self._widths[number] -= 1
                changed.update(self.needs[number][0])
            for one in changed:
                self._worths[one] = self._rank(one)
            yield at

    def _rank(self, at: int) -> tuple[int, bool, int]:
        """Return the rank of a band. The band with the highest rank loses the next line.

        The rank consists of the width of the band's narrowest place, whether the band has more than
        one line, and the number of its lines. The rank starts with -1 if the band can lose no line:
        none is left, or a place in the band has its minimum size.
        """
        size, narrowest = self._sizes[at], _PLENTY
        if not size:
            return -1, False, 0
        for number in self._needs_of[at]:
            width = self._widths[number]
            if width <= self.needs[number][1]:
                return -1, False, 0
            narrowest = min(narrowest, width)
        return narrowest, size > 1, size

    def _next_band(self) -> int | None:
        """Return the band that loses the next line; None if no band can lose a line."""
        ranked = sorted(range(len(self.bands)), key=self._worths.__getitem__, reverse=True)
        for at in ranked:
            narrowest, is_one_of_many, _ = self._worths[at]
            if narrowest < 0:
                return None
            # The last line of a band goes only if a neighbour shows everything that it shows.
            if is_one_of_many or self._can_vanish(at):
                return at
        return None

    def _can_vanish(self, at: int) -> bool:
        """
        Return whether the last line of a band can be left out.

        The line can go if a neighbouring line shows everything that this line shows, and if no two
        doors would touch afterwards.
        """
        before = next((k for k in range(at - 1, -1, -1) if self._sizes[k]), None)
        after = next((k for k in range(at + 1, len(self.bands)) if self._sizes[k]), None)
        if before is None or after is None:
            return False
        between = (before, at, after)
        if between not in self._judged:
            first, gone, last = (self.bands[k] for k in between)
            pairs = zip(first.labels, last.labels, strict=True)
            # Two doors would touch and become one.
            joins_doors = any(one != other and {one, other} <= self.doors for one, other in pairs)
            self._judged[between] = not joins_doors and any(
                all(
                    new == old or (old == self.straight and new in self.doors)
                    for new, old in zip(kept.labels, gone.labels, strict=True)
                )
                for kept in (first, last)
            )
        return self._judged[between]
