"""
Puzzles that locks and obstacles ask for, and the pieces they are made of. K-CARD-18, K-DECIDE-43.

A layout says which pieces lie at the start; chance says where and how each of them lies. A piece
is written as its face: `x` and `.` for the sides with and without a line in the family *connect*,
four letters in *match*, one letter in *order*. Sides are written clockwise from the upper one.
"""

from collections.abc import Mapping
from typing import Annotated

import attrs

from content.games.first_edition.schema.kinds import Kind
from content.reading.meanings import Bounds, Declares
from protocol.common.chance import SeededChance
from protocol.games.first_edition.puzzles import MOST_PIECES, Family, Piece, Puzzle

MOST_LEAST = 7
"""Maximum of `least`: with intellect 4 and luck 3 one attempt has so many actions."""

Face = str


@attrs.frozen
class Layout:
    """A puzzle before it is dealt."""

    id: Annotated[str, Declares(Kind.PUZZLE)]
    """The id of the puzzle, such as `puzzle/wires`; the words have its name."""
    family: Family
    rows: Annotated[int, Bounds(1, MOST_PIECES)]
    columns: Annotated[int, Bounds(1, MOST_PIECES)]
    """Number of pieces in a row. Rows times columns must be at most six."""
    pieces: tuple[Face, ...]
    """The pieces that lie at the start, in any order."""
    source: Annotated[int, Bounds(1, MOST_PIECES)] = 1
    """In the family *connect*: the row at whose left end the lines begin."""
    goal: Annotated[int, Bounds(1, MOST_PIECES)] = 1
    """In the family *connect*: the row at whose right end they must arrive."""
    least: Annotated[int, Bounds(1, MOST_LEAST)] = 4
    """Minimum number of actions that a dealt puzzle takes to solve."""

    def deal(self, chance: SeededChance, number: int) -> Puzzle:
        """Return one of the deals that a seed gives: the pieces in random order and direction."""
        faces = chance.shuffle(number, "order", self.pieces)
        turns = chance.roll(number, "turns", len(faces), 4)
        # A letter alone looks the same from all sides.
        is_turned = self.family is not Family.ORDER
        pieces = (Piece(face, by * is_turned) for face, by in zip(faces, turns, strict=True))
        return self.dealt(tuple(pieces))

    def dealt(self, pieces: tuple[Piece, ...]) -> Puzzle:
        """Return the puzzle with its pieces lying like this, row by row."""
        return Puzzle(
            self.id, self.family, self.rows, self.columns, pieces, self.source - 1, self.goal - 1
        )


@attrs.frozen
class PieceSupply:
    """All pieces of the box, by family: how many there are of each face. K-DECIDE-10."""

    connect: Mapping[Face, Annotated[int, Bounds(1, 99)]] = attrs.field(factory=dict)
    match: Mapping[Face, Annotated[int, Bounds(1, 99)]] = attrs.field(factory=dict)
    order: Mapping[Face, Annotated[int, Bounds(1, 99)]] = attrs.field(factory=dict)

    def of(self, family: Family) -> Mapping[Face, int]:
        """Return the pieces of a family."""
        by_family = {
            Family.CONNECT: self.connect,
            Family.MATCH: self.match,
            Family.ORDER: self.order,
        }
        return by_family[family]
