"""
Shrinking and growing: a board of the same shape for a pane that is smaller, or far larger.

Rows that look alike, one below the other, say one thing several times: leaving out all but one of
them joins nothing and parts nothing. So do columns alike. A row in which a wall goes straight on
may also give way to one beside it in which that wall has a door. Nothing else is ever left out, so
that every space, line and door is still there, between the same neighbours.

A board grows by repeating rows and columns that no line runs along.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import attrs

from client.boards.walls import Glyph, walls
from client.settings.preferences import Charset
from protocol.boards.maps import Cell, Covering, Map, PlacedTile, compose

LEAST_COLUMNS, LEAST_ROWS = 5, 1
"""Of the inside of a space: brackets, and between them a figure that is bracketed itself."""

_BRACKETS = 2
"""Columns of a space that are kept for them."""
_Thing = TypeVar("_Thing")
_OUTSIDE = ""
_LEVEL, _UPRIGHT = "─", "│"
_LEVELS, _UPRIGHTS = frozenset("─┄╪"), frozenset("│╎╫")
"""The lines that run through a column, and through a row, that is repeated."""
_PLENTY = 1_000_000
"""Cells; more than any board has."""
_MOST_GROWTH = 2
"""To how many times its size a board grows."""


@attrs.frozen
class Need:
    """What a space or a door keeps, as far as it has that much."""

    place: str
    columns: int
    rows: int
    cells: int = 0
    """How many it keeps in all: fewer rows do where it is wider. 0 where the rows are meant."""


@attrs.frozen(eq=False)
class Sketch:
    """A board as it is drawn: at the upper left, perhaps without some rows and columns."""

    board: Map
    """Its cells are those of the drawing."""
    glyphs: Mapping[Cell, Glyph]
    """The lines."""
    rows: int
    columns: int
    is_whole: bool
    """Whether nothing was left out but what is blank all around."""
    is_grown: bool = False
    """Whether something was repeated."""

    @functools.cached_property
    def styles(self) -> frozenset[str]:
        """In which styles there are lines."""
        return frozenset(glyph.style for glyph in self.glyphs.values())


@attrs.frozen
class _Band:
    """Rows or columns alike, one beside the other."""

    first: int
    size: int
    labels: tuple[str, ...]
    """What lies in each cell across: a space, a door, or a line by its character."""


@attrs.frozen(eq=False)
class _Shape:
    """A board cut into bands both ways."""

    board: Map
    rows: tuple[_Band, ...]
    columns: tuple[_Band, ...]
    doors: frozenset[str]
    """The labels of doors."""
    boxes: Mapping[str, tuple[range, range]]
    """Of each space and door: in which bands of rows and of columns its widest part lies."""

    @functools.cached_property
    def size(self) -> tuple[int, int]:
        """Rows and columns, without what is blank all around."""
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
    Return a board as it is drawn.

    Args:
        tiles: the board's; at least one.
        coverings: what lies on its lines.
        charset: which characters lines are drawn with.
        limit: how many rows and columns there is room for; no more than that is left out. None
            for all; what cannot be made to fit is as small as it can be.
        needs: what is to be kept of some spaces and doors, where that is more than the least.
        may_grow: whether a board for which there is more room than it needs takes it, up to twice
            its size.
    """
    shape = _shape(tiles, coverings)
    rows, columns = shape.size if limit is None else limit
    if may_grow and rows >= shape.size[0] and columns >= shape.size[1]:
        most = (min(rows, _MOST_GROWTH * shape.size[0]), min(columns, _MOST_GROWTH * shape.size[1]))
        return _grown(tiles, coverings, charset, most)
    limit = min(rows, shape.size[0]), min(columns, shape.size[1])
    usual = _sketch(tiles, coverings, charset, limit, ())
    # Mostly there is more room than the least, and the board stays as it is while people move.
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
    """Return all lines, those of some bands several times, evenly, up to so many in all."""
    sizes = [band.size for band in bands]
    can = [at for at, band in enumerate(bands) if _can_repeat(band, shape, across)]
    while can and sum(sizes) < most:
        least = min(can, key=lambda at: (sizes[at] + 1) / bands[at].size)
        sizes[least] += 1
    return [
        band.first + max(0, line - (size - band.size))
        for band, size in zip(bands, sizes, strict=True)
        for line in range(size)
    ]


def _can_repeat(band: _Band, shape: _Shape, across: frozenset[str]) -> bool:
    """Return whether no line runs along it, and it is part of some space."""
    spaces = [label for label in band.labels if label in shape.board.cells]
    # A door that lies along a line has more of that line at its ends.
    known = shape.doors | shape.board.cells.keys() | across | {_OUTSIDE}
    return bool(spaces) and known.issuperset(band.labels)


_Lines = tuple[Sequence[int], Sequence[int]]
"""Which rows and which columns are drawn, in order; any may be drawn several times."""


def _redrawn(
    board: Map, lines: Mapping[Cell, Glyph], kept: _Lines
) -> tuple[Map, Mapping[Cell, Glyph]]:
    """Return a board and its lines with the rows and columns that are kept."""
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
    return redrawn, _moved(lines, *places)


def _places(kept: Sequence[int]) -> Mapping[int, Sequence[int]]:
    """Return where each of the lines that are kept is drawn."""
    places: dict[int, list[int]] = {}
    for new, old in enumerate(kept):
        places.setdefault(old, []).append(new)
    return places


def _moved(
    things: Mapping[Cell, _Thing],
    rows: Mapping[int, Sequence[int]],
    columns: Mapping[int, Sequence[int]],
) -> dict[Cell, _Thing]:
    return {
        (new_row, new_column): thing
        for (row, column), thing in things.items()
        for new_row in rows.get(row, ())
        for new_column in columns.get(column, ())
    }


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
    # A server may send tiles on which nothing is drawn.
    labels = labels or {(0, 0): " "}
    top, bottom = min(row for row, _ in labels), max(row for row, _ in labels)
    left, right = min(column for _, column in labels), max(column for _, column in labels)
    grid = [
        tuple(labels.get((row, column), _OUTSIDE) for column in range(left, right + 1))
        for row in range(top, bottom + 1)
    ]
    rows, columns = _bands(grid, top), _bands(list(zip(*grid, strict=True)), left)
    # A door at the end of the known map may be called as the space on its one side is.
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
    """Return the bands of a rectangle of these cells: wide enough if one is, and the largest."""
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
    """Return the bands that some rows or columns make up."""
    inside = [at for at, band in enumerate(bands) if band.first in lines]
    return range(inside[0], inside[-1] + 1)


def runs_of(cells: Iterable[Cell]) -> list[tuple[int, range]]:
    """Return cells that lie side by side as runs: the row, and the columns."""
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
    Return in which order the bands of rows, and those of columns, lose their lines.

    The columns lose theirs first, down to a width: whatever is wider needs fewer rows.
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
    """Return how many rows a place needs with the columns that are kept of some bands."""
    if not need.cells:
        return need.rows
    lines = (
        band.first + at for band in shape.columns[box.start : box.stop] for at in range(band.size)
    )
    width = sum(line in kept for line in lines) - _BRACKETS
    return min(need.rows, -(-need.cells // max(1, width)))


def _without(bands: Sequence[_Band], order: Iterable[int]) -> list[int]:
    """Return the lines that are left when each band has lost one for each time it is named."""
    sizes = [band.size for band in bands]
    for at in order:
        sizes[at] -= 1
    return [
        band.first + line for band, size in zip(bands, sizes, strict=True) for line in range(size)
    ]


@attrs.define(eq=False)
class _Squeeze:
    """Leaves out rows, or columns, one after the other."""

    bands: Sequence[_Band]
    straight: str
    """A wall that goes straight on from one to the next."""
    doors: frozenset[str]
    needs: Sequence[tuple[range, int]]
    """Some bands, and how many rows or columns they are to keep together."""
    _sizes: list[int] = attrs.field(init=False)
    _widths: list[int] = attrs.field(init=False)
    """How many rows or columns each need has now."""
    _needs_of: list[list[int]] = attrs.field(init=False)
    """By band, the needs that it counts for."""
    _worths: list[tuple[int, bool, int]] = attrs.field(init=False)
    """By band, the gain of leaving out one of its lines; (-1, …) where none can be left out."""

    _judged: dict[tuple[int, int, int], bool] = attrs.field(factory=dict, init=False)
    """Whether the second of three bands that are beside one another can go."""

    def __attrs_post_init__(self) -> None:
        """Begin with all."""
        self._sizes = [band.size for band in self.bands]
        self._widths = [sum(self._sizes[one.start : one.stop]) for one, _ in self.needs]
        self._needs_of = [
            [number for number, (one, _) in enumerate(self.needs) if at in one]
            for at in range(len(self.bands))
        ]
        self._worths = [self._worth(at) for at in range(len(self.bands))]

    def order(self) -> Iterable[int]:
        """Yield the bands that lose a line, until nothing more can be left out."""
        while (at := self._next()) is not None:
            self._sizes[at] -= 1
            changed = {at}
            for number in self._needs_of[at]:
                self._widths[number] -= 1
                changed.update(self.needs[number][0])
            for one in changed:
                self._worths[one] = self._worth(one)
            yield at

    def _worth(self, at: int) -> tuple[int, bool, int]:
        """Rank a band: first where the narrowest place is widest, and a last line after others."""
        size, narrowest = self._sizes[at], _PLENTY
        if not size:
            return -1, False, 0
        for number in self._needs_of[at]:
            width = self._widths[number]
            if width <= self.needs[number][1]:
                return -1, False, 0
            narrowest = min(narrowest, width)
        return narrowest, size > 1, size

    def _next(self) -> int | None:
        """Return the band to take a line from; None where nothing more can be left out."""
        ranked = sorted(range(len(self.bands)), key=self._worths.__getitem__, reverse=True)
        for at in ranked:
            narrowest, is_one_of_many, _ = self._worths[at]
            if narrowest < 0:
                return None
            # The last of its kind goes only where one beside it says as much.
            if is_one_of_many or self._can_vanish(at):
                return at
        return None

    def _can_vanish(self, at: int) -> bool:
        """Return whether a neighbour says all that the last line of a band does."""
        before = next((k for k in range(at - 1, -1, -1) if self._sizes[k]), None)
        after = next((k for k in range(at + 1, len(self.bands)) if self._sizes[k]), None)
        if before is None or after is None:
            return False
        between = (before, at, after)
        if between not in self._judged:
            self._judged[between] = self._says_enough(*(self.bands[k] for k in between))
        return self._judged[between]

    def _says_enough(self, before: _Band, gone: _Band, after: _Band) -> bool:
        pairs = zip(before.labels, after.labels, strict=True)
        if any(one != other and {one, other} <= self.doors for one, other in pairs):
            # Two doors would become one.
            return False
        return any(
            all(
                new == old or (old == self.straight and new in self.doors)
                for new, old in zip(kept.labels, gone.labels, strict=True)
            )
            for kept in (before, after)
        )
