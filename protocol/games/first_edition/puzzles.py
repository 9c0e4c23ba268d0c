"""
Puzzles: pieces in a small grid that investigators bring into order. K-DECIDE-43, K-CARD-18.

There are three families:

- connect: pieces carry lines, which must join a source at the left edge to a goal at the right;
- match: each side of a piece carries a symbol, and sides that touch must carry the same symbol;
- order: each piece carries a letter, and the letters must ascend, row by row.

An action turns a piece, swaps two neighbours, or exchanges a piece for a random one of the supply.
Turning and swapping do not disturb each other, and swaps reach every order of the pieces. So the
shortest solution without exchanges is found by looking at each order once.
"""

import enum
import functools
import itertools
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

import attrs

from protocol.common.text import Text
from protocol.errors import ImpossibleValue
from protocol.values import evolve, frozen

MOST_PIECES = 6
"""Maximum number of pieces in a grid. With 6 there are 720 orders; with 9, too many to search."""
SLICE = 100
"""Number of orders tried, or of pieces laid, between two yields: at most a millisecond of work."""
NORTH, EAST, SOUTH, WEST = range(4)
"""Sides of a piece, clockwise."""
LINE, BLANK = "x", "."
"""Letters of a face in the family *connect*: a side with a line, and one without."""


class Family(enum.Enum):
    """Family of a puzzle, which says when it is solved."""

    CONNECT = "connect"
    MATCH = "match"
    ORDER = "order"


@frozen
class Piece:
    """A square piece as it lies in a puzzle."""

    face: str = attrs.field()
    """
    Letters of its four sides from the upper one, clockwise, before any turn; one letter alone
    stands for all four.
    """
    turns: int = 0
    """Number of quarter turns clockwise, from 0 to 3."""

    @face.validator
    def _check_face(self, _: object, face: str) -> None:
        if not face:
            raise ImpossibleValue("a piece has a face")

    @property
    def sides(self) -> tuple[str, ...]:
        """Letters of the sides as the piece lies now, from the upper one, clockwise."""
        return tuple([self.face[(side - self.turns) % len(self.face)] for side in range(4)])

    def turned(self, by: int) -> "Piece":
        """Return the piece after some quarter turns, clockwise if `by` is above 0."""
        return Piece(self.face, (self.turns + by) % 4)


@frozen
class Puzzle:
    """Public state of a puzzle."""

    puzzle_id: str
    family: Family
    rows: int
    columns: int
    pieces: tuple[Piece, ...] = attrs.field()
    """The pieces row by row. A *cell* is an index of this tuple."""
    source: int = 0
    """In the family *connect*: the row at whose left end the lines begin, from 0."""
    goal: int = 0
    """In the family *connect*: the row at whose right end they must arrive, from 0."""

    @pieces.validator
    def _check_pieces(self, _: object, pieces: tuple[Piece, ...]) -> None:
        # Searching grows with the factorial of the size, and the puzzle may come from elsewhere.
        if self.rows < 1 or self.columns < 1 or len(pieces) != self.rows * self.columns:
            raise ImpossibleValue("pieces fill the whole grid of a puzzle")
        if len(pieces) > MOST_PIECES:
            raise ImpossibleValue(f"a puzzle has at most {MOST_PIECES} pieces")

    @property
    def is_solved(self) -> bool:
        """True if the pieces lie as the family of the puzzle demands."""
        if self.family is Family.CONNECT:
            return any(
                all(_has_lines(self.pieces[cell].sides, path_sides) for cell, path_sides in path)
                for path in _paths(self.rows, self.columns, self.source, self.goal)
            )
        if self.family is Family.MATCH:
            return all(
                self.pieces[one].sides[side] == self.pieces[other].sides[side + 2 & 3]
                for one, other, side in _touching(self.rows, self.columns)
            )
        return _ascends([piece.face for piece in self.pieces])


@frozen
class PuzzleAttempt:
    """The attempt at a puzzle that is under way. K-PUZZLE-1, K-PUZZLE-2."""

    investigator: str
    puzzle: str
    allowed: int | None
    """Number of puzzle actions in all; None if time limits the attempt instead. K-VAR-1."""
    made: int = 0
    has_point: bool = False
    """True if a skill point was spent in this attempt. K-DECIDE-45."""

    @property
    def left(self) -> int | None:
        """Number of puzzle actions left; None if they are not limited."""
        return None if self.allowed is None else self.allowed - self.made


@frozen
class Turn:
    """Turn the piece in a cell by 90 degrees."""

    cell: int
    by: int
    """1 for clockwise, -1 for counterclockwise."""


@frozen
class Swap:
    """Swap the pieces in two adjacent cells."""

    one: int
    other: int


@frozen
class Exchange:
    """Exchange the piece in a cell for a random one of the supply."""

    cell: int


Action = Turn | Swap | Exchange
"""Each costs one puzzle action."""


def supply_of(family: Family) -> str:
    """Return the pile of the pieces of a family that lie in no puzzle. K-SECRET-22."""
    return f"supply/{family.value}"


def words_of(action: Action) -> Text:
    """Return the words of the choice of an action, by which bots find it; cells count from 1."""
    if isinstance(action, Swap):
        return Text("choice/puzzle_swap", (action.one + 1, action.other + 1))
    if isinstance(action, Exchange):
        return Text("choice/puzzle_exchange", (action.cell + 1,))
    way = "right" if action.by > 0 else "left"
    return Text(f"choice/puzzle_turn_{way}", (action.cell + 1,))


def legal_actions(puzzle: Puzzle, supply: int) -> tuple[Action, ...]:
    """
    Return all actions that change something; none on a solved puzzle. K-DECIDE-43, K-PUZZLE-5.

    Args:
        puzzle: the puzzle as it lies now.
        supply: the number of pieces in the supply of its family.
    """
    if puzzle.is_solved:
        return ()
    found: list[Action] = []
    for cell, piece in enumerate(puzzle.pieces):
        right, left = piece.turned(1).sides, piece.turned(-1).sides
        if right != piece.sides:
            found.append(Turn(cell, 1))
            # On a straight line both ways lead to the same.
            if left != right:
                found.append(Turn(cell, -1))
    found += [
        Swap(one, other)
        for one, other, _ in _touching(puzzle.rows, puzzle.columns)
        if puzzle.pieces[one].sides != puzzle.pieces[other].sides
    ]
    if supply > 0:
        found += [Exchange(cell) for cell in range(len(puzzle.pieces))]
    return tuple(found)


def after(puzzle: Puzzle, action: Action, drawn: str = "") -> Puzzle:
    """
    Return the puzzle after an action.

    Args:
        puzzle: the puzzle before it.
        action: one of its legal actions.
        drawn: the face of the piece that an exchange drew from the supply.
    """
    pieces = list(puzzle.pieces)
    if isinstance(action, Turn):
        pieces[action.cell] = pieces[action.cell].turned(action.by)
    elif isinstance(action, Swap):
        pieces[action.one], pieces[action.other] = pieces[action.other], pieces[action.one]
    else:
        pieces[action.cell] = Piece(drawn)
    return evolve(puzzle, pieces=tuple(pieces))


@frozen
class Solution:
    """A shortest solution without exchanges."""

    actions: int
    """Number of actions that it takes."""
    order: tuple[int, ...]
    """For each cell, the cell in which its piece lies now."""
    turns: tuple[int, ...]
    """For each cell, the quarter turns clockwise that its piece needs, from 0 to 3."""


def search(puzzle: Puzzle) -> Generator[None, None, Solution | None]:
    """
    Return a shortest solution without exchanges; None if there is none.

    The search is complete: it goes through all orders of the pieces, those that need the fewest
    swaps first, until no order can be better than the best found. It yields at intervals, so that
    a server can serve others.
    """
    best: Solution | None = None
    looks = tuple(tuple(piece.turned(by).sides for by in range(4)) for piece in puzzle.pieces)
    solve: Callable[[tuple[int, ...]], tuple[int, ...] | None]
    if puzzle.family is Family.MATCH:
        solve = (yield from _matching(puzzle.columns, looks)).get
    elif puzzle.family is Family.CONNECT:
        paths = _paths(puzzle.rows, puzzle.columns, puzzle.source, puzzle.goal)
        solve = functools.partial(_joining, paths, _lying_along(looks, paths))
    else:
        solve = functools.partial(_ascending, [piece.face for piece in puzzle.pieces])
    for number, (order, swaps) in enumerate(_swaps(puzzle.rows, puzzle.columns).items()):
        if best is not None and swaps >= best.actions:
            break
        turns = solve(order)
        if turns is not None:
            actions = swaps + _costs(turns)
            if best is None or actions < best.actions:
                best = Solution(actions, order, turns)
        if number % SLICE == SLICE - 1:
            yield
    return best


def solution(puzzle: Puzzle) -> Solution | None:
    """Return the result of `search`, without a pause: up to 10 ms for six pieces."""
    searching = search(puzzle)
    while True:
        try:
            next(searching)
        except StopIteration as end:
            found: Solution | None = end.value
            return found


def next_action(puzzle: Puzzle) -> Action | None:
    """Return the first action of a shortest solution; None if solved, or if exchanges are due."""
    found = solution(puzzle)
    if found is None or not found.actions:
        return None
    for cell, turns in zip(found.order, found.turns, strict=True):
        if turns:
            return Turn(cell, 1 if turns < 3 else -1)
    swaps = _swaps(puzzle.rows, puzzle.columns)
    for one, other, _ in _touching(puzzle.rows, puzzle.columns):
        # The piece of `one` lies in `other` afterwards, and the reverse.
        moved = {one: other, other: one}
        order = tuple(moved.get(cell, cell) for cell in found.order)
        if swaps[order] < swaps[found.order]:
            return Swap(one, other)
    raise AssertionError("every order is reached by swaps, each of which brings it nearer")


def _costs(turns: Sequence[int]) -> int:
    """Return the actions that some quarter turns clockwise take: three are one the other way."""
    return sum([min(by, 4 - by) for by in turns])


@functools.cache
def _touching(rows: int, columns: int) -> tuple[tuple[int, int, int], ...]:
    """Return each two adjacent cells, and the side of the first at which the second lies."""
    right = [
        (row * columns + column, row * columns + column + 1, EAST)
        for row in range(rows)
        for column in range(columns - 1)
    ]
    down = [(cell, cell + columns, SOUTH) for cell in range((rows - 1) * columns)]
    return tuple(sorted(right + down))


@functools.cache
def _swaps(rows: int, columns: int) -> Mapping[tuple[int, ...], int]:
    """Return the fewest swaps that lead to each order of the pieces, the fewest first."""
    start = tuple(range(rows * columns))
    found = {start: 0}
    todo = [start]
    # The list grows while it is gone through.
    for order in todo:
        for one, other, _ in _touching(rows, columns):
            swapped = list(order)
            swapped[one], swapped[other] = swapped[other], swapped[one]
            further = tuple(swapped)
            if further not in found:
                found[further] = found[order] + 1
                todo.append(further)
    return found


Path = tuple[tuple[int, tuple[int, int]], ...]
"""Cells that a line passes, each with the two sides at which it enters and leaves."""


@functools.cache
def _paths(rows: int, columns: int, source: int, goal: int) -> tuple[Path, ...]:
    """Return all ways for a line from the source to the goal."""
    links: dict[int, list[tuple[int, int]]] = {cell: [] for cell in range(rows * columns)}
    for one, other, side in _touching(rows, columns):
        links[one].append((other, side))
        links[other].append((one, side + 2 & 3))

    def further(path: Path, cell: int, entered: int) -> Iterator[Path]:
        if cell == (goal + 1) * columns - 1:
            yield (*path, (cell, (entered, EAST)))
        passed = {earlier for earlier, _ in path}
        for other, side in links[cell]:
            if other not in passed:
                yield from further((*path, (cell, (entered, side))), other, side + 2 & 3)

    return tuple(further((), source * columns, WEST))


Looks = tuple[tuple[str, ...], ...]
"""Sides of a piece after no, one, two and three quarter turns clockwise."""


def _has_lines(sides: Sequence[str], wanted: tuple[int, int]) -> bool:
    return sides[wanted[0]] == LINE == sides[wanted[1]]


def _ascends(letters: Sequence[str]) -> bool:
    return all(one <= other for one, other in itertools.pairwise(letters))


# Each of the following finds the cheapest turns that solve a puzzle with its pieces in some order.
# An order has for each cell the place of its piece.


def _ascending(faces: Sequence[str], order: Sequence[int]) -> tuple[int, ...] | None:
    return (0,) * len(order) if _ascends([faces[place] for place in order]) else None


def _lying_along(
    looks: Sequence[Looks], paths: Sequence[Path]
) -> Mapping[tuple[int, tuple[int, int]], int]:
    """Return the cheapest turns by which each piece has lines at sides that a path asks for."""
    asked = {wanted for path in paths for _, wanted in path}
    return {
        (place, wanted): by
        for place, look in enumerate(looks)
        for wanted in asked
        # The last one found stays.
        for by in (2, 3, 1, 0)
        if _has_lines(look[by], wanted)
    }


def _joining(
    paths: Sequence[Path],
    lying: Mapping[tuple[int, tuple[int, int]], int],
    order: Sequence[int],
) -> tuple[int, ...] | None:
    ways: list[tuple[int, ...]] = []
    for path in paths:
        turns = [0] * len(order)
        for cell, wanted in path:
            by = lying.get((order[cell], wanted))
            if by is None:
                break
            turns[cell] = by
        else:
            ways.append(tuple(turns))
    return min(ways, key=_costs, default=None)


def _matching(
    columns: int, looks: Sequence[Looks]
) -> Generator[None, None, dict[tuple[int, ...], tuple[int, ...]]]:
    """Return the turns for all orders: they begin alike, and so are laid piece by piece."""
    # By the touching sides of the pieces above and before; empty if there is no such piece.
    fitting = defaultdict[tuple[str, str], list[tuple[int, int]]](list)
    for place, look in enumerate(looks):
        for by, sides in enumerate(look):
            if look.index(sides) == by:
                for beside in itertools.product((sides[NORTH], ""), (sides[WEST], "")):
                    fitting[beside].append((place, by))
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    waiting: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    number = 0
    while waiting:
        number += 1
        order, turns = waiting.pop()
        cell = len(order)
        if cell < len(looks):
            above = looks[order[-columns]][turns[-columns]][SOUTH] if cell >= columns else ""
            before = looks[order[-1]][turns[-1]][EAST] if cell % columns else ""
            waiting += [
                ((*order, place), (*turns, by))
                for place, by in fitting[above, before]
                if place not in order
            ]
        elif order not in found or _costs(turns) <= _costs(found[order]):
            found[order] = turns
        if number % SLICE == 0:
            yield
    return found
