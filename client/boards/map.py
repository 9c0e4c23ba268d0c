"""
The map: a board with the names of its spaces and everything in them.

A pane shows as much of the map as fits. A place that a choice points at stays in view; if there is
no such place, the focus that the game names stays in view. Places under the cursor are both
bracketed and reversed.
"""

import functools
from collections.abc import Iterable, Mapping

import attrs

from client.boards.areas import BRACKETS, Area, areas
from client.boards.contents import DOOR, BoardContents
from client.boards.filling import Filling, fill, needs_of
from client.boards.limits import with_limits
from client.boards.signs import Sign
from client.boards.sketch import Need, Sketch, sketch
from client.boards.viewport import BoardPart, Scroll, part_in_view
from client.settings.preferences import MapSize
from client.text.printable import width_of
from client.widgets.canvas import Canvas, Pane
from client.widgets.scene import SPACE, Scene

LIT = "class:map.lit"
_PLENTY = 1_000_000
"""More rows than any board has."""


@functools.lru_cache(maxsize=32)
def _lines(board: Sketch) -> Canvas:
    """Draw the lines of a board on a separate canvas, which the cache reuses for many frames."""
    sheet = Canvas(board.rows, board.columns)
    for (row, column), glyph in board.glyphs.items():
        sheet.put(row, column, glyph.char, 1, glyph.style)
    return sheet


# What is seen ------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class Seen:
    """A board as it is drawn in a pane of one size."""

    board: Sketch
    fillings: Mapping[str, Filling]
    """Text and signs, by space."""
    contents: BoardContents

    def coded(self, part: BoardPart | None = None) -> tuple[str, ...]:
        """
        Return the spaces that are labelled with a code, row by row.

        Args:
            part: the part of the board to search; None for the whole board.
        """
        spaces = [
            space
            for space, filling in self.fillings.items()
            if filling.is_coded and (part is None or any(part.holds(at[:2]) for at in filling.name))
        ]
        return tuple(sorted(spaces, key=lambda space: self.board.board.cells[space][0]))

    def signs_in(self, part: BoardPart) -> frozenset[str]:
        """Return the signs that are visible in a part of the board."""
        signs = self.contents.signs
        inside = {
            sign.char
            for filling in self.fillings.values()
            for row, column, sign in filling.signs
            if part.holds((row, column))
        }
        doors = {
            sign.char
            for name, door in self.board.board.doors.items()
            if name in signs and any(map(part.holds, door.cells))
            for sign in signs[name]
        }
        cells = self.board.board.cells
        grounds = {
            ground.char
            for space, ground in self.contents.grounds.items()
            if any(map(part.holds, cells[space]))
        }
        return frozenset(inside | doors | grounds)

    def part(self, scene: Scene, size: tuple[int, int], scroll: Scroll) -> tuple[BoardPart, Scroll]:
        """Return the part that a pane of `size` (rows, columns) shows; see `part_in_view`."""
        cells, doors = self.board.board.cells, self.board.board.doors
        places = (*self.contents.lit_places(scene), *self.contents.focus)
        # A choice may point at a piece that is nowhere on this board.
        found = (cells.get(at) or (doors[at].cells if at in doors else ()) for at in places)
        focus = next((here[len(here) // 2] for here in found if here), (0, 0))
        return part_in_view((self.board.rows, self.board.columns), size, focus, scroll)


@attrs.frozen(eq=False)
class Outlook:
    """A board and everything on the board, which can be drawn in any number of rows and columns."""

    scene: Scene
    contents: BoardContents
    size: MapSize
    _seen: dict[Sketch, Seen] = attrs.field(factory=dict, init=False)
    """
    Drawn boards by sketch. Many pane sizes have the same sketch, and filling its spaces costs most.
    """

    @functools.cached_property
    def _needs(self) -> tuple[Need, ...]:
        return tuple(needs_of(self.contents.signs, self.contents.labels, has_codes=False))

    @functools.cached_property
    def _needs_and_codes(self) -> tuple[Need, ...]:
        return tuple(needs_of(self.contents.signs, self.contents.labels, has_codes=True))

    def within(self, rows: int, columns: int) -> Seen:
        """Return the board, drawn for a pane of these rows and columns."""
        board = self._sketch(rows, columns, self._needs, may_grow=True)
        # A compact map gives up names rather than grow.
        if self.size is not MapSize.COMPACT and not self._has_names(board):
            board = self._sketch(rows, columns, self._needs_and_codes, may_grow=True)
        if self.contents.has_limits:
            board = with_limits(board, self.scene.charset)
        # The legend tries many sizes, and most of them share a sketch.
        if board not in self._seen:
            fillings = {
                space: fill(
                    area,
                    self.contents.labels[space],
                    here,
                    _lit_of(self.scene, here),
                    has_ends=self.scene.is_lit(SPACE, space),
                    is_spelled=board.is_grown,
                )
                for space, area in areas(board).items()
                for here in (self.contents.signs.get(space, ()),)
            }
            self._seen[board] = Seen(board, fillings, self.contents)
        return self._seen[board]

    def _has_names(self, board: Sketch) -> bool:
        """Return whether all spaces have room for a name, without regard to what is lit."""
        # Otherwise walls would move with the cursor.
        return all(
            fill(area, self.contents.labels[space], signs, frozenset(), has_ends=False).name
            for space, area in areas(board).items()
            for signs in (self.contents.signs.get(space, ()),)
        )

    def rows_wanted(self, columns: int) -> int:
        """Return the number of rows that the map takes in a pane of this width and any height."""
        return self._sketch(_PLENTY, columns, ()).rows

    def least_rows(self, columns: int) -> int:
        """Return the smallest number of rows of the map in a pane of this width."""
        return self._sketch(0, columns, self._needs).rows

    def _sketch(
        self, rows: int, columns: int, needs: tuple[Need, ...], *, may_grow: bool = False
    ) -> Sketch:
        # No board fits into (0, 0), so this limit gives the smallest sketch.
        limits = {MapSize.FULL: None, MapSize.COMPACT: (0, 0), MapSize.AUTO: (rows, columns)}
        return sketch(
            self.contents.tiles,
            self.contents.coverings,
            self.scene.charset,
            limits[self.size],
            needs,
            may_grow=may_grow and self.size is MapSize.AUTO,
        )


def _lit_of(scene: Scene, signs: Iterable[Sign]) -> frozenset[Sign]:
    return frozenset(sign for sign in signs if scene.is_lit(sign.kind, sign.piece))


def draw_map(pane: Pane, scene: Scene, shown: Seen, scroll: Scroll) -> tuple[str, Scroll]:
    """
    Draw as much of the board into a pane as fits.

    Returns:
        The sides on which the board continues beyond the pane, as some of `^v<>`; and the actual
        shift of the map, which is smaller than `scroll` where the board ends.
    """
    board = shown.board
    part, moved = shown.part(scene, (pane.rows, pane.columns), scroll)
    # The whole board on a sheet of its own, of which the pane shows a part.
    sheet = scene.sheet(board.rows, board.columns)
    sheet.pane().lay(_lines(board).pane())
    _draw_board(sheet.pane(), scene, shown)
    # A small board is centred in a large pane.
    above, before = max(0, pane.rows - board.rows) // 2, max(0, pane.columns - board.columns) // 2
    pane.inner(above, before).lay(sheet.pane().inner(part.top, part.left))
    beyond = {
        "^": part.top > 0,
        "v": part.top + pane.rows < board.rows,
        "<": part.left > 0,
        ">": part.left + pane.columns < board.columns,
    }
    return "".join(mark for mark, is_more in beyond.items() if is_more), moved


# Drawing -----------------------------------------------------------------------------------


def _draw_board(sheet: Pane, scene: Scene, shown: Seen) -> None:
    board = shown.board.board
    for space, area in areas(shown.board).items():
        is_lit = scene.is_lit(SPACE, space)
        for row, column, rows, columns in area.blocks:
            sheet.spot(SPACE, space, row=row, column=column, rows=rows, columns=columns)
            for at in range(row, row + rows if is_lit else row):
                sheet.inner(0, column, None, columns).restyle(at, LIT)
        ground = shown.contents.grounds.get(space)
        for row, column, width in area.runs if ground is not None else ():
            assert ground is not None
            sheet.write(row, column - 1, ground.char, ground.style)
            sheet.write(row, column + width, ground.char, ground.style)
        for row, column, width in area.runs if is_lit else ():
            sheet.write(row, column - 1, "[", LIT)
            sheet.write(row, column + width, "]", LIT)
        _draw_filling(sheet, scene, area, shown.fillings[space], LIT if is_lit else "")
    # A door has a name for each space that it leads to; all of them mean the same cells.
    for door in {door.door: door for door in board.doors.values()}.values():
        names = [name for name, known in board.doors.items() if known.door == door.door]
        # A door at the end of the known map may have the name of its only space.
        names = [name for name in names if name not in board.cells]
        signs = [sign for name in names for sign in shown.contents.signs.get(name, ())]
        is_lit = any(scene.is_lit(DOOR, name) for name in names) or bool(_lit_of(scene, signs))
        for row, column in door.cells:
            if is_lit:
                sheet.write(row, column, "#", LIT)
            for name in names:
                sheet.spot(DOOR, name, row=row, column=column, rows=1, columns=1)
        # Signs begin in the middle of the door, where they can be told from its ends.
        middle = len(door.cells) // 2
        cells = door.cells[middle:] + door.cells[:middle]
        for (row, column), sign in zip(cells, signs, strict=False):
            _draw_sign(sheet, row, column, sign, LIT if is_lit else "")


def _draw_filling(sheet: Pane, scene: Scene, area: Area, filling: Filling, lit: str) -> None:
    for row, column, name, style in filling.name:
        sheet.write(row, column, name, f"{style} {lit}".strip())
    for row, column, sign in filling.signs:
        is_lit = scene.is_lit(sign.kind, sign.piece)
        _draw_sign(sheet, row, column, sign, LIT if is_lit else lit)
        if is_lit:
            sheet.write(row, column - 1, "[", f"{sign.style} {LIT}")
            sheet.write(row, column + len(sign.char), "]", f"{sign.style} {LIT}")
            # The brackets push the sign aside: a second click in the same place still means it.
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
