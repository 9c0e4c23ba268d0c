"""
The locksmith: makes locks whose shortest solution has a given number of steps. Rule DECIDE-123.

It fills a grid at random, searches every position that sliding can reach, and counts the steps from
each to the nearest solved one. A position at the requested distance becomes the lock. Grids with
too many positions are skipped.
"""

import functools
import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from protocol.common.chance import Chance, SeededChance
from protocol.games.second_edition.table import LockPiece
from server.kernel.steps import Steps

SEEDS = 1 << 32
"""Number of possible seeds."""
TRIES = 60
"""Number of grids tried for one seed."""
MOST_POSITIONS = 2_000
"""Maximum number of positions searched in one grid."""
SLICE = 100
"""Number of positions searched between two yields, so that other rooms are served."""
FULLEST = 0.85
"""Maximum share of the grid that pieces cover."""

PLACE_BITS = 4
"""Bits of a position for one piece."""
PLACE_MASK = (1 << PLACE_BITS) - 1

Position = int
"""
Position of a lock: the place of each piece along its line, packed from the lowest bits on.

It is one number because thousands of positions are made for one lock.
"""


def making_lock(seed: int, rows: int, columns: int, steps: int) -> Steps[tuple[LockPiece, ...]]:
    """
    Return the pieces of a lock with a shortest solution of `steps` steps, the special piece first.

    The search yields at intervals. The same seed always makes the same lock. If no grid of the seed
    fits, the seeds from 0 on are tried; one of them fits every size that a scenario can request.
    """
    for each, number in itertools.product((seed, *range(TRIES)), range(TRIES)):
        chance = SeededChance(each.to_bytes(8, "big"))
        pieces = _fill(chance, number, rows, columns)
        positions = yield from _far_positions(pieces, rows, columns, steps)
        if positions:
            position = positions[chance.pick(number, "position", len(positions))]
            return tuple(_at(piece, _place(position, at)) for at, piece in enumerate(pieces))
    raise AssertionError(f"no lock of {rows}x{columns} takes {steps} steps")


def _place(position: Position, at: int) -> int:
    """Return the place of piece number `at` in a position."""
    return position >> at * PLACE_BITS & PLACE_MASK


class _Slide(NamedTuple):
    """Ways in which a piece can slide from one of its places."""

    mask: int
    """Cells that the piece covers at this place, one bit each."""
    ways: tuple[tuple[tuple[int, int], ...], ...]
    """For each direction, cell by cell: the cells covered there, and the change of the position."""


def _fill(chance: Chance, number: int, rows: int, columns: int) -> tuple[LockPiece, ...]:
    """
    Return pieces laid at random where they fit, the special one first.

    LOCK-1, LOCK-2, LOCK-5.
    """
    row = chance.pick(number, "row", rows)
    pieces = [LockPiece(row, 0, 2, is_upright=False)]
    taken = set(pieces[0].cells())
    places = _places(rows, columns)
    for name in chance.shuffle(number, "grid", tuple(places)):
        piece = places[name]
        # What lies level in the special piece's row could never make way for it.
        is_in_the_way = not piece.is_upright and piece.row == row
        is_too_full = len(taken) + piece.length > FULLEST * rows * columns
        if not (is_in_the_way or is_too_full or taken.intersection(piece.cells())):
            pieces.append(piece)
            taken.update(piece.cells())
    return tuple(pieces)


@functools.lru_cache(maxsize=16)
def _places(rows: int, columns: int) -> Mapping[str, LockPiece]:
    """Return every possible piece in a grid, by its name."""
    pieces = (
        LockPiece(row, column, length, is_upright)
        for row in range(rows)
        for column in range(columns)
        for length in (2, 3)
        for is_upright in (False, True)
        if (row + length <= rows if is_upright else column + length <= columns)
    )
    return {repr(piece): piece for piece in pieces}


def _at(piece: LockPiece, place: int) -> LockPiece:
    return piece.slid(place - (piece.row if piece.is_upright else piece.column))


def _far_positions(
    pieces: Sequence[LockPiece], rows: int, columns: int, steps: int
) -> Steps[Sequence[Position]]:
    """Return the positions `steps` steps from a solved one; none if the search is too large."""
    slides = [
        _slides(_masks(piece, rows, columns), at * PLACE_BITS) for at, piece in enumerate(pieces)
    ]
    places = [piece.row if piece.is_upright else piece.column for piece in pieces]
    ways = yield from _reachable(places, slides)
    if ways is None:
        return ()
    solved = columns - pieces[0].length
    return _layer(ways, [position for position in ways if _place(position, 0) == solved], steps)


def _masks(piece: LockPiece, rows: int, columns: int) -> Sequence[int]:
    """Return the cells that a piece covers at each of its places, one bit for each cell."""
    size = rows if piece.is_upright else columns
    return [
        sum(1 << (row * columns + column) for row, column in _at(piece, place).cells())
        for place in range(size - piece.length + 1)
    ]


def _slides(masks: Sequence[int], shift: int) -> Sequence[_Slide]:
    """Return a piece's slides from each place; its bits in a position begin at `shift`."""
    count = len(masks)
    return [
        _Slide(
            masks[place],
            tuple(
                tuple((masks[other], other - place << shift) for other in further)
                for further in (range(place - 1, -1, -1), range(place + 1, count))
            ),
        )
        for place in range(count)
    ]


def _reachable(
    places: Sequence[int], slides: Sequence[Sequence[_Slide]]
) -> Steps[Mapping[Position, Sequence[Position]] | None]:
    """
    Return the positions one step away, for each position reachable from `places`.

    None if more than `MOST_POSITIONS` are reachable. The search yields at intervals.
    """
    start = sum(place << at * PLACE_BITS for at, place in enumerate(places))
    covered = {start: sum(slides[at][place].mask for at, place in enumerate(places))}
    ways: dict[Position, list[Position]] = {}
    todo = [start]
    # The list grows while it is gone through.
    for position in todo:
        steps = _steps_from(position, covered[position], slides)
        ways[position] = [other for other, _ in steps]
        for other, covers in steps:
            if other not in covered:
                covered[other] = covers
                todo.append(other)
        if len(todo) > MOST_POSITIONS:
            return None
        if len(ways) % SLICE == 0:
            yield
    return ways


def _steps_from(
    position: Position, covered: int, slides: Sequence[Sequence[_Slide]]
) -> list[tuple[Position, int]]:
    """Return the positions one step away, each with the cells covered in it. DECIDE-122."""
    found = []
    left = position
    for mine in slides:
        slide = mine[left & PLACE_MASK]
        left >>= PLACE_BITS
        others = covered ^ slide.mask
        for way in slide.ways:
            for mask, change in way:
                if mask & others:
                    break
                found.append((position + change, others | mask))
    return found


def _layer(
    ways: Mapping[Position, Sequence[Position]], solved: Sequence[Position], steps: int
) -> Sequence[Position]:
    """Return the positions whose shortest path to a solved one has `steps` steps."""
    seen = set(solved)
    layer = list(solved)
    for _ in range(steps):
        further: list[Position] = []
        for position in layer:
            for other in ways[position]:
                if other not in seen:
                    seen.add(other)
                    further.append(other)
        layer = further
    return layer
