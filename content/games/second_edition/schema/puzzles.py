"""
Puzzles of a scenario: codes to guess, pictures to put together, locks to slide open.

Each has an id, and is attempted by the step `attempt`, which names the skill. An unsolved puzzle
keeps its state for the next attempt. The schema says how hard a puzzle is; chance decides how
it is laid out.
"""

from typing import Annotated

import attrs

from content.games.second_edition.schema.kinds import ONE_UP, Kind
from content.reading.meanings import Bounds, Declares, Names

MOST_LINES, MOST_COLUMNS = 12, 36
"""Maximum lines and columns of a picture, so that it fits on the screen of every client."""
LEAST_GRID, MOST_GRID = 4, 6
"""Minimum and maximum number of rows, and of columns, of a lock."""
LEAST_SECONDS, MOST_SECONDS = 10, 600
"""Minimum and maximum number of seconds that a puzzle gives to an attempt."""

Seconds = Annotated[int, Bounds(LEAST_SECONDS, MOST_SECONDS)]


@attrs.frozen
class Code:
    """A code puzzle. Rule CODE-2."""

    id: Annotated[str, Declares(Kind.PUZZLE)]
    """The id of the puzzle, such as `code/safe`. Its name in the words is the thing that the
    investigators open."""
    # CODE-1: a code is made of at least three pieces.
    length: Annotated[int, Bounds(3, 9)]
    """Number of pieces in the code."""
    pieces: tuple[Annotated[str, Names(Kind.NAME, free=frozenset("0123456789"))], ...]
    """The distinct pieces: words of the pack, or single digits."""
    seconds: Seconds | None = None


@attrs.frozen
class Slide:
    """
    A slide puzzle: a picture cut into pieces of one size. Rule SLIDE-1.

    It begins mixed at random, and never solved. The more pieces, the harder it is; two rows of
    three take some six steps, three rows of three some ten.
    """

    id: Annotated[str, Declares(Kind.PUZZLE)]
    """The id of the puzzle, such as `slide/portrait`; the words have its name."""
    rows: Annotated[int, Bounds(1, 6)]
    columns: Annotated[int, Bounds(1, 6)]
    """Number of pieces in a row. Rows times columns must be at least six."""
    picture: str
    """The picture, a block of lines of plain ASCII that divides evenly into pieces. No two pieces
    may look the same."""
    least: Annotated[int, ONE_UP] = 1
    """Minimum number of steps that the mixed puzzle takes to solve."""
    seconds: Seconds | None = None

    def cut(self) -> tuple[tuple[str, ...], ...]:
        """
        Return the pieces of the picture, row by row, each as its lines.

        Raises:
            ValueError: the lines or columns of the picture do not divide evenly into pieces.
        """
        lines = self.picture.split("\n")
        width = max(len(line) for line in lines)
        # Rounded up: lines that are too short are filled with blanks.
        high, wide = len(lines) // self.rows, -(-width // self.columns)
        if len(lines) != high * self.rows:
            raise ValueError(f"{len(lines)} lines cannot be cut into {self.rows} rows")
        whole = [line.ljust(wide * self.columns) for line in lines]
        return tuple(
            tuple(line[left : left + wide] for line in whole[top : top + high])
            for top in range(0, high * self.rows, high)
            for left in range(0, wide * self.columns, wide)
        )

    @property
    def hardest(self) -> int:
        """Upper bound of the field `least`, if every piece is as far from its place as possible."""
        rows, columns = (
            other * sum(abs(2 * at - (size - 1)) for at in range(size))
            for size, other in ((self.rows, self.columns), (self.columns, self.rows))
        )
        # A step swaps two neighbours, so it brings each of them one place nearer at best.
        return (rows + columns) // 2


@attrs.frozen
class Lock:
    """A lock puzzle: pieces in a grid, one of which must reach the right edge. Rule LOCK-1."""

    id: Annotated[str, Declares(Kind.PUZZLE)]
    """The id of the puzzle, such as `lock/strongbox`; the words have its name."""
    rows: Annotated[int, Bounds(LEAST_GRID, MOST_GRID)]
    columns: Annotated[int, Bounds(LEAST_GRID, MOST_GRID)]
    """Number of columns of the grid, from 4 to 6."""
    # With one step there is nothing in the way.
    steps: Annotated[int, Bounds(2, 99)]
    """Number of steps in the shortest solution, from 2 to rows + columns - 4."""
    seconds: Seconds | None = None

    @property
    def hardest(self) -> int:
        """Upper bound of the field `steps`: locks that need more steps are not reliably found."""
        return self.rows + self.columns - 4


Puzzle = Code | Slide | Lock
