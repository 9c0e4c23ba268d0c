"""
Drawings in packs: what must hold for one tile, whether drawn in its scenario or for all of them.

What a drawing brings (spaces, named doors) is noted on the sheet, for others to name.
"""

from collections.abc import Collection, Iterator

from content.games.second_edition.schema import scenario, shared
from content.language.references import Kind
from content.reading.mistakes import ContentError, suggestion
from content.reading.sheet import Complaint
from content.reading.yaml_subset import Fields, Scalar
from protocol.boards.maps import BadDrawing, Cell, read_drawing

DOOR_CHARACTERS = frozenset("=0123456789")
"""What a door is drawn with."""


_LEVEL = "-"
_UPRIGHT = "|"


def opened(drawing: str, doors: Collection[str] | None) -> str:
    """
    Return a drawing of which only these named doors are there; the others are wall.

    Doors without a name stay. None for all doors.
    """
    if doors is None:
        return drawing
    lines = [list(line) for line in drawing.split("\n")]
    for run in _door_runs(lines):
        names = {lines[row][column] for row, column in run} - {"="}
        if names and names.isdisjoint(doors):
            # Level where a space lies above or below: that is what the wall parts.
            above_and_below = [(row + step, column) for row, column in run for step in (-1, 1)]
            is_level = any(_is_area(lines, at) for at in above_and_below)
            for row, column in run:
                lines[row][column] = _LEVEL if is_level else _UPRIGHT
    return "\n".join("".join(line) for line in lines)


def _is_area(lines: list[list[str]], at: Cell) -> bool:
    row, column = at
    is_drawn = 0 <= row < len(lines) and 0 <= column < len(lines[row])
    return is_drawn and (lines[row][column] == " " or lines[row][column].islower())


def _door_runs(lines: list[list[str]]) -> Iterator[list[Cell]]:
    """Yield the cells of each door, which touch one another."""
    left = {
        (row, column)
        for row, line in enumerate(lines)
        for column, character in enumerate(line)
        if character in DOOR_CHARACTERS
    }
    while left:
        todo, run = [min(left)], []
        left.discard(todo[0])
        while todo:
            row, column = cell = todo.pop()
            run.append(cell)
            around = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            todo += sorted(around & left)
            left -= around
        yield run


def check_pack_tile(tile: shared.PackTile, fault: Complaint) -> None:
    """Read the drawing of a tile that scenarios share."""
    if _areas(tile.drawing, fault) is not None:
        fault.sheet.kept[tile.id] = tile.drawing


def check_tile(tile: scenario.Tile, fault: Complaint) -> None:
    """Read the drawing, and note the spaces and named doors that it brings."""
    if (tile.of is None) == (not tile.drawing):
        have = "neither" if tile.of is None else "both"
        fault("", f"a tile has exactly one of drawing and of, this has {have}")
        _miss(fault)
    elif tile.of is None:
        if tile.doors is not None:
            fault("doors", "what is drawn here has the doors that are drawn; leave this out")
        areas = _areas(tile.drawing, fault)
        if areas is None:
            _miss(fault)
        else:
            _declare_spots(tile, tile.drawing, areas, fault)
    elif tile.of in fault.sheet.kept:
        drawing = fault.sheet.kept[tile.of]
        _check_doors(tile, drawing, fault)
        drawing = opened(drawing, tile.doors)
        _declare_spots(tile, drawing, sorted(read_drawing(drawing.split("\n"))), fault)
    else:
        # There is no such tile, or its drawing is told to be wrong where it stands.
        _miss(fault)


def _check_doors(tile: scenario.Tile, drawing: str, fault: Complaint) -> None:
    known = sorted({character for character in drawing if character.isdigit()})
    for door in tile.doors or ():
        if door not in known:
            reason = f"{tile.of} has no door {door[:20]!r}; {suggestion(door, known)}"
            fault("doors", reason)


def _miss(fault: Complaint) -> None:
    fault.sheet.miss(Kind.SPACE, Kind.DOOR, Kind.SPOT)


def _areas(drawing: str, fault: Complaint) -> list[str] | None:
    """Return the letters of the areas of a drawing; None where it cannot be read."""
    node = fault.node.values["drawing"] if isinstance(fault.node, Fields) else fault.node
    assert isinstance(node, Scalar)
    if node.style != "|":
        fault("drawing", "write the drawing as a block: 'drawing: |', then its lines, indented")
        return None
    try:
        return sorted(read_drawing(drawing.split("\n")))
    except BadDrawing as bad:
        # The lines of a block begin below the line that announces it.
        place = fault.sheet.place(fault.node, "drawing")
        line, column = node.line + 1 + bad.row, node.indent + bad.column + 1
        reason = f"the drawing cannot be read: {bad.reason}"
        fault.sheet.errors.append(ContentError(place.file, line, column, place.key, reason))
        return None


def _declare_spots(tile: scenario.Tile, drawing: str, letters: list[str], fault: Complaint) -> None:
    whose = "the drawing" if tile.of is None else f"the drawing of {tile.of}"
    for letter in letters:
        if letter not in tile.rooms:
            fault("rooms", f"{whose} has a space {letter!r}; say which room it belongs to")
    for letter in tile.rooms:
        if letter not in letters:
            fault("rooms", f"{whose} has no space {letter!r}; leave it out or draw it")
    digits = sorted({character for character in drawing if character.isdigit()})
    place = fault.sheet.place(fault.node, "drawing" if tile.of is None else "of")
    for kind, marks in ((Kind.SPACE, letters), (Kind.DOOR, digits)):
        for mark in marks:
            fault.sheet.declare(kind, f"{tile.id}/{mark}", place)
