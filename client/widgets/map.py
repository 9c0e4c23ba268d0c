"""
The map: the board as it is known, with rooms named and everything that stands in them.

A pane shows as much as fits, around what matters most: what is pointed at, else whose turn it is,
else the viewer's own figure. What is pointed at is bracketed as well as reversed.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from client.preferences import MapSize
from client.widgets.canvas import Canvas, Pane
from client.widgets.printable import width_of, wrap
from client.widgets.rooms import LEAST_CUT, Label, labels
from client.widgets.scene import Scene
from client.widgets.shrink import LEAST_COLUMNS, Need, Sketch, runs_of, sketch
from client.widgets.signs import Sign, signs_at
from protocol.common.maps import Cell, Door
from protocol.second_edition.table import SecondEditionTable

LIT = "class:map.lit"
NAME = "class:map.room"
_BRACKETS = 2
_MOST_COLUMNS = 9
"""Of the inside of a space that is kept for signs; more of them take more rows."""
_PLENTY = 1_000_000
"""Rows; more than any board has."""


@attrs.frozen
class Scroll:
    """How far the person moved the map from where it lay by itself."""

    rows: int = 0
    columns: int = 0

    def moved(self, rows: int, columns: int) -> "Scroll":
        """Return it moved further."""
        return Scroll(self.rows + rows, self.columns + columns)


@attrs.frozen
class Part:
    """A part of a drawn board: where it begins, and how large it is."""

    top: int
    left: int
    rows: int
    columns: int

    def holds(self, cell: Cell) -> bool:
        """Return whether a cell lies in it."""
        row, column = cell[0] - self.top, cell[1] - self.left
        return 0 <= row < self.rows and 0 <= column < self.columns


@attrs.frozen
class _Area:
    """The part of a space that can be written on: the widest run of cells in each row."""

    runs: tuple[tuple[int, int, int], ...]
    """Row, first column, width; without the column at either end, where brackets go."""
    blocks: tuple[tuple[int, int, int, int], ...]
    """All of the space as rectangles: row, column, rows, columns."""

    @property
    def width(self) -> int:
        """How wide the widest run is."""
        return max((width for _, _, width in self.runs), default=0)


@functools.lru_cache(maxsize=32)
def _areas(board: Sketch) -> Mapping[str, _Area]:
    """Return the area of each space of a board."""
    return {space: _area(cells) for space, cells in board.board.cells.items()}


def _area(cells: Iterable[Cell]) -> _Area:
    widest: dict[int, range] = {}
    blocks: list[tuple[int, int, int, int]] = []
    for row, run in runs_of(cells):
        if row not in widest or len(run) > len(widest[row]):
            widest[row] = run
        top, left, rows, columns = blocks[-1] if blocks else (-1, -1, 0, 0)
        if (top + rows, left, columns) == (row, run.start, len(run)):
            blocks[-1] = top, left, rows + 1, columns
        else:
            blocks.append((row, run.start, 1, len(run)))
    runs = (
        (row, run.start + 1, len(run) - 2) for row, run in widest.items() if len(run) > _BRACKETS
    )
    return _Area(tuple(runs), tuple(blocks))


@functools.lru_cache(maxsize=32)
def _lines(board: Sketch) -> Canvas:
    """Return the lines of a board, drawn."""
    sheet = Canvas(board.rows, board.columns)
    for (row, column), glyph in board.glyphs.items():
        sheet.put(row, column, glyph.char, 1, glyph.style)
    return sheet


# What goes into a space --------------------------------------------------------------------

_Placed = tuple[int, int, str, str]
"""Row, column, text and style."""


_LEAST_ROWS = 3
"""A space with no more rows than these writes its name on one."""


@attrs.frozen
class _Filling:
    """What is written into one space."""

    name: tuple[_Placed, ...]
    """In one line or two; none where there is no room for it."""
    signs: tuple[tuple[int, int, Sign], ...]
    """Each with row and column."""
    missing: int
    """How many signs found no place."""
    is_coded: bool = False
    """Whether the name is the short form that the legend explains."""


def _filling(
    area: _Area, label: Label, signs: Sequence[Sign], lit: frozenset[Sign], *, is_lit: bool
) -> _Filling:
    """Lay out a space: name and signs in rows of their own, else in one, else signs alone."""
    ways = [(fill, area) for fill in (_on_two_lines, _apart, _together)]
    if not is_lit:
        # No brackets stand at the ends: a short name close to the wall is better than none.
        runs = tuple((row, column - 1, width + _BRACKETS) for row, column, width in area.runs)
        ways.append((_together, attrs.evolve(area, runs=runs)))
    for fill, within in ways:
        found = fill(within, label, signs, lit)
        if found is not None and not found.missing:
            return found
    placed = _packed(area.runs, 0, signs, lit)
    return _Filling((), placed, len(signs) - len(placed))


def _on_two_lines(
    area: _Area, label: Label, signs: Sequence[Sign], lit: frozenset[Sign]
) -> _Filling | None:
    """Break a name that would be cut between two words, where that leaves rows for the rest."""
    if len(area.runs) <= _LEAST_ROWS:
        return None
    upper, lower, *rest = area.runs
    lines = wrap(label.name, min(upper[2], lower[2]))
    is_whole = label.room in label.within(upper[2] + _BRACKETS)
    if is_whole or len(lines) != len((upper, lower)) or " ".join(lines) != label.name:
        return None
    placed = _packed(rest, 0, signs, lit)
    name = tuple(
        (row, column + (width - width_of(line)) // 2, line, NAME)
        for (row, column, width), line in zip((upper, lower), lines, strict=True)
    )
    return _Filling(name, placed, len(signs) - len(placed))


def _apart(
    area: _Area, label: Label, signs: Sequence[Sign], lit: frozenset[Sign]
) -> _Filling | None:
    wanted = min(area.width, LEAST_CUT)
    at = next((n for n, (_, _, width) in enumerate(area.runs) if width >= wanted), None)
    if at is None:
        return None
    row, column, width = area.runs[at]
    if len(area.runs) > 1:
        # Brackets have other rows to stand in.
        column, width = column - 1, width + _BRACKETS
    name = label.within(width)
    rest = area.runs[:at] + area.runs[at + 1 :]
    placed = _packed(rest, 0, signs, lit)
    here = (row, column + (width - width_of(name)) // 2, name, NAME)
    is_coded = name == label.code and name != label.name
    return _Filling((here,) if name else (), placed, len(signs) - len(placed), is_coded)


def _together(
    area: _Area, label: Label, signs: Sequence[Sign], lit: frozenset[Sign]
) -> _Filling | None:
    # Whole as long as that costs no sign its place.
    name = label.name
    placed = _packed(area.runs, width_of(name) + 1, signs, lit)
    if len(placed) < len(signs):
        name = label.code
        placed = _packed(area.runs, width_of(name) + 1, signs, lit)
    if not placed:
        return None
    row, column, _ = placed[0]
    first = column - width_of(name) - 1 - (1 if placed[0][2] in lit else 0)
    is_coded = name != label.name
    return _Filling(((row, first, name, NAME),), placed, len(signs) - len(placed), is_coded)


def _packed(
    runs: Sequence[tuple[int, int, int]], taken: int, signs: Sequence[Sign], lit: frozenset[Sign]
) -> tuple[tuple[int, int, Sign], ...]:
    """Place as many signs as fit, centred in their rows; some cells before the first are taken."""
    placed: list[tuple[int, int, Sign]] = []
    todo = list(signs)
    # From the middle down, so that a few figures stand in the middle of their space.
    for row, column, width in (*runs[len(runs) // 2 :], *runs[: len(runs) // 2]):
        used = 0 if placed else taken
        line: list[tuple[int, Sign]] = []
        while todo:
            brackets = _BRACKETS if todo[0] in lit else 0
            need = len(todo[0].char) + brackets + (1 if line else 0)
            if used + need > width:
                break
            sign = todo.pop(0)
            line.append((used + need - len(sign.char) - brackets // 2, sign))
            used += need
        placed += [(row, column + (width - used) // 2 + at, sign) for at, sign in line]
    return tuple(placed)


def _needs(signs: Mapping[str, Sequence[Sign]], spaces: Iterable[str]) -> Iterator[Need]:
    """Yield what is kept of a board so that signs can be seen, where that is more than usual."""
    known = frozenset(spaces)
    for place, here in sorted(signs.items()):
        if place not in known:
            # A door: along the line, whichever way that goes.
            if len(here) > 1:
                yield Need(place, len(here), 1)
            continue
        need = sum(len(sign.char) + 1 for sign in here) - 1 + _BRACKETS
        columns = min(need + _BRACKETS, _MOST_COLUMNS)
        rows = -(-need // (columns - _BRACKETS))
        if columns > LEAST_COLUMNS or rows > 1:
            yield Need(place, columns, rows)


# What is seen ------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class Seen:
    """The board of a game as it is drawn in a pane of some size."""

    board: Sketch
    fillings: Mapping[str, _Filling]
    """By space."""
    signs: Mapping[str, tuple[Sign, ...]]
    labels: Mapping[str, Label]

    def coded(self, part: Part | None = None) -> tuple[str, ...]:
        """Return the spaces whose names are short forms, row by row; in a part or all."""
        spaces = [
            space
            for space, filling in self.fillings.items()
            if filling.is_coded and (part is None or any(part.holds(at[:2]) for at in filling.name))
        ]
        return tuple(sorted(spaces, key=lambda space: self.board.board.cells[space][0]))

    def signs_in(self, part: Part) -> frozenset[str]:
        """Return the signs that can be seen in a part, as they stand there."""
        inside = {
            sign.char
            for filling in self.fillings.values()
            for row, column, sign in filling.signs
            if part.holds((row, column))
        }
        doors = {
            sign.char
            for name, door in self.board.board.doors.items()
            if name in self.signs and any(map(part.holds, door.cells))
            for sign in self.signs[name]
        }
        return frozenset(inside | doors)


@attrs.frozen(eq=False)
class Outlook:
    """All that there is to see of a board, before it is known how much room there is."""

    scene: Scene
    game: SecondEditionTable
    size: MapSize
    signs: Mapping[str, tuple[Sign, ...]]
    labels: Mapping[str, Label]
    needs: tuple[Need, ...]

    def within(self, rows: int, columns: int) -> Seen:
        """Return what is seen in so many rows and columns."""
        board = self._sketch(rows, columns, self.needs)
        fillings = {
            space: _filling(
                area,
                self.labels[space],
                here,
                _lit_of(self.scene, here),
                is_lit=self.scene.is_lit("space", space),
            )
            for space, area in _areas(board).items()
            for here in (self.signs.get(space, ()),)
        }
        return Seen(board, fillings, self.signs, self.labels)

    def rows_wanted(self, columns: int) -> int:
        """Return how many rows the board takes in so many columns, if it has all it wants."""
        return self._sketch(_PLENTY, columns, ()).rows

    def _sketch(self, rows: int, columns: int, needs: tuple[Need, ...]) -> Sketch:
        limits = {MapSize.FULL: None, MapSize.COMPACT: (0, 0), MapSize.AUTO: (rows, columns)}
        game = self.game
        return sketch(game.tiles, game.coverings, self.scene.charset, limits[self.size], needs)


def outlook(scene: Scene, size: MapSize) -> Outlook | None:
    """Return all there is to see; None before there is a house."""
    game = scene.game
    if game is None or not game.tiles:
        return None
    signs = signs_at(game, scene.speaker)
    needs = tuple(_needs(signs, game.map.cells))
    return Outlook(scene, game, size, signs, labels(game, scene.speaker), needs)


def _lit_of(scene: Scene, signs: Iterable[Sign]) -> frozenset[Sign]:
    return frozenset(sign for sign in signs if scene.is_lit(sign.kind, sign.piece))


def part_seen(
    shown: Seen, scene: Scene, size: tuple[int, int], scroll: Scroll
) -> tuple[Part, Scroll]:
    """
    Return what a pane of so many rows and columns shows of a board.

    Returns:
        The part; and how far it is moved, which is less than was asked for where the board ends.
    """
    board, game = shown.board, scene.game
    assert game is not None
    focus = _focus(scene, game, board)
    top, down = _start(size[0], board.rows, focus[0], scroll.rows)
    left, right = _start(size[1], board.columns, focus[1], scroll.columns)
    return Part(top, left, *size), Scroll(down, right)


def draw_map(pane: Pane, scene: Scene, shown: Seen, scroll: Scroll) -> tuple[str, Scroll]:
    """
    Draw the board into a pane, as much of it as fits.

    Returns:
        Marks of the sides on which it goes on, some of `^v<>`; and how far it is moved, which is
        less than was asked for where the board ends.
    """
    board = shown.board
    part, moved = part_seen(shown, scene, (pane.rows, pane.columns), scroll)
    sheet = scene.sheet(board.rows, board.columns)
    sheet.pane().lay(_lines(board).pane())
    _draw_board(sheet.pane(), scene, shown)
    # A small board lies in the middle of a large pane.
    above, before = max(0, pane.rows - board.rows) // 2, max(0, pane.columns - board.columns) // 2
    pane.inner(above, before).lay(sheet.pane().inner(part.top, part.left))
    beyond = {
        "^": part.top > 0,
        "v": part.top + pane.rows < board.rows,
        "<": part.left > 0,
        ">": part.left + pane.columns < board.columns,
    }
    return "".join(mark for mark, is_more in beyond.items() if is_more), moved


def _start(size: int, whole: int, focus: int, scroll: int) -> tuple[int, int]:
    """Return the first row or column to show, so that the focus is in the middle if it can."""
    first = max(0, min(focus - size // 2, whole - size))
    moved = max(0, min(first + scroll, whole - size))
    return moved, moved - first


def _focus(scene: Scene, game: SecondEditionTable, board: Sketch) -> Cell:
    places = [*_lit_places(scene, game)]
    mine = [who for who in game.investigators.values() if who.seat == scene.seat]
    active = game.investigators.get(game.active or "")
    places += [who.space for who in (active, *mine) if who is not None and who.space is not None]
    cells, doors = board.board.cells, board.board.doors
    for place in places:
        here = cells.get(place) or (doors[place].cells if place in doors else ())
        if here:
            return here[len(here) // 2]
    return (0, 0)


def _lit_places(scene: Scene, game: SecondEditionTable) -> Iterator[str]:
    for point in sorted(scene.lit, key=lambda point: (point.kind, point.piece)):
        if point.kind in {"space", "door"}:
            yield point.piece
        elif point.kind == "token" and point.piece in game.tokens:
            yield game.tokens[point.piece].at
        elif point.kind == "feature" and point.piece in game.features:
            yield game.features[point.piece].space
        elif point.kind == "monster" and point.piece in game.monsters:
            yield game.monsters[point.piece].space
        elif point.kind == "investigator" and point.piece in game.investigators:
            space = game.investigators[point.piece].space
            if space is not None:
                yield space


# Drawing -----------------------------------------------------------------------------------


def _draw_board(sheet: Pane, scene: Scene, shown: Seen) -> None:
    board = shown.board.board
    for space, area in _areas(shown.board).items():
        for row, column, rows, columns in area.blocks:
            sheet.spot("space", space, row=row, column=column, rows=rows, columns=columns)
        is_lit = scene.is_lit("space", space)
        if is_lit:
            _light(sheet, area)
        _draw_filling(sheet, scene, area, shown.fillings[space], LIT if is_lit else "")
    for door in {door.door: door for door in board.doors.values()}.values():
        names = [name for name, known in board.doors.items() if known.door == door.door]
        # One at the end of the known map may be called as the space on its one side is.
        names = [name for name in names if name not in board.cells]
        _draw_door(sheet, scene, door, names, shown.signs)


def _light(sheet: Pane, area: _Area) -> None:
    for row, column, rows, columns in area.blocks:
        for at in range(row, row + rows):
            sheet.inner(0, column, None, columns).restyle(at, LIT)
    for row, column, width in area.runs:
        sheet.write(row, column - 1, "[", LIT)
        sheet.write(row, column + width, "]", LIT)


def _draw_filling(sheet: Pane, scene: Scene, area: _Area, filling: _Filling, lit: str) -> None:
    for row, column, name, style in filling.name:
        sheet.write(row, column, name, f"{style} {lit}".strip())
    for row, column, sign in filling.signs:
        is_lit = scene.is_lit(sign.kind, sign.piece)
        _draw_sign(sheet, row, column, sign, LIT if is_lit else lit)
        if is_lit:
            sheet.write(row, column - 1, "[", f"{sign.style} {LIT}")
            sheet.write(row, column + len(sign.char), "]", f"{sign.style} {LIT}")
            # A second click where the first one was: the brackets push the sign aside.
            width = len(sign.char) + _BRACKETS
            sheet.spot(sign.kind, sign.piece, row=row, column=column - 1, rows=1, columns=width)
    if filling.missing and area.runs:
        row, column, width = area.runs[-1]
        sheet.write(row, column + max(0, width - 2), f"+{filling.missing}", "class:dim")


def _draw_sign(sheet: Pane, row: int, column: int, sign: Sign, lit: str) -> None:
    sheet.write(row, column, sign.char, f"{sign.style} {lit}".strip())
    sheet.spot(sign.kind, sign.piece, row=row, column=column, rows=1, columns=len(sign.char))


def _draw_door(
    sheet: Pane,
    scene: Scene,
    door: Door,
    names: Sequence[str],
    signs: Mapping[str, tuple[Sign, ...]],
) -> None:
    here = [sign for name in names for sign in signs.get(name, ())]
    is_lit = any(scene.is_lit("door", name) for name in names) or bool(_lit_of(scene, here))
    for row, column in door.cells:
        if is_lit:
            sheet.write(row, column, "#", LIT)
        for name in names:
            sheet.spot("door", name, row=row, column=column, rows=1, columns=1)
    middle = len(door.cells) // 2
    for (row, column), sign in zip(door.cells[middle:] + door.cells[:middle], here, strict=False):
        _draw_sign(sheet, row, column, sign, LIT if is_lit else "")
