"""
Contents: everything that a game passes to the map for drawing.

The drawing code of `client.boards` knows only tiles, spaces and doors. The game decides which
pieces stand on the board, how each piece looks and what each piece is called. `BoardContents` holds
all of this.
"""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from client.boards.labels import Label
from client.boards.signs import Sign
from client.widgets.canvas import Styled
from client.widgets.scene import SPACE, Scene
from protocol.boards.maps import Covering, Map, PlacedTile

DOOR = "door"
"""The kind of a door in the points of choices and in mouse clicks."""


@attrs.frozen
class LegendEntry:
    """An entry of the legend: one line that explains some signs."""

    signs: frozenset[str]
    line: Styled
    is_told: bool = True
    """False for a common kind of thing, which players soon know by heart."""


@attrs.frozen
class Ground:
    """A property of a space, drawn at both ends of its rows, such as water."""

    char: str
    style: str


@attrs.frozen(eq=False)
class BoardContents:
    """A board and everything on it, as one viewer sees it."""

    tiles: tuple[PlacedTile, ...]
    """At least one tile, in the order of placement."""
    coverings: tuple[Covering, ...]
    board: Map
    labels: Mapping[str, Label]
    """Names by space."""
    signs: Mapping[str, tuple[Sign, ...]] = attrs.field(factory=dict)
    """Pieces by space or door."""
    # Sequences, not generators: a legend is laid out once for each number of its rows.
    legend: Sequence[LegendEntry] = ()
    figures: Sequence[Styled] = ()
    """Entries for the letters of single figures. Only a legend with enough room shows them."""
    focus: Sequence[str] = ()
    """
    The spaces and doors to keep in view while no choice points at a place, the most important
    first.
    """
    grounds: Mapping[str, Ground] = attrs.field(factory=dict)
    """Properties by space."""
    has_limits: bool = False
    """Whether lines between two rooms are drawn differently from those within a room."""

    def lit_places(self, scene: Scene) -> Iterator[str]:
        """Yield the places that choices point at.

        A choice points at the place itself, or at a piece in the place.
        """
        # A piece may be in a space and at a door, such as a barricade: the space counts.
        doors_first = sorted(self.signs, key=lambda place: place in self.board.cells)
        at = {
            (sign.kind, sign.piece): place
            for place in doors_first
            for sign in self.signs[place]
            if sign.moves_map
        }
        for point in sorted(scene.lit, key=lambda point: (point.kind, point.piece)):
            if point.kind in {SPACE, DOOR}:
                yield point.piece
            elif (point.kind, point.piece) in at:
                yield at[point.kind, point.piece]
