"""
Contents: everything a game gives to have its board drawn.

The drawing code of `client.boards` knows tiles, spaces and doors only. The game alone decides what
stands on them, how each piece looks and what it is called, and gives all of this as
`BoardContents`.
"""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from client.boards.labels import Label
from client.boards.signs import Sign
from client.widgets.canvas import Styled
from client.widgets.scene import SPACE, Scene
from protocol.boards.maps import Covering, Map, PlacedTile

DOOR = "door"
"""The kind of a door, in the points of choices and in clicks with the mouse."""


@attrs.frozen
class LegendEntry:
    """An entry of the legend: one line that explains some signs."""

    signs: frozenset[str]
    """The signs that the entry explains, as they are on the map."""
    line: Styled
    is_told: bool = True
    """
    True if nobody can guess the meaning. False for a kind of thing that is soon known by heart.
    """


@attrs.frozen(eq=False)
class BoardContents:
    """A board and everything on it, as one viewer sees it."""

    tiles: tuple[PlacedTile, ...]
    """The tiles of the board; at least one."""
    coverings: tuple[Covering, ...]
    board: Map
    """The board that the tiles make up."""
    labels: Mapping[str, Label]
    """Names of the spaces, by space."""
    signs: Mapping[str, tuple[Sign, ...]] = attrs.field(factory=dict)
    """Pieces on the board, by space or door."""
    # Sequences, not generators: a legend is laid out once for each number of its rows.
    legend: Sequence[LegendEntry] = ()
    figures: Sequence[Styled] = ()
    """Entries for the letters of single figures, which only a legend with enough room shows."""
    focus: Sequence[str] = ()
    """Spaces and doors to keep in view while no choice points at any, the most important first."""

    def lit_places(self, scene: Scene) -> Iterator[str]:
        """Yield the spaces and doors that choices point at, directly or through a piece there."""
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
