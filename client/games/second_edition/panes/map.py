"""
The map: the board as it is known, with rooms named and everything that stands in them.

A pane shows as much as fits, with what matters most in view: what is pointed at, else whose turn it
is, else the viewer's own figure. It moves no more than that takes, so that one keeps one's place.
What is pointed at is bracketed as well as reversed.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from client.boards.areas import BRACKETS, Area, areas
from client.boards.filling import Filling, fill, needs_of
from client.boards.labels import Label, labels
from client.boards.signs import Sign
from client.boards.sketch import Need, Sketch, sketch
from client.games.second_edition.panes.scene import SecondEditionScene
from client.games.second_edition.panes.signs import signs_at
from client.settings.preferences import MapSize
from client.text.printable import width_of
from client.widgets.canvas import Canvas, Pane
from protocol.boards.maps import Cell, Door
from protocol.games.second_edition.table import SecondEditionTable

LIT = "class:map.lit"
_PLENTY = 1_000_000
"""Rows; more than any board has."""
_MARGIN = 5
"""What is nearer to an edge than this part of the pane is no longer well in view."""


@attrs.frozen
class BoardPosition:
    """The default position of a board in its pane: first row and column, and its size."""

    top: int
    left: int
    rows: int
    columns: int


@attrs.frozen
class Scroll:
    """How far the person moved the map from its default position."""

    rows: int = 0
    columns: int = 0
    position: BoardPosition | None = None
    """The default position when the map was drawn last."""

    def moved(self, rows: int, columns: int) -> "Scroll":
        """Return it moved further."""
        return attrs.evolve(self, rows=self.rows + rows, columns=self.columns + columns)

    def let_go(self) -> "Scroll":
        """Return the default position."""
        return Scroll(position=self.position)


@attrs.frozen
class BoardPart:
    """A part of a drawn board: where it begins, and how large it is."""

    top: int
    left: int
    rows: int
    columns: int

    def holds(self, cell: Cell) -> bool:
        """Return whether a cell is in this part."""
        row, column = cell[0] - self.top, cell[1] - self.left
        return 0 <= row < self.rows and 0 <= column < self.columns


@functools.lru_cache(maxsize=32)
def _lines(board: Sketch) -> Canvas:
    """Return the lines of a board, drawn."""
    sheet = Canvas(board.rows, board.columns)
    for (row, column), glyph in board.glyphs.items():
        sheet.put(row, column, glyph.char, 1, glyph.style)
    return sheet


# What is seen ------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class Seen:
    """The board of a game as it is drawn in a pane of some size."""

    board: Sketch
    fillings: Mapping[str, Filling]
    """By space."""
    signs: Mapping[str, tuple[Sign, ...]]
    labels: Mapping[str, Label]

    def coded(self, part: BoardPart | None = None) -> tuple[str, ...]:
        """Return the spaces whose names are short forms, row by row; in a part or all."""
        spaces = [
            space
            for space, filling in self.fillings.items()
            if filling.is_coded and (part is None or any(part.holds(at[:2]) for at in filling.name))
        ]
        return tuple(sorted(spaces, key=lambda space: self.board.board.cells[space][0]))

    def signs_in(self, part: BoardPart) -> frozenset[str]:
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

    scene: SecondEditionScene
    game: SecondEditionTable
    size: MapSize
    signs: Mapping[str, tuple[Sign, ...]]
    labels: Mapping[str, Label]
    needs: tuple[Need, ...]
    _seen: dict[Sketch, Seen] = attrs.field(factory=dict, init=False)
    """What is seen of each sketch: a row more or less often makes no other one."""

    def within(self, rows: int, columns: int) -> Seen:
        """Return what is seen in so many rows and columns."""
        board = self._sketch(rows, columns, self.needs, may_grow=True)
        if board not in self._seen:
            self._seen[board] = self._filled(board)
        return self._seen[board]

    def _filled(self, board: Sketch) -> Seen:
        fillings = {
            space: fill(
                area,
                self.labels[space],
                here,
                _lit_of(self.scene, here),
                is_lit=self.scene.is_lit("space", space),
                is_spelled=board.is_grown,
            )
            for space, area in areas(board).items()
            for here in (self.signs.get(space, ()),)
        }
        return Seen(board, fillings, self.signs, self.labels)

    def rows_wanted(self, columns: int) -> int:
        """Return how many rows the board takes in so many columns, if it has all it wants."""
        return self._sketch(_PLENTY, columns, ()).rows

    def least_rows(self, columns: int) -> int:
        """Return how many rows the board takes in so many columns, at its smallest."""
        return self._sketch(0, columns, self.needs).rows

    def _sketch(
        self, rows: int, columns: int, needs: tuple[Need, ...], *, may_grow: bool = False
    ) -> Sketch:
        limits = {MapSize.FULL: None, MapSize.COMPACT: (0, 0), MapSize.AUTO: (rows, columns)}
        game = self.game
        limit, charset = limits[self.size], self.scene.charset
        may_grow = may_grow and self.size is MapSize.AUTO
        return sketch(game.tiles, game.coverings, charset, limit, needs, may_grow=may_grow)


def outlook(scene: SecondEditionScene, size: MapSize) -> Outlook | None:
    """Return all there is to see; None before there is a house."""
    game = scene.game
    if game is None or not game.tiles:
        return None
    signs = signs_at(game, scene.speaker)
    needs = tuple(needs_of(signs, game.map.cells))
    return Outlook(scene, game, size, signs, labels(game.tiles, game.map, scene.speaker), needs)


def _lit_of(scene: SecondEditionScene, signs: Iterable[Sign]) -> frozenset[Sign]:
    return frozenset(sign for sign in signs if scene.is_lit(sign.kind, sign.piece))


def part_seen(
    shown: Seen, scene: SecondEditionScene, size: tuple[int, int], scroll: Scroll
) -> tuple[BoardPart, Scroll]:
    """
    Return what a pane of so many rows and columns shows of a board.

    Returns:
        The part; and how far it is moved, which is less than was asked for where the board ends.
    """
    board, game = shown.board, scene.game
    assert game is not None
    focus = _focus(scene, game, board)
    last = scroll.position
    is_same = last is not None and (last.rows, last.columns) == (board.rows, board.columns)
    known = (last.top, last.left) if last is not None and is_same else (None, None)
    position = BoardPosition(
        _first(size[0], board.rows, focus[0], known[0]),
        _first(size[1], board.columns, focus[1], known[1]),
        board.rows,
        board.columns,
    )
    top = _clamped(position.top + scroll.rows, size[0], board.rows)
    left = _clamped(position.left + scroll.columns, size[1], board.columns)
    return BoardPart(top, left, *size), Scroll(top - position.top, left - position.left, position)


def draw_map(
    pane: Pane, scene: SecondEditionScene, shown: Seen, scroll: Scroll
) -> tuple[str, Scroll]:
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


def _first(size: int, whole: int, focus: int, last: int | None) -> int:
    """
    Return the first row or column to show.

    The board stays where it was as long as the focus is well in view; else that is in the middle.
    """
    margin = size // _MARGIN
    if last is not None and last + margin <= focus < last + size - margin:
        return _clamped(last, size, whole)
    return _clamped(focus - size // 2, size, whole)


def _clamped(first: int, size: int, whole: int) -> int:
    """Return it so that the pane shows nothing beyond the board, if it can."""
    return max(0, min(first, whole - size))


def _focus(scene: SecondEditionScene, game: SecondEditionTable, board: Sketch) -> Cell:
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


def _lit_places(scene: SecondEditionScene, game: SecondEditionTable) -> Iterator[str]:
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


def _draw_board(sheet: Pane, scene: SecondEditionScene, shown: Seen) -> None:
    board = shown.board.board
    for space, area in areas(shown.board).items():
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


def _light(sheet: Pane, area: Area) -> None:
    for row, column, rows, columns in area.blocks:
        for at in range(row, row + rows):
            sheet.inner(0, column, None, columns).restyle(at, LIT)
    for row, column, width in area.runs:
        sheet.write(row, column - 1, "[", LIT)
        sheet.write(row, column + width, "]", LIT)


def _draw_filling(
    sheet: Pane, scene: SecondEditionScene, area: Area, filling: Filling, lit: str
) -> None:
    for row, column, name, style in filling.name:
        sheet.write(row, column, name, f"{style} {lit}".strip())
    for row, column, sign in filling.signs:
        is_lit = scene.is_lit(sign.kind, sign.piece)
        _draw_sign(sheet, row, column, sign, LIT if is_lit else lit)
        if is_lit:
            sheet.write(row, column - 1, "[", f"{sign.style} {LIT}")
            sheet.write(row, column + len(sign.char), "]", f"{sign.style} {LIT}")
            # A second click where the first one was: the brackets push the sign aside.
            width = len(sign.char) + BRACKETS
            sheet.spot(sign.kind, sign.piece, row=row, column=column - 1, rows=1, columns=width)
    for row, column, sign in filling.words:
        style = LIT if scene.is_lit(sign.kind, sign.piece) else lit
        sheet.write(row, column, sign.words, f"class:dim {style}".strip())
        width = width_of(sign.words)
        sheet.spot(sign.kind, sign.piece, row=row, column=column, rows=1, columns=width)
    if filling.missing and area.runs:
        row, column, width = area.runs[-1]
        sheet.write(row, column + max(0, width - 2), f"+{filling.missing}", "class:dim")


def _draw_sign(sheet: Pane, row: int, column: int, sign: Sign, lit: str) -> None:
    sheet.write(row, column, sign.char, f"{sign.style} {lit}".strip())
    sheet.spot(sign.kind, sign.piece, row=row, column=column, rows=1, columns=len(sign.char))


def _draw_door(
    sheet: Pane,
    scene: SecondEditionScene,
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
