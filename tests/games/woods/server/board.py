"""Board of the woods: three clearings, the paths between them, and a burrow."""

from typing import Final

from protocol.boards.links import Link, linked
from protocol.boards.maps import CornerTile, Map, compose, drawn
from protocol.boards.sight import sight_table
from tests.games.woods.protocol.table import CLEARINGS as NAMES

DRAWING: Final = (
    "+-----+-----+",
    "|     |     |",
    "|  b  |  g  |",
    "|     |     |",
    "+-----\\-----+",
    "|     !     |",
    "|  h  !  t  |",
    "|     !     |",
    "+-----+-----+",
)
"""The brook touches the thicket at a corner; a hedge is between the heath and the thicket."""

CLEARINGS: Final = dict(zip(NAMES, ("woods/b", "woods/g", "woods/t"), strict=True))
"""Clearings by name, as spaces of the board. No animal walks on the heath."""
_NAMES: Final = {space: name for name, space in CLEARINGS.items()}

BURROWS: Final = (Link("burrow", ("woods/b", "woods/g")),)

TILES: Final = (
    CornerTile("woods", 0, 0, DRAWING, (("b", "w"), ("g", "w"), ("h", "w"), ("t", "w"))),
)
BOARD: Final[Map] = compose(TILES)
_OPAQUE: Final = frozenset(cell for cell, sign in drawn(TILES).items() if sign in "+-|")
_SIGHT: Final = sight_table(BOARD, _OPAQUE)


def onward(clearing: str) -> list[str]:
    """Return the clearings one step away, across a corner or through a burrow."""
    space = CLEARINGS[clearing]
    spaces = (*BOARD.diagonals_of(space), *linked(BURROWS, space, ("burrow",)))
    return [_NAMES[other] for other in spaces]


def sees(clearing: str) -> list[str]:
    """Return the clearings visible from one, itself first."""
    return [clearing, *(_NAMES[other] for other in _SIGHT[CLEARINGS[clearing]] if other in _NAMES)]
