"""
Drawings in packs: tiles drawn as text, in a scenario or shared by all of them.

Spaces and named doors of a drawing are declared on the sheet, so that other parts can name them.
"""

import enum
from collections.abc import Collection, Iterator, Mapping
from typing import Protocol

import attrs

from content.reading.mistakes import ContentError, suggestion
from content.reading.sheet import Complaint
from content.reading.yaml_subset import Fields, Scalar
from protocol.boards.maps import BadDrawing, Cell, read_drawing

DOOR_CHARACTERS = frozenset("=0123456789")
"""The characters that a door is drawn with; a digit gives it a name."""
_LEVEL = "-"
_UPRIGHT = "|"


def opened(drawing: str, doors: Collection[str] | None) -> str:
    """
    Return a drawing that keeps only these named doors; the other named doors become wall.

    Doors without a name stay. If `doors` is None, all doors stay.
    """
    if doors is None:
        return drawing
    lines = [list(line) for line in drawing.split("\n")]
    for run in _door_runs(lines):
        names = {lines[row][column] for row, column in run} - {"="}
        if names and names.isdisjoint(doors):
            # Level where a space lies above or below: that is what the wall parts.
            above_and_below = [(row + step, column) for row, column in run for step in (-1, 1)]
            is_level = any(
                0 <= row < len(lines)
                and 0 <= column < len(lines[row])
                and (lines[row][column] == " " or lines[row][column].islower())
                for row, column in above_and_below
            )
            for row, column in run:
                lines[row][column] = _LEVEL if is_level else _UPRIGHT
    return "\n".join("".join(line) for line in lines)


def _door_runs(lines: list[list[str]]) -> Iterator[list[Cell]]:
    """Yield each door as its run of adjacent cells."""
    left = {
        (row, column)
        for row, line in enumerate(lines)
        for column, character in enumerate(line)
        if character in DOOR_CHARACTERS
    }
    while left:
        # The least cell first: a set has another order in each process.
        waiting, run = [min(left)], []
        left.discard(waiting[0])
        while waiting:
            row, column = cell = waiting.pop()
            run.append(cell)
            around = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            waiting += sorted(around & left)
            left -= around
        yield run


class DrawnTile(Protocol):
    """A tile of a game's schema, as `DrawingChecks` reads it."""

    @property
    def id(self) -> str:
        """Id of the tile; the ids of its spaces and doors begin with it."""

    @property
    def drawing(self) -> str:
        """The drawing, or empty for a tile that uses a shared drawing."""

    @property
    def rooms(self) -> Mapping[str, str]:
        """Map room of each space, by the letter of the space."""


class SharingTile(DrawnTile, Protocol):
    """A tile that may have a drawing which scenarios share."""

    @property
    def of(self) -> str | None:
        """Id of the shared tile whose drawing this tile uses; None if it has its own drawing."""

    @property
    def doors(self) -> tuple[str, ...] | None:
        """Named doors of the shared tile that this tile keeps; None for all."""


@attrs.frozen
class DrawingChecks:
    """Checks the drawings of tiles, and declares their spaces and doors."""

    space: enum.Enum
    door: enum.Enum
    missed: tuple[enum.Enum, ...]
    """Kinds whose declarations may be incomplete when a drawing cannot be read."""
    has_corners: bool = False
    """True if drawings may have corners that can be crossed."""

    def check_shared(self, id_: str, drawing: str, fault: Complaint) -> None:
        """Read the drawing of a tile that scenarios share, and store it for their checks."""
        if self._areas(drawing, fault) is not None:
            # Scenarios are read after all lists, and look it up by the id of the tile.
            fault.sheet.kept[id_] = drawing

    def check_own(self, tile: DrawnTile, fault: Complaint) -> None:
        """Read the tile's own drawing, and declare its spaces and named doors."""
        areas = self._areas(tile.drawing, fault)
        if areas is None:
            fault.sheet.miss(*self.missed)
        else:
            self._declare(tile, tile.drawing, areas, fault)

    def check(self, tile: SharingTile, fault: Complaint) -> None:
        """Read the drawing of a tile of a scenario, and declare its spaces and named doors."""
        if (tile.of is None) == (not tile.drawing):
            have = "neither" if tile.of is None else "both"
            fault("", f"a tile has exactly one of drawing and of, this has {have}")
            fault.sheet.miss(*self.missed)
        elif tile.of is None:
            if tile.doors is not None:
                fault("doors", "what is drawn here has the doors that are drawn; leave this out")
            self.check_own(tile, fault)
        elif tile.of in fault.sheet.kept:
            drawing = fault.sheet.kept[tile.of]
            known = sorted({character for character in drawing if character.isdigit()})
            for door in tile.doors or ():
                if door not in known:
                    reason = f"{tile.of} has no door {door[:20]!r}; {suggestion(door, known)}"
                    fault("doors", reason)
            drawing = opened(drawing, tile.doors)
            areas = sorted(read_drawing(drawing.split("\n"), has_corners=self.has_corners))
            self._declare(tile, drawing, areas, fault, tile.of)
        else:
            # There is no such tile, or its drawing is told to be wrong where it stands.
            fault.sheet.miss(*self.missed)

    def _declare(
        self,
        tile: DrawnTile,
        drawing: str,
        letters: list[str],
        fault: Complaint,
        of: str | None = None,
    ) -> None:
        """Declare a tile's spaces and named doors; report letters only in drawing or `rooms`."""
        whose = "the drawing" if of is None else f"the drawing of {of}"
        for letter in letters:
            if letter not in tile.rooms:
                fault("rooms", f"{whose} has a space {letter!r}; say which room it belongs to")
        for letter in tile.rooms:
            if letter not in letters:
                fault("rooms", f"{whose} has no space {letter!r}; leave it out or draw it")
        digits = sorted({character for character in drawing if character.isdigit()})
        place = fault.sheet.place(fault.node, "drawing" if of is None else "of")
        # Others name spaces and doors by tile and sign, such as `hall/a` and `hall/1`.
        for kind, signs in ((self.space, letters), (self.door, digits)):
            for sign in signs:
                fault.sheet.declare(kind, f"{tile.id}/{sign}", place)

    def _areas(self, drawing: str, fault: Complaint) -> list[str] | None:
        """Return the letters of the areas of a drawing; None if the drawing cannot be read."""
        node = fault.node.values["drawing"] if isinstance(fault.node, Fields) else fault.node
        assert isinstance(node, Scalar)
        if node.style != "|":
            fault("drawing", "write the drawing as a block: 'drawing: |', then its lines, indented")
            return None
        try:
            return sorted(read_drawing(drawing.split("\n"), has_corners=self.has_corners))
        except BadDrawing as bad:
            # The lines of a block begin below the line that announces it.
            place = fault.sheet.place(fault.node, "drawing")
            line, column = node.line + 1 + bad.row, node.indent + bad.column + 1
            reason = f"the drawing cannot be read: {bad.reason}"
            fault.sheet.errors.append(ContentError(place.file, line, column, place.key, reason))
            return None
