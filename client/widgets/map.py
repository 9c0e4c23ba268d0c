"""
The map: the board as it is known, with rooms named and everything that stands in them.

A pane shows as much as fits, around what matters most: what is pointed at, else whose turn it is,
else the viewer's own figure. What is pointed at is bracketed as well as reversed.
"""

from collections.abc import Iterable, Iterator, Mapping

import attrs

from client.locale.speaker import Speaker
from client.widgets.canvas import Canvas, Pane, Styled
from client.widgets.printable import clip, width_of
from client.widgets.scene import Charset, Scene
from client.widgets.signs import (
    ANYBODY,
    FEATURES,
    LYING,
    TOKENS,
    Sign,
    investigator_signs,
    monster_signs,
    signs_at,
)
from client.widgets.walls import walls
from protocol.common.maps import Cell, Door, Map
from protocol.second_edition.table import SecondEditionTable

LIT = "class:map.lit"
NAME = "class:map.room"
SMALLEST_NAME = 4
"""A name cut shorter than this says nothing; it goes to the legend instead."""


@attrs.frozen
class Scroll:
    """How far the person moved the map from where it lay by itself."""

    rows: int = 0
    columns: int = 0

    def moved(self, rows: int, columns: int) -> "Scroll":
        """Return it moved further."""
        return Scroll(self.rows + rows, self.columns + columns)


@attrs.frozen
class _Area:
    """The part of a space that can be written on: one run of cells in each row."""

    runs: tuple[tuple[int, int, int], ...]
    """Row, first column, width; without the column at either end, where brackets go."""

    @property
    def width(self) -> int:
        """How wide the widest run is."""
        return max((width for _, _, width in self.runs), default=0)


def _area(cells: Iterable[Cell]) -> _Area:
    by_row: dict[int, list[int]] = {}
    for row, column in cells:
        by_row.setdefault(row, []).append(column)
    runs = []
    for row, columns in sorted(by_row.items()):
        start = min(columns)
        end = start
        while end + 1 in columns:
            end += 1
        if end - start > 1:
            runs.append((row, start + 1, end - start - 1))
    return _Area(tuple(runs))


def draw_map(pane: Pane, scene: Scene, scroll: Scroll) -> str:
    """
    Draw the board into a pane, as much of it as fits.

    Returns:
        Marks of the sides on which it goes on: some of `^v<>`.
    """
    game = scene.game
    if game is None or not game.tiles:
        pane.write_clipped(pane.rows // 2, 1, scene.speaker.say("map.empty"), "class:dim")
        return ""
    board = game.map
    rows = max(row for row, _ in board.characters) + 1
    columns = max(column for _, column in board.characters) + 1
    top = _start(pane.rows, rows, _focus(scene, game, board)[0], scroll.rows)
    left = _start(pane.columns, columns, _focus(scene, game, board)[1], scroll.columns)
    sheet = Canvas(rows, columns)
    _draw_board(sheet.pane(), scene, game, board)
    # A small board lies in the middle of a large pane.
    down, across = max(0, (pane.rows - rows) // 2), max(0, (pane.columns - columns) // 2)
    pane.inner(down, across).lay(sheet.pane().inner(top, left))
    beyond = {
        "^": top > 0,
        "v": top + pane.rows < rows,
        "<": left > 0,
        ">": left + pane.columns < columns,
    }
    return "".join(mark for mark, is_more in beyond.items() if is_more)


def _start(size: int, whole: int, focus: int, scroll: int) -> int:
    """Return the first row or column to show, so that the focus is in the middle if it can."""
    return max(0, min(focus - size // 2 + scroll, whole - size))


def _focus(scene: Scene, game: SecondEditionTable, board: Map) -> Cell:
    places = [*_lit_places(scene, game)]
    mine = [who for who in game.investigators.values() if who.seat == scene.seat]
    active = game.investigators.get(game.active or "")
    places += [who.space for who in (active, *mine) if who is not None and who.space is not None]
    for place in places:
        cells = board.cells.get(place) or (board.doors[place].cells if place in board.doors else ())
        if cells:
            return cells[len(cells) // 2]
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


# The board ---------------------------------------------------------------------------------


def _draw_board(sheet: Pane, scene: Scene, game: SecondEditionTable, board: Map) -> None:
    for (row, column), glyph in walls(game.tiles, game.coverings, scene.charset).items():
        sheet.write(row, column, glyph.char, glyph.style)
    signs = signs_at(game, scene.speaker)
    for space, cells in board.cells.items():
        area = _area(cells)
        name = _name(scene.speaker, game, space, area.width)
        _draw_space(sheet, scene, area, name, signs.get(space, ()))
        if scene.is_lit("space", space):
            _light(sheet, board.cells[space], area)
    for door in {door.door: door for door in board.doors.values()}.values():
        names = [name for name, known in board.doors.items() if known.door == door.door]
        _draw_door(sheet, scene, door, names, signs)


def _name(speaker: Speaker, game: SecondEditionTable, space: str, width: int) -> str:
    """Return what a space is called, as in every choice; of a long name the number is kept."""
    name = speaker.space(game, space)
    room = speaker.name("room", game.map.rooms[space])
    if width_of(name) <= width or name == room:
        return name
    # Without brackets; and a number alone where there is no room for more.
    number = " " + name.removeprefix(room).strip(" ()")
    return clip(room, width - width_of(number)) + number


def _draw_space(sheet: Pane, scene: Scene, area: _Area, name: str, signs: tuple[Sign, ...]) -> None:
    runs = list(area.runs)
    if name and area.width >= SMALLEST_NAME:
        at = next(n for n, (_, _, width) in enumerate(runs) if width >= SMALLEST_NAME)
        row, column, width = runs[at]
        shown = clip(name, width)
        sheet.write(row, column + (width - width_of(shown)) // 2, shown, NAME)
        if len(runs) > 1:
            runs.pop(at)
        else:
            # One row for all: the name gives way to who stands there.
            runs = runs if signs else []
    _draw_signs(sheet, scene, runs, signs)


def _draw_signs(
    sheet: Pane, scene: Scene, runs: list[tuple[int, int, int]], signs: tuple[Sign, ...]
) -> None:
    todo = list(signs)
    # From the middle down, so that a few figures stand in the middle of their space.
    for row, column, width in runs[len(runs) // 2 :] + runs[: len(runs) // 2]:
        line: list[tuple[Sign, bool]] = []
        used = 0
        while todo:
            sign = todo[0]
            bracketed = scene.is_lit(sign.kind, sign.piece)
            need = len(sign.char) + (2 if bracketed else 0) + (1 if line else 0)
            if used + need > width:
                break
            line.append((todo.pop(0), bracketed))
            used += need
        at = column + (width - used) // 2
        for sign, bracketed in line:
            text = f"[{sign.char}]" if bracketed else sign.char
            at = sheet.write(row, at, text, f"{sign.style} {LIT}" if bracketed else sign.style) + 1
    if todo and runs:
        row, column, width = runs[-1]
        sheet.write(row, column + max(0, width - 2), f"+{len(todo)}", "class:dim")


def _light(sheet: Pane, cells: Iterable[Cell], area: _Area) -> None:
    for row, column in cells:
        sheet.canvas.restyle(row, column, LIT)
    for row, column, width in area.runs:
        sheet.write(row, column - 1, "[", LIT)
        sheet.write(row, column + width, "]", LIT)


def _draw_door(
    sheet: Pane,
    scene: Scene,
    door: Door,
    names: Iterable[str],
    signs: Mapping[str, tuple[Sign, ...]],
) -> None:
    is_lit = any(scene.is_lit("door", name) for name in names)
    here = [sign for name in names for sign in signs.get(name, ())]
    is_lit = is_lit or any(scene.is_lit(sign.kind, sign.piece) for sign in here)
    if is_lit:
        for row, column in door.cells:
            sheet.write(row, column, "#", LIT)
    middle = len(door.cells) // 2
    for (row, column), sign in zip(door.cells[middle:] + door.cells[:middle], here, strict=False):
        sheet.write(row, column, sign.char, f"{sign.style} {LIT}" if is_lit else sign.style)


# The legend --------------------------------------------------------------------------------


def legend(scene: Scene) -> list[Styled]:
    """Return what each sign means, one entry for each kind that lies on the board."""
    game = scene.game
    if game is None:
        return []
    speaker = scene.speaker
    entries: list[Styled] = []
    for piece, sign in monster_signs(game, speaker).items():
        monster = game.monsters[piece]
        health = f"{monster.damage}/{monster.health}"
        text = f" {speaker.monster(monster)} {health}"
        entries.append([(sign.style, sign.char), ("", text)])
    kinds = {token.kind for token in game.tokens.values() if not token.is_anonymous}
    for kind, char in TOKENS.items():
        if kind in kinds:
            label = speaker.say(f"token.{kind.value}")
            entries.append([("class:token", char), ("", f" {label}")])
    if any(token.is_anonymous for token in game.tokens.values()):
        entries.append([("class:token", ANYBODY), ("", f" {speaker.say('token.anybody')}")])
    for feature, char in FEATURES.items():
        if game.spaces_with(feature):
            label = speaker.say(f"feature.{feature.value}")
            entries.append([(f"class:feature.{feature.value}", char), ("", f" {label}")])
    if any(game.lying.values()):
        entries.append([("class:token", LYING), ("", f" {speaker.say('token.lying')}")])
    return entries


def line_legend(scene: Scene) -> list[Styled]:
    """Return what each kind of line means, and where north is: the board is never turned."""
    boxes = {"map.door": "═║", "map.border": "╎┄", "map.impassable": "╫╪", "map.north": "↑"}
    plain = {"map.door": "=", "map.border": ":.", "map.impassable": "!~", "map.north": "N"}
    shown = plain if scene.charset is Charset.ASCII else boxes
    return [
        [(f"class:{key}", chars), ("", f" {scene.speaker.say(key)}")]
        for key, chars in shown.items()
    ]


def figure_legend(scene: Scene) -> list[Styled]:
    """Return which letter stands for which investigator."""
    game = scene.game
    if game is None:
        return []
    signs = investigator_signs(game, scene.speaker)
    return [
        [(sign.style, sign.char), ("", f" {scene.speaker.name('investigator', piece)}")]
        for piece, sign in signs.items()
    ]
